"""``teval transcript``: single episodes of an end-to-end run."""

from __future__ import annotations

from typing import Annotated

import typer

from teval.cli.options import Folder


def transcript(
    folder: Folder,
    path: Annotated[
        str | None, typer.Option(metavar="ID", help="Only episodes of this path.")
    ] = None,
    trial: Annotated[int | None, typer.Option(min=0, help="Only episodes of this trial.")] = None,
    failed: Annotated[bool, typer.Option("--failed", help="Only episodes that failed.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="The most episodes to show.")] = None,
) -> None:
    """Show episodes turn by turn: what was wanted, what was done, and where it went wrong."""
    from rich.console import Console

    from teval import api
    from teval.report.transcript import transcript as as_text

    shown = api.show_episodes(folder, path=path, trial=trial, failed=failed, limit=limit)
    console = Console(soft_wrap=True, highlight=False)
    for episode in shown:
        console.print(as_text(*episode))
    if not shown:
        typer.echo("no such episode")
