"""Readers: never an exception, and what was written is read back."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from teval.errors import DataError
from teval.formats import json_format, letters, plain, reasoning, string_format, tool_calls
from teval.formats.json_values import sound
from teval.schema import Field, Function, Json, JsonObject, Reply, Shape

LOADED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A busy machine fails no test."""

FIELDS = (
    Field("thought", "string", "Thought:"),
    Field("name", "string", "Action:"),
    Field("args", "object", "Args:"),
)
CALL = Shape(FIELDS)
PLAN = Shape((Field("id", "integer"), *FIELDS[1:]), many=True)
REVIEW = Shape((Field("review", "string"),))
TOOLS = ["map.search", "map.route", "FinishAction"]

OFFERED = [
    Function(name=name.replace(".", "_"), tool=name, description="", parameters={})
    for name in TOOLS
]
READERS: dict[str, Callable[[str], Reply]] = {
    "json": lambda text: json_format.parse(text, CALL),
    "plan json": lambda text: json_format.parse(text, PLAN),
    "string": lambda text: string_format.parse(text, CALL),
    "letter": letters.parse,
    "letter json": lambda text: letters.checked(json_format.parse(text, REVIEW)),
    "thought": plain.thought,
    "name": lambda text: plain.name(text, TOOLS),
    "name without tools": plain.name,
    "text": lambda text: plain.value(text, "string"),
    "number": lambda text: plain.value(text, "number"),
    "plan": lambda text: plain.plan(text, TOOLS),
    "call": lambda text: tool_calls.parse(text, OFFERED),
}

anything = st.text(st.characters(exclude_categories=()))
pieces = st.lists(
    st.sampled_from(
        [
            *("{", "}", "[", "]", '"', "'", ":", ",", "\\", "\n", " ", "a", "1", "-", ".", "\x00"),
            *("<think>", "</think>", "Observation:", "Thought:", "Action:", "Args: {", "```json\n"),
            *('{"name": "map.search", ', '"args": {', '"review": "B"', "null", "True", "NaN"),
            *(
                "1e999",
                "9" * 5000,
                "map.search",
                "The answer is ",
                "A",
                "or B",
                "option ",
                "\ud800",
            ),
        ]
    ),
    max_size=40,
).map("".join)
texts = anything | pieces


@pytest.mark.parametrize("reader", READERS)
@given(text=texts)
@settings(LOADED, max_examples=60)
def test_every_reader_takes_every_text(reader: str, text: str) -> None:
    reply = reasoning.read(text, READERS[reader])
    assert sound(dict(reply.values))
    json.dumps(dict(reply.values), allow_nan=False)
    assert reply.parsed or not reply.well_formed
    assert not reply.parsed or reply.values
    assert not reply.values or (reply.rule and reply.candidates)


@given(texts)
@settings(LOADED, max_examples=200)
def test_what_is_cut_is_a_part_of_the_answer(text: str) -> None:
    answer, flags = reasoning.cut(text)
    assert len(answer) <= len(text)
    assert bool(flags) or answer == text


scalars = (
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.text(max_size=8)
) | st.floats(allow_nan=False, allow_infinity=False)
values: st.SearchStrategy[Json] = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
objects: st.SearchStrategy[JsonObject] = st.dictionaries(st.text(max_size=6), values, max_size=4)
said = st.text(min_size=1).filter(lambda text: bool(text.strip()))
replies: st.SearchStrategy[JsonObject] = st.fixed_dictionaries(
    {"thought": said, "name": said, "args": objects}
)


@given(replies)
@settings(LOADED, max_examples=200)
def test_json_is_read_back(reply: JsonObject) -> None:
    text = json_format.render(reply, CALL)
    read = json_format.parse(text, CALL)
    assert read.values == reply
    assert read.well_formed
    fenced = json_format.parse(f"```json\n{text}\n```", CALL)
    assert fenced.values == reply
    assert fenced.well_formed


@pytest.mark.parametrize("before", ["", "I call a tool.\n", "{1} or [2]\n"])
@given(args=objects, name=st.sampled_from(list(TOOLS)))
@settings(LOADED, max_examples=100)
def test_calls_are_read_back(args: JsonObject, name: str, before: str) -> None:
    read = reasoning.read(
        before + tool_calls.render(name, args, OFFERED) + "<|im_end|>",
        lambda text: tool_calls.parse(text, OFFERED),
    )
    assert read.values == {"name": name, "args": args}
    assert read.well_formed


@given(st.lists(replies, min_size=1, max_size=4))
@settings(LOADED, max_examples=100)
def test_json_plans_are_read_back(steps: list[JsonObject]) -> None:
    asked = [{"name": step["name"], "args": step["args"]} for step in steps]
    read = json_format.parse(json_format.render(asked, PLAN), PLAN)
    assert read.values == {"steps": asked}
    assert read.well_formed


@given(replies)
@settings(LOADED, max_examples=200)
def test_labelled_text_is_read_back_or_refused(reply: JsonObject) -> None:
    try:
        text = string_format.render(reply, CALL)
    except DataError:
        assume(False)
        return
    read = reasoning.read(text, lambda answer: string_format.parse(answer, CALL))
    assert read.values == reply
    assert read.parsed


plain_thoughts = st.text(st.sampled_from("ab .,!?\n"), min_size=1).map(str.strip).filter(bool)
names = st.from_regex(r"[a-z]{1,5}\.[a-z_]{1,8}", fullmatch=True)


@given(plain_thoughts, names, objects)
@settings(LOADED, max_examples=100)
def test_labelled_text_takes_plain_values(thought: str, name: str, args: JsonObject) -> None:
    reply: JsonObject = {"thought": thought, "name": name, "args": args}
    read = string_format.parse(string_format.render(reply, CALL), CALL)
    assert read.values == reply
    assert read.well_formed


typed: st.SearchStrategy[tuple[str, Json]] = st.one_of(
    st.tuples(st.just("integer"), st.integers(-(10**20), 10**20)),
    st.tuples(st.just("number"), st.floats(allow_nan=False, allow_infinity=False)),
    st.tuples(st.just("boolean"), st.booleans()),
    st.tuples(st.just("array"), st.lists(values, max_size=3)),
    st.tuples(st.just("object"), objects),
)


@given(typed)
@settings(LOADED, max_examples=150)
def test_values_alone_are_read_back(value: tuple[str, Json]) -> None:
    kind, given_value = value
    read = plain.value(plain.render_value(given_value, kind), kind)
    assert read.values == {"value": given_value}
    assert read.well_formed


@given(anything)
@settings(LOADED, max_examples=150)
def test_texts_alone_are_read_back_or_refused(value: str) -> None:
    try:
        text = plain.render_value(value, "string")
    except DataError:
        assert value != value.strip() or not value or value[0] in "\"'“‘"
        return
    assert plain.value(text, "string").values == {"value": value}


@given(st.lists(st.sampled_from(TOOLS), min_size=1, max_size=6))
@settings(LOADED)
def test_plans_in_words_are_read_back(tools: list[str]) -> None:
    text = plain.render_plan([(tool, f"with step {at}") for at, tool in enumerate(tools)])
    read = plain.plan(text, TOOLS)
    steps = read.values["steps"]
    assert isinstance(steps, list)
    assert [step["name"] for step in steps if isinstance(step, dict)] == tools
    assert read.well_formed


@given(st.floats())
@settings(LOADED)
def test_only_finite_numbers_are_json(number: float) -> None:
    text = json.dumps({"review": "B", "x": number})
    read = json_format.parse(text, Shape((*REVIEW.fields, Field("x", "string", required=False))))
    assert read.values["review"] == "B"
    assert math.isfinite(number) or read.rule == "repaired"


@given(st.sets(names, min_size=1, max_size=5))
@settings(LOADED)
def test_names_and_letters_alone_are_read_back(tools: set[str]) -> None:
    for tool in tools:
        assert plain.name(tool, tools).values == {"name": tool}
        assert plain.name(tool, tools).well_formed
    for letter in "ABCDE":
        assert letters.parse(letter).values == {"review": letter}
