"""What comes off an answer before it is read."""

from __future__ import annotations

import pytest

from teval.formats import json_format
from teval.formats.reasoning import cut, read
from teval.schema import Field, Reply, Shape

CUT = ("reasoning_cut",)


@pytest.mark.parametrize(
    ("text", "answer", "flags"),
    [
        ("no tags", "no tags", ()),
        ("<think>Option A? No.</think>\nAnswer: D", "\nAnswer: D", CUT),
        ("<THINKING>x</THINKING>D", "D", CUT),
        ("[THINK]x[/THINK]D", "D", CUT),
        ("first line\n</think>\n{}", "\n{}", CUT),
        ("<think>a</think>X<think>b</think>Y", "XY", CUT),
        ("<think>use </think> to close</think>D", "D", CUT),
        ("<think>a <think> b</think>D", "D", CUT),
        ("<think>Let me compare. Option B says", "", ("reasoning_unclosed",)),
        ("Well. <think>and so on", "", ("reasoning_unclosed",)),
        ('{"text": "end with </think>"}', '{"text": "end with </think>"}', ()),
        ('<think>x</think>{"text": "a <think> tag"}', '{"text": "a <think> tag"}', CUT),
        ("", "", ()),
    ],
)
def test_reasoning_comes_off(text: str, answer: str, flags: tuple[str, ...]) -> None:
    assert cut(text) == (answer, flags)


@pytest.mark.parametrize(
    "line",
    [
        'Observation: {"trains": []}',
        "observation 2: x",
        "**Observation:** x",
        "  Tool response: x",
        "Tool_Response：x",
        "Function result: x",
        "API output: x",
        "<tool_response>",
        "观察：x",
        "工具返回: x",
    ],
)
def test_everything_from_an_observation_on_comes_off(line: str) -> None:
    assert cut(f"Action: a.b\n{line}\nAction: c.d") == ("Action: a.b\n", ("observation_cut",))


@pytest.mark.parametrize(
    "text",
    [
        "The tool response: it failed.\nB",
        "1. Observation: use weather.get",
        "Observations are good.\nB",
        "Response review: B",
        "Tool: weather.get",
        '{\n  "observation": "x"\n}',
        "Answer: observation",
    ],
)
def test_other_lines_stay(text: str) -> None:
    assert cut(text) == (text, ())


SHAPE = Shape((Field("name", "string"), Field("args", "object")))


def parse(text: str) -> Reply:
    return json_format.parse(text, SHAPE)


def test_reading_keeps_the_flags_of_both() -> None:
    reply = read('<think>{"name": "no"}</think>{"name": "a.b", "args": "{}"}', parse)
    assert reply.values == {"name": "a.b", "args": {}}
    assert reply.flags == ("reasoning_cut", "args_double_encoded")


def test_an_answer_after_reasoning_may_be_well_formed_but_not_one_that_goes_on() -> None:
    answer = '{"name": "a.b", "args": {}}'
    assert read(f"<think>x</think>{answer}", parse).well_formed
    reply = read(f"{answer}\nObservation: fine", parse)
    assert reply.parsed
    assert not reply.well_formed


def test_a_step_is_read_up_to_its_made_up_observation() -> None:
    text = '{"name": "rail.search", "args": {}}\nObservation: {}\n{"name": "x", "args": {}}'
    assert read(text, parse).values["name"] == "rail.search"


def test_a_tag_inside_a_value_is_no_tag_whatever_stands_before() -> None:
    text = 'as in { open\n{"a": "<think>"}'
    assert cut(text) == (text, ())
