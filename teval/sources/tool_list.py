"""Tools out of a system prompt that lists them as Python or JSON mappings."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, cast, get_args

from teval.schema import Argument, Tool

JsonType = Literal["string", "integer", "number", "boolean", "array", "object"]
OTHER_NAMES: Mapping[str, JsonType] = {
    "str": "string",
    "text": "string",
    "int": "integer",
    "float": "number",
    "double": "number",
    "bool": "boolean",
    "list": "array",
    "tuple": "array",
    "dict": "object",
    "map": "object",
}
"""Names of types that files use beside JSON's own, in small letters."""

_START = re.compile(r"\[\s*\{|\{\s*['\"]name['\"]")
_TOKEN = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[\[\]{}()]", re.DOTALL)


@lru_cache(maxsize=256)
def tools_in(text: str) -> tuple[Tool, ...]:
    """Return the tools that a prompt lists, each once, in its order; none where it lists none.

    >>> tools_in("Tools: [{'name': 'maps.find', 'description': 'Finds.'}] Answer!")[0].name
    'maps.find'
    """
    found: dict[str, Tool] = {}
    for value in _values(text):
        for item in value if isinstance(value, list) else [value]:
            if _is_tool(item):
                tool = _tool(item)
                found.setdefault(tool.name, tool)
    return tuple(found.values())


def _values(text: str) -> Iterator[object]:
    """Yield the outermost literals that may list tools."""
    at = 0
    while (start := _START.search(text, at)) is not None:
        end = _end(text, start.start())
        value = _read(text[start.start() : end]) if end else None
        if value is not None:
            yield value
        at = end if end and value is not None else start.start() + 1


def _end(text: str, start: int) -> int:
    """Return where the bracket that opens at a place is closed, or 0."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        sign = token.group()
        if sign in "[{(":
            depth += 1
        elif sign in "]})":
            depth -= 1
            if depth == 0:
                return token.end()
    return 0


def _read(text: str) -> object:
    for reader in (json.loads, ast.literal_eval):
        try:
            value: object = reader(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return value
    return None


def _is_tool(item: object) -> bool:
    return (
        isinstance(item, dict)
        and isinstance(item.get("name"), str)
        and bool({"description", "required_parameters", "parameters"} & item.keys())
    )


def _tool(item: object) -> Tool:
    told = cast("dict[str, object]", item)
    arguments = {
        argument.name: argument
        for key, required in (("required_parameters", True), ("optional_parameters", False))
        for argument in _arguments(told.get(key), required=required)
    }
    returns = told.get("return_data")
    return Tool(
        name=str(told["name"]),
        description=str(told.get("description") or ""),
        arguments=tuple(arguments.values()),
        returns=json.dumps(returns, ensure_ascii=False) if returns else "",
    )


def _arguments(listed: object, *, required: bool) -> Iterator[Argument]:
    for item in listed if isinstance(listed, Sequence) and not isinstance(listed, str) else ():
        if isinstance(item, dict) and isinstance(item.get("name"), str):
            yield Argument(
                name=item["name"],
                type=_type(str(item.get("type", "string"))),
                description=str(item.get("description") or ""),
                required=required,
            )


def _type(told: str) -> JsonType:
    """Return JSON's name of a type; ``list[str]`` is an array, a type that is unknown a string."""
    word = re.split(r"[^a-z]", told.strip().lower(), maxsplit=1)[0]
    if word in get_args(JsonType):
        return cast(JsonType, word)
    return OTHER_NAMES.get(word, "string")
