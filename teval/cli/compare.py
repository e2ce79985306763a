"""``teval compare``: two runs held against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from teval.cli.options import AsJson
from teval.cli.output import say


def compare(
    run_a: Annotated[Path, typer.Argument(metavar="RUN_A", help="The folder of a scored run.")],
    run_b: Annotated[
        Path, typer.Argument(metavar="RUN_B", help="The folder of the run held against it.")
    ],
    scorer: Annotated[
        str, typer.Option(metavar="corrected|published", help="Whose scores to compare.")
    ] = "corrected",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="DIR", help="Where to write compare.md and compare.csv."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Tell which abilities of two runs differ for sure, and what difference could be seen at all.

    Only cases that both runs planned count.
    """
    from teval import api
    from teval.report import contrast, to_terminal, write_comparison

    found = api.compare(run_a, run_b, scorer)
    files = [str(file) for file in write_comparison(found, out)] if out is not None else []
    if as_json:
        say("", {**found.model_dump(mode="json"), "files": list(files)}, as_json)
        return
    from rich.console import Console

    Console().print(to_terminal(contrast(found)))
    for file in files:
        typer.echo(file)
