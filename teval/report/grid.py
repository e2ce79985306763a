"""A table of ready cells, and how it is written in Markdown and on a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

DASH = "–"
"""Stands where there is no number."""


class Grid(NamedTuple):
    """A table of ready cells."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int
    """How many of the first columns hold words; all others hold numbers and lean right."""
    strong: frozenset[int] = frozenset()
    """Rows that sum up others."""
    notes: tuple[str, ...] = ()
    """Lines below the table."""
    findings: tuple[str, ...] = ()
    """Lines below that say in words what the table comes to."""
    proof: tuple[str, ...] = ()
    """Lines at its foot that are to be copied as they are."""


def percent(value: float | None) -> str:
    """Return a share in [0, 1] on the scale of 0 to 100 with one decimal.

    >>> percent(0.6125), percent(None)
    ('61.3', '–')
    """
    return DASH if value is None else f"{100 * value:.1f}"


def interval(low: float | None, high: float | None) -> str:
    """Return both ends of an interval on the scale of 0 to 100.

    >>> interval(0.5, 0.75)
    '50.0–75.0'
    """
    return DASH if low is None or high is None else f"{percent(low)}–{percent(high)}"


def to_markdown(grid: Grid) -> str:
    """Return the table in Markdown, under a heading of the second level."""
    lean = ["---" if i < grid.texts else "---:" for i in range(len(grid.header))]
    rows = [
        _emphasised(row, grid.texts + 1 if i in grid.strong else 0)
        for i, row in enumerate(grid.rows)
    ]
    table = [_line(cells) for cells in ([escape(h) for h in grid.header], lean, *rows)]
    parts = [f"## {escape(grid.title)}", "\n".join(table), *map(escape, grid.notes)]
    parts += map(escape, grid.findings)
    if grid.proof:
        parts.append("\n".join(["```text", *grid.proof, "```"]))
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    r"""Return the text so that Markdown shows it as it is, on one line.

    >>> print(escape("a|b <i> $x$"))
    a\|b \<i\> \$x\$
    """
    return re.sub(r"([\\`*_\[\]<>|$&#])", r"\\\1", " ".join(text.split()))


def to_terminal(grid: Grid) -> RenderableType:
    """Return the table for a rich console; it folds to the width of the terminal."""
    table = Table(
        box=box.SIMPLE_HEAD,
        padding=0,
        pad_edge=False,
        show_edge=False,
    )
    for i, name in enumerate(grid.header):
        words = i < grid.texts
        table.add_column(
            Text(name), justify="left" if words else "right", no_wrap=words, overflow="fold"
        )
    for i, row in enumerate(grid.rows):
        table.add_row(*map(Text, row), style="bold" if i in grid.strong else "")
    lines = {"yellow": grid.notes, "bold": grid.findings, "dim": grid.proof}
    title = Text(grid.title, style="bold")  # above the table, which may be narrower
    return Group(
        title, table, *(text for style in lines for text in _texts(lines[style], style)), Text()
    )


def _emphasised(row: Sequence[str], count: int) -> list[str]:
    """Return the cells for Markdown, so many of the first in bold."""
    cells = [escape(cell) for cell in row]
    return [f"**{cell}**" if cell else cell for cell in cells[:count]] + cells[count:]


def _texts(lines: Iterable[str], style: str) -> list[Text]:
    return [Text(line, style=style, overflow="fold") for line in lines]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
