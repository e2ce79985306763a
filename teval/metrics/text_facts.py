"""Free text as an argument: right where it tells every fact, and nothing that speaks against it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from teval.metrics.facts_tokens import tokens

LIKENESS = 0.6
"""A text less like the gold one than this is wrong, whatever facts stand in it."""


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
    said = tokens(answered)
    if any(said == tokens(right) for right in (gold, *facts.accepted)):
        return bool(said) or answered.strip() == gold.strip()
    if not facts.facts or any(_holds(said, tokens(lie)) for lie in facts.contradictions):
        return False
    return (
        all(_holds(said, tokens(fact)) for fact in facts.facts)
        and likeness(answered, gold) >= LIKENESS
    )


def _holds(said: Sequence[str], fact: Sequence[str]) -> bool:
    """Whether the tokens of a fact stand side by side in those of a text."""
    width = len(fact)
    return width > 0 and any(said[at : at + width] == fact for at in range(len(said) - width + 1))
