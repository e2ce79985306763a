"""JSON values inside any text: found from left to right, read by the first reader that can."""

from __future__ import annotations

import ast
import json
import math
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, TypeAlias, cast

import json_repair

from teval.schema import Json

MAX_STARTS = 64
"""At most so many brackets of one text are tried as the start of a value."""
MAX_DEPTH = 100
"""Values nested deeper are refused."""
MAX_TOLERANT = 5_000
"""Longer pieces of text (in characters) are read as strict JSON or not at all. Repair takes
longer than in proportion."""
MAX_REPAIRED = 2 * MAX_TOLERANT
"""At most so many characters of one text are handed to the repairer."""

Rule: TypeAlias = Literal["json", "python", "repaired"]


class Value(NamedTuple):
    """One value found in a text."""

    value: Json
    start: int
    end: int
    """Offset behind the value's last character."""
    rule: Rule
    repairs: int = 0
    """How many repairs it took; 0 for what stood there properly."""


def find(text: str, wanted: Callable[[Json], bool]) -> list[Value]:
    """Return the outermost objects and lists of a text, in order.

    A reader is started at each ``{`` or ``[`` that is not inside a value already read: JSON, then
    Python literals, then a tolerant repairer. A start that fails skips to the next line.

    Args:
        text: Any text.
        wanted: Whether a value is of the kind looked for. What has no closing bracket reaches to
            the text's end and is repaired only into a value that is.

    >>> find('as [you] ask: {"a": 1}', lambda value: True)[-1].value
    {'a': 1}
    """
    return list(_scan(text, wanted))


def _scan(text: str, wanted: Callable[[Json], bool]) -> Iterator[Value]:
    at = 0
    allowance = MAX_REPAIRED
    for _ in range(MAX_STARTS):
        start = _first(text, "{[", at)
        if start < 0:
            return
        found = _strict_at(text, start)
        if found is None:
            piece = _Piece.at(text, start)
            found = piece.read_python()
            if found is None and len(piece.text) <= allowance:
                allowance -= len(piece.text)
                found = piece.read_repaired(wanted)
        if found is not None:
            yield found
            at = found.end
        else:
            at = _first(text, "\n", start)
            if at < 0:
                return


def value_at(text: str, start: int, *, repair: bool = True) -> Value | None:
    """Return the value that begins at a bracket, by the same readers as :func:`find`, or None.

    Args:
        text: Any text.
        start: Offset of a ``{`` or ``[``.
        repair: Whether the repairer may try.

    >>> value_at('f{"a": [1]} and more', 1).value
    {'a': [1]}
    """
    found = _strict_at(text, start)
    if found is not None:
        return found
    piece = _Piece.at(text, start)
    read = piece.read_python()
    return piece.read_repaired(bool) if read is None and repair else read


def _first(text: str, characters: str, at: int) -> int:
    """Return the offset of the first of some characters, or -1."""
    places = [place for c in characters if (place := text.find(c, at)) >= 0]
    return min(places, default=-1)


def strict(text: str) -> Json:
    """Return the value of a text that is one JSON value and nothing else.

    Raises:
        ValueError: It is anything else; holds a key twice, or a number that is not finite; or is
            nested too deeply.
    """
    try:
        value = cast(Json, _UNIQUE.decode(text))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not one JSON value: {error}") from error
    if not sound(value):
        raise ValueError("not one JSON value: nested too deeply")
    return value


def literal(text: str) -> Value | None:
    """Return the value of a text that is one JSON value or Python literal, or None."""
    text = text.strip()
    try:
        return Value(strict(text), 0, len(text), "json")
    except ValueError:
        return _Piece(text, 0, closed=True).read_python()


def sound(value: object) -> bool:
    """Whether a value is JSON: finite numbers, text keys, not nested too deeply."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        inner: list[object] = []
        for item in level:
            if isinstance(item, dict):
                if not all(isinstance(key, str) for key in item):
                    return False
                inner += item.values()
            elif isinstance(item, list):
                inner += item
            elif not isinstance(item, _PLAIN) or (
                isinstance(item, float) and not math.isfinite(item)
            ):
                return False
        if not inner:
            return True
        level = inner
    return False


_PLAIN = (str, int, float, type(None))


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"not a finite number: {text}")
    return number


def _no_constant(text: str) -> float:
    raise ValueError(f"not JSON: {text}")


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        raise ValueError("a key stands twice")
    return mapping


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_no_constant)
_UNIQUE = json.JSONDecoder(
    parse_float=_finite, parse_constant=_no_constant, object_pairs_hook=_unique
)


def _strict_at(text: str, start: int) -> Value | None:
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return Value(value, start, end, "json") if sound(value) else None


_TOKEN = re.compile(r"\\.|[\"'\[\]{}]", re.DOTALL)


class _Piece(NamedTuple):
    """A stretch of text that may be a value: from a bracket to its partner."""

    text: str
    start: int
    closed: bool

    @classmethod
    def at(cls, text: str, start: int) -> _Piece:
        """Return the piece that starts at a bracket; to the text's end if it is never closed."""
        limit = min(len(text), start + MAX_TOLERANT + 1)
        depth = 0
        quote = ""
        for match in _TOKEN.finditer(text, start, limit):
            token = match.group()
            if quote:
                if token == quote and _closes(text, match.end()):
                    quote = ""
            elif token in "\"'":
                quote = token if _opens(text, match.start()) else ""
            elif token in "[]{}":
                depth += 1 if token in "[{" else -1
                if depth == 0:
                    return cls(text[start : match.end()], start, closed=True)
                if depth > MAX_DEPTH:
                    return cls("", start, closed=False)
        return cls(text[start:limit], start, closed=False)

    def read_python(self) -> Value | None:
        """Return the piece as a Python literal, or None."""
        tree = expression(self.text) if self.closed else None
        if tree is None:
            return None
        try:
            value = literal_of(tree)
        except (ValueError, RecursionError):
            return None
        return Value(value, self.start, self._end, "python") if sound(value) else None

    def read_repaired(self, wanted: Callable[[Json], bool]) -> Value | None:
        """Return what the repairer makes of the piece, or None."""
        if not self.text or len(self.text) > MAX_TOLERANT:
            return None
        try:
            value, log = cast(
                tuple[Json, list[dict[str, str]]],
                json_repair.repair_json(
                    self.text, return_objects=True, skip_json_loads=True, logging=True
                ),
            )
        except (ValueError, RecursionError):
            return None
        if not isinstance(value, dict | list) or not sound(value):
            return None
        if not self.closed and not wanted(value):
            return None
        return Value(value, self.start, self._end, "repaired", max(1, len(log)))

    @property
    def _end(self) -> int:
        return self.start + len(self.text)


def _opens(text: str, at: int) -> bool:
    """Whether a quote may open a string: behind a bracket, comma or colon."""
    before = at - 1
    while before >= 0 and text[before].isspace():
        before -= 1
    return before >= 0 and text[before] in "[{(,:"


def _closes(text: str, at: int) -> bool:
    """Whether a quote may close a string: before a bracket, comma, colon or the end."""
    while at < len(text) and text[at].isspace():
        at += 1
    return at == len(text) or text[at] in "]}),:"


_OPERATORS = re.compile(r"[-+~(]{8}")
"""Runs of prefix operators or parentheses, which no literal needs and compilers choke on."""


def expression(text: str) -> ast.expr | None:
    """Return the syntax tree of a Python expression; None where it is none, or too much to read."""
    if len(text) > MAX_TOLERANT or _OPERATORS.search(text):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text, mode="eval").body
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def literal_of(node: ast.expr) -> Json:
    """Return the value of a literal's syntax tree.

    Raises:
        ValueError: The tree is anything but a literal that JSON has a place for.
    """
    match node:
        case ast.Constant(value=str() | bool() | int() | float() | None as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [literal_of(item) for item in items]
        case ast.Dict(keys=keys, values=values):
            return {_key(k): literal_of(v) for k, v in zip(keys, values, strict=True)}
        case _:
            raise ValueError("not a literal")


def _key(node: ast.expr | None) -> str:
    match node:
        case ast.Constant(value=str() as key):
            return key
        case _:
            raise ValueError("not a text key")
