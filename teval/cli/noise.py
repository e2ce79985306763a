"""``teval noise``: how much two runs differ when nothing was changed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from teval.cli.options import AsJson, Deterministic, Files, Limit, Settings, read_config
from teval.cli.output import say


def noise(
    files: Files,
    settings: Settings,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            help="Where both runs, noise.md and noise.json lie; the run's folder with -noise at "
            "its end by default.",
        ),
    ] = None,
    limit: Limit = None,
    deterministic: Deterministic = False,
    as_json: AsJson = False,
) -> None:
    """Run the same settings twice and tell how many answers and scores differ, per ability."""
    from teval import api
    from teval.report.noise import noise_grid, write_noise

    config = read_config(files, settings, limit, deterministic=deterministic)
    place = out or config.folder.with_name(f"{config.folder.name}-noise")
    found = api.noise(config, place, lambda line: typer.echo(line, err=True))
    written = [str(file) for file in write_noise(found, place)]
    if as_json:
        say("", {**found.model_dump(mode="json"), "files": list(written)}, as_json)
        return
    from rich.console import Console

    from teval.report import to_terminal

    Console().print(to_terminal(noise_grid(found)))
    for file in written:
        typer.echo(file)
