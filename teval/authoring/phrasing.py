"""How a text is worded: its words, its reading level, and what two phrasings have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from teval.authoring.derivation import leaves
from teval.authoring.templates import MONTHS
from teval.schema import SolutionPath, Step

COMMON_WORDS = 5
"""A run of so many words that two phrasings share is too long."""
SLOT = "\0"
"""Stands for a value that any phrasing must name."""

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_CALENDAR = frozenset(name.casefold() for name in (*MONTHS, *_WEEKDAYS))
_LONGEST_SLOT = 8
"""The most words of a value; longer ones are texts, whose words are a writer's own."""


def words(text: str) -> list[str]:
    """Return the words of a text in small letters, punctuation left out.

    >>> words("It's 5 pm, isn't it?")
    ["it's", '5', 'pm', "isn't", 'it']
    """
    return re.findall(r"\w+(?:['’-]\w+)*", text.casefold())


def reading_level(text: str) -> float | None:
    """Return the Automated Readability Index, about the school grade that a text asks for.

    Words that hold a digit or an ``@`` are left out: ids and addresses are not read as words.
    Source: Senter & Smith, 1967. None where nothing is left.

    >>> reading_level("The cat sat on the mat.")
    -5.08...
    """
    plain = [word for word in text.split() if not re.search(r"[\d@]", word)]
    letters = sum(len(re.findall(r"\w", word)) for word in plain)
    if not letters:
        return None
    sentences = max(1, len(re.findall(r"[.!?](?:\s|$)", text)))
    return 4.71 * letters / len(plain) + 0.5 * len(plain) / sentences - 21.43


def slot_values(path: SolutionPath) -> list[str]:
    """Return the short values of a path's calls and observations, the longest first."""
    values = (
        str(leaf)
        for step in path.steps
        for content in (step.call.args, step.observation.content if step.observation else {})
        for leaf in leaves(content)
        if not isinstance(leaf, bool)
    )
    short = {value for value in values if 1 <= len(words(value)) <= _LONGEST_SLOT}
    return sorted(short, key=lambda value: (-len(value), value))


def pairs(step: Step) -> Iterator[tuple[str, str]]:
    """Yield each two different phrasings of a step's thought."""
    yield from combinations(dict.fromkeys((step.thought, *step.thoughts)), 2)


def common_run(first: str, second: str, slots: Sequence[str]) -> str | None:
    """Return a run that two texts share and that has :data:`COMMON_WORDS` words beside values.

    Args:
        first: A text.
        second: Another phrasing of it.
        slots: Values, the longest first; they, numbers, months and weekdays don't count.

    Returns:
        The first such run with ``…`` for values, or None.

    >>> common_run("I need the rain in Oslo now.", "First I need the rain in Bergen.", ["Oslo"])
    'i need the rain in'
    >>> common_run("I need it in Oslo now.", "I need it in Oslo today.", ["Oslo"]) is None
    True
    """
    told = set(_runs(_masked(second, slots)))
    found = next((run for run in _runs(_masked(first, slots)) if run in told), None)
    return None if found is None else " ".join(found).replace(SLOT, "…")


def _masked(text: str, slots: Iterable[str]) -> list[str]:
    """Words of the text, one mark for each value."""
    pattern = "|".join(rf"(?<!\w){re.escape(slot)}(?!\w)" for slot in slots)
    parts = re.split(pattern, text, flags=re.IGNORECASE) if pattern else [text]
    found: list[str] = []
    for number, part in enumerate(parts):
        found += [SLOT] if number else []
        found += (SLOT if _is_value(word) else word for word in words(part))
    return found


def _is_value(word: str) -> bool:
    return word in _CALENDAR or any(letter.isdigit() for letter in word)


def _runs(found: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Runs from a word to the fourth real word after it, values in between kept as marks."""
    places = [place for place, word in enumerate(found) if word != SLOT]
    for first, last in zip(places, places[COMMON_WORDS - 1 :], strict=False):
        yield tuple(found[first : last + 1])
