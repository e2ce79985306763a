"""``teval generate``: ask the model."""

from __future__ import annotations

import typer

from teval.cli.options import (
    AsJson,
    Deterministic,
    Files,
    Limit,
    Settings,
    Verbose,
    read_config,
)
from teval.cli.output import end_with, say
from teval.cli.progress import Watcher, name_engine


def generate(
    files: Files,
    settings: Settings,
    limit: Limit = None,
    deterministic: Deterministic = False,
    as_json: AsJson = False,
    verbose: Verbose = False,
) -> None:
    """Ask the model; a run that was stopped goes on where it was."""
    from teval import api

    config = read_config(files, settings, limit, deterministic=deterministic)
    typer.echo(name_engine(config), err=True)
    with Watcher(verbose=verbose) as watcher:
        counts = api.generate(config, watcher)
    say(
        f"{counts.answered} of {counts.requests} requests answered → {config.folder}",
        {"folder": str(config.folder), **counts._asdict()},
        as_json,
    )
    end_with(counts)
