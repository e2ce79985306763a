"""Do models that score higher on steps also do better end to end? Correlations over models."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau, norm, pearsonr, spearmanr, t

FEWEST = 3
"""With fewer models every coefficient is 1, -1 or undefined, whatever they are."""
SAME = 1e-9
"""Scores that differ by less are the same."""

Values = NDArray[np.float64]


class Measured(NamedTuple):
    """One model."""

    name: str
    scores: Mapping[str, float]
    """By ability, and ``overall``; in [0, 1]. What was not measured is not there."""
    outcome: float
    """How well it does end to end, in [0, 1]: a success rate or a win rate."""


class Correlation(NamedTuple):
    """One coefficient over models, in [-1, 1]; None where it is undefined."""

    value: float | None = None
    low: float | None = None
    """Lower end of the 95 % interval; None where there are too few models for one."""
    high: float | None = None
    lowest: float | None = None
    """Lowest value with any one model left out."""
    highest: float | None = None
    pivot: str | None = None
    """The model whose absence moves the value most; None where none moves it."""


class Agreement(NamedTuple):
    """How one score goes with the outcome, over models."""

    score: str
    """An ability's name, or ``overall``."""
    n: int
    """Models that have the score."""
    pearson: Correlation = Correlation()
    """Of the values: do they lie on a rising line?"""
    spearman: Correlation = Correlation()
    """Of the ranks: is the order the same?"""
    kendall: Correlation = Correlation()
    """Tau-b: pairs of models in the same order minus pairs in opposite order, as a share."""


def agreement(models: Sequence[Measured], score: str) -> Agreement:
    """Return how a score goes with the outcome, over the models that have it.

    Intervals come from Fisher's z: with standard error 1 / sqrt(n - 3) for Pearson,
    sqrt((1 + r^2 / 2) / (n - 3)) for Spearman (Bonett and Wright 2000, "Sample size requirements
    for estimating Pearson, Kendall and Spearman correlations") and sqrt(0.437 / (n - 4)) for
    Kendall (Fieller, Hartley and Pearson 1957, "Tests for rank correlation coefficients"), whose
    quantile is that of t with n - 2 degrees of freedom. Rank coefficients of 1 or -1 are first
    moved inwards by half of their smallest step. A bootstrap over models would not do: where all
    are in order, every resample is too, and the interval shrinks to a point.

    Args:
        models: Those to be compared, in any order.
        score: An ability's name, or ``overall``.

    >>> models = [Measured("abcde"[i], {"plan": x}, y) for i, (x, y) in
    ...           enumerate([(0.1, 0.0), (0.2, 0.1), (0.4, 0.4), (0.5, 0.3), (0.9, 0.8)])]
    >>> found = agreement(models, "plan")
    >>> round(found.spearman.value, 3), round(found.spearman.low, 3), found.spearman.pivot
    (0.9, -0.169, 'c')
    """
    having = [model for model in models if score in model.scores]
    names = [model.name for model in having]
    x = np.array([model.scores[score] for model in having], dtype=np.float64)
    y = np.array([model.outcome for model in having], dtype=np.float64)
    found = (_correlation(kind, names, x, y) for kind in KINDS.values())
    return Agreement(score, len(having), *found)


def chance_of_order(n: int) -> float:
    """Return how likely n models without any link stand in perfect order, rising or falling.

    >>> round(chance_of_order(3), 3), round(chance_of_order(5), 3)
    (0.333, 0.017)
    """
    return min(1.0, 2 / math.factorial(n))


class Kind(NamedTuple):
    """A coefficient of correlation."""

    of: Callable[[Values, Values], float]
    step: Callable[[int], float]
    """By how much the nearest value below 1 lies below it, with n models."""
    error: Callable[[float, int], float]
    """Standard error of Fisher's z of a value, with n models."""
    quantile: Callable[[int], float]
    """Of the 95 % interval of z, in standard errors, with n models."""
    fewest: int
    """Models below which there is no interval."""


_NORMAL = float(norm.ppf(0.975))

KINDS = {
    "pearson": Kind(
        of=lambda x, y: float(pearsonr(x, y).statistic),
        step=lambda _: SAME,
        error=lambda _, n: 1 / math.sqrt(n - 3),
        quantile=lambda _: _NORMAL,
        fewest=4,
    ),
    "spearman": Kind(
        of=lambda x, y: float(spearmanr(x, y).statistic),
        step=lambda n: 12 / (n**3 - n),
        error=lambda r, n: math.sqrt((1 + r * r / 2) / (n - 3)),
        quantile=lambda _: _NORMAL,
        fewest=4,
    ),
    "kendall": Kind(
        of=lambda x, y: float(kendalltau(x, y).statistic),
        step=lambda n: 4 / (n * (n - 1)),
        error=lambda _, n: math.sqrt(0.437 / (n - 4)),
        quantile=lambda n: float(t.ppf(0.975, n - 2)),
        fewest=5,
    ),
}
"""The three coefficients, in the order of :class:`Agreement`."""


def _correlation(kind: Kind, names: Sequence[str], x: Values, y: Values) -> Correlation:
    value = _value(kind, x, y)
    if value is None:
        return Correlation()
    low, high = _interval(kind, value, len(names))
    without = {
        name: _value(kind, np.delete(x, place), np.delete(y, place))
        for place, name in enumerate(names)
    }
    left = {name: other for name, other in without.items() if other is not None}
    if not left:
        return Correlation(value, low, high)
    moves = {name: abs(other - value) for name, other in left.items()}
    pivot = max(moves, key=lambda name: moves[name])
    return Correlation(
        value=value,
        low=low,
        high=high,
        lowest=min(left.values()),
        highest=max(left.values()),
        pivot=pivot if moves[pivot] > SAME else None,
    )


def _value(kind: Kind, x: Values, y: Values) -> float | None:
    if x.size < FEWEST or np.ptp(x) < SAME or np.ptp(y) < SAME:
        return None
    return kind.of(x, y)


def _interval(kind: Kind, value: float, n: int) -> tuple[float | None, float | None]:
    if n < kind.fewest:
        return None, None
    most = 1 - kind.step(n) / 2
    inner = min(most, max(-most, value))
    z, reach = math.atanh(inner), kind.quantile(n) * kind.error(inner, n)
    return min(value, math.tanh(z - reach)), max(value, math.tanh(z + reach))
