"""The noise floor: its table and its files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from teval.report.grid import Grid, percent, to_markdown
from teval.report.write import write_files
from teval.schema import Noise, NoiseRow

_HEADER = (
    *("ability", "format", "n", "answers differ", "scores differ"),
    *("first", "second", "moved by"),
)


def noise_grid(found: Noise) -> Grid:
    """Return the table of what differs, scores on the scale of 0 to 100."""
    mode = ", deterministic" if found.deterministic else ""
    return Grid(
        title=f"The same run twice: {found.label}{mode}",
        header=_HEADER,
        rows=tuple(map(_cells, found.rows)),
        texts=2,
        strong=frozenset(i for i, row in enumerate(found.rows) if row.format in ("both", "")),
        notes=tuple(_notes(found)),
        findings=(_finding(found.total),),
        proof=(f"signature: {found.signature}",),
    )


def write_noise(found: Noise, out: Path) -> tuple[Path, ...]:
    """Return the files written: noise.md and noise.json.

    Args:
        found: Two runs, compared.
        out: The folder to write into; made where it is not there, its other files stay.

    Raises:
        ConfigError: ``out`` is no folder.
    """
    numbers = json.dumps(found.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"
    return write_files(out, {"noise.md": to_markdown(noise_grid(found)), "noise.json": numbers})


def _cells(row: NoiseRow) -> tuple[str, ...]:
    return (
        row.ability,
        row.format,
        str(row.n),
        f"{row.answers} ({percent(row.answers / row.n)} %)",
        f"{row.scores} ({percent(row.scores / row.n)} %)",
        percent(row.first),
        percent(row.second),
        percent(row.moved),
    )


def _notes(found: Noise) -> Iterator[str]:
    yield "Scores are means over answers; the last column is the mean change of one answer's."
    for warning in found.warnings:
        yield f"Warning: {warning}"


def _finding(total: NoiseRow) -> str:
    """Say in words what the table comes to."""
    if not total.answers:
        return f"All {total.n} answers are the same in both runs."
    difference = percent(abs(total.first - total.second))
    return (
        f"{total.answers} of {total.n} answers differ, and {total.scores} scores; the mean score "
        f"moves by {difference} points with nothing changed."
    )
