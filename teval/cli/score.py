"""``teval score``: score answers that are there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from teval.cli.options import AsJson, Files, Settings
from teval.cli.output import say, show_tables, warn
from teval.errors import ConfigError

if TYPE_CHECKING:
    from teval.api import FilesScored
    from teval.schema import Cell


def score(
    files: Files,
    settings: Settings,
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="A run's folder.", show_default=False)
    ] = None,
    from_teval: Annotated[
        str,
        typer.Option(metavar="PATH", help="Published T-Eval files with answers: file or folder."),
    ] = "",
    per_case: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="With --from-teval: a JSONL file of all records' scores."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Score answers again, without the model; -s embedder.kind=… takes another embedder.

    The answers are those of a run, or with --from-teval those in published T-Eval files.
    """
    from teval import api

    if (folder is None) == (not from_teval):
        raise ConfigError("give either a run's folder or --from-teval with a file or folder")
    if per_case is not None and not from_teval:
        raise ConfigError("--per-case goes with --from-teval; a run keeps its scores.jsonl")
    if folder is None:
        base = api.default_config()
        _show(
            api.score_files(from_teval, api.load_config(files, settings, base), per_case), as_json
        )
        return
    summary = api.score(folder, api.stored_config(folder, files, settings))
    if as_json:
        warn(summary.warnings)
        say("", summary.model_dump(mode="json"), as_json)
    else:
        show_tables([folder])


def _show(scored: FilesScored, as_json: bool) -> None:
    """Print what the files hold and what they score by both scorers."""
    summary = scored.summary
    for file in scored.files:
        typer.echo(f"{file.name}: {file.facts}", err=as_json)
    if as_json:
        warn(summary.warnings)
        say("", summary.model_dump(mode="json"), as_json)
        return
    from rich.console import Console
    from rich.table import Table

    published = summary.published
    assert published is not None
    table = Table()
    for column in ("ability", "format", "cases", "published", "parsed", "corrected", "parsed"):
        table.add_column(column, justify="left" if column in {"ability", "format"} else "right")
    for name, ability in summary.corrected.abilities.items():
        theirs = published.abilities[name]
        for form, ours in ability.formats.items() if ability and theirs else ():
            cell = theirs.formats[form] if theirs else ours
            table.add_row(name, form, str(ours.n), *_shown(cell), *_shown(ours))
    table.add_section()
    overalls = [f"{100 * (total.overall or 0):.1f}" for total in (published, summary.corrected)]
    table.add_row("overall", "", str(summary.corrected.n), overalls[0], "", overalls[1], "")
    Console().print(table)
    if published.mark:
        typer.echo(f"published: not comparable with public numbers ({published.mark})")
    warn(summary.warnings)


def _shown(cell: Cell) -> tuple[str, str]:
    return f"{100 * cell.score:.1f}", f"{100 * cell.parse_rate:.0f}%"
