"""``teval sweep``: the same run of many models."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from teval.cli.options import AsJson, Files, Limit, Settings, read_config
from teval.cli.output import say

SOME_FAILED = 1
"""Exit code where a model failed, or has requests left over."""


def sweep(
    files: Files,
    settings: Settings,
    models: Annotated[
        list[str],
        typer.Option(
            "--models",
            metavar="MODEL...",
            default_factory=list,
            show_default=False,
            help="Folders, or names that a run takes as engine.model; a folder that holds "
            "checkpoint-N folders stands for all of them.",
        ),
    ],
    more: Annotated[
        list[str],
        typer.Argument(metavar="[MODEL]...", default_factory=list, show_default=False),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="DIR", help="Where all lies; reports/sweep-NAME by default."
        ),
    ] = None,
    gpus: Annotated[
        str, typer.Option(metavar="0,1", help="Run one model at a time on each of these GPUs.")
    ] = "",
    limit: Limit = None,
    as_json: AsJson = False,
) -> None:
    """Run many models, each in a process of its own; one that fails does not stop the others.

    Ends with one table, one radar chart and one dot plot over all of them.
    """
    from rich.console import Console

    from teval import api
    from teval.report.sweep import sweep_to_screen, write_sweep

    config = read_config(files, settings, limit)
    place = out or api.sweep_folder(config)
    places = [gpu.strip() for gpu in gpus.split(",")] if gpus else []
    found = api.sweep(config, [*models, *more], place, gpus=places, tell=_tell)
    written = [str(file) for file in write_sweep(found, place)]
    if not as_json:
        Console().print(sweep_to_screen(found))
    shown = next((f"radar: {file}" for file in written if file.endswith("radar.png")), written[0])
    say(shown, {**found.model_dump(mode="json"), "files": list(written)}, as_json)
    if any(model.state != "done" for model in found.models):
        raise typer.Exit(SOME_FAILED)


def _tell(line: str) -> None:
    typer.echo(line, err=True)
