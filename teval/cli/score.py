"""``teval score``: score answers that are there."""

from __future__ import annotations

from teval.cli.options import AsJson, Files, Folder, Settings
from teval.cli.output import say, show_tables, warn


def score(folder: Folder, files: Files, settings: Settings, as_json: AsJson = False) -> None:
    """Score a run's answers again, without the model; -s embedder.kind=… takes another embedder."""
    from teval import api

    summary = api.score(folder, api.stored_config(folder, files, settings))
    if as_json:
        warn(summary.warnings)
        say("", summary.model_dump(mode="json"), as_json)
    else:
        show_tables([folder])
