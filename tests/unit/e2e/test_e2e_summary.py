from __future__ import annotations

import pytest
from episode_examples import make_outcome

from teval.e2e.summary import Planned, Player, summarise_outcomes
from teval.schema import Outcome, OutcomeSummary

PLAYER = Player("name", "model", "react", "data:x")
PLANNED = [Planned(path, path[0], trial) for path in ("a_1", "a_2", "b_1") for trial in (0, 1)]


def summary_of(*outcomes: Outcome) -> OutcomeSummary:
    return summarise_outcomes(outcomes, PLANNED, PLAYER, floors={"parrot": 0.25})


def test_one_run_by_hand() -> None:
    found = summary_of(
        make_outcome("a_1", success=True, turns=4),
        make_outcome("a_1", trial=1, state=0.5, facts=1.0, mistakes={"refused": 2}),
        make_outcome("a_2", facts=0.5, unwanted=1, ability=None, end="out_of_steps", turns=20),
        make_outcome("a_2", trial=1, state=1.0, facts=1.0, end="engine_error", turns=9),
        make_outcome("b_1", ability="plan", mistakes={"refused": 1, "unreadable": 4}, turns=1),
    )
    assert (found.name, found.model, found.agent, found.signature) == PLAYER
    assert (found.planned, found.families, found.unanswered) == (6, 2, 2)
    assert found.success == pytest.approx(1 / 6)
    assert 0 <= found.low <= found.success <= found.high <= 1
    assert found.state == pytest.approx((1 + 0.5) / 6)
    assert found.facts == pytest.approx((1 + 1 + 0.5) / 6)
    assert found.clean == pytest.approx(3 / 6)
    assert (found.turns, found.calls, found.tokens) == (7.0, 6.0, 770.0)
    assert found.mistakes == {
        "unreadable": 4,
        "unknown_tool": 0,
        "invalid_arguments": 0,
        "refused": 3,
    }
    assert found.ends == {"finished": 3, "out_of_steps": 1, "engine_error": 1}
    assert found.deviations == {"retrieve": 1, "answer": 1, "plan": 1}
    assert found.floors == {"parrot": 0.25}


def test_a_run_without_any_answer_counts_nothing() -> None:
    found = summary_of(make_outcome("a_1", success=True, end="context_overflow"))
    assert (found.success, found.state, found.facts, found.clean) == (0, 0, 0, 0)
    assert (found.unanswered, found.turns, found.tokens) == (6, 0, 0)
    assert found.deviations == {}


def test_outcomes_that_were_not_planned_are_left_out() -> None:
    found = summary_of(make_outcome("c_1", success=True), make_outcome("a_1", trial=2))
    assert (found.success, found.unanswered, found.ends) == (0, 6, {})


def test_where_all_succeed_the_interval_is_exact_by_families() -> None:
    planned = [Planned(f"f{n % 3}_{n}", f"f{n % 3}") for n in range(30)]
    outcomes = [make_outcome(task.path, success=True) for task in planned]
    found = summarise_outcomes(outcomes, planned, PLAYER)
    assert (found.success, found.families) == (1.0, 3)
    assert (round(found.low, 4), found.high) == (0.2924, 1.0)
