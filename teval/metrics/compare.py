"""Two runs on the same cases: is one better, by how much, and what could have been seen at all?

The unit is the family: paths of one family are not independent, so families are resampled, and
families swap their runs in the test. A score is the mean over groups of the means within each
group of cells, as a run's own scores are: one cell ``[[0]]``, an ability ``[[0, 1]]`` (its
formats), the overall score ``[[0, 1], [2, 3]]`` (abilities). All cases of a cell weigh the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import permutation_test, t

from teval.metrics.stats import (
    Interval,
    bootstrap_means,
    clopper_pearson,
    percentile_interval,
    score_of,
)

FEWEST_FAMILIES = 6
"""With fewer, even equal signs everywhere leave the sign-flip test above 5 % (2 / 2^5 > 0.05)."""

PERMUTATIONS = 9999
"""Sign flips drawn at random; all of them are taken where there are no more (13 families)."""

SAME = 1e-12
"""Families' effects that differ by no more are the same."""

Cells = NDArray[np.float64]
"""Values by cell and family, shape ``(cells, families)``."""


class Difference(NamedTuple):
    """How much run b scores above run a, on the scale of the score itself."""

    delta: float
    """Score of b minus score of a, in [-1, 1]; not-a-number where there are no cases."""
    low: float
    high: float
    """95 % interval of delta."""
    p: float
    """Two-sided p value of the sign-flip test, in (0, 1]; not corrected for other tests."""
    detectable: float
    """Smallest true difference that the test finds with 80 % power at 5 %; see
    ``smallest_detectable``."""
    families: int
    """Number of families with a case in the score."""


class _Effects(NamedTuple):
    """What the families with a case in a score do to it."""

    shares: NDArray[np.float64]
    """Each family's part of the score; they sum to it."""
    residuals: NDArray[np.float64]
    """Its part above what its cases would add at the mean of each cell; they sum to 0."""

    @property
    def families(self) -> int:
        return len(self.shares)

    @property
    def standard_error(self) -> float:
        """Of the score, linearised: n/(n-1) times the sum of squared residuals, its root."""
        n = self.families
        return float(np.sqrt(n / (n - 1) * np.sum(self.residuals**2))) if n > 1 else 0.0


def differences(
    a: Cells,
    b: Cells,
    counts: Cells,
    scores: Sequence[Sequence[Sequence[int]]],
    *,
    draws: int = 2000,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> list[Difference]:
    """Return the difference of two runs in each score, families resampled jointly for all.

    The interval is the paired bootstrap over families (``percentile_interval`` with its
    correction for few families). The p value is that of the sign-flip permutation test: were the
    runs alike, each family could as well have had them swapped. All swaps are enumerated with 13
    families or fewer. Where every family shows the same difference, resampling can't tell how
    sure that is; then at most a share u of all families differs (Clopper-Pearson for none of n),
    and those lie anywhere in [-1, 1].

    Args:
        a: Sum of scores of the first run by cell and family, shape ``(cells, families)``.
        b: The same of the second run, on the same cases.
        counts: Number of cases by cell and family, the same shape, of both runs.
        scores: Each a nested list of rows: groups of cells.
        draws: Number of bootstrap resamples.
        permutations: Number of random sign flips where there are too many to enumerate.
        seed: Of the bootstrap and of the sign flips.

    >>> ones = np.ones((1, 8))
    >>> worse = np.array([[0.0, 0, 0, 0, 0, 0, 0, 1]])
    >>> (found,) = differences(worse, ones, ones, [[[0]]])
    >>> found.delta, found.p, found.families
    (0.875, 0.015625, 8)
    """
    gaps = b - a
    resampled = bootstrap_means(gaps, counts, draws, seed)
    return [
        _difference(_effects(gaps, counts, score), score_of(resampled, score), permutations, seed)
        for score in scores
    ]


def detectable_alone(sums: Cells, counts: Cells, score: Sequence[Sequence[int]]) -> float:
    """Return the smallest difference to be found between this run and another of its kind.

    The other run is imagined: as variable over families, and independent. The variance of the
    difference is then twice the run's own, which is an upper bound as long as two runs do not
    find opposite families hard; a real pair on the same cases usually shows smaller differences.

    Args:
        sums: Sum of scores by cell and family, shape ``(cells, families)``.
        counts: Number of cases by cell and family, the same shape.
        score: Groups of cells.

    >>> round(detectable_alone(np.array([[0.0, 1] * 8]), np.ones((1, 16)), [[0]]), 3)
    0.547
    """
    effects = _effects(sums, counts, score)
    return smallest_detectable(np.sqrt(2) * effects.standard_error, effects.families)


def smallest_detectable(
    standard_error: float, families: int, *, alpha: float = 0.05, power: float = 0.8
) -> float:
    """Return the true difference that a two-sided test at alpha finds with this power.

    It is the standard error times the sum of the t quantiles of 1 - alpha/2 and of the power,
    with families - 1 degrees of freedom (Bloom 1995, minimum detectable effect). Not-a-number
    where nothing can be said: no variation seen, or too few families for the sign-flip test to
    reach 5 %.

    >>> round(smallest_detectable(0.1, 12), 4)
    0.3077
    """
    if families < FEWEST_FAMILIES or standard_error <= SAME:
        return float("nan")
    multiple = t.ppf(1 - alpha / 2, families - 1) + t.ppf(power, families - 1)
    return float(standard_error * multiple)


def holm(p: Sequence[float]) -> list[float]:
    """Return p values corrected for their number, in the order given (Holm 1979).

    The smallest of n is multiplied by n, the next by n - 1, and so on; none is smaller than the
    one before it nor greater than 1.

    >>> holm([0.03, 0.01, 0.5])
    [0.06, 0.03, 0.5]
    """
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values)
    steps = values[order] * np.arange(len(values), 0, -1)
    corrected = np.empty_like(values)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(value) for value in corrected]


def _effects(sums: Cells, counts: Cells, score: Sequence[Sequence[int]]) -> _Effects:
    cases = counts.sum(axis=1)
    groups = [found for group in score if (found := [cell for cell in group if cases[cell] > 0])]
    weights = np.zeros(len(cases))
    for group in groups:
        weights[group] += 1 / (len(groups) * len(group) * cases[group])
    there = (counts[weights > 0] > 0).any(axis=0)
    means = np.divide(sums.sum(axis=1), cases, out=np.zeros_like(weights), where=cases > 0)
    expected = means[:, np.newaxis] * counts
    return _Effects((weights @ sums)[there], (weights @ (sums - expected))[there])


def _difference(
    effects: _Effects, resampled: NDArray[np.float64], permutations: int, seed: int
) -> Difference:
    low, high = _interval(effects, resampled)
    return Difference(
        delta=float(effects.shares.sum()) if effects.families else float("nan"),
        low=low,
        high=high,
        p=_sign_flip(effects.shares, permutations, seed),
        detectable=smallest_detectable(effects.standard_error, effects.families),
        families=effects.families,
    )


def _interval(effects: _Effects, resampled: NDArray[np.float64]) -> Interval:
    if effects.families == 0 or effects.standard_error > SAME:
        return percentile_interval(resampled, families=effects.families)
    delta = float(effects.shares.sum())
    unseen = clopper_pearson(0, effects.families).high
    return Interval(delta - unseen * (1 + delta), delta + unseen * (1 - delta))


def _sign_flip(shares: NDArray[np.float64], permutations: int, seed: int) -> float:
    """Two-sided p value of the sum of the shares when each may have either sign."""
    if len(shares) < 2:
        return 1.0
    test = permutation_test(
        (shares,),
        np.sum,
        permutation_type="samples",
        n_resamples=permutations,
        vectorized=True,
        rng=np.random.default_rng(seed),
    )
    return float(test.pvalue)
