"""Numbers in English words: cardinals, ordinals, and what multiplies a number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_ROUND = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINAL = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth"}
_ORDINAL |= {"nine": "ninth", "twelve": "twelfth"}

UNITS = {word: number for number, word in enumerate(_SMALL)}
TENS = {word: 10 * number for number, word in enumerate(_ROUND, 2)}
ORDINALS = {_ORDINAL.get(word, f"{word}th"): number for word, number in UNITS.items() if number}
ORDINALS |= {f"{word.removesuffix('y')}ieth": number for word, number in TENS.items()}
SCALES = {"dozen": 12, "thousand": 10**3, "million": 10**6, "billion": 10**9}
MULTIPLES = {"hundred": 100, **SCALES}

LONGEST = 15
"""Numbers of more digits are not multiplied."""
_DIGITS = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


class Number(NamedTuple):
    """A number at some place in a list of words."""

    text: str
    """In digits, without needless zeros."""
    end: int
    """Place behind its last word."""


def is_number(word: str) -> bool:
    """Whether a word is a number in digits.

    >>> is_number("-2.5"), is_number("12b")
    (True, False)
    """
    return _DIGITS.fullmatch(word) is not None


def plain_number(text: str) -> str:
    """Return a number in digits without thousands' commas and needless zeros.

    >>> plain_number("01,200.50")
    '1200.5'
    """
    sign, text = ("-", text[1:]) if text[0] == "-" else ("", text)
    whole, _, fraction = text.replace(",", "").partition(".")
    fraction = fraction.rstrip("0")
    return sign + (whole.lstrip("0") or "0") + (f".{fraction}" if fraction else "")


def cardinal(words: Sequence[str], at: int) -> Number | None:
    """Return the number that starts at a place, in digits or in words, or None.

    Args:
        words: Lower-case words, numbers in digits among them, and an empty one at the end.
        at: The place of the first word.

    >>> cardinal(["two", "hundred", "and", "five", "thousand", ""], 0)
    Number(text='205000', end=5)
    >>> cardinal(["2.5", "million", ""], 0)
    Number(text='2500000', end=2)
    """
    if is_number(words[at]):
        return _multiplied(words, at)
    if words[at] in {"a", "an"}:
        return _of(MULTIPLES[words[at + 1]], at + 2) if words[at + 1] in MULTIPLES else None
    return _spelled(words, at)


def ordinal(words: Sequence[str], at: int) -> Number | None:
    """Return the place in an order that is told in words, or None.

    >>> ordinal(["twenty", "first", ""], 0), ordinal(["third", ""], 0)
    (Number(text='21', end=2), Number(text='3', end=1))
    """
    tens = TENS.get(words[at], 0)
    last = words[at + 1] if tens else words[at]
    number = ORDINALS.get(last, 0)
    if not number or (tens and number > 9):
        return None
    return _of(tens + number, at + 1 + bool(tens))


def _of(value: int | Decimal, end: int) -> Number:
    return Number(plain_number(f"{value:f}"), end)


def _multiplied(words: Sequence[str], at: int) -> Number:
    text, scale = words[at], MULTIPLES.get(words[at + 1])
    if scale is None or len(text) > LONGEST:
        return Number(text, at + 1)
    return _of(Decimal(text) * scale, at + 2)


def _spelled(words: Sequence[str], at: int) -> Number | None:
    """Read groups below a thousand, each but the last followed by a smaller scale."""
    total, least, end = 0, 10**12, at
    group = _group(words, at)
    while group is not None:
        value, end = group
        scale = SCALES.get(words[end], least)
        if scale >= least:
            return _of(total + value, end)
        total, least, end = total + value * scale, scale, end + 1
        group = _group(words, end + (words[end] == "and"))
    return _of(total, end) if end > at else None


def _group(words: Sequence[str], at: int) -> tuple[int, int] | None:
    """Return a number below a thousand and the place behind it."""
    found = _pair(words, at)
    if found is None or words[found[1]] != "hundred" or found[0] == 0:
        return found
    hundreds, end = found[0] * 100, found[1] + 1
    rest = _pair(words, end + (words[end] == "and"))
    return (hundreds, end) if rest is None else (hundreds + rest[0], rest[1])


def _pair(words: Sequence[str], at: int) -> tuple[int, int] | None:
    """Return a number below a hundred and the place behind it."""
    word = words[at]
    if word in UNITS:
        return UNITS[word], at + 1
    if word not in TENS:
        return None
    ones = UNITS.get(words[at + 1], 0)
    return (TENS[word] + ones, at + 2) if 0 < ones < 10 else (TENS[word], at + 1)
