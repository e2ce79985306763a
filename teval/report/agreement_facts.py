"""Every number on step scores beside outcomes, a row each, for programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import NamedTuple

from teval.metrics.agreement import Correlation
from teval.report.agreement import Agreed

MEAN = "mean of models"


class Fact(NamedTuple):
    """One number; scores, rates, gains and gaps as shares."""

    part: str
    """``models``, ``agreement``, ``bottleneck`` or ``gap``."""
    model: str
    """Empty for what is over models."""
    ability: str
    """Empty for an outcome."""
    measure: str
    value: float | None
    low: float | None = None
    """Lower end of the 95 % interval."""
    high: float | None = None
    lowest: float | None = None
    """Lowest value with any one model left out."""
    highest: float | None = None
    pivot: str | None = None
    """The model whose absence moves the value most."""
    n: int | None = None
    """Models, or met steps."""


def facts(agreed: Agreed) -> Iterator[Fact]:
    """Yield every number."""
    yield from _models(agreed)
    yield from _agreement(agreed)
    yield from _bottlenecks(agreed)
    yield from _gaps(agreed)


def facts_to_csv(agreed: Agreed) -> str:
    """Return the numbers as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(Fact._fields)
    writer.writerows(facts(agreed))
    return out.getvalue()


def depths_of(depths: tuple[int, int | None] | None) -> str:
    """Return the positions of steps that are counted together.

    >>> depths_of(None), depths_of((0, 0)), depths_of((1, 2)), depths_of((5, None))
    ('all', '0', '1–2', '5+')
    """
    if depths is None:
        return "all"
    first, last = depths
    return f"{first}+" if last is None else str(first) if first == last else f"{first}–{last}"


def _models(agreed: Agreed) -> Iterator[Fact]:
    for model in agreed.models:
        for ability, score in model.scores.items():
            yield Fact("models", model.name, ability, "score", score)
        yield Fact("models", model.name, "", agreed.outcome, model.outcome)


def _agreement(agreed: Agreed) -> Iterator[Fact]:
    for one in agreed.scores:
        for kind in ("pearson", "spearman", "kendall"):
            found: Correlation = getattr(one, kind)
            yield Fact("agreement", "", one.score, kind, *found, one.n)


def _bottlenecks(agreed: Agreed) -> Iterator[Fact]:
    if agreed.bottlenecks is None:
        return
    for name, rows in (*agreed.bottlenecks.models.items(), (MEAN, agreed.bottlenecks.mean)):
        for row in rows:
            odds = (row.odds, row.odds_low, row.odds_high)
            yield Fact("bottleneck", name, row.ability, "lost steps a task", row.lost)
            yield Fact("bottleneck", name, row.ability, "gain", row.gain, row.low, row.high)
            yield Fact("bottleneck", name, row.ability, "odds a lost step", *odds)


def _gaps(agreed: Agreed) -> Iterator[Fact]:
    for name, gaps in agreed.gaps.items():
        for gap in gaps:
            at = f"steps {depths_of(gap.depths)}"
            yield Fact("gap", name, gap.ability, f"gold history, {at}", gap.forced, n=gap.n)
            yield Fact("gap", name, gap.ability, f"free, {at}", gap.free, n=gap.n)
            yield Fact("gap", name, gap.ability, f"gap, {at}", gap.gap, gap.low, gap.high, n=gap.n)
