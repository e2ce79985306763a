"""What each turn of an episode was to the course."""

from __future__ import annotations

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

from teval.e2e.walk import Act, made_in, repair, walk
from teval.schema import Call, SolutionPath, Turn


def acts_of(*turns: Turn, path: SolutionPath | None = None) -> tuple[Act, ...]:
    path = path or make_path()
    return walk(path, episode(*turns), course_of(path))


def told(*turns: Turn, path: SolutionPath | None = None) -> list[tuple[str, int | None]]:
    """Kind and step of each turn."""
    return [(a.kind, a.step.id if a.step else None) for a in acts_of(*turns, path=path)]


@pytest.mark.parametrize(
    ("turn", "kind", "step"),
    [
        (did(oslo()), "made", 1),
        (did(Call(name="weather.get_current", args={"city": "Bergen"})), "made", 2),
        (broke(oslo()), "failed", 1),
        (refused(oslo()), "failed", 1),
        (refused(MISTAKE), "detour", 3),
        (did(forecast("Oslo", 3)), "arguments", 1),
        (did(forecast("Bergen", 3)), "arguments", 2),
        (did(forecast("Rome")), "arguments", 1),
        (refused(EARLY), "tool", 4),
        (did(SEARCH), "tool", None),
        (refused(Call(name="no.such"), "unknown_tool"), "tool", None),
        (mumbled(), "unreadable", None),
        (ended(), "finish", None),
    ],
)
def test_a_first_turn(turn: Turn, kind: str, step: int | None) -> None:
    assert told(turn) == [(kind, step)]


def test_the_gold_path_makes_every_step() -> None:
    turns = [broke(oslo()), did(oslo()), did(bergen()), refused(MISTAKE), did(letter())]
    found = acts_of(*turns, did(ALERTS), ended())
    assert [act.kind for act in found] == [
        *("failed", "made", "made", "detour", "made", "made", "finish")
    ]
    assert made_in(found) == {1, 2, 4, 5}
    assert [[step.id for step in act.due] for act in found] == [
        *([1, 2, 5], [1, 2, 5], [2, 5], [4, 5], [4, 5], [5], [])
    ]


def test_a_plan_is_no_act_but_counts_as_a_turn() -> None:
    assert [act.number for act in acts_of(planned(oslo()), did(oslo()))] == [1]


def test_a_step_is_made_once_and_a_mistake_is_a_detour_once() -> None:
    assert told(did(oslo()), did(oslo())) == [("made", 1), ("again", 1)]
    turns = [did(oslo()), did(bergen()), refused(MISTAKE), refused(MISTAKE)]
    assert told(*turns)[2:] == [("detour", 3), ("arguments", 4)]


def test_a_right_call_before_its_time_makes_its_step_if_it_went_well() -> None:
    assert told(did(letter())) == [("made", 4)]
    assert told(refused(letter())) == [("failed", 4)]


def test_a_mistyped_mistake_of_the_gold_path_is_a_detour() -> None:
    path = make_path()
    odd = Call(name="mail.send", args={"to": "Ana"})
    steps = [s.model_copy(update={"call": odd}) if s.id == 3 else s for s in path.steps]
    path = path.model_copy(update={"steps": tuple(steps)})
    assert told(refused(odd, "invalid_arguments"), path=path) == [("detour", 3)]


def test_a_mistake_that_comes_too_early_is_the_gold_paths_own() -> None:
    path = make_path()
    steps = [s.model_copy(update={"call": letter()}) if s.id == 3 else s for s in path.steps]
    path = path.model_copy(update={"steps": tuple(steps)})
    assert told(refused(letter()), path=path) == [("detour", 3)]
    assert told(did(letter()), path=path) == [("made", 4)]


@pytest.mark.parametrize(
    ("first", "nth", "kinds"),
    [
        (did(forecast("Rome")), 1, ["arguments", "failed"]),
        (did(forecast("Rome")), 0, ["arguments", "made"]),
        (refused(forecast("Rome")), 1, ["arguments", "failed"]),
        (refused(forecast("Rome"), "invalid_arguments"), 1, ["arguments", "made"]),
        (refused(forecast("Rome"), "invalid_arguments"), 0, ["arguments", "failed"]),
        (did(SEARCH), 0, ["tool", "failed"]),
    ],
)
def test_a_misrouted_answer_is_found_by_the_calls_that_the_world_counts(
    first: Turn, nth: int, kinds: list[str]
) -> None:
    found = acts_of(first, did(oslo()), path=misrouting(nth))
    assert [act.kind for act in found] == kinds


@pytest.mark.parametrize(
    ("turn", "step"),
    [
        (broke(oslo()), 1),
        (refused(MISTAKE), 4),
        (refused(EARLY), 4),
        (did(EARLY), None),
        (did(oslo()), None),
        (did(forecast("Rome")), None),
        (mumbled(), None),
        (ended(), None),
    ],
)
def test_what_a_turn_met_is_made_good_by_a_step(turn: Turn, step: int | None) -> None:
    path = make_path()
    (act,) = acts_of(turn, path=path)
    found = repair(act, course_of(path))
    assert (found and found.id) == step
