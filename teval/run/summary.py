"""From scores to one run's numbers, with all that must stand beside them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teval.abilities import ABILITIES
from teval.metrics import published as release
from teval.metrics.stats import (
    Interval,
    bootstrap_means,
    clopper_pearson,
    percentile_interval,
    score_of,
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
    mark: str = ""
    """What keeps the published numbers from standing beside public ones."""


class Scorer(NamedTuple):
    """Whose values of a score are summed up, and how."""

    metrics: Callable[[Score], Mapping[str, float]]
    headline: Callable[[str, str, Mapping[str, float]], float]
    """An ability's score in one format, out of its metrics."""
    mean: Callable[[Sequence[float], str], float]
    """Of one metric of an ability."""
    parsed: Callable[[Score], bool]
    formats: Callable[[str, Iterable[str]], list[str]]
    """Those of an ability's formats that its score is the mean of."""

    def of(self, score: Score) -> float:
        """Return the value of one answer."""
        return self.headline(score.ability, score.format, self.metrics(score))


def _is_parsed_by_release(score: Score) -> bool:
    """Whether the released code could read an answer; instruct has a name of its own for it."""
    found = score.published or {}
    return bool(found.get("parse_rate", found.get(f"{score.format}_format_metric", 0.0)))


def _release_formats(ability: str, formats: Iterable[str]) -> list[str]:
    """The release lets review's letter as text stand for both its formats."""
    found = list(formats)
    return ["string"] if ability == "review" and "string" in found else found


CORRECTED = Scorer(
    metrics=lambda score: score.corrected,
    headline=lambda ability, _, metrics: metrics[ABILITIES[ability].headline],
    mean=lambda values, _: fmean(values),
    parsed=lambda score: score.parsed,
    formats=lambda _, formats: list(formats),
)
PUBLISHED = Scorer(
    metrics=lambda score: score.published or {},
    headline=release.headline,
    mean=release.mean,
    parsed=_is_parsed_by_release,
    formats=_release_formats,
)


class Draws(NamedTuple):
    """Bootstrap of all cells together: families are drawn once for all of them."""

    keys: list[Key]
    cells: NDArray[np.float64]
    """Means by draw and cell."""

    def of(self, groups: Sequence[Sequence[Key]]) -> NDArray[np.float64]:
        """Return by draw the mean over groups of the means within each group."""
        places = [[self.keys.index(key) for key in group] for group in groups]
        return score_of(self.cells, places)


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
    corrected = _sum_up(groups, CORRECTED, floors, resamples, seed)
    published = None
    if all(score.published is not None for score in scores):
        published = _sum_up(groups, PUBLISHED, {}, resamples, seed)
        published = published.model_copy(update={"mark": origin.mark})
    return Summary(
        name=origin.name,
        model=origin.model,
        corrected=corrected,
        published=published,
        signature=origin.signature,
        warnings=tuple(_warnings(corrected)),
    )


def _sum_up(
    groups: Mapping[Key, Sequence[Score]],
    scorer: Scorer,
    floors: Mapping[Key, float],
    resamples: int,
    seed: int,
) -> ScorerSummary:
    draws = _bootstrap(groups, scorer, resamples, seed)
    cells = {
        key: _cell(key, group, scorer, floors.get(key), draws) for key, group in groups.items()
    }
    abilities = {name: _ability(name, cells, groups, scorer, draws) for name in ABILITIES}
    return _total(groups, abilities, scorer, draws)


def _by_case(scores: Iterable[Score], scorer: Scorer) -> dict[str, float]:
    """Mean over its repeats of each case."""
    values: dict[str, list[float]] = defaultdict(list)
    for score in scores:
        values[score.case].append(scorer.of(score))
    return {case: fmean(found) for case, found in values.items()}


def _bootstrap(
    groups: Mapping[Key, Sequence[Score]], scorer: Scorer, resamples: int, seed: int
) -> Draws:
    names = sorted({s.family for group in groups.values() for s in group})
    families = {name: place for place, name in enumerate(names)}
    sums = np.zeros((len(groups), len(families)))
    counts = np.zeros_like(sums)
    for row, group in enumerate(groups.values()):
        family = {score.case: families[score.family] for score in group}
        for case, value in _by_case(group, scorer).items():
            sums[row, family[case]] += value
            counts[row, family[case]] += 1
    return Draws(list(groups), bootstrap_means(sums, counts, resamples, seed))


def _interval(score: float, families: int, draws: NDArray[np.float64]) -> Interval:
    if score in (0.0, 1.0):
        return clopper_pearson(round(score * families), families)
    return percentile_interval(draws, families=families)


def _cell(
    key: Key, scores: Sequence[Score], scorer: Scorer, floor: float | None, draws: Draws
) -> Cell:
    metrics = _metrics(key[0], scores, scorer)
    score = scorer.headline(*key, metrics)
    families = len({s.family for s in scores})
    low, high = _interval(score, families, draws.of([[key]]))
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
    cells: Mapping[Key, Cell],
    groups: Mapping[Key, Sequence[Score]],
    scorer: Scorer,
    draws: Draws,
) -> AbilitySummary | None:
    formats = {form: cells[name, form] for form in FORMATS if (name, form) in cells}
    if not formats:
        return None
    scores = [score for form in formats for score in groups[name, form]]
    counted = scorer.formats(name, formats)
    score = fmean(formats[form].score for form in counted)
    floor = _mean(formats[form].floor for form in counted)
    families = len({s.family for s in scores})
    low, high = _interval(score, families, draws.of([[(name, form) for form in counted]]))
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
    groups: Mapping[Key, Sequence[Score]],
    abilities: Mapping[str, AbilitySummary | None],
    scorer: Scorer,
    draws: Draws,
) -> ScorerSummary:
    scores = [score for group in groups.values() for score in group]
    asked = {name: ability for name, ability in abilities.items() if ability is not None}
    overall = fmean(ability.score for ability in asked.values())
    families = len({s.family for s in scores})
    keys = {n: [(n, form) for form in scorer.formats(n, a.formats)] for n, a in asked.items()}
    low, high = _interval(overall, families, draws.of(list(keys.values())))
    cases = _by_case(scores, scorer)
    return ScorerSummary(
        overall=overall,
        low=low,
        high=high,
        micro=fmean(cases.values()),
        complete=len(asked) == len(abilities)
        and all(
            [form for _, form in keys[name]] == scorer.formats(name, FORMATS) for name in asked
        ),
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


def _warnings(total: ScorerSummary) -> Iterator[str]:
    cells = {
        (name, form): cell
        for name, ability in total.abilities.items()
        for form, cell in (ability.formats.items() if ability is not None else ())
    }
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
