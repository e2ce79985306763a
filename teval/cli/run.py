"""``teval run``: everything, from cases to charts."""

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
from teval.cli.output import end_with, say, show_tables, warn
from teval.cli.progress import Watcher, name_engine


def run(
    files: Files,
    settings: Settings,
    limit: Limit = None,
    deterministic: Deterministic = False,
    as_json: AsJson = False,
    verbose: Verbose = False,
) -> None:
    """Slice, generate, score and report in one go; a run that was stopped goes on where it was."""
    from teval import api

    config = read_config(files, settings, limit, deterministic=deterministic)
    typer.echo(name_engine(config), err=as_json)
    with Watcher(verbose=verbose) as watcher:
        done = api.run(config, watcher)
    written = [str(file) for file in api.report([done.folder], done.folder)]
    if as_json:
        warn(done.summary.warnings)
    else:
        show_tables([done.folder])
    radar = next(file for file in written if file.endswith("radar.png"))
    numbers = {**done.summary.model_dump(mode="json"), "files": list(written)}
    say(f"radar: {radar}", numbers, as_json)
    end_with(done.counts)
