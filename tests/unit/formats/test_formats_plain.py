"""Answers that are one thing alone."""

from __future__ import annotations

import pytest

from teval.errors import DataError
from teval.formats import plain
from teval.schema import Json

TOOLS = ["map.search", "map.route", "FinishAction"]


@pytest.mark.parametrize(
    ("text", "well_formed"),
    [("I look it up.", True), ("I look.\nThen I book.", True), ("I look.\n\nAnd so on", False)],
)
def test_a_thought_is_the_whole_answer(text: str, well_formed: bool) -> None:
    reply = plain.thought(f" {text}\n")
    assert reply.values == {"thought": text}
    assert reply.parsed
    assert reply.well_formed == well_formed


def test_a_blank_thought_is_unparsed() -> None:
    assert not plain.thought(" \n").parsed


@pytest.mark.parametrize(
    ("text", "name", "rule"),
    [
        ("map.search", "map.search", "mention"),
        ("map.search with a 3.5 km radius", "map.search", "mention"),
        ("map.search(city='Nice') since map.search finds it", "map.search", "mention"),
        ("FinishAction.", "FinishAction", "mention"),
        ("(map.search)", "map.search", "mention"),
        ("map.searching", "map.searching", "identifier"),
        ("`Map.search`", "Map.search", "identifier"),
    ],
)
def test_the_one_tool_that_is_named(text: str, name: str, rule: str) -> None:
    reply = plain.name(text, TOOLS)
    assert reply.values == {"name": name}
    assert reply.rule == rule
    assert reply.parsed
    assert reply.well_formed == (text == name)


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("Either map.search or map.route", ("ambiguous",)),
        ("I don't know", ()),
        ("...", ()),
        ("", ()),
    ],
)
def test_no_tool_or_two_are_unparsed(text: str, flags: tuple[str, ...]) -> None:
    reply = plain.name(text, TOOLS)
    assert not reply.parsed
    assert reply.values == {}
    assert reply.flags == flags


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Lyon", "Lyon"),
        (" Lyon\n", "Lyon"),
        ('"Lyon"', "Lyon"),
        ("'Lyon'", "Lyon"),
        ("“Lyon”", "Lyon"),
        ("\"'Lyon'\"", "Lyon"),
        ("'\"Lyon\"'", "Lyon"),
        ("'Siobhan O'Dea'", "Siobhan O'Dea"),
        ('say "hi"', 'say "hi"'),
        ('"blue" umbrella', '"blue" umbrella'),
        ('"blue" or "red"', '"blue" or "red"'),
        ("the dogs'", "the dogs'"),
        ("42", "42"),
        ("true", "true"),
        ('{"a": 1}', '{"a": 1}'),
        ("two\nlines", "two\nlines"),
    ],
)
def test_text_is_never_parsed(text: str, value: str) -> None:
    reply = plain.value(text, "string")
    assert reply.values == {"value": value}
    assert reply.well_formed == (text.strip() == value)


@pytest.mark.parametrize(
    ("text", "kind", "value", "well_formed"),
    [
        ("3", "integer", 3, True),
        ("3.0", "integer", 3.0, False),
        ('"3"', "integer", 3, False),
        ("42.50", "number", 42.5, True),
        ("true", "boolean", True, True),
        ("True", "boolean", True, False),
        ("1", "boolean", 1, False),
        ("true", "integer", True, False),
        ('["leek", "potato"]', "array", ["leek", "potato"], True),
        ("['leek', 'potato']", "array", ["leek", "potato"], False),
        ('{"start": "06:00"}', "object", {"start": "06:00"}, True),
        ("null", "object", None, False),
        ("null", "null", None, True),
        ("None", "null", None, False),
    ],
)
def test_other_values_are_read(text: str, kind: str, value: Json, well_formed: bool) -> None:
    reply = plain.value(text, kind)
    assert reply.values == {"value": value}
    assert type(reply.values["value"]) is type(value)
    assert reply.parsed
    assert reply.candidates == 1
    assert reply.well_formed == well_formed


@pytest.mark.parametrize(
    ("text", "kind"),
    [("", "string"), ('""', "string"), ("five", "integer"), ("9**9", "number"), ("[1", "array")],
)
def test_no_value_is_unparsed(text: str, kind: str) -> None:
    reply = plain.value(text, kind)
    assert not reply.parsed
    assert reply.values == {}


@pytest.mark.parametrize(
    ("said", "kind", "text"),
    [("Oslo", "string", "Oslo"), (5, "integer", "5"), (["é"], "array", '["é"]')],
)
def test_values_are_written_down(said: Json, kind: str, text: str) -> None:
    assert plain.render_value(said, kind) == text


@pytest.mark.parametrize(
    ("said", "kind"), [('"Oslo"', "string"), (" x", "string"), ("", "string"), (5, "string")]
)
def test_values_that_would_not_be_read_back_are_refused(said: Json, kind: str) -> None:
    with pytest.raises(DataError, match="can't be written"):
        plain.render_value(said, kind)


@pytest.mark.parametrize(
    ("text", "steps", "well_formed"),
    [
        (
            "1. Use map.search to find Lyon.\n2. map.route, from there\n3. FinishAction",
            [
                ("map.search", "Use map.search to find Lyon."),
                ("map.route", "map.route, from there"),
                ("FinishAction", "FinishAction"),
            ],
            True,
        ),
        ("1) map.search\n2) map.search", [("map.search", "map.search")] * 2, True),
        (
            "First map.search; then map.route",
            [("map.search", "First map.search;"), ("map.route", "then map.route")],
            False,
        ),
        (
            "用map.search查询。然后map.route。",
            [("map.search", "用map.search查询。"), ("map.route", "然后map.route。")],
            False,
        ),
        (
            "1. map.search and map.route",
            [("map.search", "map.search and map.route"), ("map.route", "map.search and map.route")],
            False,
        ),
        (
            "1. map.search, as map.search knows 3.5 km",
            [("map.search", "map.search, as map.search knows 3.5 km")],
            True,
        ),
        ("- map.search", [("map.search", "map.search")], False),
        ("1. map.search - fast", [("map.search", "map.search - fast")], True),
        ("My plan:\n1. map.search", [("map.search", "map.search")], False),
    ],
)
def test_a_plan_in_words(text: str, steps: list[tuple[str, str]], well_formed: bool) -> None:
    reply = plain.plan(text, TOOLS)
    assert reply.values == {"steps": [{"name": name, "text": words} for name, words in steps]}
    assert reply.parsed
    assert reply.well_formed == well_formed


@pytest.mark.parametrize("text", ["", "I cannot plan this.", "1. map_search\n2. search"])
def test_a_plan_that_names_no_tool_is_unparsed(text: str) -> None:
    assert not plain.plan(text, TOOLS).parsed


def test_a_written_plan_is_well_formed() -> None:
    text = plain.render_plan([("map.search", 'with query "Lyon"'), ("FinishAction", "")])
    assert text == '1. map.search with query "Lyon"\n2. FinishAction'
    assert plain.plan(text, TOOLS).well_formed
