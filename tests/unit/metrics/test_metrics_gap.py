from __future__ import annotations

import pytest

from teval.metrics.gap import Met, gaps


def test_gaps_by_ability_and_depth() -> None:
    met = [
        Met("a", "plan", 0, 1.0, True),
        Met("a", "plan", 2, 1.0, False),
        Met("b", "plan", 1, 0.5, True),
        Met("b", "plan", 7, 0.0, False),
        Met("b", "review", 4, 1.0, False),
    ]
    found = gaps(met, ["review", "plan", "reason"])
    assert [(gap.ability, gap.depths, gap.n, gap.families) for gap in found] == [
        ("review", None, 1, 1),
        ("review", (3, 4), 1, 1),
        ("plan", None, 4, 2),
        ("plan", (0, 0), 1, 1),
        ("plan", (1, 2), 2, 2),
        ("plan", (5, None), 1, 1),
    ]
    plan = {gap.depths: (gap.forced, gap.free, gap.gap) for gap in found if gap.ability == "plan"}
    assert plan == {
        None: (0.625, 0.5, 0.125),
        (0, 0): (1.0, 1.0, 0.0),
        (1, 2): (0.75, 0.5, 0.25),
        (5, None): (0.0, 0.0, 0.0),
    }


def test_the_interval_is_over_families() -> None:
    one = [Met("a", "plan", 0, 1.0, bool(i % 2)) for i in range(200)]
    many = [Met(str(i), "plan", 0, 1.0, bool(i % 2)) for i in range(200)]
    (wide, _), (narrow, _) = gaps(one, ["plan"]), gaps(many, ["plan"])
    assert wide.gap == narrow.gap == 0.5
    assert wide.high - wide.low > 1.5
    assert narrow.high - narrow.low < 0.2
    assert narrow.low < 0.5 < narrow.high


@pytest.mark.parametrize(("forced", "free"), [(1.0, True), (0.0, False), (1.0, False)])
def test_a_gap_that_is_the_same_everywhere_is_not_certain(forced: float, free: bool) -> None:
    (gap, _) = gaps([Met(str(i), "plan", 0, forced, free) for i in range(10)], ["plan"])
    assert -1 <= gap.low <= gap.gap <= gap.high <= 1
    assert gap.high - gap.low > 0.2


def test_a_gap_may_be_negative() -> None:
    met = [Met(str(i), "plan", 0, float(i % 4 == 0), True) for i in range(40)]
    (gap, _) = gaps(met, ["plan"])
    assert gap.gap == -0.75
    assert gap.high < 0


def test_nothing_met_is_nothing_told() -> None:
    assert gaps([], ["plan"]) == []
