"""Tokens of a run's answers."""

from __future__ import annotations

from teval.run.usage import usage_of
from teval.schema import Completion, Usage


def answer(prompt: int, cached: int, shared: int | None, finish: str = "stop") -> Completion:
    return Completion.model_validate(
        {
            "request": f"{prompt}",
            "prompt": "p",
            "finish": finish,
            "prompt_tokens": prompt,
            "cached_tokens": cached,
            "completion_tokens": 5,
            "shared_tokens": shared,
        }
    )


def test_tokens_are_added_up() -> None:
    usage = usage_of([answer(100, 0, 0), answer(110, 64, 90, "length"), answer(100, 96, 100)])
    assert usage == Usage(
        prompt_tokens=310, distinct_tokens=120, computed_tokens=150, completion_tokens=15
    )
    assert usage.ratio == 1.25


def test_what_was_not_answered_took_nothing() -> None:
    given = [answer(9, 0, None, "error"), answer(9000, 0, None, "overflow"), answer(100, 0, 0)]
    assert usage_of(given) == usage_of(given[2:])
    assert usage_of(given[:2]) is None


def test_distinct_tokens_are_unknown_where_one_answer_does_not_tell() -> None:
    usage = usage_of([answer(100, 0, 0), answer(100, 50, None)])
    assert usage is not None
    assert (usage.distinct_tokens, usage.ratio, usage.computed_tokens) == (None, None, 150)
