"""A deviation is told so that a person knows what went wrong."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from factories import bergen, letter, make_path, oslo
from turn_examples import (
    ALERTS,
    EARLY,
    MISTAKE,
    SEARCH,
    broke,
    course_of,
    did,
    ended,
    episode,
    forecast,
    misrouting,
    mumbled,
    planned,
    refused,
)

from teval.e2e.attribution import deviation
from teval.schema import Call, End, SolutionPath, Turn

ALL = (did(oslo()), did(bergen()), did(letter()), did(ALERTS))
BERGEN = "weather.get_forecast(city='Bergen', days=2)"
OSLO = "weather.get_forecast(city='Oslo', days=2)"


def why(
    *turns: Turn, end: End = "finished", error: str = "", path: SolutionPath | None = None
) -> str:
    path = path or make_path()
    tried = episode(*turns, end=end, error=error)
    found = deviation(path, tried, course_of(path), success=False)
    assert found is not None
    return found.why


def mail(**changes: object) -> Call:
    """The gold mail with other arguments; None leaves one out."""
    args = {**letter().args, **changes}
    return Call.model_validate(
        {"name": "mail.send", "args": {k: v for k, v in args.items() if v is not None}}
    )


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([did(oslo()), mumbled()], f"Turn 2: no call could be read where {BERGEN} was due."),
        ([did(SEARCH)], f"Turn 1: mail.search was called where {OSLO} was due."),
        ([ended()], f"Turn 1: FinishAction was called where {OSLO} was due."),
        (
            [refused(Call(name="fore\ncast"), "unknown_tool")],
            f"Turn 1: fore\\ncast, which is no listed tool, was called where {OSLO} was due.",
        ),
        (
            [did(forecast("Oslo", 5))],
            "Turn 1: weather.get_forecast was called with days=5 where 2 was right.",
        ),
        (
            [did(ALERTS), did(ALERTS)],
            f"Turn 2: weather.list_alerts was called again where {OSLO} was due.",
        ),
        (
            [broke(oslo()), did(bergen()), ended()],
            "Turn 2: weather.get_forecast was called as though weather.get_forecast had gone well "
            f"in turn 1 (internal error: Service unavailable.); {OSLO} was due.",
        ),
        ([*ALL, did(letter())], "Turn 5: mail.send was called again where FinishAction was due."),
        ([*ALL, mumbled()], "Turn 5: no call could be read where FinishAction was due."),
        (ALL, "All turns were used up before FinishAction was called."),
        ([did(oslo())], f"All turns were used up before {BERGEN} was called."),
    ],
)
def test_what_went_wrong(turns: Sequence[Turn], expected: str) -> None:
    ended_ = turns[-1].call is not None and turns[-1].call.name == "FinishAction"
    assert why(*turns, end="finished" if ended_ else "out_of_steps") == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (mail(to=["Ana"]), "with to=['Ana'] where ['ana@post.example'] was right"),
        (mail(subject=None), "without subject='Trip'"),
        (
            mail(a=1, b=2, c=3, d=4),
            "with a=1 where it had to be left out and with b=2 where it had to be left out "
            "and with c=3 where it had to be left out and 1 more",
        ),
        (mail(cc="Eve"), "with cc='Eve' where it had to be left out"),
        (
            mail(to="Ana", subject="x" * 100),
            f"with to='Ana' where ['ana@post.example'] was right and with subject='{'x' * 78}… "
            "where 'Trip' was right",
        ),
    ],
)
def test_wrong_arguments(call: Call, expected: str) -> None:
    found = why(*ALL[:2], did(call), ended())
    assert found == f"Turn 3: mail.send was called {expected}."


@pytest.mark.parametrize(
    ("turns", "path", "expected"),
    [
        ([did(oslo()), ended()], misrouting(0), "in turn 1 (irrelevant response);"),
        ([refused(EARLY), did(oslo()), did(bergen()), ended()], None, "(input error: not so);"),
        ([*ALL[:2], refused(MISTAKE), ended()], None, "in turn 3 (input error: not so);"),
    ],
)
def test_which_error_was_passed_over(
    turns: Sequence[Turn], path: SolutionPath | None, expected: str
) -> None:
    assert expected in why(*turns, path=path)


def test_a_plan() -> None:
    assert why(planned(oslo(), letter()), did(oslo()), ended()) == (
        f"Turn 1: the plan has 1 of 2 calls of weather.get_forecast, and {BERGEN} was never made."
    )
    assert why(planned(), did(oslo()), ended()) == (
        f"Turn 1: no plan could be read, and {BERGEN} was never made."
    )


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("It is done.", "All steps were made, but the answer lacks 'Oslo'."),
        (
            "Off to Oslo.",
            "All steps were made and all facts told, yet the state is not as after the gold path.",
        ),
        ("", "Turn 5: FinishAction was called without a text for answer."),
    ],
)
def test_an_answer(answer: str, expected: str) -> None:
    assert why(*ALL, ended(answer)) == expected


def test_an_engine_that_failed() -> None:
    assert why(did(oslo()), end="engine_error", error="no memory") == (
        f"After turn 1 the engine failed (no memory); {BERGEN} was due."
    )
    assert why(*ALL, end="context_overflow") == (
        "After turn 4 the conversation became too long for the model; FinishAction was due."
    )
    assert why(end="engine_error") == f"At the first turn the engine failed; {OSLO} was due."
