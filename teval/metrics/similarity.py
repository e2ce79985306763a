"""Likeness of two texts from the cosine of their vectors."""

from __future__ import annotations

DECIMALS = 5
"""Likenesses are rounded to this, so that the order of floating-point sums decides nothing."""


def clipped(cosine: float) -> float:
    """Return the likeness in [0, 1]: the cosine, negative ones as 0, rounded to 5 decimals.

    >>> clipped(-0.2), clipped(1.0000001), clipped(0.1234567)
    (0.0, 1.0, 0.12346)
    """
    return round(min(1.0, max(0.0, cosine)), DECIMALS)


def same_text(a: str, b: str) -> bool:
    """Whether two texts are equal after trimming, so that their likeness is 1 without a vector.

    >>> same_text(" a", "a ")
    True
    """
    return a.strip() == b.strip()
