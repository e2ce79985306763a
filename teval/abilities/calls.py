"""Tools as a model's own interface for calls takes them, under names that it accepts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from teval.errors import DataError
from teval.formats import tool_calls
from teval.schema import Case, Function, Json, JsonObject, SolutionPath, Step, Tool

LONGEST = 64
"""Characters that servers take in a function's name."""

_REFUSED = re.compile(r"[^A-Za-z0-9_-]")


def offer(tools: Sequence[Tool]) -> tuple[Function, ...]:
    """Return tools as functions, in their order.

    What servers refuse in a name becomes ``_``. That can be undone, for no two tools may share a
    name then.

    Args:
        tools: All tools listed with a case.

    Raises:
        DataError: Two tools would be offered under one name.

    >>> offer([Tool(name="math.add", description="")])[0].name
    'math_add'
    """
    offered: dict[str, Tool] = {}
    for tool in tools:
        name = _REFUSED.sub("_", tool.name)[:LONGEST]
        other = offered.setdefault(name, tool)
        if other.name != tool.name:
            raise DataError(
                f"the tools {other.name!r} and {tool.name!r} would both be offered as {name!r};"
                " rename one, or leave tools out of cases.formats"
            )
    return tuple(
        Function(
            name=name,
            tool=tool.name,
            description=tool.description,
            parameters=tool.json_schema(),
        )
        for name, tool in offered.items()
    )


def renamed(path: SolutionPath, functions: Sequence[Function]) -> SolutionPath:
    """Return a path whose calls bear the names that its tools are offered under."""
    names = {function.tool: function.name for function in functions}
    return path.model_copy(update={"steps": tuple(_renamed(step, names) for step in path.steps)})


def _renamed(step: Step, names: Mapping[str, str]) -> Step:
    name = names.get(step.call.name, step.call.name)
    return step.model_copy(update={"call": step.call.model_copy(update={"name": name})})


def write_call(case: Case, values: Mapping[str, Json]) -> str:
    """Return a call of a case's function in a model's own syntax, from ``name`` and ``args``."""
    args = values["args"]
    return tool_calls.render(
        str(values["name"]), args if isinstance(args, dict) else {}, case.functions
    )


def choices(tools: Sequence[Tool], *, words: bool = False) -> list[dict[str, JsonObject]]:
    """Return the schemas of a call's ``name`` and ``args``, one pair a tool.

    Args:
        tools: All tools listed with a case.
        words: Whether words may stand for the value of any argument.
    """
    return [{"name": {"const": tool.name}, "args": _arguments(tool, words)} for tool in tools]


def _arguments(tool: Tool, words: bool) -> JsonObject:
    schema = tool.json_schema()
    properties = schema["properties"]
    if words and isinstance(properties, dict):
        text: Json = {"type": "string"}
        schema["properties"] = {
            name: {"anyOf": [value, text]} for name, value in properties.items()
        }
    return schema
