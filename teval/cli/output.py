"""What a command leaves on stdout, and its exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from teval.api import Counts
    from teval.schema import JsonObject

LEFT_OVER = 1
"""Exit code where the engine left requests unanswered."""


def say(text: str, values: JsonObject, as_json: bool) -> None:
    """Print a line for people, or the values for programs."""
    typer.echo(json.dumps(values, ensure_ascii=False) if as_json else text)


def show_tables(folders: list[Path]) -> None:
    """Print the tables of scored runs."""
    from rich.console import Console

    from teval.report import load_runs, to_screen

    Console().print(to_screen(load_runs(folders)))


def warn(lines: tuple[str, ...]) -> None:
    """Print warnings on stderr, for where no table shows them."""
    for line in lines:
        typer.echo(f"warning: {line}", err=True)


def end_with(counts: Counts) -> None:
    """End the command; requests left over are told and make it fail.

    Raises:
        typer.Exit: Requests are left over.
    """
    if counts.failed:
        typer.echo(
            f"{counts.failed} of {counts.requests} requests are left over because the engine "
            "failed at them; run the same command again to ask only those",
            err=True,
        )
        raise typer.Exit(LEFT_OVER)
