"""Where abilities are asked, what is known there, and which order the plan needs."""

from __future__ import annotations

from datetime import datetime

import pytest
from factories import (
    TOOLS,
    bergen,
    finish_step,
    letter,
    make_path,
    make_step,
    oslo,
)

from teval import slicing
from teval.errors import DataError
from teval.schema import Answer, SolutionPath, Step, WorldRef

PATH = make_path()


def ids(steps: tuple[Step, ...]) -> list[int]:
    return [step.id for step in steps]


def path_of(*steps: Step) -> SolutionPath:
    return SolutionPath(
        id="p", family="f", query="q", tools=TOOLS, steps=steps, answer=Answer(text="a")
    )


def test_each_ability_is_asked_where_it_makes_sense() -> None:
    assert ids(slicing.decision_steps(PATH)) == [0, 1, 2, 4, 5, 6]
    assert ids(slicing.call_steps(PATH)) == [0, 1, 2, 4, 5]
    assert ids(slicing.review_steps(PATH)) == [0, 1, 2, 3, 4, 5]


def test_the_history_is_all_that_was_done_mistakes_included() -> None:
    assert ids(slicing.history(PATH, PATH.steps[4])) == [0, 1, 2, 3]
    assert slicing.history(PATH, PATH.steps[0]) == ()


def test_the_plan_holds_planned_calls_with_their_needs_renumbered() -> None:
    plan = slicing.planned(PATH)
    assert [p.step.id for p in plan] == [1, 2, 4, 5]
    assert [p.needs for p in plan] == [(), (), (0, 1), ()]


def test_needs_are_closed_and_a_failed_call_stands_for_its_repetition() -> None:
    path = path_of(
        make_step(0, oslo(), review="B", planned=False),
        make_step(1, oslo()),
        make_step(2, bergen(), needs=(0,)),
        make_step(3, letter(), needs=(2,)),
        finish_step(4),
    )
    assert [p.needs for p in slicing.planned(path)] == [(), (0,), (0, 1)]


@pytest.mark.parametrize(
    ("step", "ready"),
    [(0, [2, 5]), (1, [2, 5]), (2, [5]), (4, [5]), (5, []), (6, [])],
)
def test_ready_steps_are_those_whose_needs_went_well(step: int, ready: list[int]) -> None:
    assert ids(slicing.ready_steps(PATH, PATH.steps[step])) == ready


def test_a_step_whose_need_failed_is_not_ready() -> None:
    path = path_of(
        make_step(0, oslo(), review="B", planned=False),
        make_step(1, bergen()),
        make_step(2, oslo()),
        make_step(3, letter(), needs=(2,)),
        finish_step(4),
    )
    assert ids(slicing.ready_steps(path, path.steps[1])) == [2]


def test_a_path_without_dependencies_has_one_right_order() -> None:
    path = path_of(make_step(0, oslo()), make_step(1, bergen()), finish_step(2))
    assert not slicing.has_graph(path)
    assert slicing.ready_steps(path, path.steps[0]) == ()


@pytest.mark.parametrize(
    ("name", "siblings"),
    [
        ("mail.send", ["mail.search"]),
        ("weather.get_current", ["weather.get_forecast", "weather.list_alerts"]),
        ("FinishAction", [tool.name for tool in TOOLS[:-1]]),
    ],
)
def test_siblings_are_of_the_same_toolkit(name: str, siblings: list[str]) -> None:
    assert [tool.name for tool in slicing.siblings(PATH, name)] == siblings


def test_without_a_toolkit_the_name_before_the_dot_tells_it() -> None:
    tools = tuple(tool.model_copy(update={"toolkit": ""}) for tool in TOOLS)
    path = PATH.model_copy(update={"tools": tools})
    assert [tool.name for tool in slicing.siblings(path, "mail.send")] == ["mail.search"]


def test_a_call_to_an_unlisted_tool_is_refused_by_path_and_name() -> None:
    with pytest.raises(DataError, match=r"trip_01.*'mail.burn'"):
        slicing.tool_of(PATH, "mail.burn")


def test_the_present_is_that_of_the_world() -> None:
    assert slicing.now(PATH) is None
    path = PATH.model_copy(update={"world": WorldRef(seed=1, clock="2031-05-04T09:00:00")})
    assert slicing.now(path) == datetime(2031, 5, 4, 9)
