"""Answers as JSON."""

from __future__ import annotations

import pytest

from teval.errors import DataError
from teval.formats.json_format import MAX_ITEMS, MAX_TEXT, fits, parse, render, schema
from teval.schema import Field, Json, JsonObject, Shape

CALL = Shape((Field("thought", "string"), Field("name", "string"), Field("args", "object")))
RENAMED = Shape((Field("name", "string", "tool"), Field("args", "object", "with")))
PLAN = Shape((Field("id", "integer"), Field("name", "string"), Field("args", "object")), many=True)
GOOD = '{"thought": "t", "name": "a.b", "args": {"k": 1}}'
VALUES: JsonObject = {"thought": "t", "name": "a.b", "args": {"k": 1}}


@pytest.mark.parametrize(
    "text",
    [GOOD, f"  {GOOD}\n", f"```json\n{GOOD}\n```", f"```\n{GOOD}\n```", f"```JSON\n{GOOD}```"],
)
def test_exactly_what_was_asked_for_is_well_formed(text: str) -> None:
    reply = parse(text, CALL)
    assert reply.values == VALUES
    assert reply.parsed
    assert reply.well_formed
    assert (reply.rule, reply.candidates, reply.repairs, reply.flags) == ("json", 1, 0, ())


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (f"Sure: {GOOD}", "json"),
        (f"```json\n{GOOD}\n```\nAnything else?", "json"),
        (f"The format is {{thought, name, args}}: {GOOD}", "json"),
        (f"As the format {{goal}} and [list] ask: {GOOD}", "json"),
        (f'{{"thought": "t0", "name": "c.d", "args": {{}}}} No: {GOOD}', "json"),
        (f'{GOOD} and {{"note": "that is all"}}', "json"),
        ("{'thought': 't', 'name': 'a.b', 'args': {'k': 1}}", "python"),
        ("{'thought': 't', 'name': 'a.b', 'args': {'k': 1,}, }", "python"),
        ('{"thought": "t", "name": "a.b", "args": {"k": 1}', "repaired"),
        ('{"thought": "t", "name": "a.b", "args": {"k": 1}, "mood": "good"}', "json"),
        ('{"thought": "x", "thought": "t", "name": "a.b", "args": {"k": 1}}', "json"),
    ],
)
def test_what_can_be_read_is_parsed_but_not_well_formed(text: str, rule: str) -> None:
    reply = parse(text, CALL)
    assert reply.values == VALUES
    assert reply.parsed
    assert not reply.well_formed
    assert reply.rule == rule


def test_mixed_quotes_are_repaired_without_touching_apostrophes() -> None:
    text = (
        "{'thought': \"it's late\", 'name': 'alarm.set', "
        "'args': {'label': \"don't snooze\", 'repeat': true}}"
    )
    reply = parse(text, CALL)
    assert reply.values["args"] == {"label": "don't snooze", "repeat": True}
    assert reply.flags == ("repaired",)
    assert reply.repairs > 0


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{"thought": "t", "name": "a.b"}', {"thought": "t", "name": "a.b"}),
        ('{"thought": 5, "name": "a.b", "args": {}}', {"name": "a.b", "args": {}}),
        ('{"thought": " ", "name": "a.b", "args": {}}', {"name": "a.b", "args": {}}),
        ('{"thought": "t", "name": ["a.b"], "args": {}}', {"thought": "t", "args": {}}),
        ('{"thought": "t", "name": "a.b", "args": [1]}', {"thought": "t", "name": "a.b"}),
        ('{"thought": "t", "name": "a.b", "args": null}', {"thought": "t", "name": "a.b"}),
        ('{"thought": "t", "name": "a.b", "args": "none"}', {"thought": "t", "name": "a.b"}),
        ('{"thought": "I want to', {"thought": "I want to"}),
        ("{}", {}),
        ("no JSON", {}),
        ("", {}),
        (f"[{GOOD}]", {}),
    ],
)
def test_fields_that_are_missing_blank_or_mistyped_are_left_out(
    text: str, values: JsonObject
) -> None:
    reply = parse(text, CALL)
    assert reply.values == values
    assert not reply.parsed
    assert not reply.well_formed


def test_the_value_with_most_fields_counts_and_of_those_the_last() -> None:
    text = '{"tool": "a.b", "with": {"n": 1}} {"tool": "a.b", "with": {"n": 2}} {"tool": "c.d"}'
    reply = parse(text, RENAMED)
    assert reply.values == {"name": "a.b", "args": {"n": 2}}
    assert reply.candidates == 3


def test_arguments_in_a_string_are_decoded_once() -> None:
    reply = parse(r'{"tool": "a.b", "with": "{\"n\": 1}"}', RENAMED)
    assert reply.values == {"name": "a.b", "args": {"n": 1}}
    assert reply.flags == ("args_double_encoded",)
    assert not reply.well_formed
    twice = parse(r'{"tool": "a.b", "with": "\"{}\""}', RENAMED)
    assert not twice.parsed


def test_not_a_number_is_not_json() -> None:
    reply = parse('{"tool": "a.b", "with": {"ratio": NaN}}', RENAMED)
    assert not reply.well_formed
    assert reply.values["args"] == {"ratio": "NaN"}


def test_a_plan_is_a_list_of_steps() -> None:
    text = '[{"id": 0, "name": "a.b", "args": {"k": 1}}, {"id": 1, "name": "c.d", "args": {}}]'
    reply = parse(text, PLAN)
    assert reply.values == {
        "steps": [{"name": "a.b", "args": {"k": 1}}, {"name": "c.d", "args": {}}]
    }
    assert reply.parsed
    assert reply.well_formed


@pytest.mark.parametrize(
    ("text", "names", "flags"),
    [
        ('[{"name": "a"}, {"name": "b"}]', "ab", ()),
        ('[{"id": "step_1", "name": "a", "args": {}}]', "a", ()),
        ('[{"name": "a", "args": null}]', "a", ()),
        ('[{"name": "a"}, "FinishAction"]', "a", ("bad_step",)),
        ('[{"id": 0, "name": "a", "args": {}}, "FinishAction"]', "a", ("bad_step",)),
        ('[{"name": null}, {"name": "b"}, 5]', "b", ("bad_step",)),
        ('[{"name": "a", "args": "{}"}]', "a", ("args_double_encoded",)),
        ('{"name": "a", "args": {}}', "a", ("no_list",)),
        ('{"name": "a"}\n{"name": "b"}', "ab", ("no_list",)),
        ('Tools are [x.y, x.z], so:\n[{"name": "a"}]', "a", ()),
        ('Step list [3 calls]: [{"name": "a"}]', "a", ()),
        ('[{"name": "a"}] or rather [{"name": "b"}]', "b", ()),
        ('[{"name": "a", "args": {}}, {"name": "b", "ar', "ab", ("repaired",)),
    ],
)
def test_steps_that_can_be_read_are(text: str, names: str, flags: tuple[str, ...]) -> None:
    reply = parse(text, PLAN)
    steps = reply.values["steps"]
    assert isinstance(steps, list)
    assert [step["name"] for step in steps if isinstance(step, dict)] == list(names)
    assert reply.flags == flags
    assert reply.parsed
    assert not reply.well_formed


@pytest.mark.parametrize("text", ["[]", "{}", "[1, 2]", '[{"name": ""}]', "I cannot plan this."])
def test_a_plan_without_a_step_is_unparsed(text: str) -> None:
    reply = parse(text, PLAN)
    assert not reply.parsed
    assert reply.values == {}


@pytest.mark.parametrize(
    ("text", "rule", "candidates"),
    [
        ('[{"name": "a"}]', "json", 1),
        ('[{"name": "a"}] or rather [{"name": "b"}]', "json", 2),
        ('{"name": "a"}\n{"name": "b"}', "json", 1),
        ('{"name": "a"}\n{"name": "b", "ar', "repaired", 1),
        ('[{"name": "a"}]\n{"name": "b", "ar', "json", 1),
    ],
)
def test_how_a_plan_was_read_is_kept(text: str, rule: str, candidates: int) -> None:
    reply = parse(text, PLAN)
    assert (reply.rule, reply.candidates) == (rule, candidates)


def test_a_text_stays_a_text_though_it_is_json() -> None:
    reply = parse(r'{"thought": "{\"a\": 1}", "name": "a.b", "args": {}}', CALL)
    assert reply.values["thought"] == '{"a": 1}'
    assert reply.flags == ()


def test_rendering_is_read_back() -> None:
    values: JsonObject = {"name": "a.b", "args": {"text": 'line\nbreak, é, "quote"'}}
    text = render(values, RENAMED)
    assert text == '{"tool": "a.b", "with": {"text": "line\\nbreak, é, \\"quote\\""}}'
    assert parse(text, RENAMED).values == values
    steps: list[JsonObject] = [values, {"name": "c.d", "args": {}}]
    reply = parse(render(steps, PLAN), PLAN)
    assert reply.values == {"steps": steps}
    assert reply.well_formed


def test_values_without_json_text_are_refused() -> None:
    with pytest.raises(DataError, match="no JSON text"):
        render({"name": "a.b", "args": {"n": float("nan")}}, RENAMED)


@pytest.mark.parametrize(
    ("value", "own"), [(True, "boolean"), (1, "integer"), ("x", "string"), ({}, "object")]
)
def test_a_value_fits_its_own_type_alone(value: Json, own: str) -> None:
    fields = (
        Field("f", "boolean"),
        Field("f", "integer"),
        Field("f", "string"),
        Field("f", "object"),
    )
    assert [field.type for field in fields if fits(value, field)] == [own]


def test_a_schema_has_the_keys_of_the_template_in_order_and_no_others() -> None:
    shape = Shape((Field("args", "object", "with"), Field("name", "string", "call")))
    found = schema(shape)
    assert list(found["properties"]) == ["with", "call"]  # type: ignore[arg-type]
    assert found["required"] == ["with", "call"]
    assert found["additionalProperties"] is False


def test_a_schema_keeps_together_what_hangs_together() -> None:
    shape = Shape((Field("name", "string"), Field("args", "object")), many=True)
    held: list[dict[str, JsonObject]] = [
        {"name": {"const": name}, "args": {"type": "object", "title": name}} for name in "ab"
    ]
    found = schema(shape, held)
    assert (found["type"], found["minItems"], found["maxItems"]) == ("array", 1, MAX_ITEMS)
    items = found["items"]
    assert isinstance(items, dict)
    assert isinstance(items["anyOf"], list)
    pairs = [option["properties"] for option in items["anyOf"] if isinstance(option, dict)]
    assert pairs == held


def test_every_free_text_and_list_of_a_schema_has_a_limit() -> None:
    args: JsonObject = {
        "type": "object",
        "properties": {
            "to": {"type": "array", "items": {"type": "string"}},
            "unit": {"type": "string", "enum": ["c", "f"]},
        },
    }
    found = schema(Shape((Field("args", "object"),)), [{"args": args}])
    assert found["properties"] == {
        "args": {
            "type": "object",
            "properties": {
                "to": {
                    "type": "array",
                    "items": {"type": "string", "maxLength": MAX_TEXT},
                    "maxItems": MAX_ITEMS,
                },
                "unit": {"type": "string", "enum": ["c", "f"]},
            },
        }
    }
