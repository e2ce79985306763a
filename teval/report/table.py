"""The tables: runs side by side, then each run in detail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from teval.abilities import ABILITIES
from teval.report.grid import DASH, Grid, interval, percent
from teval.report.loaded import LoadedRun, beside_label, beside_names, cells
from teval.report.rows import Row, rows
from teval.schema import STATUSES, Errata, ScorerSummary, Usage

_HEADER = (
    *("ability", "format", "score", "95 % CI", "published", "floor"),
    *("parsed", "coverage", "n", "families"),
)
_MARK = "†"
"""Stands at published scores that are not comparable with public ones."""
BESIDE = "tools: calls in the model's own syntax; they enter no mean."
BESIDE = "tools: calls in the model's own syntax; these scores enter no mean."
INCOMPLETE = "* Mean of what was asked, which is not every ability in both formats."
OTHER_CASES = "These runs were asked different cases: their scores can't be compared."


def comparison(runs: Sequence[LoadedRun]) -> Grid:
    """Return abilities against runs: scores with their 95 % intervals."""
    columns = [_column(run.summary.corrected) for run in runs]
    beside = beside_names(run.summary for run in runs)
    same = len({run.cases for run in runs}) == 1
    starred = [run for run in runs if not run.summary.corrected.complete]
    notes = {OTHER_CASES: not same, INCOMPLETE: bool(starred), BESIDE: bool(beside)}
    names = [*ABILITIES, "overall", "micro", *beside]
    return Grid(
        title="Comparison",
        header=("ability", *(run.label for run in runs)),
        rows=tuple((name, *(column.get(name, DASH) for column in columns)) for name in names),
        texts=1,
        strong=frozenset({len(ABILITIES)}),
        notes=tuple(note for note, holds in notes.items() if holds),
    )


def released(runs: Sequence[LoadedRun]) -> Grid:
    """Return abilities against runs: published scores, marked where public ones are no match."""
    columns = [
        {row.ability: _published(row, run) for row in _rows(run) if row.sums_up} for run in runs
    ]
    marks = dict.fromkeys(filter(None, map(_mark, runs)))
    return Grid(
        title="Published scores",
        header=("ability", *(run.label for run in runs)),
        rows=tuple((n, *(column[n] for column in columns)) for n in (*ABILITIES, "overall")),
        texts=1,
        strong=frozenset({len(ABILITIES)}),
        notes=tuple(map(_not_comparable, marks)),
    )


def details(run: LoadedRun) -> Grid:
    """Return one run's scores with all that stands beside them, and what they were made from."""
    table = list(_rows(run))
    signature = " ".join(run.summary.signature.split())
    return Grid(
        title=run.label,
        header=_HEADER,
        rows=tuple(_detail_cells(row, run) for row in table),
        texts=2,
        strong=frozenset(
            i for i, row in enumerate(table) if row.sums_up and row.ability != "micro"
        ),
        notes=tuple(_notes(run)),
        proof=(f"signature: {signature}", f"{run.sha256}  summary.json"),
    )


def _rows(run: LoadedRun) -> Iterator[Row]:
    return rows(run.summary.corrected, run.summary.published)


def _column(scores: ScorerSummary) -> dict[str, str]:
    """Return the scores that sum up others, and those that enter no mean."""
    return {
        row.ability if row.sums_up else beside_label(row.ability, row.format): _with_interval(
            row, scores.complete
        )
        for row in rows(scores)
        if row.sums_up or row.format in scores.beside.get(row.ability, {})
    }


def _with_interval(row: Row, complete: bool) -> str:
    ends = interval(row.low, row.high)
    return _score(row, complete) + ("" if ends == DASH else f" ({ends})")


def _detail_cells(row: Row, run: LoadedRun) -> tuple[str, ...]:
    shares = row.shares
    return (
        row.ability,
        row.format,
        _score(row, run.summary.corrected.complete),
        interval(row.low, row.high),
        _published(row, run),
        percent(row.floor),
        percent(shares and shares.parse_rate),
        percent(shares and shares.coverage),
        DASH if row.n is None else str(row.n),
        DASH if row.families is None else str(row.families),
    )


def _score(row: Row, complete: bool) -> str:
    """Return the score, with a star where it is a mean over less than it should be."""
    partial = row.format == "" and row.score is not None and not complete
    return percent(row.score) + ("*" if partial else "")


def _published(row: Row, run: LoadedRun) -> str:
    """Return the published score, marked where it is not comparable with public ones."""
    return percent(row.published) + (_MARK if _mark(run) and row.published is not None else "")


def _mark(run: LoadedRun) -> str:
    return run.summary.published.mark if run.summary.published else ""


def _not_comparable(mark: str) -> str:
    return f"{_MARK} Not comparable with public T-Eval numbers (encoder or data: {mark})."


def _notes(run: LoadedRun) -> Iterator[str]:
    if not run.summary.corrected.complete:
        yield INCOMPLETE
    if run.summary.corrected.beside:
        yield BESIDE
    if _mark(run):
        yield _not_comparable(_mark(run))
    yield _detectable(run.summary.corrected)
    if run.summary.errata is not None:
        yield with_errata(run.summary.corrected, run.summary.errata)
    yield from _statuses(run)
    if run.summary.usage is not None:
        yield from _tokens(run.summary.usage)
    for warning in run.summary.warnings:
        yield f"Warning: {warning}"


def _statuses(run: LoadedRun) -> Iterator[str]:
    """Say how cases ended, and how many answers held a thought."""
    counts: Counter[str] = Counter()
    for cell in cells(run.summary):
        counts.update(cell.statuses)
    found = [f"{status} {counts[status]}" for status in STATUSES if counts[status]]
    yield f"Statuses: {', '.join(found) or 'none'}."
    thought = sum(cell.reasoned * sum(cell.statuses.values()) for cell in cells(run.summary))
    if thought:
        share = percent(thought / counts.total())
        unended = counts["truncated_in_reasoning"]
        yield f"Reasoning came off {share} % of answers; {unended} ended inside it."


def _tokens(usage: Usage) -> Iterator[str]:
    """Say how much of the prompts was computed, where the engine knows."""
    if usage.ratio is not None:
        yield (
            f"Prompts: {usage.prompt_tokens:,} tokens, {usage.distinct_tokens:,} of them distinct; "
            f"{usage.computed_tokens:,} computed, {usage.ratio:.2f} × the least."
        )
    elif usage.computed_tokens < usage.prompt_tokens:
        yield f"Prompts: {usage.prompt_tokens:,} tokens, {usage.computed_tokens:,} computed."


def with_errata(scores: ScorerSummary, errata: Errata) -> str:
    """Say what the errata change."""
    what = f"{errata.excluded} cases excluded, {errata.amended} amended"
    without = percent(errata.corrected.overall)
    return f"With errata: overall {percent(scores.overall)} ({what}); without: {without}."


def _detectable(scores: ScorerSummary) -> str:
    """Say which differences to another run would likely be seen."""
    found = [row for row in rows(scores) if row.sums_up and row.detectable is not None]
    each = ", ".join(f"{row.ability} {percent(row.detectable)}" for row in found)
    return f"Smallest difference to another run that would likely be seen: {each or DASH}."
