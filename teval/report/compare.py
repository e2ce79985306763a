"""Two runs held against each other: the table, what it comes to in words, and its files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import product
from math import ceil, log2
from pathlib import Path

from teval.abilities import ABILITIES
from teval.abilities.card import FORMATS
from teval.metrics.compare import FEWEST_FAMILIES
from teval.report.grid import DASH, Grid, interval, percent, to_markdown
from teval.report.rows import MEAN
from teval.report.table import INCOMPLETE
from teval.report.write import write_files
from teval.schema import Comparison, Contrast

ALPHA = 0.05
"""Corrected p value up to which a difference counts as sure."""

_HEADER = ("ability", "format", "A", "B", "B − A", "95 % CI", "p", "p (Holm)", "detectable")
_COLUMNS = (
    *("run_a", "run_b", "scorer", "mark", "ability", "format", "a", "b", "delta", "low", "high"),
    *("p", "p_holm", "detectable", "n", "families", "signature_a", "signature_b"),
)


def contrast(found: Comparison) -> Grid:
    """Return the table of two runs' scores and differences, on the scale of 0 to 100."""
    mark = f" ({found.mark}; not comparable with public numbers)" if found.mark else ""
    return Grid(
        title=f"{found.scorer.capitalize()} scores{mark}: A = {found.a.label}, B = {found.b.label}",
        header=_HEADER,
        rows=tuple(_cells(row, "" if _complete(found) else "*") for row in found.rows),
        texts=2,
        strong=frozenset(i for i, row in enumerate(found.rows) if row.format in (MEAN, "")),
        notes=tuple(_notes(found)),
        findings=tuple(findings(found)),
        proof=(f"A  {found.a.signature}", f"B  {found.b.signature}"),
    )


def findings(found: Comparison) -> Iterator[str]:
    """Yield in plain words which abilities differ for sure, and what could not have been seen."""
    abilities = [row for row in found.rows if row.p_holm is not None]
    sure = [row for row in abilities if row.p_holm is not None and row.p_holm <= ALPHA]
    alike = [row for row in abilities if _is_alike(row)]
    unclear = [row for row in abilities if row not in sure and row not in alike]
    yield from map(_sure, sure)
    if unclear:
        yield f"No difference shown: {_names(unclear)}. {_unseen(unclear, len(abilities))}"
    if alike:
        yield f"Alike in every family: {_names(alike)}."


def _is_alike(row: Contrast) -> bool:
    """Whether no family shows a difference; of too few families that can't be told."""
    return row.delta == 0 and row.detectable is None and row.families >= FEWEST_FAMILIES


def _names(rows: Sequence[Contrast]) -> str:
    return ", ".join(row.ability for row in rows)


def _sure(row: Contrast) -> str:
    better, sign = ("B", 1) if row.delta > 0 else ("A", -1)
    low, high = sorted(sign * end for end in (row.low, row.high) if end is not None)
    return (
        f"{row.ability}: {better} is {percent(abs(row.delta))} points better "
        f"({interval(low, high)}), p {_sign(row.p_holm)} after Holm."
    )


def _unseen(rows: Sequence[Contrast], tests: int) -> str:
    """Say below which difference nothing could be seen.

    Args:
        rows: Abilities without a sure difference.
        tests: How many abilities were tested, theirs and others.
    """
    counts = sorted({row.families for row in rows})
    families = f"With {'–'.join(map(str, counts[:: len(counts) - 1 or 1]))} families"
    # With n families the smallest p value is 2 / 2^n, and Holm multiplies it by the tests.
    needed = 1 + ceil(log2(tests / ALPHA))
    if counts[-1] < needed:
        return f"{families} none can be: it takes {needed}."
    known = [row for row in rows if row.detectable is not None]
    each = ", ".join(f"{percent(row.detectable)} points ({row.ability})" for row in known)
    return f"{families}, differences below {each} would likely go unseen."


def write_comparison(found: Comparison, out: Path) -> tuple[Path, ...]:
    """Return the files written: compare.md and compare.csv.

    Args:
        found: Two runs, compared.
        out: The folder to write into; made where it is not there, its other files stay.

    Raises:
        ConfigError: ``out`` is no folder.
    """
    texts = {"compare.md": to_markdown(contrast(found)), "compare.csv": _to_csv(found)}
    return write_files(out, texts)


def _complete(found: Comparison) -> bool:
    """Whether both runs were asked every ability in both formats."""
    return {(row.ability, row.format) for row in found.rows} >= set(product(ABILITIES, FORMATS))


def _cells(row: Contrast, partial: str) -> tuple[str, ...]:
    star = partial if row.format == "" else ""
    ends = DASH if row.low is None else f"{_signed(row.low)} to {_signed(row.high)}"
    return (
        row.ability,
        row.format,
        percent(row.a) + star,
        percent(row.b) + star,
        _signed(row.delta),
        ends,
        _short(row.p),
        _short(row.p_holm),
        percent(row.detectable),
    )


def _notes(found: Comparison) -> Iterator[str]:
    yield f"{found.n} cases of {found.families} families that both runs planned."
    runs = {"A": found.a, "B": found.b}
    left = [f"{run.left_out} of {name}'s cases" for name, run in runs.items() if run.left_out]
    if left:
        yield f"Left out, as the other run was not asked them alike: {', '.join(left)}."
    if not _complete(found):
        yield INCOMPLETE
    for warning in found.warnings:
        yield f"Warning: {warning}"


def _signed(value: float | None) -> str:
    """Return a difference on the scale of 0 to 100 with its sign."""
    if value is None:
        return DASH
    points = round(100 * value, 1)
    return f"{points:+.1f}".replace("-", "−") if points else "0.0"


def _short(p: float | None) -> str:
    return DASH if p is None else "<0.001" if p < 0.001 else f"{p:.3f}"


def _sign(p: float | None) -> str:
    return f"= {_short(p)}".replace("= <", "< ")


def _to_csv(found: Comparison) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for row in found.rows:
        points = (row.a, row.b, row.delta, row.low, row.high)
        writer.writerow(
            (
                *(found.a.label, found.b.label, found.scorer, found.mark, row.ability, row.format),
                *map(_points, points),
                *(row.p, row.p_holm, _points(row.detectable), row.n, row.families),
                *(found.a.signature, found.b.signature),
            )
        )
    return out.getvalue()


def _points(value: float | None) -> float | None:
    return None if value is None else round(100 * value, 4)
