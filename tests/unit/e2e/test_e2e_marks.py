"""How the first try at each gold step went."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from e2e_examples import lite, played
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

from teval.e2e.marks import marks
from teval.e2e.play import Task
from teval.e2e.scripts import SCRIPTS
from teval.schema import FINISH, SolutionPath, Turn
from teval.slicing import call_steps, decision_steps

Told = dict[int, dict[str, bool]]


def told(*turns: Turn, path: SolutionPath | None = None) -> Told:
    """Right or wrong by step and ability."""
    path = path or make_path()
    found: Told = {}
    for mark in marks(path, episode(*turns), course_of(path)):
        assert mark.ability not in found.get(mark.step, {})
        found.setdefault(mark.step, {})[mark.ability] = mark.right
    return found


MADE = {"instruct": True, "retrieve": True, "understand": True}
MUMBLED = {"instruct": False}
WRONG_TOOL = {"instruct": True, "retrieve": False}
WRONG_ARGUMENTS = {"instruct": True, "retrieve": True, "understand": False}
ALL = (did(oslo()), did(bergen()), did(letter()), did(ALERTS))
ENDED = {"instruct": True, "retrieve": True}


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([did(oslo())], {1: MADE}),
        ([did(bergen())], {2: MADE}),
        ([mumbled()], {1: MUMBLED}),
        ([did(SEARCH)], {1: WRONG_TOOL}),
        ([did(letter())], {1: WRONG_TOOL}),
        ([refused(EARLY)], {1: WRONG_TOOL}),
        ([did(forecast("Rome"))], {1: WRONG_ARGUMENTS}),
        ([did(forecast("Bergen", 5))], {2: WRONG_ARGUMENTS}),
        ([did(oslo()), did(oslo())], {1: MADE, 2: WRONG_ARGUMENTS}),
        ([did(ALERTS), did(ALERTS)], {5: MADE, 1: WRONG_TOOL}),
        ([ended()], {1: WRONG_TOOL}),
        ([*ALL, ended()], {1: MADE, 2: MADE, 4: MADE, 5: MADE, 6: ENDED}),
        ([*ALL, did(SEARCH)], {1: MADE, 2: MADE, 4: MADE, 5: MADE, 6: WRONG_TOOL}),
        # The first try of each kind counts.
        ([mumbled(), did(oslo())], {1: MADE | MUMBLED}),
        (
            [did(SEARCH), did(forecast("Rome")), did(oslo())],
            {1: WRONG_TOOL | {"understand": False}},
        ),
        ([planned(bergen()), did(oslo())], {1: MADE}),
        ([], {}),
    ],
)
def test_a_turn_marks_the_step_that_it_fits_best(turns: Sequence[Turn], expected: Told) -> None:
    assert told(*turns) == expected


@pytest.mark.parametrize(
    ("later", "right"),
    [
        ([did(oslo())], True),
        ([did(bergen()), did(oslo())], True),
        ([mumbled(), did(oslo())], True),
        ([did(forecast("Rome"))], True),
        ([did(SEARCH), did(oslo())], False),
        ([did(bergen()), ended()], False),
        ([did(bergen())], None),
        ([], None),
    ],
)
def test_a_fault_is_reviewed_by_what_comes_next(later: Sequence[Turn], right: bool | None) -> None:
    assert told(broke(oslo()), *later).get(0, {}).get("review") is right


@pytest.mark.parametrize(
    ("later", "right"),
    [([did(letter())], True), ([did(ALERTS), did(letter())], True), ([ended()], False)],
)
def test_a_mistake_of_the_gold_path_is_reviewed_and_no_try(
    later: Sequence[Turn], right: bool
) -> None:
    found = told(did(oslo()), did(bergen()), refused(MISTAKE), *later)
    assert found[3] == {"review": right}
    assert found[4] == (MADE if right else WRONG_TOOL)


def test_an_answer_about_something_else_is_reviewed() -> None:
    path = misrouting(0)
    steps = [s.model_copy(update={"review": "D"}) if s.id == 0 else s for s in path.steps]
    path = path.model_copy(update={"steps": tuple(steps)})
    assert told(did(oslo()), did(oslo()), path=path)[0] == {"review": True}
    assert told(did(oslo()), ended(), path=path)[0] == {"review": False}


def test_an_error_that_the_gold_path_does_not_meet_is_not_marked() -> None:
    found = told(broke(bergen()), did(bergen()), refused(EARLY), did(letter()))
    assert all("review" not in marked for marked in found.values())


def test_gold_replay_is_marked_right_wherever_a_step_is_asked() -> None:
    for path in lite()[::4]:
        (tried,) = played([Task(path)], SCRIPTS["oracle"])
        found = marks(path, tried, course_of(path))
        assert all(mark.right for mark in found), path.id
        by_ability = {a: {m.step for m in found if m.ability == a} for a in ("retrieve", "review")}
        asked = {step.id for step in decision_steps(path) if step.planned}
        assert by_ability["retrieve"] == asked | {path.steps[-1].id}
        errors = {step.id for step in path.steps if step.review not in ("A", None)}
        assert by_ability["review"] <= errors
        assert {s.id for s in call_steps(path) if s.planned} < by_ability["retrieve"]
        assert path.steps[-1].call.name == FINISH
