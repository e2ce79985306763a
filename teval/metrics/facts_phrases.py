"""Facts that English tells in several words: dates, times of day, amounts, short weekdays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from teval.metrics.facts_numbers import ORDINALS, TENS, UNITS, cardinal, ordinal

MONTHS = {
    name: number
    for number, name in enumerate(
        (
            *("january", "february", "march", "april", "may", "june", "july", "august"),
            *("september", "october", "november", "december"),
        ),
        1,
    )
}
CURRENCIES = ("euro", "dollar", "pound", "yen", "franc")
_MEASURES = {
    **dict.fromkeys(("kilo", "kilos", "kilogram", "kilograms", "kilogramme", "kilogrammes"), "kg"),
    **dict.fromkeys(("gram", "grams", "gramme", "grammes"), "g"),
    **dict.fromkeys(("milligram", "milligrams"), "mg"),
    **dict.fromkeys(("kilometre", "kilometres", "kilometer", "kilometers"), "km"),
    **dict.fromkeys(("metre", "metres", "meter", "meters"), "m"),
    **dict.fromkeys(("centimetre", "centimetres", "centimeter", "centimeters"), "cm"),
    **dict.fromkeys(("millimetre", "millimetres", "millimeter", "millimeters"), "mm"),
    **dict.fromkeys(("litre", "litres", "liter", "liters"), "l"),
    **dict.fromkeys(("millilitre", "millilitres", "milliliter", "milliliters"), "ml"),
    **dict.fromkeys(("ounce", "ounces"), "oz"),
    **dict.fromkeys(("h", "hr", "hrs", "hour"), "hours"),
    **dict.fromkeys(("min", "mins", "minute"), "minutes"),
    **dict.fromkeys(("sec", "secs", "second"), "seconds"),
    **{"lbs": "lb", "day": "days", "week": "weeks", "month": "months", "year": "years"},
    **{"night": "nights", "time": "times", "degree": "degrees", "°": "degrees"},
}
"""Other spellings of what stands behind a number."""
_DEGREES = {"c": "celsius", "celsius": "celsius", "f": "fahrenheit", "fahrenheit": "fahrenheit"}
_SHORT_DAYS = {"mon": "monday", "wed": "wednesday", "sat": "saturday", "sun": "sunday"}
"""Short weekdays that may be other words."""
_BEFORE_DAYS = {"on", "by", "until", "till", "this", "next", "last", "every", "each", "from"}
_AFTER_MODAL = {"be", "not", "have", "also", "only", "still", "need", "come", "go", "use", "take"}
"""Words before which "may" is no month."""
_AT = {"at", "by", "until", "till", "before", "after", "from", "around", "about", "since", "to"}
"""Words behind which a number with a part of the day is an hour."""
_BEHIND_DIGITS = {"past", "to", "minutes", "o'clock", "in", "at"}
"""Words that make digits a time; spares most numbers the search for one."""
_PARTS_OF_HOUR = {"half": 30, "quarter": 15}

AHEAD = 8
"""How many empty words must stand behind a text's words."""


class Phrase(NamedTuple):
    """A fact at some place in a list of words."""

    tokens: tuple[str, ...]
    end: int
    """Place behind its last word."""


Words: TypeAlias = Sequence[str]
Reader: TypeAlias = Callable[[Words, int], Phrase | None]


def phrase(words: Words, at: int) -> Phrase | None:
    """Return the fact that starts at a place, or None where a word is but a word.

    Args:
        words: Lower-case words; among them numbers in digits, places as ``4th``, times as
            ``17:00``, and punctuation; :data:`AHEAD` empty ones at the end.
        at: The place of the first word.

    >>> phrase(["4th", "of", "may", *[""] * AHEAD], 0)
    Phrase(tokens=('--05-04',), end=3)
    """
    word = words[at]
    readers = _NUMERIC if word[:1] in _NUMERIC_STARTS else _READERS.get(word, ())
    for read in readers:
        found = read(words, at)
        if found is not None:
            return found
    return None


def _date(words: Words, at: int) -> Phrase | None:
    """Read "4 May", "the fourth of May, 2031", "May 4th"."""
    month = MONTHS.get(words[at])
    if month is not None:
        day = _day(words, at + 1 + (words[at + 1] in {".", "the"}))
        return day and _dated(month, *day, words)
    day = _day(words, at)
    if day is None:
        return None
    after = day[1] + (words[day[1]] == "of")
    month = MONTHS.get(words[after])
    if month is None or (words[after] == "may" and words[after + 1] in _AFTER_MODAL):
        return None
    return _dated(month, day[0], after + 1, words)


def _day(words: Words, at: int) -> tuple[int, int] | None:
    """Return a day of the month, in digits or as a place in words, and the place behind it."""
    spelled = ordinal(words, at)
    text, end = spelled or (words[at].removesuffix("th"), at + 1)
    return (int(text), end) if len(text) < 3 and text.isdecimal() and 0 < int(text) < 32 else None


def _dated(month: int, day: int, end: int, words: Words) -> Phrase:
    date = f"--{month:02d}-{day:02d}"
    year = end + (words[end] in {",", "."})
    if len(words[year]) == 4 and words[year].isdecimal():
        return Phrase((date, words[year]), year + 1)
    return Phrase((date,), end)


class _Time(NamedTuple):
    """A time of day, in minutes."""

    minutes: int
    end: int
    sure: bool
    """Whether it is a time even without a part of the day."""
    whole_day: bool
    """Whether it counts from midnight; else from midnight or noon."""


def _clock(words: Words, at: int) -> Phrase | None:
    """Read "half past three", "five o'clock", "3:30 in the afternoon", "at 8 in the evening"."""
    if words[at][:1] in _NUMERIC_STARTS and words[at + 1] not in _BEHIND_DIGITS:
        return None
    time = _past_or_to(words, at) or _full_hour(words, at)
    if time is None:
        return None
    minutes, end = time.minutes, time.end
    later = None if time.whole_day else _part_of_day(words, end)
    if later is not None:
        within_half = minutes % 720
        minutes, end = within_half + 720 * (within_half >= later.from_noon), later.end
    elif not time.sure:
        return None
    elif not time.whole_day and minutes < 60:
        minutes += 720
    return Phrase((f"{minutes // 60 % 24:02d}:{minutes % 60:02d}",), end)


def _past_or_to(words: Words, at: int) -> _Time | None:
    start = at + (words[at] == "a" and words[at + 1] == "quarter")
    minutes, end = _minutes(words, start)
    quarter = words[start] == "quarter"
    if words[end] == "past" or (words[end] == "after" and quarter):
        sign = 1
    elif words[end] == "to" and (quarter or words[at - 1] == "at"):
        sign = -1
    else:
        return None
    hour = _hour(words, end + 1)
    if not minutes or hour is None or hour.minutes % 60:
        return None
    return hour._replace(minutes=hour.minutes + sign * minutes, sure=True)


def _minutes(words: Words, at: int) -> tuple[int, int]:
    """Return a part of an hour and the place behind it; 0 where there is none."""
    if words[at] in _PARTS_OF_HOUR:
        return _PARTS_OF_HOUR[words[at]], at + 1
    number = cardinal(words, at)
    if number is None or len(number.text) > 2 or not number.text.isdecimal():
        return 0, at
    return int(number.text) % 60, number.end + (words[number.end] == "minutes")


def _full_hour(words: Words, at: int) -> _Time | None:
    hour = _hour(words, at)
    if hour is not None and words[hour.end] == "o'clock":
        return hour._replace(end=hour.end + 1, sure=True)
    return hour if words[at][2:3] == ":" or words[at - 1] in _AT else None


def _hour(words: Words, at: int) -> _Time | None:
    """Return a time in digits, or a number from 1 to 12."""
    word = words[at]
    if word[2:3] == ":":
        hours, minutes = int(word[:2]), int(word[3:])
        return _Time(60 * hours + minutes, at + 1, sure=False, whole_day=not 0 < hours < 13)
    number = cardinal(words, at)
    if number is None or number.text not in _HOURS:
        return None
    return _Time(60 * int(number.text), number.end, sure=False, whole_day=False)


class _PartOfDay(NamedTuple):
    from_noon: int
    """Minutes in its half of the day from which a time lies after noon."""
    end: int


def _part_of_day(words: Words, at: int) -> _PartOfDay | None:
    if words[at] == "at" and words[at + 1] == "night":
        return _PartOfDay(360, at + 2)
    if words[at] == "in" and words[at + 1] == "the" and words[at + 2] in _PARTS_OF_DAY:
        return _PartOfDay(_PARTS_OF_DAY[words[at + 2]], at + 3)
    return None


def _amount(words: Words, at: int) -> Phrase | None:
    """Read "EUR 40", "minus 20 degrees", "two million", "15 per cent"."""
    money = words[at] in CURRENCIES
    minus = words[at] == "minus"
    number = cardinal(words, at + (money or minus))
    if number is None:
        return None
    text = f"-{number.text.removeprefix('-')}" if minus else number.text
    if money:
        return Phrase((text, words[at]), number.end)
    measure, end = _measure(words, number.end)
    return Phrase((text, *measure), end)


def _measure(words: Words, at: int) -> tuple[tuple[str, ...], int]:
    """Return what a number counts, where that has several spellings, and the place behind it."""
    word, following = words[at], words[at + 1]
    if word in CURRENCIES:
        return (word,), at + 1
    if word == "per" and following == "cent":
        return ("percent",), at + 2
    word = _MEASURES.get(word, word)
    if word == "degrees" and following in _DEGREES:
        return (_DEGREES[following],), at + 2
    return ((word,), at + 1) if word in _SPELLED_MEASURES else ((), at)


def _place(words: Words, at: int) -> Phrase | None:
    """Read "third", "twenty-first"."""
    found = ordinal(words, at)
    return Phrase((f"{found.text}th",), found.end) if found else None


def _once(words: Words, at: int) -> Phrase | None:
    """Read "once a day" as a number of times; other meanings of the word stay."""
    rate = words[at + 1] in {"a", "an", "per", "every", "each"}
    return Phrase(("1", "times"), at + 1) if rate else None


def _weekday(words: Words, at: int) -> Phrase | None:
    """Read a short weekday where a date or another weekday stands beside it."""
    before = words[at - 1]
    if before in {"and", "or", "to", ","}:
        before = words[at - 2]
    near = before in _BEFORE_DAYS or before[-3:] == "day" or before in _SHORT_DAYS
    if near or words[at + 1][:1] in _NUMERIC_STARTS:
        return Phrase((_SHORT_DAYS[words[at]],), at + 1)
    return None


_PARTS_OF_DAY = {"morning": 720, "afternoon": 0, "evening": 0}
_HOURS = {str(hour) for hour in range(1, 13)}
_SPELLED_MEASURES = set(_MEASURES.values())
_NUMERIC_STARTS = set("0123456789-")
_NUMERIC: tuple[Reader, ...] = (_date, _clock, _amount)
_READERS: dict[str, tuple[Reader, ...]] = {
    **dict.fromkeys(MONTHS, (_date,)),
    **dict.fromkeys(UNITS, (_clock, _amount)),
    **dict.fromkeys(TENS, (_date, _place, _clock, _amount)),
    **dict.fromkeys(ORDINALS, (_date, _place)),
    **dict.fromkeys(_PARTS_OF_HOUR, (_clock,)),
    **dict.fromkeys(("a", "an"), (_clock, _amount)),
    **dict.fromkeys(("minus", *CURRENCIES), (_amount,)),
    **dict.fromkeys(_SHORT_DAYS, (_weekday,)),
    "once": (_once,),
}
"""Readers by the first word of what they read; others read what starts with a digit or a sign."""
