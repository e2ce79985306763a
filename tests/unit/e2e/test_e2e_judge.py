from __future__ import annotations

import pytest
from episode_examples import make_outcome

from teval.e2e.judge import judge
from teval.schema import Outcome

SOLVED = make_outcome(success=True)
NEAR = make_outcome(state=0.5, facts=1.0)
FAR = make_outcome(state=0.5, facts=0.5)
STATE_ONLY = make_outcome(state=1.0, facts=0.5)
CLUMSY = make_outcome(state=0.5, facts=1.0, unwanted=2)
FAILED = make_outcome(success=True, end="engine_error")
TOO_LONG = make_outcome(state=1.0, end="context_overflow")
NEVER_ENDED = make_outcome(end="out_of_steps")


@pytest.mark.parametrize(
    ("first", "second", "value", "reason"),
    [
        (SOLVED, NEAR, 1.0, "solved"),
        (SOLVED, CLUMSY, 1.0, "solved"),
        (SOLVED, SOLVED, 0.5, "tie"),
        (NEAR, FAR, 1.0, "parts"),
        (NEAR, STATE_ONLY, 0.5, "tie"),
        (NEAR, CLUMSY, 1.0, "unwanted"),
        (CLUMSY, FAR, 1.0, "parts"),
        (NEAR, NEAR, 0.5, "tie"),
        (NEVER_ENDED, None, 1.0, "unanswered"),
        (NEVER_ENDED, FAILED, 1.0, "unanswered"),
        (NEVER_ENDED, TOO_LONG, 1.0, "unanswered"),
        (FAILED, TOO_LONG, 0.5, "unanswered"),
        (FAILED, None, 0.5, "unanswered"),
        (None, None, 0.5, "unanswered"),
    ],
)
def test_the_first_rule_that_tells_two_apart_decides_in_both_directions(
    first: Outcome | None, second: Outcome | None, value: float, reason: str
) -> None:
    assert judge(first, second) == (value, reason)
    assert judge(second, first) == (1 - value, reason)


def test_sums_that_differ_by_rounding_alone_tie() -> None:
    assert 0.1 + 0.2 != 0.3
    one, other = make_outcome(state=0.1, facts=0.2), make_outcome(state=0.3)
    assert judge(one, other) == (0.5, "tie")
