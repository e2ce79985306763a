"""JSON values inside any text."""

from __future__ import annotations

import time

import pytest

from teval.formats.json_values import (
    MAX_DEPTH,
    MAX_REPAIRED,
    MAX_TOLERANT,
    find,
    literal,
    sound,
    strict,
)
from teval.schema import Json


def anything(value: Json) -> bool:
    return True


def nothing(value: Json) -> bool:
    return False


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{"a": 1}', [{"a": 1}]),
        ('one {"a": 1} two [2] three', [{"a": 1}, [2]]),
        ('{"a": {"b": [1, {"c": 2}]}}', [{"a": {"b": [1, {"c": 2}]}}]),
        ('{"text": "close with } and ]"}', [{"text": "close with } and ]"}]),
        ('{"text": "Ana\'s dinner, 7 o\'clock"}', [{"text": "Ana's dinner, 7 o'clock"}]),
        ("nothing here", []),
        ("", []),
        ("[]", [[]]),
        ('{"a": 1e999}', []),
        ('{"a": 2.5}', [{"a": 2.5}]),
    ],
)
def test_finds_the_outermost_values(text: str, values: list[Json]) -> None:
    found = find(text, nothing)
    assert [value.value for value in found] == values
    assert [text[value.start] in "[{" for value in found] == [True] * len(found)
    assert {value.rule for value in found} <= {"json"}


@pytest.mark.parametrize(
    ("text", "value", "rule"),
    [
        (
            "{'a': None, 'b': True, 'c': (1, -2.5)}",
            {"a": None, "b": True, "c": [1, -2.5]},
            "python",
        ),
        ("{'text': \"don't\"}", {"text": "don't"}, "python"),
        ("{'text': 'close with } here'}", {"text": "close with } here"}, "python"),
        ("{'text': 'x' , 'n': 1}", {"text": "x", "n": 1}, "python"),
        ("{'text': 'say \"hi\", then } go'}", {"text": 'say "hi", then } go'}, "python"),
        ("{'text': 'x'", {"text": "x"}, "repaired"),
        ("{'label': \"don't snooze\", 'repeat': true}", None, "repaired"),
        ('{"a": 1,}', {"a": 1}, "python"),
        ('{"a": tru,}', {"a": "tru"}, "repaired"),
        ('{"text": "two\nlines"}', {"text": "two\nlines"}, "repaired"),
        (
            '{name: a.b, args: {city: "Oslo"}}',
            {"name": "a.b", "args": {"city": "Oslo"}},
            "repaired",
        ),
        ("{'n': 9**9**9}", None, "repaired"),
        ('{"n": NaN}', {"n": "NaN"}, "repaired"),
    ],
)
def test_reads_by_the_first_rule_that_can(text: str, value: Json, rule: str) -> None:
    (found,) = find(text, anything)
    assert found.rule == rule
    assert (found.repairs > 0) == (rule == "repaired")
    assert value is None or found.value == value
    assert (found.start, found.end) == (0, len(text))


@pytest.mark.parametrize("before", ["", "x"])
def test_a_quote_may_open_a_string_behind_a_space(before: str) -> None:
    (found,) = find(before + "{'text': 'a } b'}", anything)
    assert (found.value, found.rule) == ({"text": "a } b"}, "python")


def test_a_quote_may_close_a_string_before_a_space() -> None:
    found = find("{'a': 'b' } then {'c': 'd' } so", anything)
    assert [value.value for value in found] == [{"a": "b"}, {"c": "d"}]


def test_a_start_that_fails_skips_to_the_next_line() -> None:
    text = 'in set notation { is open: {"a": 1}\n{"b": 2}'
    assert [value.value for value in find(text, nothing)] == [{"b": 2}]


def test_what_is_never_closed_is_repaired_only_into_what_is_wanted() -> None:
    text = '{"thought": "I look'
    assert find(text, nothing) == []
    assert find(text, anything)[0].value == {"thought": "I look"}


def test_at_most_so_many_starts_are_tried() -> None:
    lines = "[1]\n" * 63
    assert find(lines + '{"a": 1}', nothing)[-1].value == {"a": 1}
    assert find(lines + '[1]\n{"a": 1}', nothing)[-1].value == [1]


@pytest.mark.parametrize("before", ["", "x", "so: "])
def test_longer_pieces_are_read_as_json_or_not_at_all(before: str) -> None:
    piece = f"['{'a' * (MAX_TOLERANT - 4)}']"
    (found,) = find(before + piece, nothing)
    assert (found.rule, found.start) == ("python", len(before))
    assert find(before + piece.replace("a']", "aa']"), anything) == []


def test_so_much_of_a_text_is_repaired() -> None:
    piece = "[tru, " + "1, " * ((MAX_TOLERANT - 8) // 3) + "1]"
    assert 2 * len(piece) == MAX_REPAIRED
    found = find("\n".join([piece] * 3), anything)
    assert [value.rule for value in found] == ["repaired"] * 2


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def test_values_may_be_nested_so_deep() -> None:
    assert len(find(nested(MAX_DEPTH), nothing)) == 1
    assert find(nested(MAX_DEPTH + 2), anything) == []


@pytest.mark.parametrize(
    "unit", ["[", "{", '{"a":', "[]", "[{", "[\n", "{\n", "[1,", '["', "[[],", "{'a': -", "\\", '"']
)
def test_hostile_texts_are_read_quickly(unit: str) -> None:
    text = (unit * 100_000)[:100_000]
    begin = time.process_time()
    find(text, nothing)
    assert time.process_time() - begin < 1


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1} b',
        '{"a": NaN}',
        '{"a": -Infinity}',
        '{"a": 1e999}',
        '{"a": 1, "a": 2}',
        "{'a': 1}",
        '{"a": 1,}',
        "",
        "[" * 100_000,
        nested(MAX_DEPTH + 2),
        "9" * 5_000,
    ],
)
def test_strict_refuses(text: str) -> None:
    with pytest.raises(ValueError, match="not one JSON value"):
        strict(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        (" 42.50 ", 42.5),
        ("true", True),
        ("True", True),
        ("null", None),
        ("None", None),
        ("-7", -7),
        ("['leek', 'potato']", ["leek", "potato"]),
        ("{'minutes': 15, 'start': '06:00'}", {"minutes": 15, "start": "06:00"}),
    ],
)
def test_literals_are_json_or_python(text: str, value: Json) -> None:
    read = literal(text)
    assert read is not None
    assert read.value == value
    assert type(read.value) is type(value)
    assert (read.start, read.end) == (0, len(text.strip()))


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9",
        "1 + 1",
        "__import__('os').getcwd()",
        "f'{1}'",
        "b'x'",
        "1j",
        "...",
        "{1, 2}",
        "{1: 2}",
        "{**{}}",
        "five",
        "",
        "1e999",
        "-" * 3_000 + "1",
        "- " * 2_000 + "1",
        "(" * 3_000,
        "not " * 1_200 + "1",
        "a" + ".a" * 2_400,
        "\x00",
        "'\ud800'",
    ],
)
def test_what_is_no_literal_is_not_read(text: str) -> None:
    assert literal(text) is None


@pytest.mark.parametrize(
    ("value", "is_json"),
    [
        ({"a": [1, None, True, "x", 2.5]}, True),
        ({1: 2}, False),
        ([float("nan")], False),
        ([float("inf")], False),
        ([{1, 2}], False),
        ((1, 2), False),
    ],
)
def test_sound_values_are_json(value: object, is_json: bool) -> None:
    assert sound(value) is is_json
