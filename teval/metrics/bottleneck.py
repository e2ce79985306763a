"""Which ability costs a model most success end to end? Logistic regression over its tasks.

What stands for an ability in a task is its number of lost steps: one minus its mean score there,
times the number of its steps. An episode succeeds only if nothing goes wrong that matters, so each
lost step counts, and a long path has more of them; the number of steps stands beside it, for long
paths fail more often whatever the ability. ``benchmarks/agreement_simulation.py`` measures what it
finds.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgWarning
from scipy.special import expit

from teval.metrics.stats import percentile_interval

PRIOR = 3.0
"""Strength of the prior on each slope: log-F with (3, 3) degrees of freedom, which is what 1.5
successes and 1.5 failures at one lost step would say. Before anything is seen, a lost step is then
believed to change the odds by a factor of at most 15 (95 %). A stronger prior finds the order of
abilities in fewer tasks, a weaker one comes nearer to the size of their gains."""
STEPS_PRIOR = 1.0
"""The same for a task's number of steps, and weak: what it is held back by, the abilities' lost
steps would take over."""
SAME = 1e-9
"""Scores that differ by less are the same."""
TOLERANCE = 1e-6
"""Of the regression's gradient; slopes are then exact to three decimals."""

Array = NDArray[np.float64]


class Episode(NamedTuple):
    """One end-to-end try at a task, beside the model's step scores on that task."""

    family: str
    scores: Mapping[str, float]
    """Mean score on the task's own steps by ability, in [0, 1]."""
    steps: Mapping[str, int]
    """How many steps of the task asked for each of these abilities."""
    success: bool


class Bottleneck(NamedTuple):
    """What one ability has to do with a model's success."""

    ability: str
    lost: float
    """Mean number of lost steps a task."""
    gain: float | None = None
    """How much success would rise if the ability's scores were all 1, as a share of all episodes.
    0 where none is below 1; None where no task differs from another, or no outcome does."""
    low: float | None = None
    """Lower end of the 95 % interval; None without a gain, and where nothing was lost."""
    high: float | None = None
    odds: float | None = None
    """Factor by which one lost step changes the odds of success."""
    odds_low: float | None = None
    odds_high: float | None = None


class Bottlenecks(NamedTuple):
    """What each ability has to do with success: of each model, and on average."""

    models: dict[str, tuple[Bottleneck, ...]]
    mean: tuple[Bottleneck, ...]
    """Mean gain over the models whose outcomes differ; of the odds, the geometric mean over those
    of them that lost steps."""


class _Data(NamedTuple):
    """One model's episodes as arrays."""

    lost: Array
    """Lost steps by episode and ability."""
    varies: NDArray[np.bool_]
    """By ability, whether its score differs between tasks."""
    steps: Array
    """Steps of each episode's task, less their mean."""
    family: NDArray[np.intp]
    success: NDArray[np.bool_]


class _Draws(NamedTuple):
    """What the data say, in the first row, and resampled, in the others; a column an ability."""

    gain: Array
    slope: Array
    """Change in log odds by one lost step."""


def bottlenecks(
    models: Mapping[str, Sequence[Episode]],
    abilities: Sequence[str],
    *,
    draws: int = 500,
    seed: int = 0,
) -> Bottlenecks:
    """Return how much success would rise if an ability were perfect, for each model and ability.

    The chance of success is a logistic regression on the lost steps of all abilities and on the
    task's number of steps. Where failures follow steps without exception, the data alone would put
    the slopes at infinity; a log-F prior keeps them finite (Greenland and Mansournia 2015,
    "Penalization, bias reduction, and default priors in logistic and related categorical and
    survival regressions"). The gain is the mean predicted chance with an ability's lost steps set
    to 0, less the mean chance as it is.

    Intervals are from a Bayesian bootstrap over families (Rubin 1981), in which the prior's
    records are reweighted as the families are (Fong, Lyddon and Holmes 2019, "Scalable
    nonparametric sampling from multimodal posteriors with the posterior bootstrap"): an ability
    that was lost in a handful of tasks, all of them failed, would otherwise seem certain. All
    models share the families' weights.

    Args:
        models: Episodes by model.
        abilities: Those to be reported, in this order.
        draws: Number of resamples.
        seed: Of the bootstrap.

    Raises:
        ModuleNotFoundError: scikit-learn is not installed.

    >>> tasks = [Episode(str(i), {"plan": 1 - i % 2}, {"plan": 1}, i % 2 == 0) for i in range(20)]
    >>> (plan,) = bottlenecks({"m": tasks}, ["plan"], draws=100).models["m"]
    >>> round(plan.gain, 2), plan.low > 0, round(plan.odds, 2)
    (0.36, True, 0.03)
    """
    names = sorted({episode.family for episodes in models.values() for episode in episodes})
    weights = np.random.default_rng(seed).standard_exponential((draws, len(names)))
    found: dict[str, tuple[Bottleneck, ...]] = {}
    drawn: list[_Draws] = []
    for place, (model, episodes) in enumerate(models.items()):
        data = _arrays(episodes, abilities, names)
        lost = dict(zip(abilities, data.lost.mean(axis=0).tolist(), strict=True))
        if data.success.any() and not data.success.all():
            drawn.append(_draw(data, weights, np.random.default_rng([seed, place])))
            found[model] = _sum_up(lost, drawn[-1], np.unique(data.family).size)
        else:
            found[model] = tuple(Bottleneck(ability, share) for ability, share in lost.items())
    return Bottlenecks(found, _average(found, drawn, abilities, len(names)))


def _arrays(
    episodes: Sequence[Episode], abilities: Sequence[str], families: Sequence[str]
) -> _Data:
    scores = np.array([[e.scores.get(a, 1.0) for a in abilities] for e in episodes])
    steps = np.array([[e.steps.get(a, 0) for a in abilities] for e in episodes], dtype=np.float64)
    longest = steps.max(axis=1)
    columns = zip(scores.T, steps.T > 0, strict=True)
    return _Data(
        lost=(1 - scores) * steps,
        varies=np.array([asked.any() and np.ptp(score[asked]) > SAME for score, asked in columns]),
        steps=longest - longest.mean(),
        family=np.searchsorted(families, [e.family for e in episodes]),
        success=np.array([e.success for e in episodes]),
    )


def _draw(data: _Data, weights: Array, rng: np.random.Generator) -> _Draws:
    """Fit the data as they are, then once for each row of families' weights."""
    x = np.column_stack([np.ones(len(data.steps)), data.lost[:, data.varies], data.steps])
    k = x.shape[1] - 1
    prior = np.repeat(np.eye(k, k + 1, 1), 2, axis=0)
    strength = np.repeat([*[PRIOR / 2] * (k - 1), STEPS_PRIOR / 2], 2)
    y = np.concatenate([data.success, np.tile([True, False], k)])
    own = np.vstack([np.ones(len(x)), weights[:, data.family]])
    belief = np.vstack([strength, rng.gamma(strength, size=(len(weights), 2 * k))])
    fitted = _regress(np.vstack([x, prior]), y, np.hstack([own, belief]))
    slope = np.full((len(own), len(data.varies)), np.nan)
    slope[:, data.varies] = fitted[:, 1 : 1 + data.varies.sum()]
    return _Draws(_gains(fitted @ x.T, slope, data, own), slope)


def _regress(x: Array, y: NDArray[np.bool_], weights: Array) -> Array:
    """Return the coefficients of a logistic regression for each row of weights."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(
        C=np.inf,
        fit_intercept=False,
        solver="newton-cholesky",
        tol=TOLERANCE,
        warm_start=True,
        max_iter=1000,
    )
    with warnings.catch_warnings():
        # At the limits of precision the solver hands over to another one, which is as good.
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", LinAlgWarning)
        return np.vstack([model.fit(x, y, sample_weight=row).coef_[0] for row in weights])


def _gains(logits: Array, slope: Array, data: _Data, weights: Array) -> Array:
    """Return by draw and ability how much the mean chance rises without the lost steps."""
    chance, total = expit(logits), weights.sum(axis=1)
    gain = np.full_like(slope, np.nan)
    for ability, lost in enumerate(data.lost.T):
        if data.varies[ability]:
            mended = expit(logits - np.outer(slope[:, ability], lost))
            gain[:, ability] = (weights * (mended - chance)).sum(axis=1) / total
        elif lost.max() < SAME:
            gain[:, ability] = 0.0
    return gain


def _sum_up(lost: Mapping[str, float], drawn: _Draws, families: int) -> tuple[Bottleneck, ...]:
    return tuple(
        Bottleneck(
            ability,
            share,
            *_with_interval(drawn.gain[:, place], families),
            *(map(_exp, _with_interval(drawn.slope[:, place], families))),
        )
        for place, (ability, share) in enumerate(lost.items())
    )


def _with_interval(drawn: Array, families: int) -> tuple[float | None, float | None, float | None]:
    """Return the value from the data as they are, and the interval around it."""
    value = float(drawn[0])
    if np.isnan(value):
        return None, None, None
    if families < 2 or np.ptp(drawn) == 0:
        return value, None, None
    return value, *percentile_interval(drawn[1:], families=families)


def _exp(slope: float | None) -> float | None:
    return None if slope is None else float(np.exp(slope))


def _average(
    found: Mapping[str, tuple[Bottleneck, ...]],
    drawn: Sequence[_Draws],
    abilities: Sequence[str],
    families: int,
) -> tuple[Bottleneck, ...]:
    lost = {
        ability: float(np.mean([model[place].lost for model in found.values()]))
        for place, ability in enumerate(abilities)
    }
    if not drawn:
        return tuple(Bottleneck(ability, share) for ability, share in lost.items())
    gain = np.mean([one.gain for one in drawn], axis=0)
    slopes = np.array([one.slope for one in drawn])
    known = ~np.isnan(slopes)
    slope = np.full(slopes.shape[1:], np.nan)
    np.divide(
        np.where(known, slopes, 0).sum(axis=0), known.sum(axis=0), out=slope, where=known.any(0)
    )
    return _sum_up(lost, _Draws(gain, slope), families)
