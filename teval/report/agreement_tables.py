"""Tables on step scores beside outcomes, and their files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Group, RenderableType

from teval.metrics.agreement import FEWEST, Agreement, Correlation
from teval.metrics.bottleneck import Bottleneck
from teval.metrics.gap import DEPTHS, Gap
from teval.report.agreement import Agreed
from teval.report.agreement_facts import MEAN, depths_of, facts_to_csv
from teval.report.figure import save
from teval.report.grid import DASH, Grid, escape, percent, to_markdown, to_terminal
from teval.report.joined import OVERALL
from teval.report.scatter import scatter_figure
from teval.report.write import write_files

_COEFFICIENTS = ("Pearson", "Spearman", "Kendall")
_UNDEFINED = f"{DASH}: fewer than {FEWEST} models, or all with the same score or outcome."
_GAIN = (
    "Lost a task: steps lost, one minus the mean score times their number. Gain: points of success "
    "if none were. Odds a lost step: the factor by which one changes the odds of success."
)
_MET = (
    "Right with the gold history and at the first try in the free run, of the steps that the free "
    "run met; the gap between them, then by position of the step in its path; steps met."
)


def agreement_tables(agreed: Agreed) -> list[Grid]:
    """Return all tables: models, correlations, each model's bottlenecks and gaps."""
    tables = [_models(agreed), _correlations(agreed)]
    if any(one.spearman.lowest is not None for one in agreed.scores):
        tables.append(_left_out(agreed))
    if agreed.bottlenecks is not None:
        found = agreed.bottlenecks.models
        told = {name: rows for name, rows in found.items() if any(r.gain is not None for r in rows)}
        within = [_bottlenecks(name, rows) for name, rows in told.items()]
        if len(told) > 1:
            within.append(_bottlenecks(MEAN, agreed.bottlenecks.mean))
        tables += _explained(within, _GAIN)
    return [*tables, *_explained([_gaps(*gaps) for gaps in agreed.gaps.items()], _MET)]


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
        *(f"{escape(line)}.\n" for line in agreed.unmatched),
    ]
    text = "\n".join([*head, *map(to_markdown, agreement_tables(agreed))])
    files = write_files(out, {"agreement.md": text, "agreement.csv": facts_to_csv(agreed)})
    return (*files, *save(scatter_figure(agreed), out, "agreement"))


def _explained(grids: Sequence[Grid], note: str) -> list[Grid]:
    """Return tables of one kind, of which the first says what the columns are."""
    return [
        grid._replace(notes=(note,)) if place == 0 else grid for place, grid in enumerate(grids)
    ]


def _models(agreed: Agreed) -> Grid:
    return Grid(
        title="Models",
        header=("no.", "model", "overall score", agreed.outcome),
        rows=tuple(
            (str(number), model.name, percent(model.scores.get(OVERALL)), percent(model.outcome))
            for number, model in enumerate(agreed.models, start=1)
        ),
        texts=2,
    )


def _correlations(agreed: Agreed) -> Grid:
    return Grid(
        title=f"Over models: score and {agreed.outcome}",
        header=("score", "n", *_COEFFICIENTS),
        rows=tuple(
            (one.score, str(one.n), *map(_with_ends, _coefficients(one))) for one in agreed.scores
        ),
        texts=1,
        strong=_overall(agreed),
        notes=(
            *([_UNDEFINED] if any(one.pearson.value is None for one in agreed.scores) else []),
            *(f"Warning: {warning}." for warning in agreed.warnings),
        ),
    )


def _left_out(agreed: Agreed) -> Grid:
    numbers = {model.name: str(number) for number, model in enumerate(agreed.models, start=1)}
    return Grid(
        title="Over models: with any one left out",
        header=("score", *_COEFFICIENTS, "moved most by"),
        rows=tuple(
            (
                one.score,
                *(_ends(found.lowest, found.highest) for found in _coefficients(one)),
                numbers.get(one.spearman.pivot or "", DASH),
            )
            for one in agreed.scores
        ),
        texts=1,
        strong=_overall(agreed),
        notes=("The last column numbers the model whose absence moves Spearman most.",),
    )


def _coefficients(one: Agreement) -> tuple[Correlation, ...]:
    return (one.pearson, one.spearman, one.kendall)


def _overall(agreed: Agreed) -> frozenset[int]:
    return frozenset(i for i, one in enumerate(agreed.scores) if one.score == OVERALL)


def _bottlenecks(name: str, rows: Sequence[Bottleneck]) -> Grid:
    """Return one model's abilities, the worst bottleneck first and what lost nothing last."""
    ranked = sorted(rows, key=lambda row: (row.lost == 0, row.gain is None, -(row.gain or 0.0)))
    return Grid(
        title=f"Bottlenecks: {name}",
        header=(
            "ability",
            "lost a task",
            "gain",
            "95 % interval",
            "odds a lost step",
            "95 % interval",
        ),
        rows=tuple(
            (
                row.ability,
                f"{row.lost:.2f}",
                _signed(row.gain),
                DASH if row.low is None else f"{_signed(row.low)} to {_signed(row.high)}",
                _factor(row.odds),
                DASH
                if row.odds_low is None
                else f"{_factor(row.odds_low)} to {_factor(row.odds_high)}",
            )
            for row in ranked
        ),
        texts=1,
        findings=tuple(_found(ranked)),
    )


def _found(ranked: Sequence[Bottleneck]) -> Iterator[str]:
    sure = [row.ability for row in ranked if row.low is not None and row.low > 0]
    silent = [row.ability for row in ranked if row.gain is None]
    if sure:
        yield f"Gains that are sure, their intervals above 0: {', '.join(sure)}."
    elif any(row.low is not None for row in ranked):
        yield "No gain is sure: every interval holds 0."
    if silent:
        yield f"Nothing can be told of {', '.join(silent)}: all tasks have the same score."


def _gaps(name: str, rows: Sequence[Gap]) -> Grid:
    """Return one model's abilities; the gap at some depths stands in the last columns."""
    at = {(row.ability, row.depths): row for row in rows}
    whole = [row for row in rows if row.depths is None]
    return Grid(
        title=f"Gold history and free run: {name}",
        header=(
            *("ability", "gold", "free", "gap", "95 % interval"),
            *(f"at {depths_of(depths)}" for depths in DEPTHS),
            "met",
        ),
        rows=tuple(
            (
                row.ability,
                percent(row.forced),
                percent(row.free),
                _signed(row.gap),
                f"{_signed(row.low)} to {_signed(row.high)}",
                *(
                    _signed(at[row.ability, depths].gap) if (row.ability, depths) in at else DASH
                    for depths in DEPTHS
                ),
                str(row.n),
            )
            for row in whole
        ),
        texts=1,
    )


def _with_ends(found: Correlation) -> str:
    ends = _ends(found.low, found.high)
    return _number(found.value) + ("" if ends == DASH else f" ({ends})")


def _ends(low: float | None, high: float | None) -> str:
    return DASH if low is None else f"{_number(low)} to {_number(high)}"


def _number(value: float | None) -> str:
    """Return a coefficient in [-1, 1] without the zero before its point."""
    if value is None:
        return DASH
    text = f"{abs(value):.2f}"
    return ("−" if value < 0 and float(text) else "") + text.removeprefix("0")


def _factor(value: float | None) -> str:
    """Return a factor in two digits; of very small and large ones only that they are."""
    if value is None:
        return DASH
    if value < 0.01:
        return "<0.01"
    return ">99" if value > 99 else f"{value:.{0 if value >= 10 else 1 if value >= 1 else 2}f}"


def _signed(value: float | None) -> str:
    """Return a difference of shares in points with its sign."""
    if value is None:
        return DASH
    points = round(100 * value, 1)
    return f"{points:+.1f}".replace("-", "−") if points else "0.0"
