"""Comparisons of any two runs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from teval.metrics.compare import Difference, differences, holm

SCORES = [[[0]], [[1]], [[0, 1]], [[0, 1], [2]]]
Array = NDArray[np.float64]


class Runs(NamedTuple):
    a: Array
    b: Array
    counts: Array


@st.composite
def runs(draw: st.DrawFn) -> Runs:
    """Scores of three cells in a few families; some cells and families are empty."""
    families = draw(st.integers(1, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    counts = rng.integers(0, draw(st.integers(1, 4)), (3, families), endpoint=True)
    rates = draw(st.sampled_from([0.0, 0.5, 0.9, 1.0])), draw(st.sampled_from([0.0, 0.5, 1.0]))
    a, b = (rng.binomial(counts, rate).astype(np.float64) for rate in rates)
    return Runs(a, b, counts.astype(np.float64))


def compared(a: Array, b: Array, counts: Array) -> list[Difference]:
    return differences(a, b, counts, SCORES, draws=50, permutations=512)


@settings(deadline=None)
@given(runs())
def test_everything_lies_in_its_range(given_runs: Runs) -> None:
    for found in compared(*given_runs):
        assert 0 < found.p <= 1
        if found.families:
            assert -1 - 1e-9 <= found.low <= found.high <= 1 + 1e-9
            assert -1 - 1e-9 <= found.delta <= 1 + 1e-9
        assert np.isnan(found.detectable) or found.detectable > 0


@settings(deadline=None)
@given(runs())
def test_the_other_way_round_is_the_mirror_image(given_runs: Runs) -> None:
    a, b, counts = given_runs
    for one, other in zip(compared(a, b, counts), compared(b, a, counts), strict=True):
        assert (one.delta, one.low, one.high) == pytest.approx(
            (-other.delta, -other.high, -other.low), nan_ok=True, abs=1e-9
        )
        assert (one.p, one.detectable) == pytest.approx(
            (other.p, other.detectable), nan_ok=True, abs=1e-9
        )


@settings(deadline=None)
@given(runs())
def test_delta_is_the_difference_of_the_scores(given_runs: Runs) -> None:
    a, b, counts = given_runs
    with np.errstate(invalid="ignore"):
        first, second = (np.where(counts.sum(1), x.sum(1) / counts.sum(1), np.nan) for x in (a, b))
    for cell in (0, 1):
        found = compared(a, b, counts)[cell]
        assert found.delta == pytest.approx(second[cell] - first[cell], nan_ok=True)


@settings(deadline=None)
@given(runs())
def test_a_run_is_no_better_than_itself(given_runs: Runs) -> None:
    a, _, counts = given_runs
    for found in compared(a, a, counts):
        assert found.p == 1
        assert found.delta == 0 or found.families == 0


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_lies_between_the_plain_value_and_bonferroni(p: list[float]) -> None:
    corrected = holm(p)
    for plain, more in zip(p, corrected, strict=True):
        assert plain <= more <= min(1.0, plain * len(p)) or more == pytest.approx(plain)
    assert sorted(corrected) == [corrected[i] for i in np.argsort(p, kind="stable")]
