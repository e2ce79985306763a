"""Differences between two runs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from coverage_simulation import Setting, simulate
from numpy.typing import NDArray
from scipy.stats import nct, norm, t, ttest_1samp

from teval.metrics.compare import (
    FEWEST_FAMILIES,
    Difference,
    detectable_alone,
    differences,
    holm,
    smallest_detectable,
)

Array = NDArray[np.float64]

CELL = [[0]]
ONES = np.ones((1, 8))
# by hand: cell 0 has 6 cases in 3 families, cell 1 has 4 in 2, cell 2 has none
COUNTS = np.array([[3.0, 2, 1, 0], [1, 0, 3, 0], [0, 0, 0, 0]])
A = np.array([[1.0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]])
B = np.array([[2.0, 2, 1, 0], [0, 0, 3, 0], [0, 0, 0, 0]])


def only(a: Array, b: Array, counts: Array, score: list[list[int]]) -> Difference:
    (found,) = differences(a, b, counts, [score])
    return found


def gaps(*values: float) -> tuple[Array, Array, Array]:
    """Two runs that differ by these values in one case a family."""
    return np.zeros((1, len(values))), np.array([values]), np.ones((1, len(values)))


@pytest.mark.parametrize(
    ("score", "delta", "families"),
    [
        ([[0]], 3 / 6, 3),
        ([[1]], 2 / 4, 2),
        ([[0, 1]], (3 / 6 + 2 / 4) / 2, 3),
        ([[0, 2]], 3 / 6, 3),
        ([[0], [2]], 3 / 6, 3),
        ([[0, 1], [1]], (1 / 2 + 1 / 2) / 2, 3),
    ],
)
def test_difference_of_scores(score: list[list[int]], delta: float, families: int) -> None:
    found = only(A, B, COUNTS, score)
    assert found.delta == pytest.approx(delta)
    assert found.families == families


def test_groups_weigh_the_same_whatever_their_number_of_cells() -> None:
    a, b = np.zeros((3, 2)), np.array([[0.0, 0], [1, 1], [1, 1]])
    assert only(a, b, np.ones((3, 2)), [[0], [1, 2]]).delta == pytest.approx(0.5)
    assert only(a, b, np.ones((3, 2)), [[0, 1, 2]]).delta == pytest.approx(2 / 3)


def test_a_score_without_cases_is_not_a_number() -> None:
    found = only(A, B, COUNTS, [[2]])
    assert found.families == 0
    assert found.p == 1
    assert np.isnan([found.delta, found.low, found.high, found.detectable]).all()


def test_families_without_a_case_change_nothing_but_the_resamples() -> None:
    a, b, counts = gaps(0.3, 0.1, -0.2, 0.4, 0.2, 0.6, 0.0)
    found = only(a, b, counts, CELL)
    none = np.zeros((1, 3))
    more = only(np.hstack([a, none]), np.hstack([b, none]), np.hstack([counts, none]), CELL)
    assert (more.delta, more.p, more.detectable, more.families) == pytest.approx(
        (found.delta, found.p, found.detectable, 7)
    )


@pytest.mark.parametrize("families", [2, 5, 12])
def test_every_sign_flip_is_counted(families: int) -> None:
    values = np.random.default_rng(families).normal(0.3, 1, families)
    sums = [np.dot(signs, values) for signs in product((-1, 1), repeat=families)]
    extreme = np.mean(np.abs(sums) >= abs(values.sum()) - 1e-9)
    assert only(*gaps(*values), CELL).p == pytest.approx(extreme)


def test_families_are_flipped_with_all_their_cases() -> None:
    # family sums of the gaps: 3, -1, 1 of 6 cases; |sum| >= 3 for 6 of 8 sign patterns
    counts = np.array([[3.0, 2, 1]])
    assert only(np.zeros((1, 3)), np.array([[3.0, -1, 1]]), counts, CELL).p == pytest.approx(0.75)


def test_many_families_are_flipped_at_random() -> None:
    values = np.random.default_rng(0).normal(0.2, 1, 60)
    a, b, counts = gaps(*values)
    (one,) = differences(a, b, counts, [CELL], seed=1)
    (same,) = differences(a, b, counts, [CELL], seed=1)
    (other,) = differences(a, b, counts, [CELL], seed=2)
    assert one == same
    (unsaid,) = differences(a, b, counts, [CELL])
    assert [unsaid] == differences(a, b, counts, [CELL], draws=2000, permutations=9999, seed=0)
    assert one.p != other.p
    assert (one.low, one.high) != (other.low, other.high)
    assert one.p == pytest.approx(ttest_1samp(values, 0).pvalue, abs=0.02)


def test_the_number_of_flips_bounds_p_from_below() -> None:
    a, b, counts = gaps(*np.linspace(0.5, 0.7, 30))
    (few,) = differences(a, b, counts, [CELL], permutations=99)
    assert few.p == pytest.approx(2 / 100)
    assert only(a, b, counts, CELL).p == pytest.approx(2 / 10_000)


@pytest.mark.parametrize("families", [10, 50])
def test_the_interval_is_that_of_the_mean_over_families(families: int) -> None:
    values = 0.1 + 0.3 * np.asarray(norm.ppf((np.arange(families) + 0.5) / families))
    found = only(*gaps(*values), CELL)
    half = t.ppf(0.975, families - 1) * values.std(ddof=1) / np.sqrt(families)
    assert (found.low, found.high) == pytest.approx(
        (values.mean() - half, values.mean() + half), abs=0.1 * half
    )


def test_cells_are_resampled_together() -> None:
    gap = np.random.default_rng(2).normal(size=20)
    b = np.stack([gap, -0.9 * gap])
    cell, both = differences(np.zeros((2, 20)), b, np.ones((2, 20)), [CELL, [[0, 1]]])
    assert (both.low, both.high) == pytest.approx((0.05 * cell.low, 0.05 * cell.high))
    assert both.p == cell.p
    assert both.detectable == pytest.approx(0.05 * cell.detectable)


@pytest.mark.parametrize(
    ("gap", "low", "high"),
    # of 8 families at most 1 - 0.025 ** (1 / 8) = 0.36942 differ, by up to 1 - gap and 1 + gap
    [
        (0.0, -0.36942, 0.36942),
        (1.0, 1 - 2 * 0.36942, 1.0),
        (-1.0, -1.0, 2 * 0.36942 - 1),
        (0.5, 0.5 - 1.5 * 0.36942, 0.5 + 0.5 * 0.36942),
    ],
)
def test_families_that_all_agree(gap: float, low: float, high: float) -> None:
    a, b, counts = gaps(*[gap] * 8)
    found = only(a, b, counts, CELL)
    assert found.delta == pytest.approx(gap)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-5)
    assert found.p == (1.0 if gap == 0 else 2 / 2**8)
    assert np.isnan(found.detectable)


def test_one_family_proves_nothing() -> None:
    found = only(*gaps(0.5), CELL)
    assert (found.delta, found.p, found.families) == (0.5, 1.0, 1)
    assert (found.low, found.high) == pytest.approx((0.5 - 0.975 * 1.5, 0.5 + 0.975 * 0.5))
    assert np.isnan(found.detectable)


def test_two_families_span_the_interval() -> None:
    found = only(*gaps(0.2, 0.6), CELL)
    assert found[:4] == pytest.approx((0.4, 0.2, 0.6, 0.5))


def test_a_cell_with_one_case_tells_nothing_of_variation() -> None:
    families = 6
    gaps_ = np.diag(np.arange(families) / 10)
    cells = [[cell] for cell in range(families)]
    found = only(np.zeros_like(gaps_), gaps_, np.eye(families), cells)
    assert found.delta == pytest.approx(0.25)
    assert np.isnan(found.detectable)


def test_smallest_detectable_by_hand() -> None:
    # t quantiles of 11 degrees of freedom: 2.20099 at 0.975, 0.87553 at 0.8
    assert smallest_detectable(0.1, 12) == pytest.approx(0.307652, abs=1e-6)
    # 1.79588 at 0.95, 1.36343 at 0.9
    assert smallest_detectable(1, 12, alpha=0.1, power=0.9) == pytest.approx(3.15931, abs=1e-5)


@pytest.mark.parametrize("families", [8, 30, 120])
def test_smallest_detectable_has_the_power_of_a_t_test(families: int) -> None:
    shift = smallest_detectable(1.0, families)
    assert nct.sf(t.ppf(0.975, families - 1), families - 1, shift) == pytest.approx(0.8, abs=0.01)


def test_too_few_families_can_detect_nothing() -> None:
    assert np.isnan(smallest_detectable(0.1, FEWEST_FAMILIES - 1))
    assert smallest_detectable(0.1, FEWEST_FAMILIES) > 0
    assert only(*gaps(*[1.0] * (FEWEST_FAMILIES - 1)), CELL).p > 0.05
    assert only(*gaps(*[1.0] * FEWEST_FAMILIES), CELL).p <= 0.05


def test_detectable_comes_from_the_spread_over_families() -> None:
    values = np.array([0.3, 0.1, -0.2, 0.4, 0.2, 0.6, 0.0])
    error = values.std(ddof=1) / np.sqrt(7)
    found = only(*gaps(*values), CELL)
    assert found.detectable == pytest.approx(smallest_detectable(error, 7))


def test_families_with_more_cases_are_no_spread() -> None:
    counts = np.array([[1.0, 2, 3, 4, 5, 6, 7]])
    wobble = np.array([[0.1, -0.1, 0, 0, 0, 0, 0]])
    found = only(np.zeros((1, 7)), counts / 2 + wobble, counts, CELL)
    error = np.sqrt(7 / 6 * 0.02) / 28
    assert found.detectable == pytest.approx(smallest_detectable(error, 7))


def test_one_run_alone_imagines_another_as_variable() -> None:
    sums = np.array([[0.0, 1, 1, 0, 1, 0.5, 1]])
    error = sums.std(ddof=1) / np.sqrt(7)
    alone = detectable_alone(sums, np.ones((1, 7)), CELL)
    assert alone == pytest.approx(np.sqrt(2) * smallest_detectable(error, 7))


@pytest.mark.parametrize(
    ("p", "corrected"),
    [
        # sorted: 0.005 * 4, 0.01 * 3, 0.03 * 2, and 0.04 * 1 raised to the one before
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.5, 0.6, 0.01], [1.0, 1.0, 0.03]),
        ([0.02, 0.02], [0.04, 0.04]),
        ([0.04], [0.04]),
        ([0.7, 0.8], [1.0, 1.0]),
        ([], []),
    ],
)
def test_holm(p: list[float], corrected: list[float]) -> None:
    assert holm(p) == pytest.approx(corrected)


def test_intervals_test_and_power_keep_their_word() -> None:
    tally = simulate(Setting(families=40, paths=4, mean=0.6), 200, seed=1, permutations=199)
    assert 0.90 <= tally.alone <= 0.99
    assert 0.91 <= tally.paired <= 0.98
    assert 0.01 <= tally.rejected <= 0.09
    assert 0.68 <= tally.power <= 0.90
    assert tally.detectable < tally.detectable_alone
