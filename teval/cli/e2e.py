"""``teval e2e``: the same tasks, played end to end."""

from __future__ import annotations

import typer

from teval.cli.options import AsJson, Files, Settings, read_config
from teval.cli.output import LEFT_OVER, say
from teval.cli.progress import name_engine


def e2e(files: Files, settings: Settings, as_json: AsJson = False) -> None:
    """Play tasks end to end in their worlds and score the outcomes; a stopped run goes on."""
    from rich.console import Console

    from teval import api
    from teval.report.episodes import load_episode_runs, outcomes_to_screen, write_outcomes

    config = read_config(files, settings, None)
    typer.echo(name_engine(config), err=as_json)
    done = api.e2e(config, _tell)
    runs = load_episode_runs([done.folder])
    files = [str(file) for file in write_outcomes(runs, done.folder)]
    if not as_json:
        Console().print(outcomes_to_screen(runs))
    numbers = {**done.summary.model_dump(mode="json"), "files": list(files)}
    say(f"transcripts: teval transcript {done.folder} --failed --limit 3", numbers, as_json)
    broken = done.summary.ends.get("engine_error", 0)
    if broken:
        typer.echo(
            f"{broken} of {done.summary.planned} episodes were broken off because the engine "
            "failed; run the same command again to go on with those",
            err=True,
        )
        raise typer.Exit(LEFT_OVER)


def _tell(going: int, asked: int) -> None:
    """Say how many episodes still go on, where anything is asked at all."""
    if asked:
        typer.echo(f"{going} episodes go on, {asked} turns to ask", err=True)
