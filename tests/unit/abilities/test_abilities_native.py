"""Cases that are answered by a call in the model's own syntax, and schemas for JSON answers."""

from __future__ import annotations

import pytest
from factories import make_path

from teval.abilities import ABILITIES, slice_path
from teval.abilities.calls import offer
from teval.errors import DataError
from teval.prompting import Prompts, prompt_hash
from teval.schema import Case, Tool, finish_tool

PROMPTS = Prompts.load("en")
PATH = make_path()
NATIVE = tuple(c for c in slice_path(PATH, PROMPTS, native=True) if c.format == "tools")
HELD = tuple(slice_path(PATH, PROMPTS, constrained=True))


def likeness(a: str, b: str) -> float:
    return float(a == b)


def score(case: Case, text: str) -> float | None:
    card = ABILITIES[case.ability]
    reply = card.read(text, case)
    return card.score(reply, case, likeness)[card.headline] if reply.parsed else None


def case_of(ability: str, step: int) -> Case:
    return next(c for c in NATIVE if (c.ability, c.step) == (ability, step))


def call(name: str, args: str) -> str:
    return f'<tool_call>{{"name": "{name}", "arguments": {args}}}</tool_call>'


def test_they_are_sliced_only_for_those_who_ask() -> None:
    assert all(case.format != "tools" for case in slice_path(PATH, PROMPTS))
    assert {case.ability for case in NATIVE} == {"instruct", "retrieve", "understand"}


def test_other_cases_are_the_same_with_them() -> None:
    with_them = [c for c in slice_path(PATH, PROMPTS, native=True) if c.format != "tools"]
    assert with_them == list(slice_path(PATH, PROMPTS))


@pytest.mark.parametrize("case", NATIVE, ids=lambda case: case.id)
def test_tools_are_offered_beside_the_messages_under_names_that_servers_take(case: Case) -> None:
    assert [f.tool for f in case.functions] == list(case.tools)
    assert [f.name for f in case.functions][-1] == "FinishAction"
    text = case.messages[0].content
    for function in case.functions:
        assert "." not in function.name
        assert function.description not in text
        if "." in function.tool:
            assert f"{function.tool}(" not in text
            assert f"call is {function.tool}." not in text
    assert case.prompt == prompt_hash(case.messages, case.functions) != prompt_hash(case.messages)


def test_the_history_names_tools_as_they_are_offered() -> None:
    text = case_of("retrieve", 2).messages[0].content
    assert 'weather_get_forecast(city="Oslo", days=2)' in text


def test_the_finish_is_a_function_too() -> None:
    last = case_of("retrieve", 6)
    assert score(last, call("FinishAction", "{}")) == 1
    assert score(last, call("mail_send", "{}")) == 0


@pytest.mark.parametrize("name", ["weather_get_forecast", "weather.get_forecast"])
def test_names_are_read_back_and_the_first_call_counts(name: str) -> None:
    args = '{"city": "Oslo", "days": 2}'
    right, wrong = call(name, args), call("mail_send", args)
    assert score(case_of("retrieve", 0), right) == 1
    assert score(case_of("retrieve", 0), right + wrong) == 1
    assert score(case_of("retrieve", 0), wrong + right) == 0
    assert score(case_of("understand", 0), right) == 1
    assert score(case_of("understand", 0), call(name, '{"city": "Rome", "days": 2}')) == 0.5


def test_without_arguments_only_the_tool_is_read() -> None:
    bare = '<tool_call>{"name": "weather_get_forecast"}</tool_call>'
    assert score(case_of("retrieve", 0), bare) == 1
    assert score(case_of("understand", 0), bare) is None


def test_prose_before_a_call_is_no_fault_but_a_second_call_is() -> None:
    case = case_of("instruct", 0)
    right = ABILITIES["instruct"].answer(case)
    assert score(case, f"Let me look.\n{right}") == 1
    assert score(case, f"{right}\n{right}") == 0.5
    assert score(case, "weather.get_forecast in Oslo") is None


def test_two_tools_under_one_name_are_refused() -> None:
    tools = [Tool(name=name, description="") for name in ("math.factorial", "math_factorial")]
    with pytest.raises(DataError, match=r"'math\.factorial' and 'math_factorial'.*rename one"):
        offer(tools)
    path = PATH.model_copy(update={"tools": (*tools, *PATH.tools)})
    with pytest.raises(DataError, match=r"cases\.formats"):
        list(slice_path(path, PROMPTS, native=True))
    assert list(slice_path(path, PROMPTS))


def test_a_tool_listed_twice_is_offered_once() -> None:
    assert len(offer([finish_tool("Ends."), finish_tool("Ends.")])) == 1


def test_only_json_answers_are_held_to_a_schema() -> None:
    assert {c.format for c in HELD if c.constraint is not None} == {"json"}
    assert all(c.constraint is not None for c in HELD if c.format == "json")
    assert all(c.constraint is None for c in slice_path(PATH, PROMPTS))


def test_a_schema_moves_no_prompt_so_that_runs_with_and_without_can_be_compared() -> None:
    free = {case.id: case.prompt for case in slice_path(PATH, PROMPTS)}
    assert free == {case.id: case.prompt for case in HELD}
    by_prompt: dict[str, list[object]] = {}
    for case in HELD:
        by_prompt.setdefault(case.prompt, []).append(case.constraint)
    assert all(schema == found[0] for found in by_prompt.values() for schema in found)
