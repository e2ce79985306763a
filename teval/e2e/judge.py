"""The deterministic judge: which of two tries at the same task went better."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from teval.schema import Outcome

Reason: TypeAlias = Literal["unanswered", "solved", "parts", "unwanted", "tie"]

SAME = 1e-9
"""Sums of shares that differ by less are the same."""


class Verdict(NamedTuple):
    """What the judge found."""

    value: float
    """1.0 where the first did better, 0.0 where the second did, 0.5 for a tie."""
    reason: Reason
    """The first rule that told the two apart; between two unanswered ones, that they are."""


def judge(first: Outcome | None, second: Outcome | None) -> Verdict:
    """Return which of two outcomes of the same path and trial is the better one.

    The rules, in this order, until one tells them apart:

    1. An unanswered episode loses against an answered one; two unanswered ones tie.
    2. Solved beats unsolved.
    3. More of the outcome's parts wins: the share of the state plus the share of the facts. They
       are added, so that neither part outvotes the other.
    4. Fewer unwanted changes win.
    5. It is a tie.

    Args:
        first: One model's outcome; None where it has none.
        second: The other's.
    """
    heard, other = _heard(first), _heard(second)
    if heard is None or other is None:
        return _verdict((heard is not None) - (other is not None), "unanswered")
    parts = heard.state + heard.facts - other.state - other.facts
    rules: dict[Reason, float] = {
        "solved": heard.success - other.success,
        "parts": parts if abs(parts) > SAME else 0.0,
        "unwanted": other.unwanted - heard.unwanted,
    }
    reason: Reason = next((name for name, lead in rules.items() if lead), "tie")
    return _verdict(rules.get(reason, 0.0), reason)


def _heard(outcome: Outcome | None) -> Outcome | None:
    return outcome if outcome is not None and outcome.answered else None


def _verdict(lead: float, reason: Reason) -> Verdict:
    return Verdict(0.5 if lead == 0 else float(lead > 0), reason)
