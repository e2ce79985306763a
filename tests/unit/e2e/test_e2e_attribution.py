"""Which turn and which ability a failed episode was lost by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

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

from teval.e2e.attribution import deviation
from teval.e2e.course import tools_named
from teval.e2e.play import Task
from teval.e2e.scripts import FAILING, SCRIPTS, Script, degraded
from teval.schema import FINISH, Call, Deviation, End, Episode, SolutionPath, Turn

PLAN = (oslo(), bergen(), letter(), ALERTS)


def lost(*turns: Turn, end: End = "finished", path: SolutionPath | None = None) -> Deviation:
    """Where a failed episode was lost."""
    path = path or make_path()
    found = deviation(path, episode(*turns, end=end), course_of(path), success=False)
    assert found is not None
    return found


def short(found: Deviation) -> tuple[str | None, int | None, int | None]:
    """Ability, turn and step."""
    return found.ability, found.turn, found.step


@pytest.mark.parametrize(
    ("turns", "ability", "turn", "step"),
    [
        # The first turn that went wrong at a step, whatever else is made afterwards.
        ([did(oslo()), mumbled(), did(ALERTS), ended()], "instruct", 1, 2),
        ([did(oslo()), did(SEARCH), did(ALERTS), ended()], "retrieve", 1, 2),
        ([did(oslo()), did(forecast("Bergen", 5)), did(ALERTS), ended()], "understand", 1, 2),
        ([ended()], "retrieve", 0, 1),
        ([did(oslo()), did(bergen()), did(ALERTS), ended()], "retrieve", 3, 4),
        # A later turn that came nearer to the step makes the earlier one good.
        ([did(oslo()), mumbled(), did(SEARCH), ended()], "retrieve", 2, 2),
        ([did(oslo()), did(SEARCH), did(forecast("Rome")), ended()], "understand", 2, 2),
        ([did(oslo()), mumbled(), did(forecast("Rome")), ended()], "understand", 2, 2),
        ([mumbled(), did(ALERTS), did(SEARCH), ended()], "instruct", 0, 1),
        # What a step ahead of it made good is no loss of the lost one.
        ([did(SEARCH), did(oslo()), mumbled(), ended()], "instruct", 2, 2),
        ([mumbled(), did(oslo()), did(bergen()), did(letter()), ended()], "retrieve", 4, 5),
        ([did(forecast("Oslo", 5)), did(oslo()), mumbled(), ended()], "instruct", 2, 2),
        # A tool that was tried once another step was under way tells nothing of it.
        ([mumbled(), broke(bergen()), did(SEARCH), did(bergen()), ended()], "instruct", 0, 1),
        # Of several losses the earliest.
        ([refused(ALERTS.model_copy(update={"args": {"x": 1}})), ended()], "understand", 0, 5),
        ([did(forecast("Rome")), did(forecast("Cork")), did(ALERTS), ended()], "understand", 0, 1),
    ],
)
def test_the_turn_that_lost_a_step(
    turns: Sequence[Turn], ability: str, turn: int, step: int
) -> None:
    assert short(lost(*turns)) == (ability, turn, step)


@pytest.mark.parametrize(
    ("turns", "ability", "turn", "step"),
    [
        # Passed over: a later step, or the end.
        ([broke(oslo()), did(bergen()), did(ALERTS), ended()], "review", 1, 1),
        ([broke(oslo()), ended()], "review", 1, 1),
        ([broke(oslo()), did(bergen()), did(SEARCH), ended()], "review", 1, 1),
        ([did(oslo()), broke(bergen()), did(ALERTS), ended()], "review", 2, 2),
        # The gold path's own mistake, and one's own that came too early.
        ([did(oslo()), did(bergen()), refused(MISTAKE), did(ALERTS), ended()], "review", 3, 4),
        ([refused(EARLY), did(oslo()), did(bergen()), did(ALERTS), ended()], "review", 3, 4),
        # Tried again, but wrongly.
        ([broke(oslo()), did(forecast("Rome")), did(bergen()), ended()], "understand", 1, 1),
        ([broke(oslo()), did(bergen()), did(forecast("Oslo", 5)), ended()], "understand", 2, 1),
        ([broke(oslo()), did(SEARCH), did(bergen()), ended()], "retrieve", 1, 1),
        ([broke(oslo()), mumbled(), did(bergen()), ended()], "instruct", 1, 1),
        # The error made what came before it good.
        ([did(SEARCH), broke(oslo()), did(bergen()), ended()], "review", 2, 1),
        # Met again after a second try.
        ([broke(oslo()), broke(oslo()), ended()], "review", 2, 1),
        # Made good, so another step is the lost one.
        ([broke(oslo()), did(oslo()), did(ALERTS), ended()], "retrieve", 3, 2),
    ],
)
def test_an_error_that_was_met(turns: Sequence[Turn], ability: str, turn: int, step: int) -> None:
    assert short(lost(*turns)) == (ability, turn, step)


def test_what_came_before_the_gold_paths_own_mistake_was_made_good_by_it() -> None:
    """Though it is another step that repairs the mistake."""
    path = make_path()
    mistake, forecast_of_oslo = path.steps[3], path.steps[1]
    first = [mistake.model_copy(update={"id": 0}), forecast_of_oslo]
    later = path.model_copy(update={"steps": (*first, *path.steps[2:3], *path.steps[4:])})
    turns = [did(SEARCH), refused(MISTAKE), mumbled(), ended()]
    assert short(lost(*turns, path=later)) == ("instruct", 2, 1)
    assert short(lost(*turns[:1], *turns[2:], path=later)) == ("retrieve", 0, 1)


def test_an_answer_about_something_else_is_an_error() -> None:
    turns = [did(oslo()), did(bergen()), did(ALERTS), ended()]
    assert short(lost(*turns, path=misrouting(0))) == ("review", 1, 1)
    assert short(lost(*turns)) == ("retrieve", 3, 4)


@pytest.mark.parametrize(
    ("plan", "turns", "ability", "turn"),
    [
        ([oslo(), letter(), ALERTS], [did(oslo()), did(ALERTS), ended()], "plan", 0),
        ([oslo(), SEARCH, letter()], [did(oslo()), did(SEARCH), ended()], "plan", 0),
        ([oslo(), letter(), ALERTS], [did(oslo()), broke(bergen()), ended()], "plan", 0),
        ([oslo(), letter()], [did(oslo()), did(forecast("Rome")), ended()], "understand", 2),
        ([oslo(), letter()], [did(oslo()), mumbled(), ended()], "instruct", 2),
        (PLAN, [did(oslo()), did(SEARCH), ended()], "retrieve", 2),
        (PLAN, [did(oslo()), broke(bergen()), ended()], "review", 3),
        ([], [did(oslo()), ended()], "plan", 0),
    ],
)
def test_a_plan_that_lacks_the_step(
    plan: Sequence[Call], turns: Sequence[Turn], ability: str, turn: int
) -> None:
    assert short(lost(planned(*plan), *turns)) == (ability, turn, 2)


def test_a_plan_that_lacks_another_step_is_not_to_blame() -> None:
    found = lost(planned(oslo(), bergen(), letter()), did(oslo()), did(SEARCH), ended())
    assert short(found) == ("retrieve", 2, 2)


ALL = (did(oslo()), did(bergen()), did(letter()), did(ALERTS))
"""All steps, made."""
AGAIN = did(letter())
RAINY = did(letter().model_copy(update={"args": {**letter().args, "to": ["eve@post.example"]}}))
"""A mail to somebody else."""


@pytest.mark.parametrize(
    ("turns", "end", "ability", "turn"),
    [
        ([*ALL, ended("Done.")], "finished", None, 4),
        ([*ALL, AGAIN, ended()], "finished", "retrieve", 4),
        ([*ALL[:2], RAINY, *ALL[2:], ended()], "finished", "understand", 2),
        ([RAINY, *ALL, ended()], "finished", "retrieve", 0),
        ([*ALL, did(SEARCH), ended("Done.")], "finished", None, 5),
        ([*ALL, refused(EARLY), ended("Done.")], "finished", None, 5),
        ([*ALL, ended("")], "finished", "understand", 4),
        ([*ALL, did(SEARCH)], "out_of_steps", "retrieve", 4),
        ([*ALL, mumbled(), mumbled()], "out_of_steps", "instruct", 4),
        ([*ALL, mumbled(), did(SEARCH)], "out_of_steps", "retrieve", 5),
        ([mumbled(), *ALL], "out_of_steps", None, None),
    ],
)
def test_where_all_steps_were_made(
    turns: Sequence[Turn], end: End, ability: str | None, turn: int | None
) -> None:
    assert short(lost(*turns, end=end)) == (ability, turn, None)


@pytest.mark.parametrize(
    ("turns", "ability", "turn", "step"),
    [
        # The mail was sent without the forecast that it needs: the state is as it should be.
        ([did(oslo()), did(letter()), did(ALERTS), ended()], "retrieve", 1, 2),
        ([did(oslo()), did(letter()), did(SEARCH), ended()], "retrieve", 2, 5),
    ],
)
def test_a_step_that_others_were_made_without_comes_last(
    turns: Sequence[Turn], ability: str, turn: int, step: int
) -> None:
    assert short(lost(*turns)) == (ability, turn, step)


@pytest.mark.parametrize(
    ("turns", "ability", "turn", "step"),
    [
        ([did(oslo()), broke(bergen())], None, None, 2),
        ([did(oslo())], None, None, 2),
        ([did(oslo()), did(oslo()), did(oslo())], "understand", 1, 2),
        ([did(ALERTS), did(ALERTS)], "retrieve", 1, 1),
        ([mumbled(), mumbled()], "instruct", 0, 1),
    ],
)
def test_out_of_steps(
    turns: Sequence[Turn], ability: str | None, turn: int | None, step: int
) -> None:
    assert short(lost(*turns, end="out_of_steps")) == (ability, turn, step)


def test_an_engine_that_failed_is_no_ability() -> None:
    path = make_path()
    ends: tuple[End, ...] = ("engine_error", "context_overflow")
    for end in ends:
        tried = episode(did(oslo()), mumbled(), end=end, error="lost the connection")
        found = deviation(path, tried, course_of(path), success=False)
        assert found is not None
        assert short(found) == (None, None, 2)
        assert "lost the connection" in found.why
        assert "weather.get_forecast(city='Bergen', days=2)" in found.why
    assert lost(*ALL, end="engine_error").step is None


def test_a_success_has_no_deviation() -> None:
    path = make_path()
    assert deviation(path, episode(*ALL, ended()), course_of(path), success=True) is None


def follow(lines: Sequence[str]) -> Script:
    """A script that says these lines, whatever the task is."""
    return lambda task, agent: lines


def failures(
    ability: str, agent: str, tasks: Sequence[Task], *, noise: bool = False
) -> list[tuple[Episode, Deviation]]:
    """The episodes in which a degraded agent failed, and where each was lost."""
    found = []
    for task in tasks:
        right = SCRIPTS["oracle"](task, agent)
        lines = degraded(ability, 0.3, 5)(task, agent)
        if lines == right:
            continue
        script = follow(noisy(lines, right, task) if noise else lines)
        (tried,) = played([task], script, agent, steps=99)
        left = deviation(task.path, tried, course_of(task.path), success=False)
        assert left is not None
        found.append((tried, left))
    return found


def noisy(lines: Sequence[str], right: Sequence[str], task: Task) -> list[str]:
    """The lines, with mistakes between right ones, which the next line makes good."""
    rng = Random(f"{task.path.id}:{task.trial}")
    used = {name for step in task.path.steps for name in tools_named(step)}
    wrong = next(t.name for t in task.path.tools if t.name not in used | {FINISH})
    noise = ["Let me see.", f'{{"name": "{wrong}", "args": {{}}}}']
    said = []
    for before, line in zip(["", *lines], lines, strict=False):
        if before in ["", *right] and line in right:
            said += rng.sample(noise, 2)
        said.append(line)
    return said


@pytest.mark.parametrize(
    ("ability", "agent"),
    [
        (a, agent)
        for agent in ("react", "plan_act")
        for a in FAILING
        if (a, agent) != ("plan", "react")
    ],
)
def test_the_planted_ability_is_named(ability: str, agent: str) -> None:
    tasks = [Task(path, trial) for path in lite()[::2] for trial in range(2)]
    named = Counter(left.ability for _, left in failures(ability, agent, tasks))
    assert sum(named.values()) >= 5
    assert named == {ability: sum(named.values())}


@pytest.mark.parametrize("ability", ["instruct", "retrieve", "understand"])
def test_mistakes_that_were_made_good_do_not_hide_the_one_that_was_not(ability: str) -> None:
    tasks = [Task(path) for path in lite()]
    named = Counter(left.ability for _, left in failures(ability, "react", tasks, noise=True))
    assert sum(named.values()) >= 5
    assert named == {ability: sum(named.values())}
