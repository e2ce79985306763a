"""What differs between two runs under the same settings: the noise that no comparison can beat."""

from __future__ import annotations

from teval.schema.stored import Frozen


class NoiseRow(Frozen):
    """One ability in one format, an ability, or all cases together."""

    ability: str
    """An ability's name, or ``overall``."""
    format: str
    """``json``, ``string``, ``both`` for an ability, or empty for all cases."""
    n: int
    """Answers: cases times repeats."""
    answers: int
    """How many differ in their text or in how they ended."""
    scores: int
    """How many have another score, by the ability's headline metric."""
    first: float
    """Mean score of the first run, in [0, 1], over all answers alike."""
    second: float
    moved: float
    """Mean absolute difference of an answer's two scores, in [0, 1]."""


class Noise(Frozen):
    """Two runs under the same settings, answer by answer."""

    label: str
    signature: str
    deterministic: bool
    """Whether the engine was asked to answer alike each time."""
    rows: tuple[NoiseRow, ...]
    """Each ability's formats and both together, then all."""
    warnings: tuple[str, ...] = ()
    """What besides chance may have made the difference."""

    @property
    def total(self) -> NoiseRow:
        """The row of all cases."""
        return self.rows[-1]
