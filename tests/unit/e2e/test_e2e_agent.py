"""What agents show and read."""

from __future__ import annotations

import pytest
from factories import make_path

from teval.e2e.agent import PlanAct, ReAct, finishing, make_agent
from teval.errors import UnknownNameError
from teval.prompting import Prompts
from teval.schema import Call, Observation, Turn

PROMPTS = Prompts.load("en")
FINE = Observation(status="ok", content={"rain": "at noon"})


def turn(text: str, **more: object) -> Turn:
    return Turn.model_validate({"request": "r", "text": text, "observation": FINE, **more})


def test_the_finish_tool_takes_the_answer_and_no_other_tool_changes() -> None:
    tools = finishing(make_path(), PROMPTS)
    assert [a.name for a in tools[-1].arguments] == ["answer"]
    assert tools[:-1] == make_path().tools[:-1]


def test_react_shows_the_task_then_each_answer_and_what_it_led_to() -> None:
    first, said, heard = ReAct(PROMPTS).messages(
        make_path(), [turn("<think>hm</think>{}", thought="x")]
    )
    assert first.content.startswith("You solve requests with these tools:")
    assert "Compare the weather in Oslo and Bergen" in first.content
    assert "FinishAction(answer: string)" in first.content
    assert (said.role, said.content) == ("assistant", "{}")
    assert (heard.role, heard.content) == ("user", "The call returned:\nrain: at noon")


@pytest.mark.parametrize(
    ("text", "call", "thought"),
    [
        ('{"thought": "t", "name": "a.b", "args": {"c": 1}}', ("a.b", {"c": 1}), "t"),
        ('{"name": "a.b"}', ("a.b", {}), ""),
        ('I call\n```json\n{"name": "a.b", "args": {}}\n```', ("a.b", {}), ""),
        ('<think>{"name": "no.no"}</think>{"name": "a.b", "args": {}}', ("a.b", {}), ""),
        ('{"name": "a.b", "args": {}}\nObservation: {"name": "x.y"}', ("a.b", {}), ""),
        ("I call a.b now.", None, ""),
        ('{"thought": "no tool named"}', None, "no tool named"),
        ("", None, ""),
    ],
)
def test_react_reads_a_call(
    text: str, call: tuple[str, dict[str, int]] | None, thought: str
) -> None:
    move = ReAct(PROMPTS).read(text, ())
    assert move.kind == "act"
    assert (move.call and (move.call.name, move.call.args)) == call
    assert move.thought == thought


def test_plan_act_plans_first_and_shows_the_plan_ever_after() -> None:
    agent = PlanAct(PROMPTS)
    text = '[{"id": 0, "name": "a.b", "args": {"c": 1}}, {"id": 1, "name": "FinishAction"}]'
    assert "plan all of them in order" in agent.messages(make_path(), ())[0].content
    move = agent.read(text, ())
    assert move.kind == "plan"
    assert move.plan == (Call(name="a.b", args={"c": 1}), Call(name="FinishAction"))
    planned = turn(text, kind="plan", plan=move.plan, observation=None)
    shown = agent.messages(make_path(), [planned, turn("{}")])
    assert [m.role for m in shown] == ["user", "assistant", "user", "assistant", "user"]
    assert shown[1].content == text
    assert shown[2].content.startswith("Carry out this plan")
    assert agent.read('{"name": "a.b"}', [planned]).call == Call(name="a.b")


def test_without_a_readable_plan_the_agent_goes_on() -> None:
    agent = PlanAct(PROMPTS)
    assert agent.read("First I look around.", ()) == ("plan", "", None, ())
    shown = agent.messages(make_path(), [turn("hm", kind="plan", observation=None)])
    assert shown[2].content.startswith("No plan could be read")


def test_agents_are_made_by_name() -> None:
    assert make_agent("react", PROMPTS).name == "react"
    with pytest.raises(UnknownNameError, match="plan_act"):
        make_agent("plan_an_act", PROMPTS)
