"""From the outcomes of one model's episodes to its numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from teval.metrics.stats import family_interval
from teval.schema import MISTAKES, Outcome, OutcomeSummary


class Planned(NamedTuple):
    """An episode that was to be played."""

    path: str
    family: str
    trial: int = 0


class Player(NamedTuple):
    """Whose numbers they are."""

    name: str
    model: str
    agent: str
    signature: str


def summarise_outcomes(
    outcomes: Iterable[Outcome],
    planned: Sequence[Planned],
    player: Player,
    *,
    floors: Mapping[str, float] | None = None,
    resamples: int = 2000,
    seed: int = 0,
) -> OutcomeSummary:
    """Return the summary of one model's episodes.

    An episode without an outcome, or one that the engine broke off, is unanswered: it counts 0 in
    every share, and neither in the means of turns, calls and tokens nor as a deviation, since it
    was not the model that ended it.

    Args:
        outcomes: What came of the episodes, each path and trial at most once; those that were not
            planned are left out.
        planned: All episodes that were to be played, at least one.
        player: Whose numbers they are.
        floors: Success of scripted agents on the same tasks, by kind, as far as measured.
        resamples: Number of bootstrap resamples.
        seed: Of the bootstrap.
    """
    found = {(outcome.path, outcome.trial): outcome for outcome in outcomes}
    ended = [found.get((task.path, task.trial)) for task in planned]
    played = [o for o in ended if o is not None and o.answered]
    solved = [float(o is not None and o.answered and o.success) for o in ended]
    families = [task.family for task in planned]
    low, high = family_interval(solved, families, resamples, seed)
    return OutcomeSummary(
        **player._asdict(),
        planned=len(planned),
        families=len(set(families)),
        success=fmean(solved),
        low=low,
        high=high,
        state=sum(o.state for o in played) / len(planned),
        facts=sum(o.facts for o in played) / len(planned),
        clean=sum(not o.unwanted for o in played) / len(planned),
        unanswered=len(planned) - len(played),
        turns=_mean(o.turns for o in played),
        calls=_mean(o.calls for o in played),
        tokens=_mean(o.prompt_tokens + o.completion_tokens for o in played),
        mistakes={name: sum(o.mistakes.get(name, 0) for o in played) for name in MISTAKES},
        hit_limit=sum(o.hit_limit for o in played) / (sum(o.turns for o in played) or 1),
        ends=dict(sorted(Counter(o.end for o in ended if o is not None).items())),
        deviations=dict(sorted(Counter(o.lost_at for o in played if not o.success).items())),
        floors=dict(floors or {}),
    )


def _mean(values: Iterable[int]) -> float:
    found = list(values)
    return fmean(found) if found else 0.0
