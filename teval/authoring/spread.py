"""A small set that stands for a big one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from teval.errors import DataError
from teval.schema import ASK, FINISH, SolutionPath
from teval.slicing import review_steps
from teval.world.toolkits import TOOLKITS

_Table = NDArray[np.float64]


def spread(paths: Sequence[SolutionPath], count: int) -> list[SolutionPath]:
    """Return so many of the paths, each of another family, in their order: a stratified sample.

    Toolkits, kinds of task, numbers of calls and labels of review shall each occur as often as
    their share of the big set asks for, and once at least. Paths are taken one by one, each time
    the one that brings the set nearest to that (squares of what is missing or too much, over
    the root of what is wanted); then one is exchanged for another for as long as that helps.

    Args:
        paths: The big set.
        count: How many paths, at least 1.

    Raises:
        DataError: There are fewer families.
    """
    families = [path.family for path in paths]
    if count > len(set(families)):
        raise DataError(
            f"{count} paths of a family each are asked for, of {len(set(families))} families"
        )
    holds = _table([_features(path) for path in paths])
    wanted = np.maximum(1, holds.sum(axis=0) * count / len(paths))
    taken: list[int] = []
    for _ in range(count):
        taken.append(_best(holds, wanted, taken, families)[1])
    return [paths[at] for at in sorted(_exchanged(holds, wanted, taken, families))]


def _exchanged(
    holds: _Table, wanted: _Table, taken: Sequence[int], families: Sequence[str]
) -> list[int]:
    """Take one out and the best one in, until nothing gets nearer by it."""
    left, unchanged = list(taken), 0
    now = float(_cost(holds[left].sum(axis=0), wanted))
    while unchanged < len(left):
        others, out = left[1:], left[0]
        cost, best = _best(holds, wanted, others, families)
        unchanged = 0 if cost < now - 1e-9 else unchanged + 1
        left, now = [*others, best if unchanged == 0 else out], min(cost, now)
    return left


def _best(
    holds: _Table, wanted: _Table, taken: Sequence[int], families: Sequence[str]
) -> tuple[float, int]:
    """Return the cost of the set with the best path of another family in it, and that path."""
    costs = _cost(holds[list(taken)].sum(axis=0) + holds, wanted)
    had = {families[at] for at in taken}
    costs[[family in had for family in families]] = np.inf
    best = int(costs.argmin())
    return float(costs[best]), best


def _cost(found: _Table, wanted: _Table) -> _Table:
    """Return how far sets are from what is wanted, one number a row of found."""
    return np.asarray(((found - wanted) ** 2 / np.sqrt(wanted)).sum(axis=-1))


def _table(features: Sequence[Counter[str]]) -> _Table:
    """Return how often each path has each feature, shape ``(paths, features)``."""
    names = sorted(set().union(*features))
    return np.array([[some[name] for name in names] for some in features], dtype=np.float64)


def _features(path: SolutionPath) -> Counter[str]:
    calls = [step.call.name for step in path.steps if step.call.name not in (ASK, FINISH)]
    once = {f"toolkit {call.partition('.')[0]}" for call in calls}
    once |= {f"kind {tag}" for tag in path.tags if tag not in TOOLKITS}
    reviews = (f"review {step.review}" for step in review_steps(path))
    return Counter([*once, f"{len(calls)} calls", *reviews])
