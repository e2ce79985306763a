"""Answers as labelled text."""

from __future__ import annotations

import pytest

from teval.errors import DataError
from teval.formats.string_format import parse, render
from teval.schema import Field, JsonObject, Shape

SHAPE = Shape(
    (
        Field("thought", "string", "Thought:"),
        Field("name", "string", "Action:"),
        Field("args", "object", "Action Input:"),
    )
)
GOOD = 'Thought: look it up\nAction: rail.search\nAction Input: {"to": "Lyon"}'
VALUES: JsonObject = {"thought": "look it up", "name": "rail.search", "args": {"to": "Lyon"}}


def shape(thought: str, name: str, args: str) -> Shape:
    return Shape(
        (
            Field("thought", "string", thought),
            Field("name", "string", name),
            Field("args", "object", args),
        )
    )


@pytest.mark.parametrize(
    "text", [GOOD, f"\n{GOOD}\n", GOOD.replace("\n", "\n\n"), GOOD.replace(": ", ":")]
)
def test_every_label_once_and_in_order_is_well_formed(text: str) -> None:
    reply = parse(text, SHAPE)
    assert reply.values == VALUES
    assert reply.parsed
    assert reply.well_formed
    assert reply.rule == "labels"
    assert (reply.repairs, reply.flags) == (0, ())


@pytest.mark.parametrize(
    "text",
    [
        f"Here you are:\n{GOOD}",
        f"{GOOD}\nI hope this is right.",
        GOOD.replace("rail.search", "`rail.search`."),
        GOOD.replace("rail.search", '"rail.search"'),
        GOOD.replace("rail.search", "rail.search\nwhich finds trains"),
        GOOD.replace('{"to": "Lyon"}', "{'to': 'Lyon'}"),
        GOOD.replace('{"to": "Lyon"}', '{to: "Lyon"}'),
        GOOD.replace('{"to": "Lyon"}', '```json\n{"to": "Lyon"}\n```'),
        'Action: rail.search\nThought: look it up\nAction Input: {"to": "Lyon"}',
        f"{GOOD}\n{GOOD}",
        f"{GOOD}\nThought: done",
    ],
)
def test_what_can_be_read_is_parsed_but_not_well_formed(text: str) -> None:
    reply = parse(text, SHAPE)
    assert reply.values == VALUES
    assert reply.parsed
    assert not reply.well_formed


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Action: rail.search\nAction Input:", {"name": "rail.search"}),
        ("Action: rail.search\nAction Input: None", {"name": "rail.search"}),
        ("Action: rail.search\nAction Input: [1, 2]", {"name": "rail.search"}),
        ("Action: rail.search\nAction Input: to=Lyon", {"name": "rail.search"}),
        ("Action: rail.search\nAction Input: __import__('os').getcwd()", {"name": "rail.search"}),
        ("Thought:\nAction: \nAction Input: {}", {"args": {}}),
        ("thought: x\nACTION: y", {}),
        ("I take Action: rail.search", {}),
        ("", {}),
    ],
)
def test_what_is_missing_or_unreadable_is_left_out(text: str, values: JsonObject) -> None:
    reply = parse(text, SHAPE)
    assert reply.values == values
    assert not reply.parsed
    assert not reply.well_formed
    assert reply.repairs == 0


def test_a_field_runs_to_the_next_label() -> None:
    text = "Thought: first\nsecond: with a colon\n\nthird\nAction: a.b\nAction Input: {\n}"
    assert parse(text, SHAPE).values == {
        "thought": "first\nsecond: with a colon\n\nthird",
        "name": "a.b",
        "args": {},
    }


def test_of_several_objects_in_a_field_the_last_counts() -> None:
    reply = parse("Action: a.b\nAction Input: {'to': 'Nice'} {to: Lyon}", SHAPE)
    assert reply.values["args"] == {"to": "Lyon"}
    assert reply.repairs > 0
    assert reply.flags == ("repaired",)


def test_the_last_round_with_most_fields_counts() -> None:
    again = GOOD.replace("Lyon", "Nice")
    reply = parse(f"{GOOD}\n{again}\nThought: cut of", SHAPE)
    assert reply.values["args"] == {"to": "Nice"}
    assert reply.candidates == 3


@pytest.mark.parametrize(
    "labels",
    [
        ("Thought (why?):", "Action [api]:", "Args* ="),
        ("[THOUGHT]", "[TOOL]", "[INPUT]"),
        ("思考：", "动作：", "参数："),
        ("Plan", "Plan step", "Plan step input"),
        (".*", "^", "$1"),
        ("### Plan:", "### Use:", "### Values:"),
    ],
)
def test_labels_are_taken_literally(labels: tuple[str, str, str]) -> None:
    asked = shape(*labels)
    text = render(VALUES, asked)
    assert text.split("\n")[1] == f"{labels[1]} rail.search"
    reply = parse(text, asked)
    assert reply.values == VALUES
    assert reply.well_formed


def test_a_label_that_is_a_word_is_not_the_beginning_of_another_word() -> None:
    reply = parse("goal x\nname a.b\nnames follow\nargs {}", shape("goal", "name", "args"))
    assert reply.values == {"thought": "x", "name": "a.b", "args": {}}
    assert not reply.well_formed


def test_only_names_are_trimmed() -> None:
    reply = parse(
        "Goal: `x`\nAim: (y).",
        Shape((Field("goal", "string", "Goal:"), Field("aim", "string", "Aim:"))),
    )
    assert reply.values == {"goal": "`x`", "aim": "(y)."}
    assert reply.well_formed


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (VALUES | {"thought": "first\nAction: c.d"}, "begins like the label 'Action:'"),
        (VALUES | {"thought": "first\n  Thought: second"}, "begins like the label 'Thought:'"),
        (VALUES | {"thought": "first\nObservation: none"}, "can't say"),
        (VALUES | {"thought": "<think>"}, "can't say"),
        (VALUES | {"thought": " padded "}, "can't say"),
        (VALUES | {"thought": ""}, "can't say"),
        (VALUES | {"name": "two\nlines"}, "can't say"),
    ],
)
def test_values_that_would_not_be_read_back_are_refused(values: JsonObject, message: str) -> None:
    with pytest.raises(DataError, match=message):
        render(values, SHAPE)


def test_fields_that_are_not_asked_for_are_not_written() -> None:
    asked = Shape(SHAPE.fields[1:])
    assert render(VALUES, asked) == 'Action: rail.search\nAction Input: {"to": "Lyon"}'


def test_of_several_objects_the_last_is_meant() -> None:
    text = GOOD.replace('{"to": "Lyon"}', '{"to": "Nice"} or rather {"to": "Lyon"}')
    assert parse(text, SHAPE).values == VALUES
