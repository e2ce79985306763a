"""The same step asked with the gold history and met in a free run: how much is lost on the way?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

from teval.metrics.stats import family_interval

DEPTHS = ((0, 0), (1, 2), (3, 4), (5, None))
"""First and last position of the steps that are counted together; None for no last one."""


class Met(NamedTuple):
    """One step of a task, met in a free run, and asked by itself."""

    family: str
    ability: str
    depth: int
    """Position of the step in its path, from 0."""
    forced: float
    """Share of its cases, all with the gold history, that were wholly right."""
    free: bool
    """Whether the first try at it in the free run was right."""


class Gap(NamedTuple):
    """One ability at some depths; shares of met steps, in [0, 1]."""

    ability: str
    depths: tuple[int, int | None] | None
    """First and last position; None for all depths."""
    n: int
    """Met steps, one a step and trial."""
    families: int
    forced: float
    free: float
    gap: float
    """Forced minus free, in [-1, 1]."""
    low: float
    """Lower end of the 95 % interval of the gap, over families."""
    high: float


def gaps(met: Sequence[Met], abilities: Sequence[str]) -> list[Gap]:
    """Return each ability's gap, over all depths and then by depth, as far as steps were met.

    Only steps that were met count, on both sides: a free run that went wrong early never meets the
    late ones.

    Args:
        met: Steps that have both answers.
        abilities: Those to be reported, in this order.

    >>> met = [Met(f, "plan", d, 1.0, d == 0) for f in "abcdef" for d in (0, 1)]
    >>> [(gap.depths, gap.gap) for gap in gaps(met, ["plan"])]
    [(None, 0.5), ((0, 0), 0.0), ((1, 2), 1.0)]
    """
    return [gap for ability in abilities for gap in _of(ability, met)]


def _of(ability: str, met: Sequence[Met]) -> Iterator[Gap]:
    own = [one for one in met if one.ability == ability]
    for depths in (None, *DEPTHS):
        there = [one for one in own if depths is None or _within(one.depth, *depths)]
        if there:
            yield _gap(ability, depths, there)


def _within(depth: int, first: int, last: int | None) -> bool:
    return depth >= first and (last is None or depth <= last)


def _gap(ability: str, depths: tuple[int, int | None] | None, met: Sequence[Met]) -> Gap:
    families = [one.family for one in met]
    # The interval is one of means in [0, 1], the gap lies in [-1, 1].
    low, high = family_interval([(1 + one.forced - one.free) / 2 for one in met], families)
    forced, free = fmean(one.forced for one in met), fmean(one.free for one in met)
    return Gap(
        ability=ability,
        depths=depths,
        n=len(met),
        families=len(set(families)),
        forced=forced,
        free=free,
        gap=forced - free,
        low=2 * low - 1,
        high=2 * high - 1,
    )
