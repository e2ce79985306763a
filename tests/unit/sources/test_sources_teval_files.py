from __future__ import annotations

import json
from pathlib import Path

import pytest
from teval_examples import MOVES, QUERY, joint, plan, prompt, sets, write

from teval.errors import DataError
from teval.schema import Json, Message
from teval.sources.teval_files import read_files, read_records

REVIEW: dict[str, Json] = {"ground_truth": {"answer": "B"}, "prediction": "B"}


def put(folder: Path, value: object, name: str = "review_str.json") -> str:
    file = folder / name
    text = value if isinstance(value, str) else json.dumps(value)
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_a_folder_is_read_in_the_order_of_names(tmp_path: Path) -> None:
    place = write(tmp_path, sets())
    put(tmp_path, {"instruct_json": {"json_format_metric": 1}}, "model_-1.json")
    put(tmp_path, "notes", "notes.txt")
    files = read_files(str(place))
    assert [Path(file.name).stem for file in files] == sorted(sets())
    assert sum(len(file.records) for file in files) == 11


def test_a_record_keeps_all_that_the_file_says(tmp_path: Path) -> None:
    put(tmp_path, joint(), "mine.json")
    record = read_records(str(tmp_path / "mine.json"))[1]
    assert record.abilities == ("reason", "retrieve", "understand")
    assert (record.family, record.path, record.step) == ("query_0", "query_0_1", 1)
    assert (record.format, record.language, record.answered) == ("json", "en", False)
    assert record.release.set == "mine"
    assert record.release.ground_truth == MOVES[1]
    assert record.release.more == {"meta_data": {"response_format": "json"}}
    assert [m.role for m in record.messages] == ["system", "user", "assistant", "function"]
    assert record.messages[1].content == QUERY
    assert [tool.name for tool in record.tools][-1] == "FinishAction"


def test_plans_are_of_no_step(tmp_path: Path) -> None:
    raw = {"query_0_1_0": {"ground_truth": plan(), "meta": {"API_list": ["a.b"]}}}
    (record,) = read_records(put(tmp_path, raw, "plan_str.json"))
    assert (record.path, record.step) == ("query_0_1", None)
    assert record.release.names == ("a.b",)


def test_same_roles_in_a_row_stay_apart(tmp_path: Path) -> None:
    turns = [{"role": "user", "content": text} for text in ("one", "two")]
    for told in (turns, json.dumps(turns)):
        raw = {"r": {**REVIEW, "origin_prompt": told}}
        (record,) = read_records(put(tmp_path, raw))
        assert record.messages == tuple(Message.model_validate(turn) for turn in turns)


def test_lines_and_single_records_are_read_too(tmp_path: Path) -> None:
    lines = "\n".join(json.dumps({"id": name, **REVIEW}) for name in ("x", "y"))
    place = put(tmp_path, f"{lines}\n\n", "review_str.jsonl")
    assert [record.release.id for record in read_records(place)] == ["x", "y"]
    alone = tmp_path / "review_str_model"
    alone.mkdir()
    for name in ("b.1", "a"):
        put(alone, REVIEW, f"{name}.json")
    (file,) = read_files(str(alone))
    assert [record.release.id for record in file.records] == ["a", "b.1"]
    assert {record.release.set for record in file.records} == {"review_str_model"}


@pytest.mark.parametrize("answer", ["B", "", None, 3, ["B"], {"answer": "B"}])
def test_any_answer_is_taken_as_it_is(tmp_path: Path, answer: Json) -> None:
    (record,) = read_records(put(tmp_path, {"r": {**REVIEW, "prediction": answer}}))
    assert record.answered
    assert record.prediction == answer


def test_half_a_character_in_an_answer_is_no_fault_of_the_file(tmp_path: Path) -> None:
    text = '{"r": {"ground_truth": {"answer": "B"}, "prediction": "B \\ud83c"}}'
    (record,) = read_records(put(tmp_path, text))
    assert record.prediction == "B \ud83c"


def test_what_a_file_holds_is_told(tmp_path: Path) -> None:
    raw = {"r": REVIEW, "s": {"ground_truth": {"answer": "A"}, "origin_prompt": prompt()}}
    (file,) = read_files(put(tmp_path, raw))
    assert file.facts == (
        "2 records, 1 answered; ability review (record); format string (file name); "
        "language en (file name), en (prompt text)"
    )


BROKEN: list[tuple[object, str, str]] = [
    ("{", "review_str.json", "not JSON"),
    ("[]", "review_str.json", "must be a JSON object"),
    ("{}", "review_str.json", "no record"),
    ('{"r": NaN}', "review_str.json", "NaN"),
    ({"r": [1]}, "review_str.json", "record r: must be a JSON object"),
    ({"r": {"prediction": "B"}}, "review_str.json", "record r: has no 'ground_truth'"),
    ('{"r": {}, "r": {}}', "review_str.json", "'r' stands twice"),
    ({"r": REVIEW}, "mine.json", "record r: neither it nor the file's name tells its format"),
    ({"r": {"ground_truth": "?"}}, "mine.json", "tells its ability"),
    ({"r": {**REVIEW, "origin_prompt": "hi"}}, "review_str.json", "no JSON list of turns"),
    ({"r": {**REVIEW, "origin_prompt": {"a": 1}}}, "review_str.json", "must be a list of turns"),
    ({"r": {**REVIEW, "origin_prompt": ["hi"]}}, "review_str.json", "origin_prompt[0].role"),
    (
        {"r": {**REVIEW, "origin_prompt": [{"role": "robot", "content": ""}]}},
        "review_str.json",
        "origin_prompt[0].role",
    ),
    ({"r": {**REVIEW, "template": {"thought": 1}}}, "review_str.json", "record r: template"),
    ({"r": {**REVIEW, "meta": {"API_list": "a.b"}}}, "review_str.json", "record r: names"),
    ('{"ground_truth": 1}', "review_str.jsonl", "needs an 'id'"),
    ('{"id": "a", "ground_truth": 1}\n{"id": "a", "ground_truth": 1}', "review_str.jsonl", "twice"),
]


@pytest.mark.parametrize(("value", "name", "told"), BROKEN)
def test_a_broken_file_is_told_in_one_line(
    tmp_path: Path, value: object, name: str, told: str
) -> None:
    place = put(tmp_path, value, name)
    with pytest.raises(DataError) as caught:
        read_records(place)
    assert str(caught.value).startswith(place)
    assert told in str(caught.value)


def test_a_place_without_files_is_told(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(DataError, match="no"):
            read_records(str(place))
