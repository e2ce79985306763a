"""Win rates: models compared, task by task, by the deterministic judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import TypeAlias, get_args

from teval.e2e.judge import Reason, Verdict, judge
from teval.e2e.summary import Planned
from teval.metrics.stats import family_interval
from teval.schema import Arena, Outcome, WinRate

Ended: TypeAlias = list[Outcome | None]
"""A model's outcomes in the order of the planned tasks, None where it has none."""


def win_rates(
    outcomes: Mapping[str, Sequence[Outcome]],
    planned: Sequence[Planned],
    *,
    reference: str | None = None,
    left_out: int = 0,
    resamples: int = 2000,
    seed: int = 0,
) -> Arena:
    """Return every model's win rate, and that of each pair of models.

    A model's rate is the mean verdict over all planned tasks: against the reference, or the mean
    over all other models. A missing outcome is unanswered. Intervals are 95 %, by bootstrap over
    families of the mean verdict by task (:func:`teval.metrics.stats.family_interval`).

    Args:
        outcomes: By model, each path and trial at most once; those that were not planned are left
            out. At least two models.
        planned: The tasks that all models were to try, at least one.
        reference: The model that all others are compared with; all with all where None.
        left_out: How many tasks only some of the models were to try, for the record.
        resamples: Number of bootstrap resamples.
        seed: Of the bootstrap.
    """
    ended = {name: _in_order(found, planned) for name, found in outcomes.items()}
    duels = _duels(ended)
    families = [task.family for task in planned]
    rates = []
    for name, own in ended.items():
        met = [duels[name, other] for other in _opponents(name, ended, reference)]
        values = _by_task(met, len(planned))
        low, high = family_interval(values, families, resamples, seed) if met else (0.5, 0.5)
        rates.append(_rate(name, fmean(values), (low, high), met, own))
    compared = [pair for pair in combinations(ended, 2) if reference is None or reference in pair]
    reasons = Counter(verdict.reason for pair in compared for verdict in duels[pair])
    return Arena(
        reference=reference,
        planned=len(planned),
        families=len(set(families)),
        left_out=left_out,
        rates=tuple(rates),
        matrix=_matrix(list(ended), duels),
        reasons={reason: reasons[reason] for reason in get_args(Reason) if reasons[reason]},
    )


def _in_order(outcomes: Sequence[Outcome], planned: Sequence[Planned]) -> Ended:
    found = {(outcome.path, outcome.trial): outcome for outcome in outcomes}
    return [found.get((task.path, task.trial)) for task in planned]


def _duels(ended: Mapping[str, Ended]) -> dict[tuple[str, str], list[Verdict]]:
    """Verdicts by task of each pair of models, in both directions."""
    duels = {}
    for first, second in combinations(ended, 2):
        duel = [judge(*pair) for pair in zip(ended[first], ended[second], strict=True)]
        duels[first, second] = duel
        duels[second, first] = [Verdict(1 - value, reason) for value, reason in duel]
    return duels


def _opponents(name: str, names: Iterable[str], reference: str | None) -> list[str]:
    return [other for other in ([reference] if reference else names) if other != name]


def _by_task(met: Sequence[Sequence[Verdict]], tasks: int) -> list[float]:
    """Mean verdict of each task over the models met; even where none was."""
    if not met:
        return [0.5] * tasks
    return [fmean(verdict.value for verdict in verdicts) for verdicts in zip(*met, strict=True)]


def _rate(
    name: str, rate: float, ends: tuple[float, float], met: Iterable[Sequence[Verdict]], own: Ended
) -> WinRate:
    tally = Counter(verdict.value for verdicts in met for verdict in verdicts)
    return WinRate(
        name=name,
        rate=rate,
        low=ends[0],
        high=ends[1],
        won=tally[1.0],
        tied=tally[0.5],
        lost=tally[0.0],
        unanswered=sum(outcome is None or not outcome.answered for outcome in own),
    )


def _matrix(
    names: Sequence[str], duels: Mapping[tuple[str, str], Sequence[Verdict]]
) -> dict[str, dict[str, float]]:
    return {
        first: {
            second: 0.5 if first == second else fmean(v.value for v in duels[first, second])
            for second in names
        }
        for first in names
    }
