"""Models compared at the tasks that they were all given, end to end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from teval.e2e.arena import win_rates
from teval.e2e.summary import Planned
from teval.errors import ConfigError, DataError, UnknownNameError
from teval.report.episodes import EpisodeRun, load_episode_runs
from teval.schema import Arena, digest

Task = tuple[str, int]
"""Digest of a path, and a trial of it."""


def arena(folders: Sequence[Path], reference: str | None = None) -> Arena:
    """Return the win rates of two or more end-to-end runs over the tasks that all were given.

    Args:
        folders: Run folders; runs of one name are told apart by them.
        reference: The run that all others are compared with, by its label, name, model or folder;
            all with all where None.

    Raises:
        DataError: A folder holds no end-to-end run, or the runs have no task in common.
        ConfigError: Fewer than two runs, or a folder is given twice.
        UnknownNameError: The reference is none of the runs, or several.
    """
    if len(folders) < 2 or len({folder.resolve() for folder in folders}) < len(folders):
        raise ConfigError("an arena takes the folders of two or more runs, each once")
    runs = load_episode_runs(folders)
    tasks = [_tasks(run) for run in runs]
    common = [task for task in tasks[0] if all(task in others for others in tasks)]
    if not common:
        raise DataError(
            f"{', '.join(map(str, folders))} have no path and trial in common; play the same paths"
        )
    return win_rates(
        {run.label: run.outcomes for run in runs},
        [tasks[0][task] for task in common],
        reference=None if reference is None else _named(reference, runs),
        left_out=len({task for found in tasks for task in found}) - len(common),
    )


def _tasks(run: EpisodeRun) -> dict[Task, Planned]:
    digests = {path.id: digest(path.model_dump(mode="json")) for path in run.paths}
    return {
        (digests[path.id], trial): Planned(path.id, path.family, trial)
        for path in run.paths
        for trial in range(run.trials)
    }


def _named(name: str, runs: Sequence[EpisodeRun]) -> str:
    """Return the label of the one run that goes by a name."""
    found = [
        run.label
        for run in runs
        if name in {run.label, run.summary.name, run.summary.model, Path(run.summary.model).name}
        or Path(name).resolve() == run.folder.resolve()
    ]
    if len(found) != 1:
        raise UnknownNameError("reference", name, [run.label for run in runs])
    return found[0]
