"""What a run comes to: one number a cell, with all that must stand beside it."""

from __future__ import annotations

from teval.schema.errata import Erratum
from teval.schema.stored import Frozen


class Cell(Frozen):
    """One ability in one format. All shares and scores lie in [0, 1]."""

    score: float
    """Mean headline metric over all planned cases."""
    low: float
    """Lower end of the 95 % interval."""
    high: float
    n: int
    """Planned cases."""
    families: int
    """Independent groups among them."""
    parse_rate: float
    """Share of planned cases whose answer could be read."""
    well_formed: float
    """Share of planned cases whose answer is exactly what was asked for."""
    given_parsed: float | None
    """Mean headline metric over the cases that parsed; None where none did."""
    coverage: float
    """Share of planned cases that the engine answered at all."""
    truncated: float
    """Share that ran into the token limit before an answer could be read."""
    hit_limit: float
    """Share that was read although the engine stopped at its limit."""
    reasoned: float = 0.0
    """Share of answers from which reasoning was cut before they were read."""
    floor: float | None
    """Score of the best answerer that needs no ability; None where it was not measured."""
    above_floor: float | None
    """``(score - floor) / (1 - floor)``; None without a floor below 1."""
    statuses: dict[str, int]
    metrics: dict[str, float]
    """Means of all metrics of the ability."""
    causes: dict[str, int]
    """How often points were lost for which cause."""


class AbilitySummary(Frozen):
    """One ability: the mean of its formats."""

    score: float
    low: float
    high: float
    n: int
    families: int
    floor: float | None
    above_floor: float | None
    detectable: float | None
    """Smallest difference to another run of its kind that is likely to be seen, in [0, 1]; None
    where nothing can be said, for want of variation or of families."""
    formats: dict[str, Cell]


class ScorerSummary(Frozen):
    """All numbers of one scorer."""

    overall: float | None
    """Mean of the abilities; None where nothing that counts was planned."""
    low: float | None
    high: float | None
    micro: float | None
    """Mean over all planned cases."""
    complete: bool
    """Whether every ability was asked in both formats; only then runs can be ranked."""
    mark: str = ""
    """What keeps published numbers from standing beside public ones: the encoder's name, the
    data's, or both; empty where nothing does."""
    n: int
    families: int
    floor: float | None
    detectable: float | None
    """Of the overall score; see :class:`AbilitySummary`."""
    abilities: dict[str, AbilitySummary | None]
    """None for an ability that was not asked in any format that counts."""
    beside: dict[str, dict[str, Cell]] = {}
    """Cells that enter no mean and none of the numbers above, by ability and format: answers as
    calls in the model's own syntax."""


class Errata(Frozen):
    """The errata that a run's scores are with, and the scores without them."""

    applied: tuple[Erratum, ...]
    """At least one."""
    corrected: ScorerSummary
    """Without errata; floors are not told."""
    published: ScorerSummary | None = None

    @property
    def excluded(self) -> int:
        """How many cases are not scored."""
        return sum(entry.action == "exclude" for entry in self.applied)

    @property
    def amended(self) -> int:
        """How many cases are scored by another gold."""
        return len(self.applied) - self.excluded


class Usage(Frozen):
    """What was read and written for a run's answers, in tokens as the engine counts them."""

    prompt_tokens: int
    """Of all prompts that were answered."""
    distinct_tokens: int | None
    """Size of the tree of their common beginnings: the least that must be computed. None where
    the engine does not see tokens."""
    computed_tokens: int
    """Prompt tokens that were not taken from a cache."""
    completion_tokens: int

    @property
    def ratio(self) -> float | None:
        """Computed tokens over distinct ones; None where those are not known."""
        return self.computed_tokens / self.distinct_tokens if self.distinct_tokens else None


class Summary(Frozen):
    """One run, as ``summary.json`` holds it."""

    name: str
    """The run's name in tables and charts."""
    model: str
    corrected: ScorerSummary
    published: ScorerSummary | None = None
    errata: Errata | None = None
    """None where none was for a case of the run."""
    signature: str
    """One line that names all that could move a number."""
    usage: Usage | None = None
    """None where nothing was generated."""
    warnings: tuple[str, ...] = ()
