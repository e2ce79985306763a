"""The episodes of an end-to-end run, one by one."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from teval.errors import DataError, UnknownNameError
from teval.run.store import RunFolder
from teval.schema import Episode, Outcome, SolutionPath


class ShownEpisode(NamedTuple):
    """One episode and all that is needed to judge it."""

    path: SolutionPath
    episode: Episode
    outcome: Outcome | None
    """None where it was not scored."""


def show_episodes(
    folder: Path,
    *,
    path: str | None = None,
    trial: int | None = None,
    failed: bool = False,
    limit: int | None = None,
) -> list[ShownEpisode]:
    """Return the episodes of an end-to-end run, in their order.

    Args:
        folder: A run's folder.
        path: Only those of the path with this id.
        trial: Only those of this trial.
        failed: Only those that did not succeed.
        limit: At most so many.

    Raises:
        DataError: The folder holds no end-to-end run, or an episode of a path that it does not
            hold.
        UnknownNameError: There is no such path.
    """
    place = RunFolder(folder)
    paths = {found.id: found for found in place.paths()}
    if path is not None and path not in paths:
        raise UnknownNameError("path", path, paths)
    outcomes = {(outcome.path, outcome.trial): outcome for outcome in place.outcomes()}
    shown = []
    for episode in place.episodes():
        if episode.path not in paths:
            raise DataError(
                f"{folder / 'episodes.jsonl'}: path {episode.path!r} is not in paths.jsonl beside "
                "it; run teval e2e on the folder again"
            )
        outcome = outcomes.get((episode.path, episode.trial))
        solved = outcome is not None and outcome.success
        asked_for = path in {None, episode.path} and trial in {None, episode.trial}
        if asked_for and not (failed and solved):
            shown.append(ShownEpisode(paths[episode.path], episode, outcome))
    return shown[:limit]
