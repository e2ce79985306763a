"""Reading values that a model sent, and keeping answers short."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from itertools import pairwise

from teval.schema import Json, JsonObject, canonical

PAGE_BYTES = 1000
"""Most bytes that the items of a listing may take; leaves room in 1.5 kB for what stands around."""
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2})(:00)?")
_TIME = re.compile(r"[0-9]{2}:[0-9]{2}")
_WORD = re.compile(r"\w+")
_REACH_DAYS = 366


class InputError(Exception):
    """A value that a tool can't work with; its message is what the caller gets to see."""


def clip(text: str, limit: int = 60) -> str:
    """Return a text in quotes, cut to at most ``limit`` characters, safe to print.

    >>> clip("Oslo")
    "'Oslo'"
    """
    return ascii(text if len(text) <= limit else f"{text[: limit - 3]}...")


def size(value: object) -> int:
    """Return the bytes of a value's canonical text in UTF-8."""
    return len(canonical(value).encode("utf-8", "surrogatepass"))


def short_text(text: str, argument: str, most: int) -> None:
    """Refuse a text that is blank or long.

    Raises:
        InputError: Nothing but spaces, or more than ``most`` bytes as canonical JSON text without
            its quotes.
    """
    if not text.strip() or size(text) > most + len('""'):
        raise InputError(f"{argument} must have 1 to {most} bytes")


def page(name: str, items: Iterable[JsonObject]) -> JsonObject:
    """Return a listing: the items that fit, in order, and how many there are.

    >>> page("mails", [])
    {'mails': [], 'total': 0}
    """
    every = list(items)
    shown: list[Json] = []
    room = PAGE_BYTES
    for item in every:
        room -= size(item) + 1
        if room < 0:
            break
        shown.append(item)
    rest: JsonObject = {"shown": len(shown)} if len(shown) < len(every) else {}
    return {name: shown, "total": len(every), **rest}


def read_day(text: str, argument: str, today: date) -> date:
    """Return the day that a text in the form YYYY-MM-DD names, within a year of today.

    Raises:
        InputError: Another form, no such day, or too far off.
    """
    try:
        day = date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        day = None
    if day is None:
        raise InputError(f"{argument} must be a date as YYYY-MM-DD, got {clip(text)}")
    if abs((day - today).days) > _REACH_DAYS:
        raise InputError(f"{argument} must be within a year of today, {today}; got {text}")
    return day


def read_moment(text: str, argument: str, today: date) -> datetime:
    """Return the moment that a text in the form YYYY-MM-DDTHH:MM names.

    Raises:
        InputError: Another form, no such moment, or more than a year from today.
    """
    match = _MOMENT.fullmatch(text)
    if match is None:
        raise InputError(f"{argument} must be YYYY-MM-DDTHH:MM, got {clip(text)}")
    day = read_day(match[1], argument, today)
    return datetime.fromisoformat(f"{day}T{read_time(match[2], argument)}")


def read_time(text: str, argument: str) -> str:
    """Return a time of day in the form HH:MM, unchanged.

    Raises:
        InputError: Another form, or no such time.
    """
    if not _TIME.fullmatch(text) or text[:2] > "23" or text[3:] > "59":
        raise InputError(f"{argument} must be a time as HH:MM, got {clip(text)}")
    return text


def minute(moment: datetime) -> str:
    """Return a moment as text, to the minute.

    >>> minute(datetime(2031, 5, 4, 9, 30))
    '2031-05-04T09:30'
    """
    return moment.isoformat(timespec="minutes")


def distinct(values: Sequence[str], argument: str, most: int) -> tuple[str, ...]:
    """Return the trimmed values, sorted.

    Raises:
        InputError: There is none, an empty one, one twice, or more than ``most``.
    """
    trimmed = sorted(value.strip() for value in values)
    if not trimmed or not all(trimmed):
        raise InputError(f"{argument} must hold at least one value and no empty one")
    if len(set(trimmed)) < len(trimmed):
        raise InputError(f"{argument} names {clip(_twice(trimmed))} twice")
    if len(trimmed) > most:
        raise InputError(f"{argument} may hold at most {most} values, got {len(trimmed)}")
    return tuple(trimmed)


def _twice(values: Sequence[str]) -> str:
    return next(a for a, b in pairwise(values) if a == b)


def read_words(text: str, argument: str) -> tuple[str, ...]:
    """Return the words of a search text, case folded.

    Raises:
        InputError: It holds none.
    """
    words = tuple(_WORD.findall(text.casefold()))
    if not words:
        raise InputError(f"{argument} must hold at least one word, got {clip(text)}")
    return words


def holds(words: Iterable[str], *texts: str) -> bool:
    """Return whether every word begins a word of one of the texts, case ignored.

    >>> holds(("budget", "rev"), "Budget review", "Room Cedar")
    True
    """
    have = _WORD.findall(" ".join(texts).casefold())
    return all(any(w.startswith(word) for w in have) for word in words)
