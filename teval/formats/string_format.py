"""Answers as labelled text: one labelled line, or more, for each field."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from teval.errors import DataError
from teval.formats.json_values import find, strict
from teval.formats.mentions import trimmed
from teval.formats.reasoning import cut
from teval.schema import Field, Json, JsonObject, Reply, Shape

MAX_ROUNDS = 16
"""Of an answer that repeats its labels more often, the last rounds are read."""


def render(values: Mapping[str, Json], shape: Shape) -> str:
    """Return the answer that says these values and is exactly what was asked for.

    Args:
        values: Canonical field name to value; arguments become JSON on one line.
        shape: The fields, in order.

    Raises:
        DataError: The text would not be read back as these values, for instance because a line
            of one begins like a label.

    >>> shape = Shape((Field("name", "string", "Action:"), Field("args", "object", "With:")))
    >>> print(render({"name": "a.b", "args": {"x": 1}}, shape))
    Action: a.b
    With: {"x": 1}
    """
    said = {f.name: values[f.name] for f in shape.fields if f.name in values}
    lines = [f"{f.key} {_text(said[f.name])}{f.end}" for f in shape.fields if f.name in said]
    text = "\n".join(lines)
    for field in shape.fields:
        _refuse_labels(said.get(field.name), field, shape)
    if cut(text).answer != text or parse(text, shape).values != said:
        raise DataError(f"labelled text can't say these values: {said!r}")
    return text


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _refuse_labels(value: Json, field: Field, shape: Shape) -> None:
    inner = _text(value).split("\n")[1:] if isinstance(value, str) else []
    for line in inner:
        if (label := _label(line, shape)) is not None:
            raise DataError(f"a line of {field.name} begins like the label {label.key!r}: {line!r}")


def parse(text: str, shape: Shape) -> Reply:
    """Return what an answer says.

    Labels count at the start of a line and are taken literally; a field runs to the next label.
    Where labels come again, the last round with the most fields counts. Arguments are read as
    JSON, names are trimmed. A missing, blank or unreadable field is left out of the values.

    >>> shape = Shape((Field("name", "string", "Action:"), Field("args", "object", "With:")))
    >>> dict(parse("Action: `a.b`", shape).values)
    {'name': 'a.b'}
    """
    rounds = [_read(sections) for sections in _rounds(text, shape)[-MAX_ROUNDS:]]
    rounds = [read for read in rounds if read.values]
    if not rounds:
        return Reply()
    most = max(len(read.values) for read in rounds)
    best = [read for read in rounds if len(read.values) == most][-1]
    return Reply(
        values=best.values,
        parsed=all(field.name in best.values for field in shape.fields if field.required),
        well_formed=_well_formed(text, shape),
        rule="labels",
        candidates=len(rounds),
        repairs=best.repairs,
        flags=best.flags,
    )


class _Section(NamedTuple):
    """One field as it stands in the answer."""

    field: Field
    text: str


class _Read(NamedTuple):
    """One round of labels, read."""

    values: JsonObject
    repairs: int
    flags: tuple[str, ...]


def _label(line: str, shape: Shape) -> Field | None:
    """Return the field whose label a line begins with, the longest label first."""
    line = line.lstrip(" \t")
    found = [f for f in shape.fields if line.startswith(f.key) and _ends(line, f.key)]
    return max(found, key=lambda field: len(field.key), default=None)


def _ends(line: str, label: str) -> bool:
    """Whether a label ends where it should: a word is not the beginning of a longer one."""
    rest = line[len(label) :]
    return not (label[-1].isalnum() and rest[:1].isalnum())


def _sections(text: str, shape: Shape) -> list[_Section]:
    sections: list[tuple[Field, list[str]]] = []
    for line in text.split("\n"):
        field = _label(line, shape)
        if field is not None:
            sections.append((field, [line.lstrip(" \t")[len(field.key) :]]))
        elif sections:
            sections[-1][1].append(line)
    return [_Section(field, "\n".join(lines).strip()) for field, lines in sections]


def _inner(section: _Section) -> str:
    """Return a field's text without what closes it, and without all that comes after that."""
    field, text = section
    if field.end and field.end in text:
        return text.rpartition(field.end)[0].strip()
    return text


def _rounds(text: str, shape: Shape) -> list[list[_Section]]:
    """Return the sections, a new round beginning where a label comes again."""
    rounds: list[list[_Section]] = []
    for section in _sections(text, shape):
        if not rounds or any(section.field == known.field for known in rounds[-1]):
            rounds.append([])
        rounds[-1].append(section)
    return rounds


def _read(sections: Sequence[_Section]) -> _Read:
    values: JsonObject = {}
    repairs = 0
    flags: tuple[str, ...] = ()
    for section in sections:
        field, text = section.field, _inner(section)
        if field.type == "object":
            found = [v for v in find(text, _is_object) if _is_object(v.value)]
            if found:
                values[field.name] = found[-1].value
                repairs = found[-1].repairs
                flags = ("repaired",) if found[-1].rule == "repaired" else ()
        elif field.type == "integer":
            if text.isdecimal() and len(text) < 10:
                values[field.name] = int(text)
        else:
            said = _name(text) if field.name == "name" else text
            if said:
                values[field.name] = said
    return _Read(values, repairs, flags)


def _name(text: str) -> str:
    """Return the name on the first line of a field."""
    return trimmed(text.split("\n", 1)[0])


def _is_object(value: Json) -> bool:
    return isinstance(value, dict)


def _well_formed(text: str, shape: Shape) -> bool:
    """Whether every label stands there once, in order, and nothing before, after or between."""
    sections = _sections(text, shape)
    before = text.strip().split("\n")[0]
    labels = [section.field for section in sections]
    needed = [f for f in shape.fields if f.required or f in labels]
    return labels == needed and _label(before, shape) is not None and all(map(_proper, sections))


def _proper(section: _Section) -> bool:
    """Whether a field's text is its value and nothing else."""
    field, text = section.field, _inner(section)
    if not section.text.endswith(field.end):
        return False
    if field.type == "string":
        return bool(text) and (field.name != "name" or _name(text) == text)
    try:
        value = strict(text)
    except ValueError:
        return False
    return isinstance(value, dict if field.type == "object" else int)
