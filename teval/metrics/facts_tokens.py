"""Texts as tokens in which one fact has one spelling: dates, times, numbers, amounts, negations."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_MONTH_NAMES = (
    ("jan", "january"),
    ("feb", "february"),
    ("mar", "march"),
    ("apr", "april"),
    ("may",),
    ("jun", "june"),
    ("jul", "july"),
    ("aug", "august"),
    ("sep", "sept", "september"),
    ("oct", "october"),
    ("nov", "november"),
    ("dec", "december"),
)
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names}
_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_UNITS = {word: number for number, word in enumerate(_SMALL)}
_ROUND = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_TENS = {word: 10 * number for number, word in enumerate(_ROUND, 2)}
_WORDS = {
    "noon": ("12:00",),
    "midday": ("12:00",),
    "midnight": ("00:00",),
    "cannot": ("can", "not"),
    "can't": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    **dict.fromkeys(("€", "eur", "euros"), ("euro",)),
    **dict.fromkeys(("$", "usd", "dollars"), ("dollar",)),
    **dict.fromkeys(("£", "gbp", "pounds"), ("pound",)),
    "%": ("percent",),
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_TH = r"(?:st|nd|rd|th)?"
_MOMENT = re.compile(r"(?<=\d\d-\d\d)t(?=\d\d:)")
"""What joins date and time in ISO 8601."""
_TOKEN = re.compile(
    rf"""
      (?P<y>\d{{4}})-(?P<m>\d\d?)-(?P<d>\d\d?)(?!\d)
    | (?P<d1>\d\d?){_TH}\s+(?:of\s+)?(?P<m1>{_MONTH})\b\.?(?:,?\s+(?P<y1>\d{{4}})(?![\w:]))?
    | \b(?P<m2>{_MONTH})\b\.?\s+(?P<d2>\d\d?){_TH}(?![\w:])(?:,?\s+(?P<y2>\d{{4}})(?![\w:]))?
    | (?<![\w:])(?P<h>\d\d?)(?:[:.](?P<min>\d\d))?\s?(?P<half>[ap])\.?\s?m\b\.?
    | (?<![\w:])(?P<h24>\d\d?):(?P<min24>\d\d)(?::00)?(?![\d:])
    | (?:(?P<money>[€$£])\s?)?(?P<number>(?:(?<![\w.])[-−])?
        (?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?)(?!\w)(?!\.\d)
    | (?P<word>[一-鿿ぁ-ヿ]|[^\W_一-鿿ぁ-ヿ]+(?:'[^\W\d_]+)*|[%€$£])
    """,
    re.VERBOSE,
)


def tokens(text: str) -> list[str]:
    """Return the tokens of a text, without case, punctuation or differences of spelling.

    >>> tokens("Don't come at 5 p.m.") == tokens("do not come at 17:00")
    True
    >>> tokens("4 May 2031: 1,200.0 euros") == tokens("2031-05-04, €1200")
    True
    """
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    plain = _MOMENT.sub(" ", plain)
    found = [token for match in _TOKEN.finditer(plain) for token in _spelled(match)]
    return list(_joined(found))


def _spelled(match: re.Match[str]) -> tuple[str, ...]:
    part = match.groupdict(default="")
    day = part["d"] or part["d1"] or part["d2"]
    if day:
        month = part["m"] or part["m1"] or part["m2"]
        year = part["y"] or part["y1"] or part["y2"]
        date = f"--{int(_MONTHS.get(month, 0) or month):02d}-{int(day):02d}"
        return (date, year) if year else (date,)
    if part["half"]:
        hour = int(part["h"]) % 12 + (12 if part["half"] == "p" else 0)
        return (f"{hour:02d}:{part['min'] or '00'}",)
    if part["h24"]:
        return (f"{int(part['h24']):02d}:{part['min24']}",)
    if part["number"]:
        return (_number(part["number"]), *_WORDS.get(part["money"], ()))
    return _word(part["word"])


def _number(text: str) -> str:
    sign = "-" if text[0] in "-−" else ""
    whole, _, fraction = text.lstrip("-−").replace(",", "").partition(".")
    fraction = fraction.rstrip("0")
    return sign + (whole.lstrip("0") or "0") + (f".{fraction}" if fraction else "")


def _word(word: str) -> tuple[str, ...]:
    if word in _WORDS:
        return _WORDS[word]
    if word.endswith("n't"):
        return (word.removesuffix("n't"), "not")
    return (word.removesuffix("'s"),)


def _joined(found: list[str]) -> Iterator[str]:
    """Yield the tokens with number words as digits: "twenty five" is 25."""
    at = 0
    while at < len(found):
        token, follower = found[at], found[at + 1] if at + 1 < len(found) else ""
        if token in _TENS and 0 < _UNITS.get(follower, 0) < 10:
            yield str(_TENS[token] + _UNITS[follower])
            at += 1
        else:
            yield str(_TENS.get(token, _UNITS.get(token, token)))
        at += 1
