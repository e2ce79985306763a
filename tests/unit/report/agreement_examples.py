"""Hand-made step runs and end-to-end runs of the same models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from episode_examples import make_outcome, make_paths, store_episodes
from report_examples import make_run

from teval.abilities import ABILITIES
from teval.report import LoadedRun
from teval.report.episodes import EpisodeRun, load_episode_runs
from teval.report.joined import Ended
from teval.schema import Mark, Outcome, Score

SCORES = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4)


def model_run(model: str, values: Sequence[float | None] = SCORES) -> LoadedRun:
    """A step run of a model, with one score an ability in order."""
    run = make_run("steps", values)
    return replace(run, summary=run.summary.model_copy(update={"model": model}))


def many_runs(number: int) -> tuple[list[LoadedRun], list[Ended]]:
    """Runs of models that get better from one to the next, and their outcomes."""
    shares = [(i + 1) / (number + 1) for i in range(number)]
    runs = [model_run(f"org/m{i}", [share] * 5 + [1.0]) for i, share in enumerate(shares)]
    return runs, [Ended(f"org/m{i}", share**2, "wins.csv") for i, share in enumerate(shares)]


def step_score(
    path: str,
    step: int | None,
    ability: str,
    value: float,
    form: str = "json",
    *,
    read: bool = True,
) -> Score:
    return Score(
        case=f"{path}/{step}/{ability}/{form}",
        ability=ability,
        format=form,
        family=path.split("_")[0],
        path=path,
        step=step,
        status="ok" if read else "unparsed",
        parsed=read,
        well_formed=read,
        corrected={ABILITIES[ability].headline: value},
    )


def with_scores(run: LoadedRun, scores: Sequence[Score]) -> LoadedRun:
    return replace(run, scores=tuple(scores))


def played(folder: Path, outcomes: Sequence[Outcome], model: str) -> EpisodeRun:
    """An end-to-end run of a model at the paths of its outcomes."""
    paths = make_paths(*dict.fromkeys(outcome.path for outcome in outcomes))
    trials = 1 + max(outcome.trial for outcome in outcomes)
    store_episodes(folder, outcomes, paths, trials=trials, model=model)
    (run,) = load_episode_runs([folder])
    return run


def ended(run: EpisodeRun) -> Ended:
    return Ended(run.summary.model, run.summary.success, str(run.folder), run)


def linked(folder: Path, model: str, families: int = 12) -> tuple[LoadedRun, Ended]:
    """A model that fails where retrieve was lost, and did no worse for lost thoughts."""
    scores, outcomes = [], []
    for number in range(4 * families):
        path = f"f{number % families}_{number}"
        lost = number % 2
        scores += [
            step_score(path, 0, "retrieve", 1.0),
            step_score(path, 1, "retrieve", 1.0 - lost),
            step_score(path, 0, "reason", 0.5 + 0.5 * (number // 2 % 2)),
            step_score(path, 1, "instruct", 0.5),
        ]
        marks = [Mark(step=0, ability="retrieve", right=True)]
        if lost:
            marks.append(Mark(step=1, ability="retrieve", right=False))
        outcomes.append(
            make_outcome(path, success=not lost).model_copy(update={"marks": tuple(marks)})
        )
    return with_scores(model_run(model), scores), ended(played(folder, outcomes, model))
