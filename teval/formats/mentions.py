"""Tool names in running text."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from teval.schema import FINISH

_BEFORE = r"(?<![A-Za-z0-9_])(?<![A-Za-z0-9_][.\-])"
_AFTER = r"(?![A-Za-z0-9_])(?![.\-][A-Za-z0-9_])"
_NUMBERED = re.compile(r"^([ \t]*\d{1,3})[.)](?=[A-Za-z])", re.MULTILINE)
_IDENTIFIER = re.compile(
    rf"{_BEFORE}(?<![@/])[A-Za-z][A-Za-z0-9_]+(?:[.\-][A-Za-z0-9_]{{2,}})*{_AFTER}(?![@/])",
    re.ASCII,
)
_TRIMMED = " \t\r\n\"'“”‘’`()[]{}<>"


class Mention(NamedTuple):
    """One tool named in a text."""

    name: str
    start: int
    end: int


def mentions(text: str, tools: Collection[str] = ()) -> list[Mention]:
    """Return all mentions of tools, in order; of names that begin alike, the longest.

    A mention is not part of a longer identifier: ASCII letters, digits and ``_``, with ``.`` and
    ``-`` inside.

    Args:
        text: Any text.
        tools: The names to look for. Where none are known, every maximal identifier with a
            ``.`` or ``_`` in it is a mention, but no part of an address, and the finish
            pseudo-tool.

    >>> [mention.name for mention in mentions("a.book, then a.bookmark.", ["a.book", "a.bookmark"])]
    ['a.book', 'a.bookmark']
    """
    text = _NUMBERED.sub(lambda number: number[1] + " ", text)
    if not tools:
        found = (Mention(m.group(), m.start(), m.end()) for m in _IDENTIFIER.finditer(text))
        return [m for m in found if "." in m.name or "_" in m.name or m.name == FINISH]
    named = _pattern(frozenset(tools)).finditer(text)
    return [Mention(m.group(), m.start(), m.end()) for m in named]


@lru_cache(maxsize=256)
def _pattern(tools: frozenset[str]) -> re.Pattern[str]:
    longest_first = sorted(filter(None, tools), key=lambda name: (-len(name), name))
    names = "|".join(re.escape(name) for name in longest_first)
    return re.compile(f"{_BEFORE}(?:{names}){_AFTER}")


def trimmed(text: str) -> str:
    """Return a name without quotes, backticks, brackets and a final full stop around it.

    >>> trimmed("`weather.get`.")
    'weather.get'
    """
    bare = text.strip(_TRIMMED)
    return bare.removesuffix(".").strip(_TRIMMED)


def identifier(text: str) -> str:
    """Return the text, trimmed, if it is one identifier and nothing else; else nothing."""
    name = trimmed(text)
    return name if re.fullmatch(r"[A-Za-z][A-Za-z0-9_.\-]*", name) else ""
