"""Texts that go round in circles."""

from __future__ import annotations

REACH = 2000
"""Characters at a text's end that are looked at."""
TIMES = 4
"""How often a piece must be repeated."""
LEAST = 120
"""Characters that the repeated pieces must fill together."""


def ends_in_loop(text: str) -> bool:
    """Return whether a text's end is one piece over and over.

    That is the case where one piece fills the end at least :data:`TIMES` times and over at least
    :data:`LEAST` characters; the last one may be cut off. Only the last :data:`REACH` characters
    count, so that the cost is bounded.

    >>> ends_in_loop("Let me see. " + "I search again. " * 20), ends_in_loop("Let me see.")
    (True, False)
    """
    end = text.rstrip()[-REACH:][::-1]
    agrees = _agreement(end)
    return any(
        period + alike >= max(TIMES * period, LEAST)
        for period, alike in enumerate(agrees[: len(end) // TIMES + 1])
        if period
    )


def _agreement(text: str) -> list[int]:
    """For each place, how far the text from there on is as at its beginning (the Z function)."""
    found = [0] * len(text)
    left = right = 0
    for place in range(1, len(text)):
        length = min(right - place, found[place - left]) if place < right else 0
        while place + length < len(text) and text[length] == text[place + length]:
            length += 1
        found[place] = length
        if place + length > right:
            left, right = place, place + length
    return found
