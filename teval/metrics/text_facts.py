"""Free text as an argument: right where it tells every fact, and nothing that speaks against it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from teval.metrics.facts_tokens import tokens
from teval.metrics.similarity import same_text

LIKENESS = 0.6
"""A text less like the gold one than this is wrong, whatever facts stand in it."""

NO = "no"
"""The fact of an answer that says that something is not so, or can't be had."""
_DENIALS = (
    *("no", "not", "none", "nothing", "nobody", "nowhere", "never", "neither", "nor", "without"),
    *("cannot", "unable", "impossible", "unavailable", "missing", "lacks", "lack"),
)


class Facts(NamedTuple):
    """What a free text must say."""

    facts: tuple[str, ...] = ()
    """Each must be told: numbers, times, dates, names, negations."""
    contradictions: tuple[str, ...] = ()
    """None may be told."""
    accepted: tuple[str, ...] = ()
    """Phrasings that are right as they are, beside the gold one."""


def says(answered: str, gold: str, facts: Facts, likeness: Callable[[str, str], float]) -> bool:
    """Whether a free text is right.

    It is the gold text or an accepted phrasing; or it tells every fact and no contradiction, and
    is at least 0.6 like the gold text. Without facts, phrasings alone decide.

    >>> says("Table at 5 p.m.", "A table for 17:00", Facts(("5 pm",)), lambda a, b: 0.9)
    True
    >>> says("Table at 3 pm", "A table for 17:00", Facts(("5 pm",)), lambda a, b: 0.97)
    False
    """
    right = (gold, *facts.accepted)
    if any(same_text(answered, text) for text in right):
        return True
    said = _Told.by(answered)
    if said.text and any(said.text == _Told.by(text).text for text in right):
        return True
    if not facts.facts or any(said.holds(lie) for lie in facts.contradictions):
        return False
    return all(map(said.holds, facts.facts)) and likeness(answered, gold) >= LIKENESS


def tells(text: str, facts: Sequence[str]) -> tuple[bool, ...]:
    """Return for each fact whether a text tells it, numbers, times and dates normalised.

    The fact :data:`NO` is told by any word that denies something.

    >>> tells("You leave on 7 June 2031 at 9:30.", ["2031-06-07", "09:30", "10:30"])
    (True, True, False)
    >>> tells("The library can't be found in any city.", ["no"])
    (True,)
    """
    said = _Told.by(text)
    return tuple(
        any(map(said.holds, _DENIALS)) if fact == NO else said.holds(fact) for fact in facts
    )


class _Told(NamedTuple):
    """A text's tokens in a row, spaced only where two of them would make another number."""

    text: str
    starts: frozenset[int]
    ends: frozenset[int]

    @classmethod
    def by(cls, text: str) -> _Told:
        parts: list[str] = []
        starts: set[int] = set()
        ends: set[int] = set()
        size, before = 0, "a"
        for token in tokens(text):
            if not (before.isalpha() or token[0].isalpha()):
                parts.append(" ")
                size += 1
            parts.append(token)
            starts.add(size)
            size += len(token)
            ends.add(size)
            before = token[-1]
        return cls("".join(parts), frozenset(starts), frozenset(ends))

    def holds(self, fact: str) -> bool:
        """Whether the tokens of a fact stand side by side in the text."""
        told = _Told.by(fact).text
        at = self.text.find(told) if told else -1
        while at >= 0:
            if at in self.starts and at + len(told) in self.ends:
                return True
            at = self.text.find(told, at + 1)
        return False
