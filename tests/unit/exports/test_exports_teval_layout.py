from __future__ import annotations

import json
from pathlib import Path

import pytest
from factories import make_path

from teval.abilities import ABILITIES, adopt_records, card_of, slice_path
from teval.errors import DataError
from teval.exports.teval_layout import RESULTS, SETS, Answered, results_of, write_layout
from teval.prompting import Prompts
from teval.schema import Case, Release
from teval.sources.teval_files import read_records


def answered(cases: list[Case], answer: str | None = "") -> list[Answered]:
    """Our cases with one answer each, the perfect one where none is given."""
    return [
        Answered(
            case,
            case.release or card_of(case.ability).release(case),
            card_of(case.ability).answer(case) if answer == "" else answer,
        )
        for case in cases
    ]


def own_cases() -> list[Case]:
    return list(slice_path(make_path(), Prompts.load("en")))


def test_our_cases_are_read_back_as_what_they_are(tmp_path: Path) -> None:
    files = write_layout(tmp_path, "org/a model:1", answered(own_cases()), {})
    place = tmp_path / "a_model_1"
    assert files[-1] == place / "a_model_1_-1.json"
    assert {file.name.removesuffix("_a_model_1.json") for file in files[:-1]} == {
        name for ability in SETS.values() for name in ability.values()
    }
    records = read_records(str(place))
    found = list(adopt_records(records))
    told = {(case.ability, case.format, case.step): case for case in found}
    assert len(told) == len(found)
    for case in own_cases():
        again = told.pop((case.ability, case.format, case.step))
        assert again.gold == case.gold
        assert (again.family, again.path, again.language) == (case.family, case.path, "en")
        assert again.messages == case.messages
    assert list(told) == [("understand", "json", 6)], "a joint reply has all three at the finish"
    assert {case.tools for case in found} == {case.tools for case in own_cases()}
    assert all(record.answered and "teval" in record.release.more for record in records)


def test_each_record_has_a_file_of_its_own(tmp_path: Path) -> None:
    write_layout(tmp_path, "m", answered(own_cases()), {"plan_json": {"f1_score": 1.0}})
    whole = json.loads((tmp_path / "m" / "plan_str_m.json").read_text(encoding="utf-8"))
    alone = tmp_path / "m" / "plan_str_m" / "trip_01.json"
    assert whole == {"trip_01": json.loads(alone.read_text(encoding="utf-8"))}
    record = whole["trip_01"]
    assert list(record) == ["origin_prompt", "ground_truth", "meta", "teval", "prediction"]
    assert record["meta"]["prompt_type"] == "str"
    assert record["origin_prompt"] == [
        {"role": message.role, "content": message.content}
        for message in next(
            c for c in own_cases() if c.format == "string" and c.step is None
        ).messages
    ]
    results = json.loads((tmp_path / "m" / "m_-1.json").read_text(encoding="utf-8"))
    assert results == {"plan_json": {"f1_score": 1.0}}


def test_a_case_without_an_answer_has_no_prediction(tmp_path: Path) -> None:
    write_layout(tmp_path, "m", answered(own_cases()[:1], None), {})
    (record,) = read_records(str(tmp_path / "m" / "instruct_m.json"))
    assert not record.answered


def test_records_of_a_file_keep_their_names_and_keys(tmp_path: Path) -> None:
    told = Release(set="plan_json_v2", id="query_0_1_0", ground_truth=[], more={"meta": {"x": 1}})
    case = own_cases()[0].model_copy(update={"release": told})
    write_layout(tmp_path, "m", [Answered(case, told, "[]")], {})
    file = tmp_path / "m" / "plan_json_v2_m" / "query_0_1_0.json"
    record = json.loads(file.read_text(encoding="utf-8"))
    assert list(record) == ["origin_prompt", "ground_truth", "meta", "prediction"]
    assert record["meta"] == {"x": 1}


@pytest.mark.parametrize("name", ["../up", "a/b", "", ".hidden", "a\\b", "x" * 200, "a\nb", "C:x"])
@pytest.mark.parametrize("field", ["id", "set"])
def test_a_name_becomes_no_path_unchecked(tmp_path: Path, name: str, field: str) -> None:
    told = Release.model_validate({"set": "plan", "id": "r", "ground_truth": [], field: name})
    case = own_cases()[0].model_copy(update={"release": told})
    with pytest.raises(DataError, match="file's name"):
        write_layout(tmp_path / "out", "m", [Answered(case, told, "")], {})
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize(
    ("model", "folder"), [("../..", "model"), ("/m/Big-1.5B", "Big-1.5B"), ("a b", "a_b")]
)
def test_a_model_names_a_folder(tmp_path: Path, model: str, folder: str) -> None:
    write_layout(tmp_path, model, [], {})
    assert [path.name for path in tmp_path.iterdir()] == [folder]


def test_results_are_told_by_the_releases_sets() -> None:
    found = results_of(
        {
            ("instruct", "json"): {"json_format_metric": 1.0},
            ("instruct", "string"): {"string_format_metric": 0.5},
            ("reason", "json"): {"thought": 0.7, "parse_rate": 1.0},
            ("retrieve", "json"): {"name": 0.4, "parse_rate": 1.0},
            ("review", "json"): {"review_quality": 0.0},
            ("review", "string"): {"review_quality": 0.9},
        }
    )
    assert found == {
        "instruct_json": {"json_format_metric": 1.0, "string_format_metric": 0.5},
        "rru_json": {"thought": 0.7, "name": 0.4, "parse_rate": 1.0},
        "review_str": {"review_quality": 0.9},
    }


def test_every_ability_has_a_set() -> None:
    assert SETS.keys() == RESULTS.keys() == ABILITIES.keys()
