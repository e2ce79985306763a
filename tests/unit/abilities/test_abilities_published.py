"""What becomes of an answer on which the release raises, and which cosines are asked for."""

from __future__ import annotations

import pytest

from teval.abilities import published
from teval.abilities.published import Scoring
from teval.schema import Json

LABELS = {
    "thought_start": "**Thought",
    "thought_end": "",
    "action_start": "",
    "action_end": "",
    "args_start": "",
    "args_end": "",
}
FINISH: Json = [{"name": "FinishAction", "id": 0, "args": {}}]
GOLD: Json = [{"name": "a.b", "id": 0, "args": {"x": 1}}, {"name": "c.d", "id": 1, "args": {}}]


def deep(levels: int) -> Json:
    """A list in a list, many levels deep."""
    value: Json = "x"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("scoring", "crash"),
    [
        (published.instruct_string(None, {}, LABELS), "TypeError"),
        (published.instruct_string("x", {}, LABELS), "error"),
        (published.instruct_string("x", {}, {}), "KeyError"),
        (published.plan_json(FINISH, GOLD), "RuntimeError"),
        (published.plan_json(GOLD, FINISH), "RuntimeError"),
        (published.plan_string("a.b", GOLD, None), "KeyError"),
        (published.plan_string(3, GOLD, ["a.b"]), "AttributeError"),
        (published.plan_string("a.b \ud83c", GOLD, ["a.b"]), "TypeError"),
        (published.joint({"args": {"x": deep(5000)}}, {"args": {"x": 1}}), "RecursionError"),
        (published.joint('{"args": {"x": 0x%s}}' % ("f" * 9000), {"args": {"x": 1}}), "ValueError"),
        (published.joint({"thought": "\ud83c"}, {"thought": "t"}), "TypeError"),
        (published.reason_string(5, {"thought": "t"}), "ValueError"),
        (published.retrieve_string(None, {"name": "a.b"}), "TypeError"),
        (published.understand_string(None, {"args": "x"}), "AttributeError"),
        (published.review_string(None, {"answer": "A"}), "AttributeError"),
    ],
)
def test_where_the_release_raises_all_is_zero(scoring: Scoring, crash: str) -> None:
    metrics, told = scoring.score(lambda a, b: 1.0)
    assert told == crash
    assert not any(metrics.values())
    assert "parse_rate" in metrics or "string_format_metric" in metrics


def test_a_plan_that_is_empty_does_not_raise_beside_a_finish() -> None:
    assert published.plan_json("[]", FINISH).score(lambda a, b: 1.0).crash == ""


def test_cosines_of_a_plan_are_asked_for_in_two_waves() -> None:
    scoring = published.plan_string("Use a.b", GOLD, ["a.b", "c.d"])
    assert scoring.pairs == [("a.b", "a.b"), ("a.b", "c.d")]
    assert scoring.more(lambda a, b: float(a == b)) == [("Use a.b", "{'x': 1}")]


def test_cosines_of_a_thought_are_asked_for_once() -> None:
    scoring = published.joint({"thought": 3}, {"thought": "three"})
    assert scoring.pairs == [("3", "three")]
    assert scoring.more(lambda a, b: 1.0) == ()


def test_scores_without_the_encoder_ask_for_nothing() -> None:
    assert published.review_string("A", {"answer": "A"}).pairs == ()
