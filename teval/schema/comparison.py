"""What two runs come to side by side, on the cases that both planned."""

from __future__ import annotations

from teval.schema.stored import Frozen


class Contrast(Frozen):
    """One score of both runs. Scores and differences are on the scale of 0 to 1."""

    ability: str
    """An ability's name, or ``overall``."""
    format: str
    """``json``, ``string``, ``mean`` over an ability's formats, or empty for the overall score."""
    a: float
    b: float
    delta: float
    """Score of B minus score of A."""
    low: float | None
    """Lower end of the 95 % interval of the difference; None where there is none."""
    high: float | None
    p: float
    """Two-sided p value of the sign-flip test over families."""
    p_holm: float | None = None
    """The same, corrected by Holm for the number of abilities; None for all but abilities."""
    detectable: float | None
    """Smallest true difference that the test, uncorrected, finds with 80 % power; None where
    nothing can be said."""
    n: int
    """Cases that both runs planned."""
    families: int


class Compared(Frozen):
    """One of the two runs."""

    label: str
    signature: str
    left_out: int
    """Cases that the other run did not plan, or asked with another prompt."""


class Comparison(Frozen):
    """Two runs, compared."""

    scorer: str
    """Whose scores: ``corrected`` or ``published``."""
    mark: str = ""
    """What keeps published scores from standing beside public ones."""
    a: Compared
    b: Compared
    n: int
    """Cases that both runs planned."""
    families: int
    rows: tuple[Contrast, ...]
    """Each ability's formats and mean, then overall."""
    warnings: tuple[str, ...] = ()
    """What makes the comparison unfair."""
