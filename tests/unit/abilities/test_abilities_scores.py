"""Scores and causes of each ability, case by case, worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from factories import make_path

from teval.abilities import ABILITIES, slice_path
from teval.abilities.arguments import lenient
from teval.abilities.understand import asked_argument
from teval.prompting import Prompts
from teval.schema import Call, Case, Json, Similarity

CASES = {case.id: case for case in slice_path(make_path(), Prompts.load("en"))}
"""By label; the path is that of the factory."""


def equal(a: str, b: str) -> float:
    return float(a.strip() == b.strip())


def likeness(table: Mapping[str, float]) -> Similarity:
    """Likeness from a table over the second text; equal texts are 1, all others 0."""

    def similarity(a: str, b: str) -> float:
        return 1.0 if a == b else table.get(b, 0.0)

    return similarity


def scores(case: Case, text: str, similarity: Similarity = equal) -> dict[str, float]:
    card = ABILITIES[case.ability]
    reply = card.read(text, case)
    return card.score(reply, case, similarity) if reply.parsed else {}


def cause(case: Case, text: str, similarity: Similarity = equal) -> tuple[str, str]:
    card = ABILITIES[case.ability]
    reply = card.read(text, case)
    found = card.explain(reply, case, card.score(reply, case, similarity))
    assert found is not None
    return found


def joint(step: int, **changed: Json) -> str:
    """The joint reply of a step with some fields changed; None takes a field away."""
    right: dict[str, Json] = json.loads(
        ABILITIES["reason"].answer(CASES[f"trip_01:{step}:reason:json"])
    )
    return json.dumps({k: v for k, v in (right | changed).items() if v is not None})


def instruct(form: str, **changed: Json) -> tuple[Case, str]:
    """The instruct case of step 1 and its right answer with some fields changed."""
    case = CASES[f"trip_01:1:instruct:{form}"]
    fields = case.gold["fields"]
    assert isinstance(fields, list)
    right: dict[str, Json] = {
        "thought": case.gold["thought"],
        "name": "weather.get_forecast",
        "args": {"city": "Oslo", "days": 2},
    }
    values = right | changed
    pairs = [(str(f[1]), values[str(f[0])]) for f in fields if isinstance(f, list)]
    if form == "json":
        return case, json.dumps(dict(pairs))
    return case, "\n".join(f"{k} {v if isinstance(v, str) else json.dumps(v)}" for k, v in pairs)


@pytest.mark.parametrize("form", ["json", "string"])
@pytest.mark.parametrize(
    ("changed", "parameters", "why"),
    [
        ({"args": {"days": 2, "city": "Oslo"}}, 1.0, ""),
        ({"name": "weather.get_current"}, 2 / 3, "wrong_tool"),
        ({"args": {"city": "Oslo", "days": 3}}, 2 / 3, "wrong_argument"),
        ({"args": {"city": "Oslo", "days": "2"}}, 2 / 3, "mistyped_argument"),
        ({"args": {"city": "Oslo"}}, 2 / 3, "missing_argument"),
        ({"args": {"city": "Oslo", "days": 2, "unit": "celsius"}}, 3 / 4, "extra_argument"),
        ({"args": {}}, 1 / 3, "missing_argument"),
        ({"name": "x.y", "args": {"z": 1}}, 0.0, "wrong_tool"),
    ],
)
def test_instruct_is_half_form_and_half_parameters(
    form: str, changed: dict[str, Json], parameters: float, why: str
) -> None:
    case, text = instruct(form, **changed)
    expected = {"well_formed": 1.0, "parameters": parameters, "score": 0.5 + parameters / 2}
    assert scores(case, text) == pytest.approx(expected)
    if why:
        assert cause(case, text)[0] == why


@pytest.mark.parametrize("form", ["json", "string"])
def test_instruct_with_prose_is_parsed_but_not_well_formed(form: str) -> None:
    case, text = instruct(form)
    prose = f"Sure, here it is:\n{text}"
    assert scores(case, prose) == {"well_formed": 0.0, "parameters": 1.0, "score": 0.5}
    assert cause(case, prose)[0] == "format"
    assert scores(case, "The call is weather.get_forecast.") == {}


FORECAST_OSLO = {"name": "weather.get_forecast", "args": {"city": "Oslo", "days": 2}}
FORECAST_BERGEN = {"name": "weather.get_forecast", "args": {"city": "Bergen", "days": 2}}
CURRENT_BERGEN = {"name": "weather.get_current", "args": {"city": "Bergen"}}
MAIL = {
    "name": "mail.send",
    "args": {"to": ["ana@post.example"], "subject": "Trip", "body": "as the forecasts say"},
}
ALERTS = {"name": "weather.list_alerts", "args": {}}
FINISH = {"name": "FinishAction", "args": {}}


@pytest.mark.parametrize(
    ("plan", "f1", "plan_args", "why"),
    [
        ([FORECAST_OSLO, FORECAST_BERGEN, MAIL, ALERTS, FINISH], 1.0, 1.0, ""),
        ([ALERTS, FORECAST_BERGEN, FORECAST_OSLO, MAIL], 1.0, 1.0, ""),
        ([FORECAST_OSLO, CURRENT_BERGEN, MAIL, ALERTS], 1.0, 1.0, ""),
        ([FORECAST_OSLO, FORECAST_BERGEN, ALERTS], 6 / 7, 6 / 7, "missing_step"),
        ([MAIL, FORECAST_OSLO, FORECAST_BERGEN, ALERTS], 3 / 4, 3 / 4, "order"),
        ([FORECAST_OSLO, FORECAST_BERGEN, MAIL, ALERTS, ALERTS], 8 / 9, 8 / 9, "extra_step"),
        (
            [FORECAST_OSLO, FORECAST_BERGEN, {"name": "mail.search"}, ALERTS],
            3 / 4,
            3 / 4,
            "wrong_tool",
        ),
        ([FINISH], 0.0, 0.0, "missing_step"),
    ],
)
def test_plan_counts_calls_in_an_order_that_the_needs_allow(
    plan: list[dict[str, Json]], f1: float, plan_args: float, why: str
) -> None:
    case = CASES["trip_01:plan:json"]
    found = scores(case, json.dumps(plan))
    assert found["f1"] == pytest.approx(f1)
    assert found["plan_args"] == pytest.approx(plan_args)
    if why:
        assert cause(case, json.dumps(plan))[0] == why
    words = "\n".join(f"{n}. {call['name']} for this" for n, call in enumerate(plan, start=1))
    assert scores(CASES["trip_01:plan:string"], words)["f1"] == pytest.approx(f1)


def test_arguments_that_come_from_an_observation_are_not_asked_of_a_plan() -> None:
    case = CASES["trip_01:plan:json"]
    wrong = MAIL | {"args": {"to": ["ana@post.example"], "subject": "Hello"}}
    plan = json.dumps([FORECAST_OSLO, FORECAST_BERGEN, wrong, ALERTS])
    assert scores(case, plan)["plan_args"] == pytest.approx((3 + 1 / 2) / 4)


@pytest.mark.parametrize("text", ["[]", "I can't plan this.", "{}", '[{"id": 1}]'])
def test_a_plan_without_any_tool_is_unparsed(text: str) -> None:
    assert scores(CASES["trip_01:plan:json"], text) == {}


def test_reason_takes_the_nearest_accepted_phrasing() -> None:
    case = CASES["trip_01:4:reason:string"]
    table = {
        "Step 4 needs mail.send.": 0.5,
        "Now mail.send, as step 4.": 0.7,
        "Step 2 needs weather.get_forecast.": 0.6,
    }
    assert scores(case, "a thought", likeness(table)) == {"similarity": 0.7, "rank": 1.0}
    table["Step 2 needs weather.get_forecast."] = 0.8
    assert scores(case, "a thought", likeness(table)) == {"similarity": 0.7, "rank": 0.0}
    assert "another step" in cause(case, "a thought", likeness(table))[1]


def test_reason_accepts_the_thought_of_a_step_that_is_ready_as_well() -> None:
    for step, value in [(1, 1.0), (2, 0.0)]:
        case = CASES[f"trip_01:{step}:reason:string"]
        assert scores(case, "Step 1 needs weather.get_forecast.")["similarity"] == value


@pytest.mark.parametrize(
    ("step", "name", "accuracy", "why"),
    [
        (4, "mail.send", 1.0, ""),
        (4, "`mail.send`.", 1.0, ""),
        (4, "weather.list_alerts", 1.0, ""),
        (2, "weather.get_current", 1.0, ""),
        (1, "weather.get_current", 1.0, ""),
        (2, "mail.send", 0.0, "wrong_tool"),
        (4, "mail.search", 0.0, "wrong_tool"),
        (4, "FinishAction", 0.0, "wrong_tool"),
        (4, "mail.sent", 0.0, "near_miss_name"),
        (6, "FinishAction", 1.0, ""),
    ],
)
def test_retrieve_credits_the_tool_its_alternatives_and_what_is_ready(
    step: int, name: str, accuracy: float, why: str
) -> None:
    case = CASES[f"trip_01:{step}:retrieve:string"]
    assert scores(case, name) == {"accuracy": accuracy}
    as_json = CASES[f"trip_01:{step}:retrieve:json"]
    assert scores(as_json, joint(step, name=name.strip("`."))) == {"accuracy": accuracy}
    if why:
        assert cause(case, name)[0] == why


def test_retrieve_tells_a_near_neighbour_and_refuses_two_names() -> None:
    case = CASES["trip_01:4:retrieve:string"]
    why = "expected mail.send, answered mail.search (a near neighbour)"
    assert cause(case, "mail.search") == ("wrong_tool", why)
    reply = ABILITIES["retrieve"].read("mail.send or mail.search", case)
    assert not reply.parsed
    assert "ambiguous" in reply.flags


@pytest.mark.parametrize(
    ("args", "share", "why"),
    [
        ({"city": "Oslo", "days": 2}, 1.0, ""),
        ({"city": "Oslo", "days": 2, "unit": "celsius"}, 1.0, ""),
        ({"city": "Oslo", "days": 2.0}, 1.0, ""),
        ({"city": "Oslo", "days": 2, "unit": "fahrenheit"}, 2 / 3, "extra_argument"),
        ({"city": "Oslo"}, 0.5, "missing_argument"),
        ({"city": "Rome", "days": 2}, 0.5, "wrong_argument"),
        ({"city": "Oslo", "days": "2"}, 0.5, "mistyped_argument"),
        ({}, 0.0, "missing_argument"),
    ],
)
def test_understand_counts_right_arguments(args: Json, share: float, why: str) -> None:
    case = CASES["trip_01:1:understand:json"]
    text = joint(1, args=args)
    assert scores(case, text) == {"arguments": share, "given_tool": share}
    if why:
        assert cause(case, text)[0] == why


def test_understand_given_the_tool_is_left_out_where_the_tool_is_wrong() -> None:
    case = CASES["trip_01:4:understand:json"]
    assert scores(case, joint(4, name="mail.search")) == {"arguments": 1.0}
    assert scores(case, joint(4, name=None)) == {"arguments": 1.0}


@pytest.mark.parametrize(
    ("body", "right"),
    [
        ("Rain in Oslo at 5 pm.", True),
        ("At 5 pm it rains in Oslo", True),
        ("At 3 pm it rains in Oslo", False),
        ("At 5 pm it rains in Oslo, not in Bergen", False),
        ("It rains", False),
    ],
)
def test_understand_asks_a_free_text_for_its_facts(body: str, right: bool) -> None:
    case = CASES["trip_01:4:understand:json"]
    text = joint(4, args={"to": ["ana@post.example"], "subject": "Trip", "body": body})
    assert scores(case, text, lenient)["arguments"] == pytest.approx(1.0 if right else 2 / 3)


def test_understand_is_unparsed_without_a_mapping_of_arguments() -> None:
    case = CASES["trip_01:1:understand:json"]
    assert scores(case, joint(1, args="Oslo")) == {}
    assert scores(case, joint(1, args=None)) == {}
    assert scores(CASES["trip_01:1:retrieve:json"], joint(1, args=None)) == {"accuracy": 1.0}


def test_a_joint_reply_is_held_against_one_move_for_all_three() -> None:
    bergen = joint(2)
    for ability, headline in [
        ("reason", "similarity"),
        ("retrieve", "accuracy"),
        ("understand", "arguments"),
    ]:
        assert scores(CASES[f"trip_01:1:{ability}:json"], bergen)[headline] == 1
    mixed = joint(2, thought="Step 1 needs weather.get_forecast.")
    assert scores(CASES["trip_01:1:reason:json"], mixed)["similarity"] == 0
    assert scores(CASES["trip_01:1:understand:json"], mixed)["arguments"] == 1


def test_an_alternative_has_its_own_arguments() -> None:
    case = CASES["trip_01:2:understand:json"]
    current = joint(2, name="weather.get_current", args={"city": "Bergen"})
    assert scores(case, current) == {"arguments": 1.0, "given_tool": 1.0}


def test_understand_as_text_asks_for_a_required_argument() -> None:
    cases = [c for c in CASES.values() if c.ability == "understand" and c.format == "string"]
    assert [c.step for c in cases] == [0, 1, 2, 4]
    assert [c.gold["argument"] for c in cases[:3]] == ["city"] * 3
    assert cases[3].gold["argument"] in {"to", "subject", "body"}


@pytest.mark.parametrize(
    ("text", "value"), [("Oslo", 1), ('"Oslo"', 1), ("'Oslo'", 1), ("oslo", 0), ("Oslo, 2", 0)]
)
def test_understand_as_text_is_one_value(text: str, value: float) -> None:
    case = CASES["trip_01:1:understand:string"]
    assert scores(case, text) == {"arguments": value}
    if not value:
        assert cause(case, text)[0] == "wrong_argument"


@pytest.mark.parametrize(
    ("text", "accuracy"),
    [("E", 1), ("Answer: E", 1), ("E: nothing is there", 1), ("A", 0), ("answer：A", 0)],
)
def test_review_compares_letters(text: str, accuracy: float) -> None:
    case = CASES["trip_01:5:review:string"]
    assert scores(case, text) == {"accuracy": accuracy}


def test_review_in_json_and_its_cause() -> None:
    case = CASES["trip_01:5:review:json"]
    assert scores(case, '{"review": "E"}') == {"accuracy": 1.0}
    assert scores(case, '{"review": "F"}') == {}
    assert scores(case, "E") == {}
    why = "expected E (Unable to Accomplish), answered A (Success)"
    assert cause(case, '{"review": "A"}') == ("wrong_label", why)


def test_reasoning_comes_off_before_an_answer_is_read() -> None:
    case = CASES["trip_01:5:review:string"]
    assert scores(case, "<think>A or E?</think>E") == {"accuracy": 1.0}
    text = "<think>hm</think>" + joint(1)
    assert scores(CASES["trip_01:1:retrieve:json"], text) == {"accuracy": 1.0}


LETTER = Call(name="mail.send", args={"to": ["a@b.example"], "subject": "Trip", "body": "Rain."})
OSLO = Call(name="weather.get_forecast", args={"city": "Oslo", "days": 3})


@pytest.mark.parametrize(
    ("call", "thought", "asked"),
    [
        (LETTER, "All is known, so I write.", {"to", "subject", "body"}),
        (LETTER, "I write about the trip.", {"to", "subject", "body"}),
        (LETTER, 'I write about "trip".', {"to", "body"}),
        (LETTER, 'I write about "Trip" to 12345 people.', {"to", "subject", "body"}),
        (OSLO, "The capital comes first.", {"city"}),
        (OSLO, "I begin with Oslo.", {"days"}),
    ],
)
def test_a_value_that_the_thought_spells_out_is_not_asked_for(
    call: Call, thought: str, asked: set[str]
) -> None:
    path = make_path()
    step = path.steps[1].model_copy(update={"thought": thought, "call": call})
    ids = (path.model_copy(update={"id": f"p{n}"}) for n in range(40))
    assert {asked_argument(one, step) for one in ids} == asked


def test_nothing_is_asked_for_where_all_is_spelt_out() -> None:
    path = make_path()
    call = Call(name="weather.get_forecast", args={"city": "Oslo"})
    step = path.steps[1].model_copy(update={"thought": "I begin with Oslo.", "call": call})
    assert asked_argument(path, step) == ""
