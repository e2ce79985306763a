"""From scores to one run's numbers, with all that must stand beside them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teval.abilities import ABILITIES
from teval.metrics.stats import (
    Interval,
    bootstrap_means,
    clopper_pearson,
    mean_of,
    percentile_interval,
)
from teval.schema import STATUSES, AbilitySummary, Cell, Score, ScorerSummary, Summary

FORMATS = ("json", "string")
"""Formats that an ability's score is the mean of."""

LEAST_PARSED = 0.5
"""Parse rate of a cell below which a warning is given."""
MOST_TRUNCATED = 0.01
"""Share of truncated answers of a cell above which a warning is given."""

Key = tuple[str, str]
"""Ability and format."""


class Origin(NamedTuple):
    """Whose numbers they are."""

    name: str
    model: str
    signature: str


class Draws(NamedTuple):
    """Bootstrap of all cells together: families are drawn once for all of them."""

    keys: list[Key]
    cells: NDArray[np.float64]
    """Means by draw and cell."""

    def of(self, groups: Sequence[Sequence[Key]]) -> NDArray[np.float64]:
        """Return by draw the mean over groups of the means within each group."""
        places = [[self.keys.index(key) for key in group] for group in groups]
        within = mean_of(self.cells, places)
        return mean_of(within, [range(len(groups))])[:, 0]


def summarise(
    scores: Sequence[Score],
    floors: Mapping[Key, float],
    origin: Origin,
    *,
    resamples: int = 2000,
    seed: int = 0,
) -> Summary:
    """Return the summary of one run.

    An ability is the mean of its formats, the overall score the mean of the abilities that were
    asked. Of a case that was asked several times, the mean counts. Intervals are 95 %, by
    bootstrap over families, jointly for all cells; where every score is 0 or every score is 1
    they are exact (Clopper-Pearson) with the number of families.

    Args:
        scores: One a planned case and repeat; at least one.
        floors: Floor by ability and format, as far as measured.
        origin: Whose numbers they are.
        resamples: Number of bootstrap resamples.
        seed: Of the bootstrap.
    """
    groups: dict[Key, list[Score]] = defaultdict(list)
    for score in scores:
        groups[score.ability, score.format].append(score)
    draws = _bootstrap(groups, resamples, seed)
    cells = {key: _cell(key, group, floors.get(key), draws) for key, group in groups.items()}
    abilities = {name: _ability(name, cells, groups, draws) for name in ABILITIES}
    corrected = _total(scores, abilities, draws)
    return Summary(
        name=origin.name,
        model=origin.model,
        corrected=corrected,
        signature=origin.signature,
        warnings=tuple(_warnings(cells, corrected)),
    )


def _headline(score: Score) -> float:
    return score.corrected[ABILITIES[score.ability].headline]


def _by_case(scores: Iterable[Score]) -> dict[str, float]:
    """Mean over its repeats of each case."""
    values: dict[str, list[float]] = defaultdict(list)
    for score in scores:
        values[score.case].append(_headline(score))
    return {case: fmean(found) for case, found in values.items()}


def _bootstrap(groups: Mapping[Key, Sequence[Score]], resamples: int, seed: int) -> Draws:
    names = sorted({s.family for group in groups.values() for s in group})
    families = {name: place for place, name in enumerate(names)}
    sums = np.zeros((len(groups), len(families)))
    counts = np.zeros_like(sums)
    for row, group in enumerate(groups.values()):
        family = {score.case: families[score.family] for score in group}
        for case, value in _by_case(group).items():
            sums[row, family[case]] += value
            counts[row, family[case]] += 1
    return Draws(list(groups), bootstrap_means(sums, counts, resamples, seed))


def _interval(score: float, families: int, draws: NDArray[np.float64]) -> Interval:
    if score in (0.0, 1.0):
        return clopper_pearson(round(score * families), families)
    return percentile_interval(draws)


def _cell(key: Key, scores: Sequence[Score], floor: float | None, draws: Draws) -> Cell:
    score = fmean(_by_case(scores).values())
    families = len({s.family for s in scores})
    low, high = _interval(score, families, draws.of([[key]]))
    parsed = [s for s in scores if s.parsed]
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
        given_parsed=fmean(map(_headline, parsed)) if parsed else None,
        coverage=1 - unanswered / len(scores),
        truncated=truncated / len(scores),
        hit_limit=fmean("hit_limit" in s.flags for s in scores),
        floor=floor,
        above_floor=_above(score, floor),
        statuses={status: statuses[status] for status in STATUSES if statuses[status]},
        metrics=_metrics(scores),
        causes=dict(sorted(Counter(s.cause for s in scores if s.cause is not None).items())),
    )


def _metrics(scores: Sequence[Score]) -> dict[str, float]:
    """Mean of every metric; a case without an answer to be scored counts as 0 in each."""
    names = sorted({name for s in scores for name in s.corrected})
    means = {}
    for name in names:
        asked = [s for s in scores if name in s.corrected or s.status != "ok"]
        means[name] = fmean(s.corrected.get(name, 0.0) for s in asked)
    return means


def _above(score: float, floor: float | None) -> float | None:
    return None if floor is None or floor == 1 else (score - floor) / (1 - floor)


def _ability(
    name: str, cells: Mapping[Key, Cell], groups: Mapping[Key, Sequence[Score]], draws: Draws
) -> AbilitySummary | None:
    formats = {form: cells[name, form] for form in FORMATS if (name, form) in cells}
    if not formats:
        return None
    scores = [score for form in formats for score in groups[name, form]]
    score, floor = (
        _mean(c.score for c in formats.values()),
        _mean(c.floor for c in formats.values()),
    )
    assert score is not None
    families = len({s.family for s in scores})
    low, high = _interval(score, families, draws.of([[(name, form) for form in formats]]))
    return AbilitySummary(
        score=score,
        low=low,
        high=high,
        n=sum(cell.n for cell in formats.values()),
        families=families,
        floor=floor,
        above_floor=_above(score, floor),
        formats=formats,
    )


def _total(
    scores: Sequence[Score], abilities: Mapping[str, AbilitySummary | None], draws: Draws
) -> ScorerSummary:
    asked = {name: ability for name, ability in abilities.items() if ability is not None}
    overall = fmean(ability.score for ability in asked.values())
    families = len({s.family for s in scores})
    keys = [[(name, form) for form in ability.formats] for name, ability in asked.items()]
    low, high = _interval(overall, families, draws.of(keys))
    cases = _by_case(scores)
    return ScorerSummary(
        overall=overall,
        low=low,
        high=high,
        micro=fmean(cases.values()),
        complete=len(asked) == len(abilities)
        and all(len(ability.formats) == len(FORMATS) for ability in asked.values()),
        n=len(cases),
        families=families,
        floor=_mean(ability.floor for ability in asked.values()),
        abilities=dict(abilities),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    """Mean, or None where one of the values is unknown."""
    found = list(values)
    known = [value for value in found if value is not None]
    return fmean(known) if known and len(known) == len(found) else None


def _warnings(cells: Mapping[Key, Cell], total: ScorerSummary) -> Iterator[str]:
    unread = {key: c.parse_rate for key, c in cells.items() if c.parse_rate < LEAST_PARSED}
    if unread:
        yield f"few answers could be read: {_listed(unread)}"
    cut = {key: c.truncated for key, c in cells.items() if c.truncated > MOST_TRUNCATED}
    if cut:
        yield f"answers were cut off at the token limit, raise max_tokens: {_listed(cut)}"
    missing = {key: 1 - c.coverage for key, c in cells.items() if c.coverage < 1}
    if missing:
        yield f"cases got no answer from the engine: {_listed(missing)}"
    if not total.complete:
        yield "not every ability was asked in both formats, so the overall score can't be compared"


def _listed(shares: Mapping[Key, float]) -> str:
    return ", ".join(f"{ability} {form} {share:.0%}" for (ability, form), share in shares.items())
