from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teval.metrics.agreement import Correlation, Measured, agreement

SHARES = st.integers(0, 20).map(lambda twentieths: twentieths / 20)
POINTS = st.lists(st.tuples(SHARES, SHARES), max_size=9)


def kinds(points: list[tuple[float, float]]) -> tuple[Correlation, Correlation, Correlation]:
    models = [Measured(f"m{i}", {"plan": x}, y) for i, (x, y) in enumerate(points)]
    found = agreement(models, "plan")
    return found.pearson, found.spearman, found.kendall


@settings(max_examples=40, deadline=None)
@given(POINTS)
def test_values_lie_in_their_intervals_and_these_on_the_scale(
    points: list[tuple[float, float]],
) -> None:
    for found in kinds(points):
        if found.value is None:
            assert found == Correlation()
        elif found.low is not None and found.high is not None:
            assert -1 <= found.low <= found.value <= found.high <= 1 + 1e-12
        if found.lowest is not None and found.highest is not None:
            assert -1 - 1e-12 <= found.lowest <= found.highest <= 1 + 1e-12


@settings(max_examples=40, deadline=None)
@given(POINTS)
def test_a_score_turned_round_turns_the_sign(points: list[tuple[float, float]]) -> None:
    for found, turned in zip(kinds(points), kinds([(1 - x, y) for x, y in points]), strict=True):
        if found.value is None:
            assert turned.value is None
        else:
            assert turned.value == pytest.approx(-found.value, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(POINTS)
def test_ranks_do_not_hang_on_the_scale(points: list[tuple[float, float]]) -> None:
    _, *before = kinds(points)
    _, *after = kinds([(x**3, 1 - (1 - y) ** 2) for x, y in points])
    for one, other in zip(before, after, strict=True):
        assert other.value == (None if one.value is None else pytest.approx(one.value))


@settings(max_examples=40, deadline=None)
@given(POINTS)
def test_the_order_of_models_does_not_matter(points: list[tuple[float, float]]) -> None:
    for found, other in zip(kinds(points), kinds(points[::-1]), strict=True):
        assert other.value == (None if found.value is None else pytest.approx(found.value))
        assert other.lowest == (None if found.lowest is None else pytest.approx(found.lowest))
