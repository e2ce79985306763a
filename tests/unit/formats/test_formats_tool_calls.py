"""Calls as models write them, read and written."""

from __future__ import annotations

import json

import pytest

from teval.errors import DataError
from teval.formats.reasoning import read
from teval.formats.tool_calls import MAX_MARKS, parse, render
from teval.schema import Function, Json, JsonObject, Reply

CITY: JsonObject = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
}
OFFERED = (
    Function(name="weather_ask", tool="weather.ask", description="", parameters=CITY),
    Function(name="note_add", tool="note.add", description="", parameters={}),
)
OSLO: JsonObject = {"city": "Oslo"}


def values(text: str) -> JsonObject:
    return dict(parse(text, OFFERED).values)


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>\n{"name": "weather_ask", "arguments": {"city": "Oslo"}}\n</tool_call>',
        'I look.\n<tool_call>\n{"name": "weather_ask", "arguments": {"city": "Oslo"}}\n',
        '<tool_call>{"name": "weather_ask", "arguments": {"city": "Oslo"}}</tool_call><|im_end|>',
        '{"name": "weather_ask", "parameters": {"city": "Oslo"}}<|eot_id|>',
        '{"type": "function", "name": "weather_ask", "parameters": {"city": "Oslo"}}',
        '{"function": {"name": "weather_ask", "arguments": {"city": "Oslo"}}}',
        '<|python_tag|>{"name": "weather_ask", "parameters": {"city": "Oslo"}}<|eom_id|>',
        '[TOOL_CALLS] [{"name": "weather_ask", "arguments": {"city": "Oslo"}}]</s>',
        '[TOOL_CALLS][{"name": "weather_ask", "arguments": {"city": "Oslo"}, "id": "a1"}]',
        '[TOOL_CALLS]weather_ask[ARGS]{"city": "Oslo"}</s>',
        '[TOOL_CALLS]weather_ask[CALL_ID]a1b2[ARGS]{"city": "Oslo"}',
        '[TOOL_CALLS]weather_ask{"city": "Oslo"}',
        "<tool_call>\n<function=weather_ask>\n<parameter=city>\nOslo\n</parameter>\n</function>\n"
        "</tool_call>",
        "<tool_call>weather_ask\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>",
        '<function=weather_ask>{"city": "Oslo"}</function>',
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather_ask\n"
        '```json\n{"city": "Oslo"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather_ask<｜tool▁sep｜>"
        '{"city": "Oslo"}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.weather_ask:0"
        '<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|>',
        "<|channel|>commentary to=functions.weather_ask <|constrain|>json<|message|>"
        '{"city": "Oslo"}<|call|>',
        '<|tool_call|>[{"name": "weather_ask", "arguments": {"city": "Oslo"}}]<|/tool_call|>',
        '[weather_ask(city="Oslo")]',
        'weather_ask(city="Oslo")',
    ],
)
def test_every_known_syntax_is_read(text: str) -> None:
    reply = parse(text, OFFERED)
    assert dict(reply.values) == {"name": "weather.ask", "args": OSLO}
    assert reply.parsed
    assert reply.well_formed
    assert reply.flags == ()


def test_a_closing_mark_inside_a_text_ends_nothing() -> None:
    said = "Close the block with </tool_call> and stop."
    text = f'<tool_call>\n{{"name": "note_add", "arguments": {{"text": "{said}"}}}}\n</tool_call>'
    assert values(text) == {"name": "note.add", "args": {"text": said}}


def test_an_opening_mark_inside_a_text_opens_nothing() -> None:
    inner = '<tool_call>{"name": "weather_ask", "arguments": {}}</tool_call>'
    text = render("note.add", {"text": inner}, OFFERED)
    reply = parse(text, OFFERED)
    assert reply.values == {"name": "note.add", "args": {"text": inner}}
    assert reply.candidates == 1


def test_nested_arguments_stay_whole() -> None:
    record: JsonObject = {"driver": {"age": 42, "tags": {"risk": "low", "name": "x"}}}
    call = {"name": "note_add", "parameters": {"record": record}}
    assert values(json.dumps(call)) == {"name": "note.add", "args": {"record": record}}


def test_the_first_of_several_calls_counts() -> None:
    one = render("note.add", {}, OFFERED)
    reply = parse(one + render("weather.ask", OSLO, OFFERED), OFFERED)
    assert reply.values == {"name": "note.add", "args": {}}
    assert (reply.flags, reply.candidates, reply.well_formed) == (("several_calls",), 2, False)


def test_arguments_in_a_string_are_decoded_once() -> None:
    text = '<tool_call>{"name": "weather_ask", "arguments": "{\\"city\\": \\"Oslo\\"}"}</tool_call>'
    reply = parse(text, OFFERED)
    assert reply.values["args"] == OSLO
    assert reply.flags == ("args_double_encoded",)


@pytest.mark.parametrize("given", ["null", '""'])
def test_empty_arguments_are_none_given_but_there(given: str) -> None:
    text = f'<tool_call>{{"name": "note_add", "arguments": {given}}}</tool_call>'
    assert values(text)["args"] == {}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('<tool_call>{"name": "note_add"}</tool_call>', "note.add"),
        ('<tool_call>{"name": "note_add", "arguments": [1]}</tool_call>', "note.add"),
        ("[TOOL_CALLS]note_add", "note.add"),
    ],
)
def test_a_call_without_arguments_is_half_read(text: str, name: str) -> None:
    reply = parse(text, OFFERED)
    assert dict(reply.values) == {"name": name}
    assert not reply.parsed
    assert not reply.well_formed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "abc",
        "I do not have a tool for that.",
        'Action: weather_ask with {"city": "Oslo"}',
        '{"name": "Ana"}',
        '<tool_call><tool_call name="weather_ask" arguments={"a": 1}/></tool_call>',
        "weather_ask('Oslo')",
        "weather_ask(city=open('x'))",
        "[weather_ask(city='Oslo'), 3]",
    ],
)
def test_what_is_no_call_is_not_read(text: str) -> None:
    assert parse(text, OFFERED) == Reply()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (
            '<tool_call>{"name": "weather_ask", "arguments": {"city": "Oslo",}}</tool_call>',
            "python",
        ),
        ("<tool_call>{'name': 'weather_ask', 'arguments': {'city': 'Oslo'}}", "python"),
        ('<tool_call>{"name": "weather_ask", "arguments": {"city": "Oslo"', "repaired"),
        (
            '<tool_call>{"name": "weather_ask", "arguments": {"city": "Rome", "city": "Oslo"}}',
            "json",
        ),
        ('Call {"name": "weather_ask", "arguments": {"city": "Oslo"}} now.', "json"),
        ('```json\n{"name": "weather_ask", "arguments": {"city": "Oslo"}}\n```', "json"),
        ('<tool_call>{"name": "Weather.ask", "arguments": {"city": "Oslo"}}</tool_call>', "json"),
    ],
)
def test_a_fault_in_the_form_is_seen_though_the_call_is_read(text: str, rule: str) -> None:
    reply = parse(text, OFFERED)
    assert reply.values["args"] == OSLO
    assert reply.rule == rule
    assert not reply.well_formed


def test_apostrophes_stay() -> None:
    text = (
        '<tool_call>{"name": "note_add", "arguments": {"text": "Ana\'s, 7 o\'clock"}}</tool_call>'
    )
    assert values(text)["args"] == {"text": "Ana's, 7 o'clock"}


@pytest.mark.parametrize(
    ("said", "kind", "value"),
    [("3", "integer", 3), ("3", "string", "3"), ("[1, 2]", "array", [1, 2]), ("x", "integer", "x")],
)
def test_arguments_in_tags_have_the_type_that_the_function_names(
    said: str, kind: str, value: Json
) -> None:
    properties: JsonObject = {"v": {"type": kind}}
    offered = [Function(name="f", tool="f", description="", parameters={"properties": properties})]
    text = f"<function=f>\n<parameter=v>\n{said}\n</parameter>\n</function>"
    assert parse(text, offered).values["args"] == {"v": value}


def test_thoughts_are_no_calls() -> None:
    said = render("note.add", {}, OFFERED)
    text = f"<think>Perhaps {said}?</think>{render('weather.ask', OSLO, OFFERED)}"
    reply = read(text, lambda answer: parse(answer, OFFERED))
    assert reply.values["name"] == "weather.ask"


def test_marks_without_end_are_not_looked_behind_for_ever() -> None:
    assert parse("<tool_call>{" * 5000, OFFERED) == Reply()
    many = parse(render("note.add", {}, OFFERED) * (MAX_MARKS + 9), OFFERED)
    assert many.candidates == MAX_MARKS


def test_what_has_no_json_text_is_refused() -> None:
    with pytest.raises(DataError, match="no JSON text"):
        render("note.add", {"x": float("nan")}, OFFERED)


def test_a_tool_that_was_not_offered_is_written_as_it_is() -> None:
    assert parse(render("other.tool", {}, OFFERED), OFFERED).values["name"] == "other.tool"
