"""The report's files: tables in Markdown and CSV, radar chart and dot plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Group, RenderableType

from teval.errors import ConfigError
from teval.report.dots import dots_figure
from teval.report.failures import failures
from teval.report.figure import check_count, save
from teval.report.grid import Grid, to_markdown, to_terminal
from teval.report.loaded import LoadedRun, caption
from teval.report.radar import radar_figure
from teval.report.rows import to_csv
from teval.report.table import comparison, details, released


def write_report(runs: Sequence[LoadedRun], out: Path) -> tuple[Path, ...]:
    """Return the files written: report.md, report.csv, radar.png, .svg, dots.png, .svg.

    Args:
        runs: One to four runs, as :func:`teval.report.load_runs` returns them.
        out: The folder to write into; made where it is not there, its other files stay.

    Raises:
        ConfigError: Too many runs for one chart, or ``out`` is no folder.
    """
    check_count(runs)
    texts = write_files(out, {"report.md": to_report(runs), "report.csv": to_csv(runs)})
    pictures = (*save(radar_figure(runs), out, "radar"), *save(dots_figure(runs), out, "dots"))
    return (*texts, *pictures)


def write_files(out: Path, texts: Mapping[str, str]) -> tuple[Path, ...]:
    """Write texts by file name into a folder, and return the files.

    Args:
        out: The folder to write into; made where it is not there, its other files stay.
        texts: What is to stand in each file.

    Raises:
        ConfigError: ``out`` is no folder.
    """
    if out.exists() and not out.is_dir():
        raise ConfigError(f"{out} is a file; name a folder for the report")
    out.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (out / name).write_text(text, encoding="utf-8", newline="\n")
    return tuple(out / name for name in texts)


def to_report(runs: Sequence[LoadedRun]) -> str:
    """Return the report in Markdown; it shows the pictures that lie beside it."""
    head = [
        "# Tool use by ability\n",
        f"{caption(runs)} Intervals are 95 %, by bootstrap over families. The floor is the best "
        "score of answerers that need no ability. Published is what the released T-Eval code gives "
        "for the same answers.\n",
        "![Radar chart of the six abilities](radar.svg)\n",
        "![Scores with 95 % intervals](dots.svg)\n",
    ]
    tables = [to_markdown(grid) for grid in (*_tables(runs), *map(failures, runs))]
    return "\n".join([*head, *tables])


def to_screen(runs: Sequence[LoadedRun]) -> RenderableType:
    """Return the tables for a rich console: runs side by side if there are several, then each."""
    return Group(*map(to_terminal, _tables(runs)))


def _tables(runs: Sequence[LoadedRun]) -> list[Grid]:
    side_by_side = [comparison(runs), released(runs)] if len(runs) > 1 else []
    return [*side_by_side, *map(details, runs)]
