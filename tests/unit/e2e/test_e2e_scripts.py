"""Scripted agents fail where and as often as they are told to."""

from __future__ import annotations

from random import Random

import pytest
from e2e_examples import lite, outcomes, played

from teval.e2e.play import Task
from teval.e2e.scripts import FAILING, SCRIPTS, chances, degraded, random_caller
from teval.errors import ConfigError

TASKS = [Task(path) for path in lite()]


@pytest.mark.parametrize("ability", FAILING)
def test_an_episode_fails_exactly_where_its_agent_did(ability: str) -> None:
    agent = "plan_act" if ability == "plan" else "react"
    found = {o.path: o for o in outcomes(TASKS, degraded(ability, 0.3, 7), agent)}
    failed = 0
    for task in TASKS:
        rng = Random(f"7:{ability}:{task.path.id}:0")
        fell = [rng.random() < 0.3 for _ in chances(task, ability, agent)]
        assert found[task.path.id].success is not any(fell), task.path.id
        failed += any(fell)
    assert 0 < failed < len(TASKS)


@pytest.mark.parametrize("ability", FAILING)
def test_rates_at_both_ends(ability: str) -> None:
    agent = "plan_act" if ability == "plan" else "react"
    tasks = [task for task in TASKS if chances(task, ability, agent)][::4]
    assert all(o.success for o in outcomes(tasks, degraded(ability, 0.0), agent))
    assert not any(o.success for o in outcomes(tasks, degraded(ability, 1.0), agent))


@pytest.mark.parametrize(
    ("ability", "mistakes"),
    [("instruct", {"unreadable"}), ("retrieve", {"invalid_arguments", "refused", None})],
)
def test_a_failing_turn_is_of_its_kind(ability: str, mistakes: set[str | None]) -> None:
    gold = {e.path: e for e in played(TASKS[::5], SCRIPTS["oracle"])}
    for episode in played(TASKS[::5], degraded(ability, 1.0)):
        right = {str(turn.call) for turn in gold[episode.path].turns}
        wrong = [turn for turn in episode.turns[:-1] if str(turn.call) not in right]
        assert wrong
        assert {turn.mistake for turn in wrong} <= mistakes


def test_plan_can_fail_only_where_there_is_a_plan() -> None:
    assert chances(TASKS[0], "plan", "react") == []
    assert len(chances(TASKS[0], "plan", "plan_act")) == 1


def test_reason_has_no_way_into_a_script() -> None:
    with pytest.raises(ConfigError, match="instruct, plan"):
        degraded("reason", 0.3)


def test_the_random_caller_calls_listed_tools_and_is_the_same_every_time() -> None:
    (episode,) = played(TASKS[:1], random_caller)
    listed = {tool.name for tool in TASKS[0].path.tools}
    assert {turn.call.name for turn in episode.turns if turn.call} <= listed
    assert random_caller(TASKS[0], "react") == random_caller(TASKS[0], "react")
