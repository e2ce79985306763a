"""Cards and the layout of published files: taking gold from records, telling our own in it."""

from __future__ import annotations

import pytest
from factories import make_path

from teval.abilities import ABILITIES, adopt_records, card_of, slice_path
from teval.abilities.release import NO_TOOL, told
from teval.errors import DataError
from teval.prompting import Prompts
from teval.schema import (
    Case,
    Format,
    Json,
    JsonObject,
    Message,
    PublishedRecord,
    Release,
    Tool,
)

KEYS = {"thought": "why", "action": "tool", "args": "with"}
LABELS = {
    "thought_start": "<why>",
    "thought_end": "</why>\n",
    "action_start": "<tool>",
    "action_end": "</tool>\n",
    "args_start": "<with>",
    "args_end": "</with>",
}
CALL: Json = {"action": "boats.find", "args": {"day": "2031-06-02", "seats": 4}}
PLAN: Json = [
    {"name": "boats.find", "id": 0, "args": {"day": "2031-06-02"}},
    {"name": "boats.book", "id": 1, "args": {}},
    {"name": "FinishAction", "id": 2, "args": {}},
]
MOVE: Json = {"thought": "I look.", "name": "boats.find", "args": {"day": "2031-06-02"}}
TOOLS = ("boats.find", "boats.book", "tides.tell", "FinishAction")


def record(
    abilities: str,
    form: Format,
    right: Json,
    template: dict[str, str] | None = None,
    more: JsonObject | None = None,
    name: str = "r",
) -> PublishedRecord:
    return PublishedRecord(
        release=Release(
            set="s", id=name, ground_truth=right, template=template or {}, more=more or {}
        ),
        abilities=tuple(abilities.split()),
        format=form,
        language="en",
        family="f",
        path="p",
        messages=(Message(role="user", content="Find a boat."),),
        tools=tuple(Tool(name=tool, description=tool) for tool in TOOLS),
    )


RECORDS = [
    record("instruct", "json", CALL, KEYS),
    record("instruct", "string", CALL, LABELS),
    record("plan", "json", PLAN),
    record("plan", "string", str(PLAN)),
    record("reason", "string", {"thought": "I look."}),
    record("retrieve", "string", {"name": "boats.find"}),
    record("retrieve", "string", "boats.find"),
    record("understand", "string", {"args": "2031-06-02"}),
    record("understand", "string", {"args": ["x", 1]}),
    record("understand", "string", {"args": None}),
    record("review", "string", {"answer": "D"}),
    record("review", "json", {"answer": "D"}),
    record("review", "json", {"answer": {"review": False}}),
    record("reason retrieve understand", "json", MOVE),
]
CASES = [case for one in RECORDS for case in adopt_records([one])]


def headline(case: Case, answer: str) -> float:
    card = card_of(case.ability)
    reply = card.read(answer, case)
    return card.score(reply, case, same)[card.headline] if reply.parsed else 0.0


def same(a: str, b: str) -> float:
    return float(a == b)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.id}:{case.gold}"[:60])
def test_gold_from_a_record_is_right_and_its_mutants_are_not(case: Case) -> None:
    card = card_of(case.ability)
    assert headline(case, card.answer(case)) == 1.0
    mutants = card.mutants(case)
    assert mutants
    assert all(headline(case, mutant) < 1 for mutant in mutants.values()), mutants
    assert card.guesses(case, case)


UNSAID = ("boats.find", {"args": ["x", 1]}, {"args": None})
"""Gold that the release can't read, or wants to see as Python writes it."""


@pytest.mark.parametrize(
    "case",
    [
        case
        for case in CASES
        if case.format == "string" and case.release and case.release.ground_truth not in UNSAID
    ],
    ids=lambda case: f"{case.id}:{case.gold}"[:60],
)
def test_what_is_right_is_right_for_the_release_too(case: Case) -> None:
    card = card_of(case.ability)
    scoring = card.published_score(card.answer(case), case)
    metrics, crash = scoring.score(lambda a, b: float(a == b))
    assert crash == ("KeyError" if case.ability == "plan" else ""), "no list of tools"
    if case.ability != "plan":
        assert set(metrics.values()) == {1.0}


def test_a_joint_record_makes_three_cases_of_one_prompt() -> None:
    cases = list(adopt_records([RECORDS[-1]]))
    assert [case.ability for case in cases] == ["reason", "retrieve", "understand"]
    assert len({case.prompt for case in cases}) == 1
    assert len({case.id for case in cases}) == 3
    assert {case.release for case in cases if case.release is None} == set()


def test_thoughts_of_the_same_path_are_rivals() -> None:
    other = record("reason", "string", {"thought": "I book."}, name="r2")
    first, second = adopt_records([record("reason", "string", {"thought": "I look."}), other])
    assert first.gold["rivals"] == ["I book."]
    assert second.gold["rivals"] == ["I look."]


def test_without_a_list_of_tools_a_made_up_one_is_wrong() -> None:
    (case,) = adopt_records([PublishedRecord(**{**vars(RECORDS[5]), "tools": ()})])
    assert case.gold["siblings"] == [NO_TOOL]
    assert case.tools == ()
    assert headline(case, "I take boats.find.") == 1.0
    assert headline(case, "boats.find or boats.book") == 0.0


@pytest.mark.parametrize("right", ["?", None, 3, [], {"answer": None}, {"answer": ["A"]}])
def test_gold_that_nobody_can_read_makes_every_answer_wrong(right: Json) -> None:
    (case,) = adopt_records([record("review", "string", right)])
    assert {headline(case, letter) for letter in "ABCDE"} == {0.0}


@pytest.mark.parametrize(
    ("right", "expected"),
    [
        ({"name": "x"}, {"name": "x"}),
        ('{"name": "x"}', {"name": "x"}),
        ("{'name': 'x'}", {"name": "x"}),
        ("[1]", {"name": "[1]"}),
        ("x", {"name": "x"}),
        (None, {"name": None}),
    ],
)
def test_a_text_may_be_the_mapping_or_the_value(right: Json, expected: JsonObject) -> None:
    assert told(right, "name") == expected


OWN = list(slice_path(make_path(), Prompts.load("en")))


@pytest.mark.parametrize("ability", ABILITIES)
def test_our_cases_come_back_from_that_layout_as_they_were(ability: str) -> None:
    for case in (c for c in OWN if c.ability == ability):
        release = card_of(ability).release(case)
        more: JsonObject = {"teval": {"gold": case.gold}}
        told_again = record(
            ability, case.format, release.ground_truth, dict(release.template), more
        )
        (again,) = adopt_records([told_again])
        assert again.gold == case.gold


@pytest.mark.parametrize("ability", [name for name in ABILITIES if name != "review"])
def test_a_perfect_json_answer_is_perfect_for_the_release(ability: str) -> None:
    card = card_of(ability)
    for case in (c for c in OWN if c.ability == ability and c.format == "json"):
        metrics, crash = card.published_score(card.answer(case), case).score(same)
        assert crash == ""
        assert min(metrics.values()) == pytest.approx(1.0, abs=1e-5)


def test_no_letter_in_json_is_ever_right_for_the_release() -> None:
    card = card_of("review")
    case = next(c for c in OWN if c.ability == "review" and c.format == "json")
    assert card.published_score(card.answer(case), case).score(same).metrics == {
        "review_quality": 0.0,
        "parse_rate": 0.0,
    }


def test_a_case_of_ours_that_says_what_no_case_can_is_refused() -> None:
    broken = record("review", "string", {"answer": "A"}, more={"teval": {"gold": {"review": "Z"}}})
    with pytest.raises(DataError, match=r"s: record r: teval\.gold\.review"):
        list(adopt_records([broken]))
