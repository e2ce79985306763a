"""``teval arena``: win rates of models at the same tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from teval.cli.options import AsJson
from teval.cli.output import say


def arena(
    folders: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Folders of two or more e2e runs.")
    ],
    reference: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The run all others are compared with; all with all."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Where to write arena.md, .csv and .json; nowhere."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare models task by task: win rates with intervals, and who beats whom."""
    from rich.console import Console

    from teval import api
    from teval.report.arena import arena_to_screen, write_arena

    found = api.arena(folders, reference)
    files = [str(file) for file in write_arena(found, out)] if out is not None else []
    if not as_json:
        Console().print(arena_to_screen(found))
    if files or as_json:
        say("\n".join(files), found.model_dump(mode="json") | {"files": list(files)}, as_json)
