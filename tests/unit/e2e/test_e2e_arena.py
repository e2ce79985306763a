from __future__ import annotations

import pytest
from episode_examples import make_outcome

from teval.e2e.arena import win_rates
from teval.e2e.summary import Planned
from teval.schema import Arena, Outcome, WinRate

PLANNED = [Planned("a_1", "a"), Planned("a_1", "a", 1), Planned("b_1", "b"), Planned("c_1", "c")]

STRONG = [
    make_outcome("a_1", success=True),
    make_outcome("a_1", trial=1, success=True),
    make_outcome("b_1", success=True),
    make_outcome("c_1", state=0.5),
]
"""Solves three of four."""
MIDDLE = [
    make_outcome("a_1", success=True),
    make_outcome("a_1", trial=1, state=0.5),
    make_outcome("b_1", facts=0.5),
    make_outcome("c_1", state=0.5, unwanted=1),
]
"""Solves one; as near as the strong one at the last, but clumsier."""
ABSENT = [make_outcome("b_1", facts=0.5), make_outcome("d_1", success=True)]
"""Answered one of four, and one that was not asked for."""

ALL = {"strong": STRONG, "middle": MIDDLE, "absent": ABSENT}


def rate_of(arena: Arena, name: str) -> WinRate:
    (found,) = [rate for rate in arena.rates if rate.name == name]
    return found


def test_all_against_all_by_hand() -> None:
    arena = win_rates(ALL, PLANNED, left_out=2)
    assert arena.matrix == {
        "strong": {"strong": 0.5, "middle": 3.5 / 4, "absent": 1.0},
        "middle": {"strong": 0.5 / 4, "middle": 0.5, "absent": 3.5 / 4},
        "absent": {"strong": 0.0, "middle": 0.5 / 4, "absent": 0.5},
    }
    assert [rate.name for rate in arena.rates] == ["strong", "middle", "absent"]
    assert [rate.rate for rate in arena.rates] == pytest.approx([7.5 / 8, 4 / 8, 0.5 / 8])
    strong, middle, absent = arena.rates
    assert (strong.won, strong.tied, strong.lost, strong.unanswered) == (7, 1, 0, 0)
    assert (middle.won, middle.tied, middle.lost, middle.unanswered) == (3, 2, 3, 0)
    assert (absent.won, absent.tied, absent.lost, absent.unanswered) == (0, 1, 7, 3)
    assert (arena.planned, arena.families, arena.left_out, arena.reference) == (4, 3, 2, None)
    assert arena.reasons == {"unanswered": 6, "solved": 3, "unwanted": 1, "tie": 2}
    assert all(0 <= rate.low <= rate.rate <= rate.high <= 1 for rate in arena.rates)


def test_against_a_reference_by_hand() -> None:
    arena = win_rates(ALL, PLANNED, reference="middle")
    strong, middle, absent = arena.rates
    assert arena.reference == "middle"
    assert (strong.rate, absent.rate) == (3.5 / 4, 0.5 / 4)
    assert (strong.won, strong.tied, strong.lost) == (3, 1, 0)
    assert (middle.rate, middle.low, middle.high) == (0.5, 0.5, 0.5)
    assert (middle.won, middle.tied, middle.lost) == (0, 0, 0)
    assert arena.matrix == win_rates(ALL, PLANNED).matrix
    assert arena.reasons == {"unanswered": 3, "solved": 2, "unwanted": 1, "tie": 2}


def test_who_always_wins_gets_exact_bounds_by_families() -> None:
    planned = [Planned(f"f{n % 3}_{n}", f"f{n % 3}") for n in range(12)]
    best = [make_outcome(task.path, success=True) for task in planned]
    arena = win_rates({"best": best, "none": []}, planned)
    best_rate, none = arena.rates
    assert (best_rate.rate, round(best_rate.low, 4), best_rate.high) == (1.0, 0.2924, 1.0)
    assert (none.rate, none.low, round(none.high, 4)) == (0.0, 0.0, 0.7076)


def duels(by_family: bool) -> Arena:
    """40 tasks of which every other one is won, in 40 families or in two."""
    planned = [Planned(f"t{n}_0", f"f{n if by_family else n % 2}") for n in range(40)]
    one = [make_outcome(task.path, success=n % 2 == 0) for n, task in enumerate(planned)]
    other = [make_outcome(task.path, success=n % 2 == 1) for n, task in enumerate(planned)]
    return win_rates({"one": one, "other": other}, planned)


def test_intervals_are_over_families_not_tasks() -> None:
    wide, narrow = rate_of(duels(False), "one"), rate_of(duels(True), "one")
    assert wide.rate == narrow.rate == 0.5
    assert (wide.low, wide.high) == (0.0, 1.0)
    assert 0.3 < narrow.low < narrow.high < 0.7


def test_nothing_but_ties_is_not_certain() -> None:
    same = {"one": MIDDLE, "other": MIDDLE}
    rate = rate_of(win_rates(same, PLANNED), "one")
    assert rate.rate == 0.5
    assert rate.low < 0.2
    assert rate.high > 0.8


def test_intervals_hang_on_the_seed_alone() -> None:
    assert win_rates(ALL, PLANNED) == win_rates(ALL, PLANNED)
    assert win_rates(ALL, PLANNED, seed=1).matrix == win_rates(ALL, PLANNED).matrix


def test_the_order_of_outcomes_does_not_matter() -> None:
    turned: dict[str, list[Outcome]] = {name: found[::-1] for name, found in ALL.items()}
    assert win_rates(turned, PLANNED) == win_rates(ALL, PLANNED)
