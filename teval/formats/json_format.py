"""Answers as JSON: one object with the fields asked for, or a list of such objects."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from teval.errors import DataError
from teval.formats.json_values import Value, find, strict
from teval.schema import Field, Json, JsonObject, Reply, Shape

MAX_TEXT = 400
"""Characters of one text in an answer that is held to a schema; right ones have half as many."""
MAX_ITEMS = 20
"""Items of one list there; right ones have half as many."""

_FENCE = re.compile(r"\A```[ \t]*\w*[ \t]*\n(.*?)\n?[ \t]*```\Z", re.DOTALL)


def render(values: Mapping[str, Json] | Sequence[Mapping[str, Json]], shape: Shape) -> str:
    """Return the answer that says these values and is exactly what was asked for.

    Args:
        values: Canonical field name to value; for a shape of many, a sequence of such mappings.
            An integer field that a mapping lacks is its position, from 0.
        shape: The fields, in order.

    Raises:
        DataError: A value has no JSON text.

    >>> render({"name": "a.b", "args": {}}, Shape((Field("name", "string", "tool"),)))
    '{"tool": "a.b"}'
    """
    items = [values] if isinstance(values, Mapping) else list(values)
    objects = [_keyed(item, shape, position) for position, item in enumerate(items)]
    try:
        return json.dumps(
            objects if shape.many else objects[0], ensure_ascii=False, allow_nan=False
        )
    except ValueError as error:
        raise DataError(f"these values have no JSON text ({error}): {values!r}") from error


def _keyed(values: Mapping[str, Json], shape: Shape, position: int) -> JsonObject:
    keyed: JsonObject = {}
    for field in shape.fields:
        if field.name in values:
            keyed[field.key] = values[field.name]
        elif field.type == "integer":
            keyed[field.key] = position
    return keyed


def schema(shape: Shape, values: Sequence[Mapping[str, JsonObject]] = ()) -> JsonObject:
    """Return the JSON Schema of the answers of a shape, keys in its order.

    Texts and lists are bounded (:data:`MAX_TEXT`, :data:`MAX_ITEMS`): a model that must not end
    an object before its text may well never end the text.

    Args:
        shape: The fields.
        values: What fields may hold, schemas by canonical name; several such where fields hang
            together, a tool's name and its arguments for instance. A field without one may hold
            all of its type.

    >>> schema(Shape((Field("review", "string"),)), [{"review": {"enum": ["A", "B"]}}])
    ... # doctest: +NORMALIZE_WHITESPACE
    {'type': 'object', 'properties': {'review': {'enum': ['A', 'B']}}, 'required': ['review'],
     'additionalProperties': False}
    """
    objects = [_object(shape, held) for held in values or [{}]]
    item: JsonObject = objects[0] if len(objects) == 1 else {"anyOf": list[Json](objects)}
    whole: JsonObject = {"type": "array", "items": item, "minItems": 1}
    return _bounded(whole if shape.many else item)


def _bounded(schema: JsonObject) -> JsonObject:
    """The same with a limit to each text and list in it."""
    bounded = {key: _bounded_within(value) for key, value in schema.items()}
    if schema.get("type") == "string" and "enum" not in schema:
        bounded["maxLength"] = MAX_TEXT
    elif schema.get("type") == "array":
        bounded["maxItems"] = MAX_ITEMS
    return bounded


def _bounded_within(value: Json) -> Json:
    if isinstance(value, dict):
        return _bounded(value)
    return [_bounded_within(item) for item in value] if isinstance(value, list) else value


def _object(shape: Shape, held: Mapping[str, JsonObject]) -> JsonObject:
    return {
        "type": "object",
        "properties": {f.key: held.get(f.name, {"type": f.type}) for f in shape.fields},
        "required": [f.key for f in shape.fields if f.required],
        "additionalProperties": False,
    }


def parse(text: str, shape: Shape) -> Reply:
    """Return what an answer says.

    The last outermost value with the most of the expected fields counts. A field that is missing,
    blank or mistyped is left out of the values. Arguments given as JSON inside a string are
    decoded once (``args_double_encoded``).

    For a shape of many, ``values["steps"]`` holds one ``{"name", "args"}`` for each item that has
    a name (``bad_step`` where one has none), and objects that stand without a list around them
    are taken for one (``no_list``).

    >>> shape = Shape((Field("name", "string"), Field("args", "object")))
    >>> dict(parse('I call {"name": "a.b", "args": {}}', shape).values)
    {'name': 'a.b', 'args': {}}
    """
    return _parse_many(text, shape) if shape.many else _parse_one(text, shape)


class _Read(NamedTuple):
    """One object, read by a shape's fields."""

    values: JsonObject
    flags: tuple[str, ...]


def _parse_one(text: str, shape: Shape) -> Reply:
    reads = [
        (value, read)
        for value in find(text, lambda found: bool(_fields(found, shape).values))
        if (read := _fields(value.value, shape)).values
    ]
    if not reads:
        return Reply()
    most = max(len(read.values) for _, read in reads)
    value, read = [pair for pair in reads if len(pair[1].values) == most][-1]
    return Reply(
        values=read.values,
        parsed=all(field.name in read.values for field in shape.fields if field.required),
        well_formed=_well_formed(text, shape),
        rule=value.rule,
        candidates=len(reads),
        repairs=value.repairs,
        flags=(*_repaired([value]), *read.flags),
    )


def _fields(value: Json, shape: Shape) -> _Read:
    """Return the fields of an object that are there and of the right type."""
    if not isinstance(value, dict):
        return _Read({}, ())
    values: JsonObject = {}
    flags: tuple[str, ...] = ()
    for field in shape.fields:
        given = value.get(field.key)
        decoded = _decoded(given) if field.type == "object" else None
        if decoded is not None:
            values[field.name] = decoded
            flags = ("args_double_encoded",)
        elif fits(given, field) and not _blank(given):
            values[field.name] = given
    return _Read(values, flags)


def _decoded(given: Json) -> JsonObject | None:
    """Return the object that stands as JSON in a string, or None."""
    if not isinstance(given, str):
        return None
    try:
        value = strict(given)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def fits(value: Json, field: Field) -> bool:
    """Whether a value is of a field's type."""
    if field.type == "boolean" or isinstance(value, bool):
        return field.type == "boolean" and isinstance(value, bool)
    if field.type == "integer":
        return isinstance(value, int)
    return isinstance(value, str if field.type == "string" else dict)


def _blank(value: Json) -> bool:
    return isinstance(value, str) and not value.strip()


def _repaired(values: Sequence[Value]) -> tuple[str, ...]:
    return ("repaired",) if any(value.rule == "repaired" for value in values) else ()


def _parse_many(text: str, shape: Shape) -> Reply:
    found = [
        (value, read)
        for value in find(text, lambda value: bool(_steps(value, shape).steps))
        if (read := _steps(value.value, shape)).steps
    ]
    lists = [pair for pair in found if isinstance(pair[0].value, list)]
    if not found:
        return Reply()
    used = [value for value, _ in lists[-1:] or found]
    steps, flags = lists[-1][1] if lists else _steps([value.value for value in used], shape)
    return Reply(
        values={"steps": steps},
        parsed=True,
        well_formed=_well_formed(text, shape),
        rule=used[-1].rule,
        candidates=len(lists) or 1,
        repairs=sum(value.repairs for value in used),
        flags=(*_repaired(used), *flags, *(() if lists else ("no_list",))),
    )


class _Steps(NamedTuple):
    """The steps of a plan that could be read."""

    steps: list[Json]
    flags: tuple[str, ...]


def _steps(value: Json, shape: Shape) -> _Steps:
    steps: list[Json] = []
    flags: dict[str, None] = {}
    for item in value if isinstance(value, list) else [value]:
        read = _fields(item, shape)
        if "name" in read.values:
            steps.append({"name": read.values["name"], "args": read.values.get("args", {})})
            flags.update(dict.fromkeys(read.flags))
        else:
            flags["bad_step"] = None
    return _Steps(steps, tuple(flags))


def _well_formed(text: str, shape: Shape) -> bool:
    """Whether a whole answer is the JSON asked for, one fence around it allowed."""
    text = text.strip()
    fenced = _FENCE.match(text)
    try:
        value = strict(fenced[1] if fenced else text)
    except ValueError:
        return False
    if not shape.many:
        return _exact(value, shape)
    return isinstance(value, list) and bool(value) and all(_exact(item, shape) for item in value)


def _exact(value: Json, shape: Shape) -> bool:
    """Whether a value is an object with exactly the fields asked for, rightly typed."""
    if not isinstance(value, dict):
        return False
    fields = {field.key: field for field in shape.fields}
    needed = {field.key for field in shape.fields if field.required}
    return needed <= set(value) <= set(fields) and all(
        fits(given, fields[key]) and not _blank(given) for key, given in value.items()
    )
