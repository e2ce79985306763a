"""Tables on step scores beside outcomes, and their files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Group, RenderableType

from teval.abilities import ABILITIES
from teval.metrics.agreement import Correlation
from teval.metrics.bottleneck import Bottleneck
from teval.metrics.gap import Gap
from teval.report.agreement import Agreed
from teval.report.agreement_facts import MEAN, depths, facts_to_csv
from teval.report.figure import save
from teval.report.grid import DASH, Grid, percent, to_markdown, to_terminal
from teval.report.joined import OVERALL
from teval.report.scatter import scatter_figure
from teval.report.write import write_files


def agreement_tables(agreed: Agreed) -> list[Grid]:
    """Return all tables: models, correlations, each model's bottlenecks and gaps."""
    tables = [_models(agreed), _correlations(agreed), _left_out(agreed)]
    if agreed.bottlenecks is not None:
        found = agreed.bottlenecks
        tables += [_bottlenecks(name, one) for name, one in found.models.items()]
        if len(found.models) > 1:
            tables.append(_bottlenecks(MEAN, found.mean))
    return [*tables, *(_gaps(name, one) for name, one in agreed.gaps.items())]


def agreement_to_screen(agreed: Agreed) -> RenderableType:
    """Return the tables for a rich console."""
    return Group(*map(to_terminal, agreement_tables(agreed)))


def write_agreement(agreed: Agreed, out: Path) -> tuple[Path, ...]:
    """Write agreement.md, .csv, .png and .svg, and return the files.

    Args:
        agreed: What was found.
        out: The folder to write into; made where it is not there, its other files stay.

    Raises:
        ConfigError: ``out`` is no folder.
    """
    head = [
        "# Step scores and outcomes\n",
        f"{len(agreed.models)} models; outcome: {agreed.outcome}. Scores and rates are on the "
        "scale of 0 to 100, coefficients on that of -1 to 1. Intervals are 95 %.\n",
        f"![Each score against the {agreed.outcome}, a point a model](agreement.svg)\n",
    ]
    text = "\n".join([*head, *map(to_markdown, agreement_tables(agreed))])
    files = write_files(out, {"agreement.md": text, "agreement.csv": facts_to_csv(agreed)})
    return (*files, *save(scatter_figure(agreed), out, "agreement"))


def _models(agreed: Agreed) -> Grid:
    names = [*ABILITIES, OVERALL]
    return Grid(
        title="Models",
        header=("no.", "model", *names, agreed.outcome),
        rows=tuple(
            (
                str(number),
                model.name,
                *(percent(model.scores.get(name)) for name in names),
                percent(model.outcome),
            )
            for number, model in enumerate(agreed.models, start=1)
        ),
        texts=2,
        notes=tuple(f"Left out: {line}." for line in agreed.unmatched),
    )


def _correlations(agreed: Agreed) -> Grid:
    return Grid(
        title=f"Over models: score and {agreed.outcome}",
        header=("score", "models", "Pearson", "Spearman", "Kendall"),
        rows=tuple(
            (one.score, str(one.n), *map(_with_ends, (one.pearson, one.spearman, one.kendall)))
            for one in agreed.scores
        ),
        texts=1,
        strong=frozenset(i for i, one in enumerate(agreed.scores) if one.score == OVERALL),
        notes=tuple(f"Warning: {warning}." for warning in agreed.warnings),
    )


def _left_out(agreed: Agreed) -> Grid:
    return Grid(
        title="Over models: with any one left out",
        header=("score", "Pearson", "Spearman", "Kendall", "decisive"),
        rows=tuple(
            (
                one.score,
                *(_ends(c.lowest, c.highest) for c in (one.pearson, one.spearman, one.kendall)),
                one.spearman.pivot or one.pearson.pivot or DASH,
            )
            for one in agreed.scores
        ),
        texts=1,
        strong=frozenset(i for i, one in enumerate(agreed.scores) if one.score == OVERALL),
    )


def _bottlenecks(name: str, rows: Sequence[Bottleneck]) -> Grid:
    """Return one model's abilities, the worst bottleneck first."""
    ranked = sorted(rows, key=lambda row: (row.gain is None, -(row.gain or 0.0)))
    return Grid(
        title=f"Bottlenecks: {name}",
        header=("ability", "lost a task", "gain", "95 % interval", "odds a lost step", "95 %"),
        rows=tuple(
            (
                row.ability,
                f"{row.lost:.2f}",
                _signed(row.gain),
                DASH if row.low is None else f"{_signed(row.low)} to {_signed(row.high)}",
                _number(row.odds),
                _ends(row.odds_low, row.odds_high),
            )
            for row in ranked
        ),
        texts=1,
        findings=tuple(_found(ranked)),
    )


def _found(ranked: Sequence[Bottleneck]) -> Iterator[str]:
    sure = [row.ability for row in ranked if row.low is not None and row.low > 0]
    if sure:
        yield f"Success would rise for sure with: {', '.join(sure)}."
    elif any(row.low is not None for row in ranked):
        yield "No ability's gain is sure: every interval holds 0."
    silent = [row.ability for row in ranked if row.gain is None]
    if silent:
        yield f"Nothing can be told of {', '.join(silent)}: no task differs from another."


def _gaps(name: str, rows: Sequence[Gap]) -> Grid:
    return Grid(
        title=f"Gold history and free run: {name}",
        header=("ability", "steps", "with gold history", "free", "gap", "95 % interval", "met"),
        rows=tuple(
            (
                row.ability,
                depths(row),
                percent(row.forced),
                percent(row.free),
                _signed(row.gap),
                f"{_signed(row.low)} to {_signed(row.high)}",
                str(row.n),
            )
            for row in rows
        ),
        texts=2,
        strong=frozenset(i for i, row in enumerate(rows) if row.depths is None),
    )


def _with_ends(found: Correlation) -> str:
    ends = _ends(found.low, found.high)
    return _number(found.value) + ("" if ends == DASH else f" ({ends})")


def _ends(low: float | None, high: float | None) -> str:
    return DASH if low is None else f"{_number(low)} to {_number(high)}"


def _number(value: float | None) -> str:
    return DASH if value is None else f"{value:.2f}".replace("-", "−")


def _signed(value: float | None) -> str:
    """Return a difference of shares in points with its sign."""
    if value is None:
        return DASH
    points = round(100 * value, 1)
    return f"{points:+.1f}".replace("-", "−") if points else "0.0"
