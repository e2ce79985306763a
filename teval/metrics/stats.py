"""Uncertainty of means: resampling over families, and exact bounds where nothing varies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta, norm, t

SAME = 1e-9
"""Means that differ by less are the same."""


class Interval(NamedTuple):
    """Lower and upper bound."""

    low: float
    high: float


def bootstrap_means(
    sums: NDArray[np.float64], counts: NDArray[np.float64], draws: int = 2000, seed: int = 0
) -> NDArray[np.float64]:
    """Return cell means over resampled families, shape ``(draws, cells)``.

    One draw takes as many families as there are, with replacement, and the same ones for every
    cell. A cell that no family of a draw has a case in is not-a-number there.

    Args:
        sums: Sum of scores by cell and family, shape ``(cells, families)``.
        counts: Number of cases by cell and family, the same shape.
        draws: How many resamples.
        seed: Of the random generator.

    >>> bootstrap_means(np.array([[1.0, 0.0]]), np.array([[1.0, 1.0]]), draws=1000).mean().round(1)
    np.float64(0.5)
    """
    families = sums.shape[1]
    rng = np.random.default_rng(seed)
    taken = rng.multinomial(families, np.full(families, 1 / families), size=draws)
    totals, cases = taken @ sums.T, taken @ counts.T
    means = np.full(totals.shape, np.nan)
    np.divide(totals, cases, out=means, where=cases > 0)
    return means


def mean_of(cells: NDArray[np.float64], groups: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """Return means over groups of cells, shape ``(draws, groups)``.

    A mean is over the cells that are numbers; not-a-number where none is.

    Args:
        cells: Means by draw and cell.
        groups: For each group, its cells' columns.

    >>> mean_of(np.array([[0.0, 1.0, np.nan]]), [[0, 1], [1, 2], [2]])
    array([[0.5, 1. , nan]])
    """
    there = ~np.isnan(cells)
    filled = np.where(there, cells, 0.0)
    totals = np.stack([filled[:, list(group)].sum(axis=1) for group in groups], axis=1)
    numbers = np.stack([there[:, list(group)].sum(axis=1) for group in groups], axis=1)
    means = np.full(totals.shape, np.nan)
    np.divide(totals, numbers, out=means, where=numbers > 0)
    return means


def score_of(cells: NDArray[np.float64], groups: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """Return by draw the mean over groups of the means within each group, shape ``(draws,)``.

    Args:
        cells: Means by draw and cell.
        groups: Columns of each group: ``[[0, 1]]`` is an ability with two formats,
            ``[[0, 1], [2]]`` the overall score of two abilities.

    >>> score_of(np.array([[0.0, 1.0, 1.0]]), [[0, 1], [2]])
    array([0.75])
    """
    within = [mean_of(cells[:, list(group)], [range(len(group))]) for group in groups]
    return mean_of(np.hstack(within), [range(len(groups))])[:, 0]


def percentile_interval(
    draws: NDArray[np.float64], level: float = 0.95, *, families: int | None = None
) -> Interval:
    """Return the percentile interval of one column of draws; not-a-number draws are left out.

    The plain interval is too short with few families: resamples vary less than families do, by
    (n - 1) / n, and a normal tail stands where t belongs. With ``families`` the tails are taken
    further out to make up for both (the expanded percentile interval of Hesterberg 2015, "What
    teachers should know about the bootstrap"); coverage with and without is measured in
    ``benchmarks/coverage_simulation.py``.

    Args:
        draws: Resampled scores, shape ``(draws,)``.
        level: Coverage.
        families: How many families were resampled; no correction without it.

    >>> percentile_interval(np.arange(0.0, 101.0), level=0.5)
    Interval(low=25.0, high=75.0)
    >>> low, high = percentile_interval(np.arange(0.0, 101.0), level=0.5, families=5)
    >>> round(low, 1), round(high, 1)
    (20.4, 79.6)
    """
    numbers = draws[~np.isnan(draws)]
    if numbers.size == 0:
        return Interval(float("nan"), float("nan"))
    tail = (1 - level) / 2
    if families is not None and families > 1:
        tail = norm.cdf(np.sqrt(families / (families - 1)) * t.ppf(tail, families - 1))
    low, high = np.quantile(numbers, [tail, 1 - tail])
    return Interval(float(low), float(high))


def clopper_pearson(successes: int, n: int, level: float = 0.95) -> Interval:
    """Return the exact interval of a proportion, for cells in which every case scored 0 or 1.

    Args:
        successes: How many of ``n``.
        n: Number of independent units: families.
        level: Coverage.

    >>> low, high = clopper_pearson(10, 10)
    >>> round(low, 4), high
    (0.6915, 1.0)
    """
    tail = (1 - level) / 2
    low = float(beta.ppf(tail, successes, n - successes + 1)) if successes > 0 else 0.0
    high = float(beta.ppf(1 - tail, successes + 1, n - successes)) if successes < n else 1.0
    return Interval(low, high)


def family_interval(
    values: Sequence[float], families: Sequence[str], draws: int = 2000, seed: int = 0
) -> Interval:
    """Return the 95 % interval of a mean of values in [0, 1], over families.

    It is the bootstrap's, as :func:`percentile_interval` has it. Where all families have the same
    mean v nothing varies to be resampled: then up to u of all families may be otherwise, which
    is the upper end of 0 out of n by Clopper-Pearson, and they may have any mean, so that the
    interval is [v - u v, v + u (1 - v)]. At v = 0 and v = 1 that is Clopper-Pearson itself.

    Args:
        values: One a case; at least one.
        families: The family of each.
        draws: How many resamples.
        seed: Of the bootstrap.

    >>> low, high = family_interval([1.0, 1.0, 0.0, 0.0], list("abcd"))
    >>> round(low, 2), round(high, 2)
    (0.0, 1.0)
    >>> low, high = family_interval([0.5] * 10, list("abcdefghij"))
    >>> round(low, 2), round(high, 2)
    (0.35, 0.65)
    """
    _, member = np.unique(np.asarray(families), return_inverse=True)
    counts = np.bincount(member).astype(np.float64)
    sums = np.bincount(member, weights=np.asarray(values)).astype(np.float64)
    means = sums / counts
    if np.ptp(means) < SAME:
        mean, other = float(means[0]), clopper_pearson(0, means.size).high
        return Interval(mean * (1 - other), mean + other * (1 - mean))
    resampled = bootstrap_means(sums[np.newaxis], counts[np.newaxis], draws, seed)[:, 0]
    return percentile_interval(resampled, families=means.size)
