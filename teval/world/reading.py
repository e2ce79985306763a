"""Ids, coming days and counts, as several toolkits take them from a call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import TypeVar

from teval.world.values import InputError, clip, read_day

T = TypeVar("T")


def pick(known: Mapping[str, T], key: str, what: str, where: str) -> T:
    """Return the entity under an id, whose case and outer spaces don't matter.

    Args:
        known: Entities by id; ids are in capitals.
        key: The id that was sent.
        what: What the entity is called.
        where: Name of a tool that shows the ids.

    Raises:
        InputError: Nothing has that id.
    """
    found = known.get(key.strip().upper())
    if found is None:
        prefix, dash, _ = next(iter(known), "").partition("-")
        hint = f"ids begin with {prefix}-; " if dash else ""
        raise InputError(f"no {what} {clip(key)}; {hint}{where} shows the ids")
    return found


def coming_day(text: str, argument: str, today: date, days: int) -> date:
    """Return the day that a text in the form YYYY-MM-DD names, one of the next days.

    Args:
        text: What was sent.
        argument: Its name.
        today: The first day that is right.
        days: How many days are right.

    Raises:
        InputError: Another form, no such day, or another day.
    """
    day, last = read_day(text, argument, today), today + timedelta(days - 1)
    if not today <= day <= last:
        raise InputError(f"{argument} must be a day from {today} to {last}, got {day}")
    return day


def within(value: float, argument: str, least: float, most: float) -> None:
    """Refuse a number outside a range.

    Raises:
        InputError: Below ``least`` or above ``most``.
    """
    if not least <= value <= most:
        raise InputError(f"{argument} must be {least} to {most}, got {value}")


def span(first: date, end: date) -> Iterator[date]:
    """Yield the days from the first up to the one before the end.

    >>> [str(day) for day in span(date(2031, 5, 30), date(2031, 6, 2))]
    ['2031-05-30', '2031-05-31', '2031-06-01']
    """
    return (first + timedelta(n) for n in range((end - first).days))
