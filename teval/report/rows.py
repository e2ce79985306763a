"""One run's numbers as rows: each ability's formats, its mean, then overall; and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from teval.abilities import ABILITIES
from teval.metrics.published import counted
from teval.report.loaded import LoadedRun
from teval.schema import AbilitySummary, Cell, ScorerSummary

MEAN = "mean"
"""Stands in the column of formats where a row is the mean over them."""


class Shares(NamedTuple):
    """Shares of planned cases, in [0, 1]."""

    parse_rate: float
    well_formed: float
    coverage: float
    truncated: float
    hit_limit: float


class Row(NamedTuple):
    """One row of a run's numbers; scores in [0, 1], None where there are none."""

    ability: str
    """An ability's name, ``overall`` (mean of abilities) or ``micro`` (mean over all cases)."""
    format: str
    """``json``, ``string``, ``tools``, :data:`MEAN`, or empty below the abilities."""
    score: float | None = None
    low: float | None = None
    """Lower end of the 95 % interval."""
    high: float | None = None
    published: float | None = None
    """Score by the released T-Eval code, where that has one."""
    floor: float | None = None
    detectable: float | None = None
    """Smallest difference to another run that is likely to be seen; of abilities and overall."""
    shares: Shares | None = None
    n: int | None = None
    families: int | None = None

    @property
    def sums_up(self) -> bool:
        """Whether the row is made from other rows."""
        return self.format in (MEAN, "")


_COLUMNS = (
    *("run", "scorer", "ability", "format", "score", "low", "high", "published", "floor"),
    *("detectable", *Shares._fields, "n", "families", "mark", "signature", "summary_sha256"),
)


def rows(scores: ScorerSummary, published: ScorerSummary | None = None) -> Iterator[Row]:
    """Yield the formats and the mean of each ability, then overall and micro.

    Formats that enter no mean follow it. An ability that was not asked has one row without numbers.

    Args:
        scores: Whose rows these are.
        published: Scores by the released code, to stand beside.
    """
    every: list[Cell] = []
    beside = _by_release(published)
    for name in ABILITIES:
        ability = scores.abilities.get(name)
        if ability is None:
            yield Row(name, MEAN)
        else:
            cells = list(ability.formats.values())
            every += cells
            for form, cell in ability.formats.items():
                yield _row(name, form, cell, [cell], beside)
            mean = _row(name, MEAN, ability, cells, beside)
            yield mean._replace(detectable=ability.detectable)
        for form, cell in scores.beside.get(name, {}).items():
            yield _row(name, form, cell, [cell], beside)
    total = Row("overall", "", shares=_pooled(every), n=scores.n, families=scores.families)
    yield total._replace(
        score=scores.overall,
        low=scores.low,
        high=scores.high,
        published=beside.get(("overall", "")),
        floor=scores.floor,
        detectable=scores.detectable,
    )
    yield total._replace(ability="micro", score=scores.micro)


def _by_release(published: ScorerSummary | None) -> dict[tuple[str, str], float | None]:
    """Scores by ability and format, formats that the release does not count left out."""
    if published is None:
        return {}
    found: dict[tuple[str, str], float | None] = {("overall", ""): published.overall}
    for name, ability in published.abilities.items():
        if ability is not None:
            found[name, MEAN] = ability.score
            forms = counted(name, ability.formats)
            found |= {(name, form): ability.formats[form].score for form in forms}
    return found


def to_csv(runs: Sequence[LoadedRun]) -> str:
    """Return the rows of all runs and scorers as CSV, scores and shares on 0 to 100."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for run in runs:
        published = run.summary.published
        scorers = {"corrected": run.summary.corrected, "published": published}
        for scorer, scores in scorers.items():
            for row in rows(scores, published) if scores else ():
                proof = (published and published.mark, run.summary.signature, run.sha256)
                writer.writerow((run.label, scorer, *_csv_cells(row), *proof))
    return out.getvalue()


def _row(
    name: str,
    form: str,
    measured: Cell | AbilitySummary,
    cells: Sequence[Cell],
    published: Mapping[tuple[str, str], float | None],
) -> Row:
    return Row(
        ability=name,
        format=form,
        score=measured.score,
        low=measured.low,
        high=measured.high,
        published=published.get((name, form)),
        floor=measured.floor,
        shares=_pooled(cells),
        n=measured.n,
        families=measured.families,
    )


def _pooled(cells: Sequence[Cell]) -> Shares | None:
    """Return the shares over the planned cases of all cells together."""
    total = sum(cell.n for cell in cells)
    if not total:
        return None

    def share(of: Callable[[Cell], float]) -> float:
        return sum(of(cell) * cell.n for cell in cells) / total

    return Shares(
        parse_rate=share(lambda cell: cell.parse_rate),
        well_formed=share(lambda cell: cell.well_formed),
        coverage=share(lambda cell: cell.coverage),
        truncated=share(lambda cell: cell.truncated),
        hit_limit=share(lambda cell: cell.hit_limit),
    )


def _csv_cells(row: Row) -> tuple[str | float | int | None, ...]:
    shares = row.shares or (None,) * len(Shares._fields)
    ends = (row.low, row.high)
    numbers = (row.score, *ends, row.published, row.floor, row.detectable, *shares)
    percents = (None if number is None else round(100 * number, 4) for number in numbers)
    return (row.ability, row.format, *percents, row.n, row.families)
