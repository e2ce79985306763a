"""Answers as calls in a model's own syntax, as it was trained to write them.

Known are calls behind a mark: ``<tool_call>`` with JSON (Hermes, Qwen, Granite), with
``<function=…><parameter=…>`` (Qwen Coder) or with ``<arg_key>`` (GLM); ``<|python_tag|>`` (Llama);
``[TOOL_CALLS]`` with a list or with names and arguments (Mistral); ``<｜tool▁call▁begin｜>``
(DeepSeek), ``<|tool_call_begin|>`` (Kimi), ``to=functions.…`` (Harmony). Without any mark JSON with
a name and arguments (Llama) and Python calls (Llama, Olmo) are. What a server has read for itself
comes in the first form. An object's end is found by a decoder and never by a closing mark, which
may stand in a text.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from teval.errors import DataError
from teval.formats.json_values import (
    Value,
    expression,
    find,
    literal,
    literal_of,
    sound,
    strict,
    value_at,
)
from teval.schema import Function, Json, JsonObject, Reply

MAX_MARKS = 64
"""At most so many marks of one text are looked behind."""
MAX_REPAIRS = 2
"""At most so many values behind marks are handed to the repairer."""
MAX_PARAMETERS = 64
"""At most so many arguments in tags are read."""

_NAME = r"[A-Za-z_][\w.\-]*"
_MARK = re.compile(
    rf"""
    (?: <function= | <[|｜]tool[_▁]call[_▁]begin[|｜]>\s*+(?:function<[|｜]tool[_▁]sep[|｜]>)?+
      | \bto=(?=functions\.) | \[TOOL_CALLS\]\s*+(?=[A-Za-z_]) )
      \s*+ (?:functions\.)?+ (?P<name>{_NAME})
    | <\|?tool_calls?\|?>\s*+ (?P<glm>{_NAME}) \s*+ (?=<arg_key>|</tool_call>)
    | <\|?tool_calls?\|?> | <\|python_tag\|> | \[TOOL_CALLS\]
    """,
    re.VERBOSE,
)
_BETWEEN = re.compile(
    r"(?:[\s>]|:\d++|<[|｜][^|｜<>]{1,40}[|｜]>|json|\[CALL_ID\]\w++|\[ARGS\]|```(?:json)?)*+"
)
"""What may stand between a mark or a name and the value that belongs to it."""
_PARAMETERS = (
    ("<parameter=", ">", "</parameter>"),
    ("<arg_key>", "</arg_key>", "</arg_value>"),
)
"""What opens an argument in tags, what ends its name, and what ends its value."""
_END = re.compile(r"(?:<\|\w{1,40}\|>|</s>|<｜[^｜]{1,40}｜>)\Z")
"""A token that ends an answer."""
_LONGEST_END = 44
_FENCE = re.compile(r"\A```[ \t]*\w*[ \t]*\n(.*?)\n?[ \t]*```\Z", re.DOTALL)

_NAMES = ("name", "tool_name", "function")
_ARGUMENTS = ("arguments", "parameters", "args", "input")
_WRAPPERS = ("function", "function_call", "tool_call", "tool_calls")


class _Call(NamedTuple):
    """One call as it stands in the answer."""

    name: str
    args: Json = None
    """None where there are none at all, not even empty ones."""
    rule: str = "json"
    repairs: int = 0
    exact: bool = True
    """Whether it is written as it should be."""


def render(name: str, args: JsonObject, functions: Sequence[Function]) -> str:
    """Return the answer that makes one call, in the most widely known syntax.

    Args:
        name: The tool's own name; what is not offered stands as it is.
        args: The arguments.
        functions: What was offered.

    Raises:
        DataError: The arguments have no JSON text.

    >>> print(render("a.b", {}, [Function(name="a_b", tool="a.b", description="", parameters={})]))
    <tool_call>
    {"name": "a_b", "arguments": {}}
    </tool_call>
    """
    offered = {function.tool: function.name for function in functions}
    call = {"name": offered.get(name, name), "arguments": args}
    try:
        text = json.dumps(call, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise DataError(f"these arguments have no JSON text ({error}): {args!r}") from error
    return f"<tool_call>\n{text}\n</tool_call>"


def parse(text: str, functions: Sequence[Function]) -> Reply:
    """Return the first call of an answer as ``name``, the tool's own, and ``args``.

    Calls behind a mark come before any without. Arguments given as JSON inside a string are
    decoded once (``args_double_encoded``); what is no object is left out. Well-formed is one call
    of an offered function, written without fault: behind its mark, with whatever was said before
    it, or without a mark as the whole answer.

    Args:
        text: The answer.
        functions: What was offered.

    >>> offered = [Function(name="a_b", tool="a.b", description="", parameters={})]
    >>> parse('<tool_call>{"name": "a_b", "arguments": {"x": 1}}</tool_call>', offered).values
    {'name': 'a.b', 'args': {'x': 1}}
    """
    text = _without_end(text)
    known = {function.name: function for function in functions}
    calls = [*_marked(text, known)] or _bare(text)
    if not calls:
        return Reply()
    call = calls[0]
    args, decoded = _decoded(call.args)
    values: JsonObject = {"name": known[call.name].tool if call.name in known else call.name}
    if isinstance(args, dict):
        values["args"] = args
    return Reply(
        values=values,
        parsed="args" in values,
        well_formed=call.exact and len(calls) == 1 and call.name in known and "args" in values,
        rule=call.rule,
        candidates=len(calls),
        repairs=call.repairs,
        flags=(
            *(["several_calls"] if len(calls) > 1 else []),
            *(["repaired"] if call.rule == "repaired" else []),
            *(["args_double_encoded"] if decoded else []),
        ),
    )


def _without_end(text: str) -> str:
    """An answer without the tokens that end it."""
    text = text.rstrip()
    while end := _END.search(text, max(0, len(text) - _LONGEST_END)):
        text = text[: end.start()].rstrip()
    return text


def _decoded(args: Json) -> tuple[Json, bool]:
    """The arguments, and whether they stood as JSON in a string."""
    if not isinstance(args, str):
        return args, False
    try:
        return strict(args), True
    except ValueError:
        return args, False


def _marked(text: str, known: Mapping[str, Function]) -> Iterator[_Call]:
    """Yield the calls behind marks, in order."""
    at, repairs = 0, MAX_REPAIRS
    for _ in range(MAX_MARKS):
        mark = _MARK.search(text, at)
        if mark is None:
            return
        start = between = _BETWEEN.match(text, mark.end()).end()  # type: ignore[union-attr]
        name = mark["name"] or mark["glm"]
        at = mark.end()
        if text[start : start + 1] in ("{", "["):
            value = value_at(text, start, repair=repairs > 0)
            if value is not None:
                repairs -= value.rule == "repaired"
                at = value.end
                yield from [_with(name, value, text)] if name else _within(value, text)
        elif name and text.startswith(("<parameter=", "<arg_key>", "</function>"), between):
            args, at = _tagged(text, between, known.get(name))
            yield _Call(name, args, rule="tags")
        elif name:
            yield _Call(name)


def _with(name: str, value: Value, text: str) -> _Call:
    """The call of a name that its arguments follow."""
    return _Call(name, value.value, value.rule, value.repairs, _is_strict(value, text))


def _within(value: Value, text: str) -> Iterator[_Call]:
    """The calls that a value tells of, name and arguments."""
    for name, args in _named(value.value):
        yield _Call(name, args, value.rule, value.repairs, _is_strict(value, text))


def _is_strict(value: Value, text: str) -> bool:
    if value.rule != "json":
        return False
    try:
        strict(text[value.start : value.end])
    except ValueError:
        return False
    return True


def _named(value: Json, depth: int = 3) -> Iterator[tuple[str, Json]]:
    """Yield name and arguments of each call in a value; known wrappers come off."""
    if isinstance(value, list):
        for item in value:
            yield from _named(item, depth - 1) if depth else ()
        return
    if not isinstance(value, dict):
        return
    name = next((n for key in _NAMES if isinstance(n := value.get(key), str) and n.strip()), None)
    if name is not None:
        given = next((value[key] for key in _ARGUMENTS if key in value), None)
        said = any(key in value for key in _ARGUMENTS)
        yield name.strip(), {} if said and given in (None, "") else given
    elif depth:
        for key in _WRAPPERS:
            yield from _named(value.get(key), depth - 1)


def _tagged(text: str, at: int, function: Function | None) -> tuple[JsonObject, int]:
    """Return arguments in tags, typed as the function says, and where they end."""
    properties = function.parameters.get("properties") if function else None
    types = properties if isinstance(properties, dict) else {}
    args: JsonObject = {}
    for _ in range(MAX_PARAMETERS):
        at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]
        tags = next((tags for tags in _PARAMETERS if text.startswith(tags[0], at)), None)
        if tags is None:
            break
        opening, named, closing = tags
        middle = text.find(named, at)
        end = text.find(closing, middle)
        if middle < 0 or end < 0:
            break
        key = text[at + len(opening) : middle].strip()
        said = text[middle + len(named) : end].strip().removeprefix("<arg_value>")
        args[key] = _typed(said.strip("\n"), types.get(key))
        at = end + len(closing)
    return args, at


def _typed(text: str, schema: Json) -> Json:
    """A text as a string where the schema wants one, else as JSON if it is any."""
    if isinstance(schema, dict) and schema.get("type") == "string":
        return text
    value = literal(text)
    return text if value is None else value.value


def _bare(text: str) -> list[_Call]:
    """Return the calls of an answer without marks: JSON anywhere, or Python as the whole."""
    text = text.strip()
    fenced = _FENCE.match(text)
    whole = fenced[1].strip() if fenced else text
    found = [
        call._replace(exact=call.exact and value.start == 0 and value.end == len(text))
        for value in find(text, _tells_arguments)
        if _tells_arguments(value.value)
        for call in _within(value, text)
    ]
    return found or _python(whole)


def _tells_arguments(value: Json) -> bool:
    """Whether a value is a call, with arguments: a name alone may be anybody's."""
    return any(args is not None for _, args in _named(value))


def _python(text: str) -> list[_Call]:
    """Return the calls of a text that is one Python call or a list of such."""
    body = expression(text) if re.match(rf"\[?\s*{_NAME}\(", text) else None
    nodes = body.elts if isinstance(body, ast.List) else [body]
    try:
        return [_python_call(node) for node in nodes[:MAX_MARKS]]
    except (ValueError, RecursionError):
        return []


def _python_call(node: ast.expr | None) -> _Call:
    """Return a call with named arguments that are literals.

    Raises:
        ValueError: It is anything else.
    """
    if not isinstance(node, ast.Call) or node.args:
        raise ValueError("not a call with named arguments")
    args: JsonObject = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise ValueError("not a named argument")
        args[keyword.arg] = literal_of(keyword.value)
    if not sound(args):
        raise ValueError("not JSON")
    return _Call(ast.unparse(node.func), args, rule="python")
