from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from teval.metrics.agreement import Correlation, Measured, agreement, chance_of_order

NOTHING = Correlation()


def models(xs: list[float], ys: list[float]) -> list[Measured]:
    return [Measured(f"m{i}", {"plan": x}, y) for i, (x, y) in enumerate(zip(xs, ys, strict=True))]


def test_values_are_those_of_scipy_with_ties() -> None:
    xs, ys = [0.1, 0.3, 0.3, 0.5, 0.9, 0.9], [0.2, 0.1, 0.4, 0.4, 0.8, 0.7]
    found = agreement(models(xs, ys), "plan")
    assert found.pearson.value == pytest.approx(stats.pearsonr(xs, ys).statistic)
    assert found.spearman.value == pytest.approx(stats.spearmanr(xs, ys).statistic)
    assert found.kendall.value == pytest.approx(stats.kendalltau(xs, ys).statistic)


def test_a_hand_computed_case() -> None:
    found = agreement(models([1, 2, 3, 4, 5], [1, 2, 4, 3, 5]), "plan")
    assert found.spearman.value == pytest.approx(0.9)
    assert found.kendall.value == pytest.approx(0.8)
    z, error = math.atanh(0.9), math.sqrt((1 + 0.81 / 2) / 2)
    assert found.spearman.low == pytest.approx(math.tanh(z - 1.959964 * error))
    assert found.spearman.high == pytest.approx(math.tanh(z + 1.959964 * error))
    assert found.pearson.low == pytest.approx(math.tanh(z - 1.959964 / math.sqrt(2)))
    assert found.pearson.high == pytest.approx(math.tanh(z + 1.959964 / math.sqrt(2)))
    reach = 3.182446 * math.sqrt(0.437)
    assert found.kendall.low == pytest.approx(math.tanh(math.atanh(0.8) - reach))


def test_each_model_is_left_out_once() -> None:
    found = agreement(models([1, 2, 3, 4, 9], [4, 3, 2, 1, 9]), "plan").spearman
    assert found.value == pytest.approx(0.0)
    assert found.pivot == "m4"
    assert found.lowest == pytest.approx(-1.0)
    assert found.highest == pytest.approx(0.2)


def test_where_no_model_matters_none_is_named() -> None:
    found = agreement(models([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]), "plan").spearman
    assert [found.lowest, found.highest] == pytest.approx([1.0, 1.0])
    assert found.pivot is None


@pytest.mark.parametrize(
    ("xs", "ys"),
    [
        ([], []),
        ([0.5], [0.5]),
        ([0.1, 0.9], [0.1, 0.9]),
        ([0.7, 0.7, 0.7, 0.7], [0.1, 0.2, 0.3, 0.4]),
        ([0.1, 0.2, 0.3, 0.4], [0.0, 0.0, 0.0, 0.0]),
        ([0.7, 0.7 + 1e-13, 0.7, 0.7], [0.1, 0.2, 0.3, 0.4]),
    ],
)
def test_what_is_undefined_is_none_and_warns_nobody(xs: list[float], ys: list[float]) -> None:
    found = agreement(models(xs, ys), "plan")
    assert found.n == len(xs)
    assert (found.pearson, found.spearman, found.kendall) == (NOTHING, NOTHING, NOTHING)


def test_leaving_out_the_only_one_that_differs_is_passed_over() -> None:
    found = agreement(models([0.1, 0.5, 0.5, 0.5], [0.1, 0.2, 0.3, 0.4]), "plan").pearson
    assert found.value is not None
    assert found.pivot in {"m1", "m2", "m3"}


@pytest.mark.parametrize(("n", "whole"), [(3, (0, 0, 0)), (4, (1, 1, 0)), (5, (1, 1, 1))])
def test_few_models_have_a_value_but_no_interval(n: int, whole: tuple[int, ...]) -> None:
    values = [float(i) for i in range(n)]
    found = agreement(models(values, values), "plan")
    kinds = (found.pearson, found.spearman, found.kendall)
    assert [kind.value for kind in kinds] == pytest.approx([1.0, 1.0, 1.0])
    assert tuple(int(kind.low is not None) for kind in kinds) == whole


def test_a_perfect_order_of_few_is_not_certain() -> None:
    values = [float(i) for i in range(6)]
    found = agreement(models(values, values), "plan")
    for kind in (found.spearman, found.kendall):
        assert kind.low is not None
        assert kind.low < 0.7
        assert kind.high == pytest.approx(1.0)


def test_models_without_the_score_are_left_aside() -> None:
    measured = [*models([1, 2, 3], [1, 2, 3]), Measured("other", {"review": 0.5}, 0.5)]
    assert agreement(measured, "plan").n == 3
    assert agreement(measured, "overall") == ("overall", 0, NOTHING, NOTHING, NOTHING)


@pytest.mark.parametrize("rho", [0.0, 0.9])
def test_intervals_hold_the_true_value(rho: float) -> None:
    """Of 100 samples of 6 models of a normal population at least 90 do; 95 is what is promised."""
    rng = np.random.default_rng(0)
    true = (rho, 6 / math.pi * math.asin(rho / 2), 2 / math.pi * math.asin(rho))
    held = np.zeros(3)
    for _ in range(100):
        x, noise = rng.standard_normal((2, 6))
        y = rho * x + math.sqrt(1 - rho**2) * noise
        found = agreement(models(x.tolist(), y.tolist()), "plan")
        for place, one in enumerate((found.pearson, found.spearman, found.kendall)):
            assert one.low is not None
            assert one.high is not None
            held[place] += one.low <= true[place] <= one.high
    assert held.min() >= 90


def test_chance_of_a_perfect_order() -> None:
    assert [chance_of_order(n) for n in (1, 2, 3, 4)] == [1.0, 1.0, pytest.approx(1 / 3), 1 / 12]


@pytest.mark.parametrize("n", [6, 8, 11])
def test_a_perfect_order_is_moved_inwards_by_half_a_step(n: int) -> None:
    values = [float(i) for i in range(n)]
    found = agreement(models(values, values), "plan")
    rho = 1 - 6 / (n**3 - n)
    error = math.sqrt((1 + rho * rho / 2) / (n - 3))
    assert found.spearman.low == pytest.approx(math.tanh(math.atanh(rho) - 1.959964 * error))
    tau = 1 - 2 / (n * (n - 1))
    reach = stats.t.ppf(0.975, n - 2) * math.sqrt(0.437 / (n - 4))
    assert found.kendall.low == pytest.approx(math.tanh(math.atanh(tau) - reach))
