"""What a gold path allows."""

from __future__ import annotations

import pytest
from factories import bergen, letter, make_path, oslo

from teval.e2e.course import Course, tools_named
from teval.schema import Call, SolutionPath


def course(path: SolutionPath | None = None) -> Course:
    return Course(path or make_path(), lambda a, b: 1.0)


def test_only_planned_steps_must_be_made() -> None:
    assert [step.id for step in course().steps] == [1, 2, 4, 5]


def test_independent_steps_are_ready_in_any_order() -> None:
    assert [s.id for s in course().ready(set())] == [1, 2, 5]
    assert [s.id for s in course().ready({1, 5})] == [2]
    assert [s.id for s in course().ready({1, 2, 5})] == [4]


def test_a_path_without_dependencies_has_one_order() -> None:
    path = make_path()
    bare = path.model_copy(
        update={"steps": tuple(s.model_copy(update={"needs": ()}) for s in path.steps)}
    )
    assert [s.id for s in course(bare).ready(set())] == [1]
    assert [s.id for s in course(bare).ready({1})] == [2]


@pytest.mark.parametrize(
    ("step", "call", "right"),
    [
        (1, oslo(), True),
        (1, bergen(), False),
        (1, Call(name="weather.get_forecast", args={"city": "Oslo", "days": 2.0}), True),
        (1, Call(name="weather.get_forecast", args={"city": "Oslo"}), False),
        (
            1,
            Call(name="weather.get_forecast", args={"city": "Oslo", "days": 2, "unit": "celsius"}),
            True,
        ),
        (2, Call(name="weather.get_current", args={"city": "Bergen"}), True),
        (2, Call(name="weather.get_current", args={"city": "Oslo"}), False),
        (4, letter(), True),
    ],
)
def test_a_call_makes_a_step_by_its_comparators(step: int, call: Call, right: bool) -> None:
    path = make_path()
    assert course(path).right(path.steps[step], call) is right


def test_free_text_needs_its_facts_and_likeness() -> None:
    path = make_path()
    reworded = letter().model_copy(
        update={"args": {**letter().args, "body": "At 5 pm there is rain in Oslo."}}
    )
    assert Course(path, lambda a, b: 0.8).right(path.steps[4], reworded)
    assert not Course(path, lambda a, b: 0.5).right(path.steps[4], reworded)


@pytest.mark.parametrize(("step", "repair"), [(0, 1), (3, 4), (5, None), (1, None), (6, None)])
def test_what_repairs_an_error(step: int, repair: int | None) -> None:
    path = make_path()
    found = course(path).repair(path.steps[step])
    assert (found and found.id) == repair


def test_a_step_names_the_tools_it_can_be_made_by() -> None:
    path = make_path()
    assert tools_named(path.steps[2]) == {"weather.get_forecast", "weather.get_current"}
    assert tools_named(path.steps[6]) == frozenset()
