"""``teval agree``: step scores beside outcomes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from teval.cli.options import AsJson
from teval.cli.output import say, warn


def agree(
    steps: Annotated[
        list[Path],
        typer.Option("--steps", metavar="DIR", help="Folder of a scored step run; once a model."),
    ],
    episodes: Annotated[
        list[Path],
        typer.Option(
            "--episodes",
            metavar="DIR",
            default_factory=list,
            show_default=False,
            help="Folder of an end-to-end run; once a model.",
        ),
    ],
    wins: Annotated[
        Path | None,
        typer.Option(metavar="CSV", help="Instead: win rates, in columns model and win_rate."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="DIR", help="Where to write agreement.md, .csv, .png and .svg."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Tell how far step scores go with outcomes, over models and, with --episodes, over tasks."""
    from teval import api
    from teval.report.agreement_facts import facts
    from teval.report.agreement_tables import agreement_to_screen, write_agreement

    found = api.agree(steps, episodes, wins)
    warn((*found.unmatched, *(found.warnings if as_json else ())))
    files = [str(file) for file in write_agreement(found, out)] if out is not None else []
    if as_json:
        rows = [fact._asdict() for fact in facts(found)]
        say(
            "",
            {"numbers": list(rows), "warnings": list(found.warnings), "files": list(files)},
            True,
        )
        return
    from rich.console import Console

    Console().print(agreement_to_screen(found))
    for file in files:
        typer.echo(file)
