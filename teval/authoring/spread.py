"""A small set that stands for a big one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from teval.errors import DataError
from teval.schema import ASK, FINISH, SolutionPath
from teval.slicing import review_steps


def spread(paths: Sequence[SolutionPath], count: int) -> list[SolutionPath]:
    """Return so many of the paths, each of another family, in their order, spread over all kinds.

    One path after the other is taken: the first of those that have the most of what the paths
    taken before seldom have, of toolkits, kinds of task, numbers of calls, and labels of review.

    Args:
        paths: The big set.
        count: How many paths, at least 1.

    Raises:
        DataError: There are fewer families.
    """
    families = {path.family for path in paths}
    if count > len(families):
        raise DataError(
            f"{count} paths of a family each are asked for, of {len(families)} families"
        )
    features = [tuple(_features(path)) for path in paths]
    left, had, taken = dict.fromkeys(range(len(paths))), Counter[str](), []
    for _ in range(count):
        best = max(left, key=lambda at: sum(1 / (1 + had[name]) for name in features[at]))
        taken.append(best)
        had.update(features[best])
        left = {at: None for at in left if paths[at].family != paths[best].family}
    return [paths[at] for at in sorted(taken)]


def _features(path: SolutionPath) -> Iterator[str]:
    calls = [step.call.name for step in path.steps if step.call.name not in (ASK, FINISH)]
    yield from (f"toolkit {name}" for name in dict.fromkeys(c.partition(".")[0] for c in calls))
    yield from (f"kind {tag}" for tag in dict.fromkeys(path.tags))
    yield from (f"review {label}" for label in dict.fromkeys(s.review for s in review_steps(path)))
    yield f"{len(calls)} calls"
