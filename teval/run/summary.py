"""From scores to one run's numbers, with all that must stand beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import isnan
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teval.abilities import ABILITIES
from teval.metrics.compare import detectable_alone
from teval.metrics.stats import (
    Interval,
    bootstrap_means,
    clopper_pearson,
    percentile_interval,
    score_of,
)
from teval.run.cells import (
    BESIDE,
    FORMATS,
    SCORERS,
    Cells,
    Groups,
    Key,
    Scorer,
    by_cell,
    count_up,
    groups_of,
    only,
)
from teval.schema import STATUSES, AbilitySummary, Cell, Score, ScorerSummary, Summary

INCOMPLETE = "not every ability was asked in both formats, so the overall score can't be compared"


REASONED = frozenset({"reasoning_cut", "reasoning_unclosed"})
"""Flags of answers that held a thought."""


class Origin(NamedTuple):
    """Whose numbers they are."""

    name: str
    model: str
    signature: str
    mark: str = ""
    """What keeps the published numbers from standing beside public ones."""


class Draws(NamedTuple):
    """Cells, and their bootstrap: families are drawn once for all of them."""

    cells: Cells
    means: NDArray[np.float64]
    """Means by draw and cell."""

    def interval(self, score: float, families: int, groups: Sequence[Sequence[Key]]) -> Interval:
        """Return the interval of the mean over groups of the means within each group."""
        if score in (0.0, 1.0):
            return clopper_pearson(round(score * families), families)
        drawn = score_of(self.means, self.cells.places(groups))
        return percentile_interval(drawn, families=families)

    def detectable(self, groups: Sequence[Sequence[Key]]) -> float | None:
        """Return the smallest difference to another run that can be seen, if any can."""
        found = detectable_alone(self.cells.sums, self.cells.counts, self.cells.places(groups))
        return None if isnan(found) else found


def summarise(
    scores: Iterable[Score],
    floors: Mapping[Key, float],
    origin: Origin,
    *,
    alarms: Sequence[str] = (),
    resamples: int = 2000,
    seed: int = 0,
) -> Summary:
    """Return the summary of one run.

    An ability is the mean of its two formats, the overall score the mean of the abilities that
    were asked; calls in the model's own syntax stand beside and enter neither. Of a case that was
    asked several times, the mean counts. Intervals are 95 %, by bootstrap over families, jointly
    for all cells; where every score is 0 or every score is 1 they are exact (Clopper-Pearson) with
    the number of families.

    Args:
        scores: One a planned case and repeat; at least one. Those on disk are not all read at once.
        floors: Floor by ability and format, as far as measured.
        origin: Whose numbers they are.
        alarms: What is suspicious about the answers; they stand among the warnings.
        resamples: Number of bootstrap resamples.
        seed: Of the bootstrap.
    """
    groups = by_cell(scores)
    corrected = _sum_up(groups, SCORERS["corrected"], floors, resamples, seed)
    published = None
    known = only(groups, FORMATS)
    if known and all(s.published is not None for group in known.values() for s in group):
        published = _sum_up(known, SCORERS["published"], {}, resamples, seed)
        published = published.model_copy(update={"mark": origin.mark})
    return Summary(
        name=origin.name,
        model=origin.model,
        corrected=corrected,
        published=published,
        signature=origin.signature,
        warnings=(*alarms, *([] if corrected.complete else [INCOMPLETE])),
    )


def _sum_up(
    groups: Groups, scorer: Scorer, floors: Mapping[Key, float], resamples: int, seed: int
) -> ScorerSummary:
    counted = count_up(groups, scorer)
    draws = Draws(counted, bootstrap_means(counted.sums, counted.counts, resamples, seed))
    cells = {
        key: _cell(key, group, scorer, floors.get(key), draws) for key, group in groups.items()
    }
    counts = groups_of(groups, scorer)
    abilities = {name: _ability(name, keys, cells, groups, draws) for name, keys in counts.items()}
    beside = {
        name: {form: cells[name, form] for form in BESIDE if (name, form) in cells}
        for name in ABILITIES
    }
    total = _total(groups, abilities, scorer, draws)
    return total.model_copy(
        update={"beside": {name: found for name, found in beside.items() if found}}
    )


def _cell(
    key: Key, scores: Sequence[Score], scorer: Scorer, floor: float | None, draws: Draws
) -> Cell:
    metrics = _metrics(key[0], scores, scorer)
    score = scorer.headline(*key, metrics)
    families = len({s.family for s in scores})
    low, high = draws.interval(score, families, [[key]])
    parsed = [s for s in scores if scorer.parsed(s)]
    statuses = Counter(s.status for s in scores)
    unanswered = statuses["engine_error"] + statuses["context_overflow"]
    truncated = statuses["truncated"] + statuses["truncated_in_reasoning"]
    return Cell(
        score=score,
        low=low,
        high=high,
        n=len({s.case for s in scores}),
        families=families,
        parse_rate=len(parsed) / len(scores),
        well_formed=fmean(s.well_formed for s in scores),
        given_parsed=fmean(map(scorer.of, parsed)) if parsed else None,
        coverage=1 - unanswered / len(scores),
        truncated=truncated / len(scores),
        hit_limit=fmean("hit_limit" in s.flags for s in scores),
        reasoned=fmean(not REASONED.isdisjoint(s.flags) for s in scores),
        floor=floor,
        above_floor=_above(score, floor),
        statuses={status: statuses[status] for status in STATUSES if statuses[status]},
        metrics=metrics,
        causes=dict(sorted(Counter(s.cause for s in scores if s.cause is not None).items())),
    )


def _metrics(ability: str, scores: Sequence[Score], scorer: Scorer) -> dict[str, float]:
    """Mean of every metric; a case without an answer to be scored counts as 0 in each."""
    found = [(scorer.metrics(score), score.status) for score in scores]
    means = {}
    for name in sorted({name for metrics, _ in found for name in metrics}):
        asked = [m.get(name, 0.0) for m, status in found if name in m or status != "ok"]
        means[name] = scorer.mean(asked, ability)
    return means


def _above(score: float, floor: float | None) -> float | None:
    return None if floor is None or floor == 1 else (score - floor) / (1 - floor)


def _ability(
    name: str,
    counted: Sequence[Key],
    cells: Mapping[Key, Cell],
    groups: Groups,
    draws: Draws,
) -> AbilitySummary:
    formats = {form: cells[name, form] for form in FORMATS if (name, form) in cells}
    score = fmean(cells[key].score for key in counted)
    floor = _mean(cells[key].floor for key in counted)
    families = len({s.family for form in formats for s in groups[name, form]})
    low, high = draws.interval(score, families, [counted])
    return AbilitySummary(
        score=score,
        low=low,
        high=high,
        n=sum(cell.n for cell in formats.values()),
        families=families,
        floor=floor,
        above_floor=_above(score, floor),
        detectable=draws.detectable([counted]),
        formats=formats,
    )


def _total(
    groups: Groups, abilities: Mapping[str, AbilitySummary], scorer: Scorer, draws: Draws
) -> ScorerSummary:
    means = only(groups, FORMATS)
    overall = _mean(ability.score for ability in abilities.values())
    families = len({score.family for group in means.values() for score in group})
    asked = groups_of(groups, scorer)
    counted = list(asked.values())
    low, high = (None, None) if overall is None else draws.interval(overall, families, counted)
    # No case stands in two cells.
    cases = [value for group in means.values() for value in scorer.by_case(group).values()]
    return ScorerSummary(
        overall=overall,
        low=low,
        high=high,
        micro=_mean(cases),
        complete=asked == groups_of(product(ABILITIES, FORMATS), scorer),
        n=len(cases),
        families=families,
        floor=_mean(ability.floor for ability in abilities.values()),
        detectable=draws.detectable(counted) if counted else None,
        abilities={name: abilities.get(name) for name in ABILITIES},
    )


def _mean(values: Iterable[float | None]) -> float | None:
    """Mean, or None where one of the values is unknown."""
    found = list(values)
    known = [value for value in found if value is not None]
    return fmean(known) if known and len(known) == len(found) else None
