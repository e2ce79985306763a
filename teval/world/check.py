"""Checking a call's arguments against the tool's public description, before anything runs."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from teval.schema import Argument, Json, JsonObject, Tool
from teval.world.values import InputError, clip, size

MOST_ITEMS = 8
MOST_NUMBER = 10**9
MOST_BYTES = 200
MOST_TEXT_BYTES = 600
"""Longest free text; every other string may have :data:`MOST_BYTES`. Both count canonical JSON
text without its quotes."""


def unknown_tool(name: str, tools: Iterable[str]) -> str:
    """Return the message for a tool that does not exist."""
    return f"unknown tool {clip(name)}{_nearest(name, tools)}"


def check(tool: Tool, args: Mapping[str, Json]) -> JsonObject:
    """Return the arguments as the tool takes them: defaults left out, 5.0 read as the integer 5.

    Args:
        tool: The description to check against.
        args: What was sent; anything at all.

    Raises:
        InputError: An argument is unknown, missing, of another type, or outside the choices.
    """
    for name in args:
        if tool.argument(name) is None:
            known = [a.name for a in tool.arguments]
            raise InputError(f"unknown argument {clip(name)}{_nearest(name, known)}")
    for argument in tool.arguments:
        if argument.required and argument.name not in args:
            raise InputError(f"missing required argument {argument.name!r}")
    given = [a for a in tool.arguments if a.name in args and not _is_unset(a, args[a.name])]
    return {a.name: _read(a, args[a.name]) for a in given}


def _is_unset(argument: Argument, value: Json) -> bool:
    return value is None and argument.has_default and argument.default is None


def _nearest(name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    near = difflib.get_close_matches(name[:80], names, n=2, cutoff=0.5)
    return (
        f"; did you mean {' or '.join(near)}?"
        if near
        else f"; known: {clip(', '.join(names), 200)}"
    )


def _read(argument: Argument, value: Json) -> Json:
    found = _typed(argument, value)
    if found is None:
        wanted = "list of strings" if argument.type == "array" else argument.type
        raise InputError(f"{argument.name} must be of type {wanted}, got {_kind(value)}")
    if argument.enum and found not in argument.enum:
        choices = ", ".join(str(c) for c in argument.enum)
        raise InputError(f"{argument.name} must be one of {choices}; got {clip(str(found))}")
    _limit(argument, found)
    return found


def _typed(argument: Argument, value: Json) -> Json:
    """Return the value as the argument's type, or None where it has another type."""
    match argument.type:
        case "string":
            return value if isinstance(value, str) else None
        case "boolean":
            return value if isinstance(value, bool) else None
        case "integer":
            return _integer(value)
        case "number":
            return _number(value)
        case "array":
            strings = isinstance(value, list) and all(isinstance(v, str) for v in value)
            return value if strings else None
        case "object":
            return value if isinstance(value, dict) else None


def _number(value: Json) -> int | float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _integer(value: Json) -> int | float | None:
    number = _number(value)
    if isinstance(number, float):
        return int(number) if number.is_integer() else None
    return number


def _limit(argument: Argument, value: Json) -> None:
    if isinstance(value, int | float) and not _is_short(value):
        raise InputError(f"{argument.name} must be a number within ±{MOST_NUMBER}")
    if isinstance(value, list) and len(value) > MOST_ITEMS:
        raise InputError(f"{argument.name} may hold at most {MOST_ITEMS} values, got {len(value)}")
    most = MOST_TEXT_BYTES if argument.compare.kind == "text" else MOST_BYTES
    for text in value if isinstance(value, list) else [value]:
        if isinstance(text, str):
            _limit_text(argument.name, text, most)


def _limit_text(name: str, text: str, most: int) -> None:
    if any(0xD800 <= ord(c) <= 0xDFFF for c in text[: most + 1]):
        raise InputError(f"{name} is not valid Unicode text")
    if len(text) > most or size(text) > most + len('""'):
        raise InputError(f"{name} is too long: at most {most} bytes, got {len(text)} characters")


def _kind(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return f"boolean {str(value).lower()}"
        case str():
            return f"string {clip(value)}"
        case int() | float():
            return "number" if not _is_short(value) else f"number {value}"
        case list():
            return "list"
        case _:
            return "object"


def _is_short(value: int | float) -> bool:
    """Whether a number can be printed and reckoned with; not-a-number is not."""
    return abs(value) <= MOST_NUMBER
