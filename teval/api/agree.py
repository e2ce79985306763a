"""Step scores beside outcomes: do they agree, and which ability holds a model back?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from teval.errors import ConfigError
from teval.report import load_runs
from teval.report.agreement import Agreed, compare_outcomes
from teval.report.episodes import load_episode_runs
from teval.report.joined import Ended
from teval.report.wins import read_wins


def agree(steps: Sequence[Path], episodes: Sequence[Path] = (), wins: Path | None = None) -> Agreed:
    """Return how the step scores of models go with what they achieve end to end.

    With end-to-end runs, success is compared over models, and over the tasks and steps of each
    model; with win rates, over models alone.

    Args:
        steps: Folders of scored step runs, one a model.
        episodes: Folders of end-to-end runs, one a model.
        wins: Instead of these, a CSV file with the columns ``model`` and ``win_rate``.

    Raises:
        ConfigError: Neither or both of episodes and wins are given, or no step run.
        DataError: A folder or file can't be used, or no model has both.
        MissingExtraError: There are episodes, and scikit-learn is not installed.
    """
    if not steps:
        raise ConfigError("no step runs given; name the folders of scored runs with --steps")
    if bool(episodes) == (wins is not None):
        raise ConfigError("give either end-to-end runs (--episodes) or a CSV (--wins)")
    runs = load_runs(steps)
    if wins is not None:
        ended = [Ended(win.model, win.rate, str(wins)) for win in read_wins(wins)]
        return compare_outcomes(runs, ended, "win rate")
    played = load_episode_runs(episodes)
    ended = [
        Ended(run.summary.model or run.summary.name, run.summary.success, str(run.folder), run)
        for run in played
    ]
    return compare_outcomes(runs, ended, "success")
