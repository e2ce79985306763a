"""``teval slice``: the cases of a run, written without asking anyone."""

from __future__ import annotations

from teval.cli.options import AsJson, Files, Limit, Settings, read_config
from teval.cli.output import say


def slice_cases(
    files: Files, settings: Settings, limit: Limit = None, as_json: AsJson = False
) -> None:
    """Make the test cases and write them into the run's folder."""
    from teval import api

    job = api.prepare(read_config(files, settings, limit))
    file = job.folder.path / "cases.jsonl"
    say(
        f"{len(job.cases)} cases, {len(job.requests)} requests → {file}",
        {"cases": len(job.cases), "requests": len(job.requests), "file": str(file)},
        as_json,
    )
