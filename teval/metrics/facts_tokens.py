"""Texts as tokens in which one fact has one spelling: dates, times, numbers, amounts, negations."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from teval.metrics.facts_numbers import plain_number
from teval.metrics.facts_phrases import AHEAD, MONTHS, phrase

_SPELLINGS = {
    "euro": ("€", "eur", "euros"),
    "dollar": ("$", "usd", "dollars"),
    "pound": ("£", "gbp", "pounds"),
    "yen": ("¥", "jpy"),
    "franc": ("chf", "francs"),
    "percent": ("%", "pct"),
    "and": ("&",),
    "doctor": ("dr",),
    "mister": ("mr",),
    "professor": ("prof",),
    "versus": ("vs",),
    "september": ("sept",),
    "tuesday": ("tue", "tues"),
    "thursday": ("thu", "thur", "thurs"),
    "friday": ("fri",),
    "12:00": ("noon", "midday"),
    "00:00": ("midnight",),
    "can not": ("cannot", "can't"),
    "will not": ("won't",),
    "shall not": ("shan't",),
    "2 times": ("twice",),
    "3 times": ("thrice",),
}
_WORDS = {other: tuple(one.split()) for one, others in _SPELLINGS.items() for other in others}
_WORDS |= {name[:3]: (name,) for name in MONTHS}
_VERBS = {"ll": "will", "re": "are", "ve": "have", "m": "am"}
_PRONOUNS = {"it", "he", "she", "that", "there", "here", "what", "who", "where"}
"""Words behind which ``'s`` is a verb."""
_NO_APOSTROPHE = re.compile(r"((?:do|does|did|is|are|was|were|has|have|had|could|would|should)n)t")
_GLUED = r"(?:kg|km|cm|mm|mg|ml|lbs?|oz|hrs?|h|mins?|secs?|eur|usd|gbp|chf)(?!\w)"
"""Units that may follow a number without a space."""
_ACCENTS = re.compile("[\u0300-\u036f]")
_MARKS = str.maketrans({"’": "'", "−": "-", "‐": "-", "‑": "-"})
_MOMENT = re.compile("(?<=[0-9]-[0-9][0-9])t(?=[0-9][0-9]:)")
"""What joins date and time in ISO 8601."""
_LEXEME = re.compile(
    rf"""
      (?P<date>(?P<y>[0-9]{{4}})[-/](?P<m>[0-9][0-9]?)[-/](?P<d>[0-9][0-9]?)(?![0-9]))
    | (?P<half>(?<![\w:])(?P<h>[0-9][0-9]?)(?:[:.](?P<min>[0-9][0-9]))?\s?(?P<ap>[ap])\.?\s?m\b\.?)
    | (?P<clock>(?<![\w:])(?P<h24>[0-9][0-9]?):(?P<min24>[0-9][0-9])(?::00)?(?![0-9]|:[0-9]))
    | (?P<place>[0-9]{{1,9}}(?:st|nd|rd|th)(?!\w))
    | (?P<number>(?:(?<![\w.])-)?(?:[0-9]{{1,3}}(?:,[0-9]{{3}})++|[0-9]++)(?:\.[0-9]++)?+
        (?:(?!\w)|(?={_GLUED}))(?!\.[0-9]))
    | (?P<word>[一-鿿ぁ-ヿ]|[^\W_一-鿿ぁ-ヿ]++(?:'[^\W\d_]++)*+|[%€$£¥&°])
    | (?P<stop>[^\w\s\-/]++)
    """,
    re.VERBOSE,
)


def tokens(text: str) -> list[str]:
    """Return the tokens of a text, without case, accents, punctuation or differences of spelling.

    Hours without am, pm or a part of the day are taken as they stand: half past three is 03:30.
    Dates of which the order of day and month can't be known (4/5/2031) stay numbers.

    >>> tokens("Don't come at 5 p.m.") == tokens("do not come at 17:00")
    True
    >>> tokens("4 May 2031: 1,200.0 euros") == tokens("2031-05-04, EUR 1200")
    True
    >>> tokens("a quarter to seven in the evening"), tokens("two hundred and five kilos")
    (['18:45'], ['205', 'kg'])
    """
    words = [*_lexemes(_folded(text)), *[""] * AHEAD]
    return [token for token in _facts(words) if token[0].isalnum() or token[0] == "-"]


def _folded(text: str) -> str:
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", text).casefold())
    return _MOMENT.sub(" ", unicodedata.normalize("NFC", bare).translate(_MARKS))


def _facts(words: list[str]) -> Iterator[str]:
    """Yield words and punctuation, what several words tell as one."""
    at, size = 0, len(words) - AHEAD
    while at < size:
        found = phrase(words, at)
        if found is None:
            yield words[at]
            at += 1
        else:
            yield from found.tokens
            at = found.end


def _lexemes(text: str) -> Iterator[str]:
    """Yield words, numbers, times and dates, and the first of each run of punctuation."""
    for match in _LEXEME.finditer(text):
        kind, found = match.lastgroup, match.group()
        if kind == "word":
            yield from _word(found)
        elif kind == "stop":
            yield found[0]
        elif kind == "number":
            yield plain_number(found)
        else:
            yield from _moment(match)


def _moment(match: re.Match[str]) -> tuple[str, ...]:
    """Return a date, a time of day, or a place."""
    if match["date"]:
        return f"--{int(match['m']):02d}-{int(match['d']):02d}", match["y"]
    if match["half"]:
        hour = int(match["h"]) % 12 + (12 if match["ap"] == "p" else 0)
        return (f"{hour:02d}:{match['min'] or '00'}",)
    if match["clock"]:
        return (f"{int(match['h24']) % 24:02d}:{match['min24']}",)
    return (f"{int(match['place'][:-2])}th",)


def _word(word: str) -> tuple[str, ...]:
    if word in _WORDS:
        return _WORDS[word]
    if word[-1] == "t" and (bare := _NO_APOSTROPHE.fullmatch(word)):
        word = f"{bare[1]}'t"
    stem, _, ending = word.rpartition("'")
    if not stem:
        return (word,)
    if ending == "t" and stem[-1] == "n" and stem != "n":
        return stem[:-1], "not"
    if ending == "s":
        return (stem, "is") if stem in _PRONOUNS else (stem,)
    return (stem, _VERBS[ending]) if ending in _VERBS else (word,)
