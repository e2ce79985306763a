"""What comes of episodes: gold is perfect, and each part fails on its own."""

from __future__ import annotations

import json

import pytest
from e2e_examples import lite, outcomes, played, says, shipped, standard

from teval.e2e.outcome import outcome
from teval.e2e.play import Task
from teval.e2e.scripts import FLOORS, SCRIPTS
from teval.schema import Outcome

PATHS = lite()
WRITING = shipped("called_off-0")


@pytest.mark.parametrize("agent", ["react", "plan_act"])
def test_gold_replay_solves_every_path(agent: str) -> None:
    found = outcomes([Task(path) for path in PATHS], SCRIPTS["oracle"], agent)
    assert len(found) == len(PATHS)
    for one in found:
        assert (one.success, one.state, one.facts, one.unwanted) == (True, 1.0, 1.0, 0), one.path


def floor(kind: str) -> dict[str, Outcome]:
    return {o.path: o for o in outcomes([Task(path) for path in PATHS], SCRIPTS[kind])}


def test_what_needs_no_ability_solves_only_what_needs_no_write() -> None:
    reading = {path.id for path in PATHS if not standard(path.id).wanted}
    solved = {kind: {p for p, o in floor(kind).items() if o.success} for kind in FLOORS}
    assert solved["apologiser"] == set()
    assert solved["parrot"] == reading
    assert solved["random"] <= reading


def say_all(*lines: str) -> Outcome:
    (found,) = outcomes([Task(WRITING)], says(*lines))
    return found


def gold_lines() -> list[str]:
    return list(SCRIPTS["oracle"](Task(WRITING), "react"))


def test_a_fact_left_untold_fails_alone() -> None:
    *calls, _ = gold_lines()
    told = json.dumps({"name": "FinishAction", "args": {"answer": WRITING.answer.facts[0]}})
    one = say_all(*calls, told)
    assert (one.success, one.state, one.unwanted) == (False, 1.0, 0)
    assert one.facts == pytest.approx(1 / len(WRITING.answer.facts))


def test_a_write_left_out_shows_in_the_state() -> None:
    lines = gold_lines()
    one = say_all(*[line for line in lines if "mail.move_mail" not in line])
    wanted = len(standard(WRITING.id).wanted)
    assert (one.success, one.facts, one.unwanted) == (False, 1.0, 0)
    assert one.state == pytest.approx((wanted - 1) / wanted)


def test_a_write_too_many_is_unwanted() -> None:
    *calls, last = gold_lines()
    args = {"name": "Nobody Known", "email": "nobody@example.com"}
    extra = {"name": "contacts.add_contact", "args": args}
    one = say_all(*calls, json.dumps(extra), last)
    assert (one.success, one.state, one.facts, one.unwanted) == (False, 1.0, 1.0, 1)


def test_all_done_but_never_finished_is_no_success() -> None:
    *calls, _ = gold_lines()
    (episode,) = played([Task(WRITING)], says(*calls), steps=len(calls))
    one = outcome(episode, standard(WRITING.id))
    assert (one.end, one.success, one.state, one.facts) == ("out_of_steps", False, 1.0, 0.0)


def test_calls_and_mistakes_are_counted() -> None:
    one = say_all("hm", json.dumps({"name": "a.b"}), "hm", gold_lines()[-1])
    assert (one.turns, one.calls, one.mistakes) == (4, 1, {"unreadable": 2, "unknown_tool": 1})
