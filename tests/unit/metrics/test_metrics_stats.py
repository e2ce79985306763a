"""Intervals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from teval.metrics.stats import (
    bootstrap_means,
    clopper_pearson,
    family_interval,
    mean_of,
    percentile_interval,
    score_of,
)

SUMS = np.array([[3.0, 0.0, 1.0], [1.0, 1.0, 1.0], [0.0, 2.0, 0.0]])
COUNTS = np.array([[3.0, 2.0, 5.0], [1.0, 1.0, 1.0], [0.0, 2.0, 0.0]])


def test_draws_are_the_same_for_the_same_seed_only() -> None:
    one = bootstrap_means(SUMS, COUNTS, draws=50, seed=1)
    assert one.shape == (50, 3)
    assert np.array_equal(one, bootstrap_means(SUMS, COUNTS, draws=50, seed=1), equal_nan=True)
    assert not np.array_equal(one, bootstrap_means(SUMS, COUNTS, draws=50, seed=2), equal_nan=True)
    plain = bootstrap_means(SUMS, COUNTS)
    assert np.array_equal(plain, bootstrap_means(SUMS, COUNTS, 2000, 0), equal_nan=True)


def test_each_draw_is_a_mean_over_the_cases_of_whole_families() -> None:
    draws = bootstrap_means(SUMS, COUNTS, draws=2000)
    possible = {
        (a * 3 + c) / (a * 3 + b * 2 + c * 5)
        for a in range(4)
        for b in range(4)
        for c in range(4)
        if a + b + c == 3
    }
    assert {round(mean, 9) for mean in draws[:, 0].tolist()} == {round(p, 9) for p in possible}
    assert set(draws[:, 1].tolist()) == {1.0}


def test_a_cell_without_cases_in_a_draw_is_not_a_number() -> None:
    column = bootstrap_means(SUMS, COUNTS, draws=2000)[:, 2]
    missing = np.isnan(column).mean()
    assert missing == pytest.approx((2 / 3) ** 3, abs=0.05)
    assert set(column[~np.isnan(column)].tolist()) == {1.0}
    assert percentile_interval(column) == (1.0, 1.0)


def test_one_case_is_enough_for_a_mean() -> None:
    one = bootstrap_means(np.array([[1.0, 0.0]]), np.array([[1.0, 0.0]]), draws=200)[:, 0]
    assert np.isnan(one).mean() == pytest.approx(0.25, abs=0.1)
    assert np.nanmin(one) == np.nanmax(one) == 1.0


def test_all_cells_are_resampled_together() -> None:
    sums = np.array([[1.0, 0.0, 0.0, 1.0]] * 2)
    draws = bootstrap_means(sums, np.ones((2, 4)), draws=500)
    assert np.array_equal(draws[:, 0], draws[:, 1])


def test_the_spread_is_that_of_the_mean() -> None:
    rng = np.random.default_rng(3)
    scores = rng.random((1, 100))
    draws = bootstrap_means(scores, np.ones((1, 100)), draws=4000)
    assert draws.mean() == pytest.approx(scores.mean(), abs=0.01)
    assert draws.std() == pytest.approx(scores.std() / 10, rel=0.05)


def test_means_over_groups_leave_out_what_is_missing() -> None:
    cells = np.array([[0.0, 1.0, np.nan], [np.nan, 1.0, np.nan]])
    means = mean_of(cells, [[0, 1], [2], [0, 1, 2]])
    expected = np.array([[0.5, np.nan, 0.5], [1.0, np.nan, 1.0]])
    assert np.array_equal(means, expected, equal_nan=True)


def test_percentiles() -> None:
    assert percentile_interval(np.arange(1001) / 1000) == pytest.approx((0.025, 0.975))
    assert all(map(np.isnan, percentile_interval(np.array([np.nan]))))


@pytest.mark.parametrize(
    ("families", "tail"),
    [
        (2, 0.0),  # t of 1 degree of freedom: 12.7062, times the root of 2
        (12, 0.010757),  # 2.20099 * sqrt(12 / 11) = 2.29882
        (120, 0.023384),  # 1.98010 * sqrt(120 / 119) = 1.98840
        (1, 0.025),
        (0, 0.025),
    ],
)
def test_tails_lie_further_out_with_few_families(families: int, tail: float) -> None:
    grid = np.linspace(0, 1, 100_001)
    interval = percentile_interval(grid, families=families)
    assert interval == pytest.approx((tail, 1 - tail), abs=2e-6)


def test_another_level_with_few_families() -> None:
    # t of 4 degrees of freedom at 0.05: 2.13185, times sqrt(5 / 4) = 2.38348
    interval = percentile_interval(np.linspace(0, 1, 100_001), 0.9, families=5)
    assert interval == pytest.approx((0.008575, 0.991425), abs=2e-6)


def test_a_score_is_the_mean_of_its_groups() -> None:
    cells = np.array([[0.0, 0.5, 1.0], [0.2, np.nan, 1.0]])
    assert score_of(cells, [[0, 1], [2]]) == pytest.approx([0.625, 0.6])
    assert score_of(cells, [[2]]) == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize(("n", "low"), [(1, 0.025), (10, 0.6915), (120, 0.9697)])
def test_all_right_and_all_wrong(n: int, low: float) -> None:
    right = clopper_pearson(n, n)
    assert right == pytest.approx((low, 1.0), abs=1e-4)
    assert clopper_pearson(0, n) == pytest.approx((1 - right.high, 1 - right.low))


def test_all_right_is_told_by_the_numbers_value() -> None:
    assert clopper_pearson(int("1000"), int("1000")).high == 1.0


def test_bounds_leave_out_a_tail_each() -> None:
    low, high = clopper_pearson(3, 10)
    assert binom.sf(2, 10, low) == pytest.approx(0.025)
    assert binom.cdf(3, 10, high) == pytest.approx(0.025)


def test_an_interval_over_families_is_that_of_the_bootstrap() -> None:
    values, families = [1.0, 0.0, 0.5, 1.0, 0.0], ["b", "a", "b", "c", "c"]
    sums, counts = np.array([[0.0, 1.5, 1.0]]), np.array([[1.0, 2.0, 2.0]])
    draws = bootstrap_means(sums, counts, draws=300, seed=4)[:, 0]
    wanted = percentile_interval(draws, families=3)
    assert family_interval(values, families, draws=300, seed=4) == wanted


@pytest.mark.parametrize("families", [1, 3, 30])
@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_families_that_are_all_alike_are_bounded_exactly(value: float, families: int) -> None:
    names = [f"f{n % families}" for n in range(2 * families)]
    low, high = family_interval([value] * len(names), names)
    other = clopper_pearson(0, families).high
    assert low == pytest.approx(value * (1 - other))
    assert high == pytest.approx(value + other * (1 - value))
    if value != 0.5:
        exact = clopper_pearson(round(value * families), families)
        assert (low, high) == pytest.approx(exact)
