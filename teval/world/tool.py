"""Marking a toolkit's methods as tools, and their public description from signature and docstring.

A tool is a method with typed arguments and a Google docstring::

    @tool("read", decoy="city")
    def get_current(self, city: str, unit: Unit = "celsius") -> JsonObject:
        '''Current weather in one city.

Args:
            city: Name of the city.
            unit: Temperature unit.

Returns:
            Temperature, condition, wind in km/h.

Raises:
            InputError: Unknown city.
        '''
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import (
    Annotated,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from teval.schema import Argument, Comparator, Json, JsonObject, Tool

Effect: TypeAlias = Literal["read", "write"]
JsonType: TypeAlias = Literal["string", "integer", "number", "boolean", "array"]
Method: TypeAlias = Callable[..., JsonObject]
F = TypeVar("F", bound=Method)

Text: TypeAlias = Annotated[str, Comparator(kind="text")]
"""Free text: compared by the facts it tells."""
When: TypeAlias = Annotated[str, Comparator(kind="datetime")]
"""A date, a time of day, or both."""
StrSet: TypeAlias = Annotated[list[str], Comparator(kind="set")]
"""A list of strings whose order means nothing."""
Money: TypeAlias = Annotated[float, Comparator(kind="number", tolerance=0.005)]
"""An amount of money, equal to the cent."""

_MARK = "__teval_tool__"
_TYPES: dict[object, JsonType] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
}
_SECTION = re.compile(r"^(Args|Returns|Raises):$", re.MULTILINE)
_ENTRY = re.compile(r"^ {4}(\w+): ", re.MULTILINE)


@dataclass(frozen=True)
class Mark:
    """What :func:`tool` was told about a method."""

    effect: Effect
    decoy: str
    bare: bool


def tool(effect: Effect, decoy: str = "", *, bare: bool = False) -> Callable[[F], F]:
    """Return a decorator that marks a method of a toolkit as a tool; the method stays as it is.

    Args:
        effect: Whether calls can change the state.
        decoy: The argument that names the entity asked about. A misrouted answer is that of
            another valid value (:meth:`teval.world.toolkit.Toolkit.others`). Reads only.
        bare: Whether its name goes without the toolkit's, as that of a pseudo-tool does.
    """

    def mark(method: F) -> F:
        setattr(method, _MARK, Mark(effect, decoy, bare))
        return method

    return mark


def marked(method: object) -> Mark | None:
    """Return how a method was marked, or None if it is no tool."""
    mark = getattr(method, _MARK, None)
    return mark if isinstance(mark, Mark) else None


def describe(method: Method, toolkit: str) -> Tool:
    """Return the public description of a marked method.

    Raises:
        TypeError: The method is not marked, an argument is not described or its type is not one
            of str, int, float, bool, list[str], a Literal of strings, or such a type or None.
    """
    mark = marked(method)
    if mark is None:
        raise TypeError(f"{method!r} is not marked as a tool")
    sections = _sections(inspect.getdoc(method) or "")
    words = _entries(sections.get("Args", ""))
    hints = get_type_hints(method, include_extras=True)
    parameters = inspect.signature(method).parameters
    given = {n: p.default for n, p in parameters.items() if n != "self"}
    if given.keys() != words.keys():
        raise TypeError(f"{method!r}: docstring describes {list(words)}, not {list(given)}")
    errors = "; ".join(_entries(sections.get("Raises", "")).values())
    return Tool(
        name=method.__name__ if mark.bare else f"{toolkit}.{method.__name__}",
        description=sections[""] + (f" Errors: {errors[0].lower()}{errors[1:]}" if errors else ""),
        arguments=tuple(_argument(n, hints[n], words[n], given[n]) for n in given),
        returns=sections.get("Returns", ""),
        effect=mark.effect,
        toolkit=toolkit,
    )


def _sections(doc: str) -> dict[str, str]:
    parts = _SECTION.split(doc)
    texts = dict(zip(["", *parts[1::2]], parts[0::2], strict=True))
    return {k: v.strip("\n") if k in ("Args", "Raises") else _line(v) for k, v in texts.items()}


def _entries(section: str) -> dict[str, str]:
    parts = _ENTRY.split(section)
    return {name: _line(text) for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def _line(text: str) -> str:
    return " ".join(text.split())


def _argument(
    name: str, hint: object, words: str, default: Json | type[inspect._empty]
) -> Argument:
    required = default is inspect.Parameter.empty
    plain, comparator = _unwrap(hint)
    choices = get_args(plain) if get_origin(plain) is Literal else ()
    array = get_origin(plain) is list
    kind = "array" if array else _TYPES.get(type(choices[0]) if choices else plain)
    if kind is None:
        raise TypeError(f"argument {name!r}: {hint!r} has no JSON type here")
    return Argument(
        name=name,
        type=kind,
        description=words,
        required=required,
        has_default=not required,
        default=None if isinstance(default, type) else default,
        enum=choices,
        items="string" if array else None,
        compare=comparator,
    )


def _unwrap(hint: object) -> tuple[object, Comparator]:
    """Return the bare type of an annotation, without None and metadata, and its comparator."""
    comparator = Comparator()
    while True:
        if get_origin(hint) is Annotated:
            hint, *notes = get_args(hint)
            comparator = next((n for n in notes if isinstance(n, Comparator)), comparator)
        elif get_origin(hint) in (Union, UnionType):
            hint = next(h for h in get_args(hint) if h is not NoneType)
        else:
            return hint, comparator
