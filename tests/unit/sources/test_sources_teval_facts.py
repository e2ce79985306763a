from __future__ import annotations

import pytest

from teval.schema import Json, Message
from teval.sources.teval_facts import Facts, facts_of

LABELS: Json = {"action_start": "Do:"}
KEYS: Json = {"action": "do"}
CALL: Json = {"action": "a", "args": {}}
MOVE: Json = {"thought": "t", "name": "a.b", "args": {}}


def facts(record: dict[str, Json], name: str = "", said: str = "") -> Facts | str:
    messages = (Message(role="user", content=said),) if said else ()
    return facts_of(record, messages, name)


@pytest.mark.parametrize(
    ("record", "name", "abilities", "form"),
    [
        (
            {"ground_truth": CALL, "template": LABELS},
            "",
            "instruct",
            "string",
        ),
        ({"ground_truth": CALL, "template": KEYS}, "", "instruct", "json"),
        ({"ground_truth": [], "meta": {"prompt_type": "str"}}, "", "plan", "string"),
        ({"ground_truth": '[{"name": "a.b"}]'}, "plan_json_v2", "plan", "json"),
        ({"ground_truth": "?", "meta": {"API_list": []}}, "x_str_zh", "plan", "string"),
        ({"ground_truth": MOVE}, "x", "reason retrieve understand", "json"),
        ({"ground_truth": MOVE}, "retrieve_str", "reason retrieve understand", "json"),
        (
            {"ground_truth": MOVE, "meta_data": {"response_format": "str"}},
            "retrieve_str_subset",
            "retrieve",
            "string",
        ),
        ({"ground_truth": {"name": "a.b"}}, "plan_json", "retrieve", "json"),
        ({"ground_truth": {"name": "a.b"}}, "x", "retrieve", "string"),
        ({"ground_truth": "{'thought': 't'}"}, "x", "reason", "string"),
        ({"ground_truth": {"args": 1}}, "x", "understand", "string"),
        ({"ground_truth": {"answer": "A", "thought": "t"}}, "review_str", "review", "string"),
        ({"ground_truth": "no mapping"}, "rru_json", "reason retrieve understand", "json"),
        (
            {"ground_truth": "no mapping"},
            "reason_retrieve_understand_json_v2_zh",
            "reason retrieve understand",
            "json",
        ),
        ({"ground_truth": "no mapping"}, "understand_str", "understand", "string"),
    ],
)
def test_the_record_comes_before_the_files_name(
    record: dict[str, Json], name: str, abilities: str, form: str
) -> None:
    found = facts(record, name)
    assert isinstance(found, Facts)
    assert (found.abilities, found.format) == (tuple(abilities.split()), form)


def test_where_facts_were_read_is_told() -> None:
    known = facts({"ground_truth": {"action": "a"}, "template": KEYS, "language": "zh"})
    named = facts({"ground_truth": "?"}, "plan_json_zh")
    assert isinstance(known, Facts)
    assert isinstance(named, Facts)
    assert known.origins == ("record", "record", "record")
    assert named.origins == ("file name", "file name", "file name")


@pytest.mark.parametrize(
    ("record", "name", "missing"),
    [
        ({"ground_truth": "?"}, "mine", "ability"),
        ({"ground_truth": {"thought": "t", "name": "n"}}, "mine", "ability"),
        ({"ground_truth": [{"name": "a"}]}, "mine", "format"),
        ({"ground_truth": {"answer": "A"}}, "mine", "format"),
    ],
)
def test_what_nobody_tells_is_named(record: dict[str, Json], name: str, missing: str) -> None:
    assert facts(record, name) == missing


@pytest.mark.parametrize(
    ("said", "name", "language", "origin"),
    [
        ("帮我订一条船。", "x", "zh", "prompt text"),
        ("用 BoatHire.book 帮我订一条六月二日的船。", "x", "zh", "prompt text"),
        ("Book a boat.", "x_zh", "en", "prompt text"),
        ("Book the boat 鹭 for me, as ever and again.", "x", "en", "prompt text"),
        ("Book the boat 鹭 for me, as ever and again.", "x_zh", "zh", "file name"),
        ("", "x_zh", "zh", "file name"),
        ("", "x", "en", "file name"),
    ],
)
def test_the_language_is_that_of_the_users_turns(
    said: str, name: str, language: str, origin: str
) -> None:
    found = facts({"ground_truth": MOVE}, name, said)
    assert isinstance(found, Facts)
    assert (found.language, found.origins[2]) == (language, origin)
