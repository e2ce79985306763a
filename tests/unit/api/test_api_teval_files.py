from __future__ import annotations

import json
from pathlib import Path

import pytest
from factories import make_path
from teval_examples import MOVES, sets, write

from teval import api
from teval.api.run import mark_of
from teval.errors import ConfigError, DataError, UnknownNameError
from teval.run.config import EmbedderConfig
from teval.run.store import RunFolder
from teval.schema import JsonObject


def hashing() -> api.RunConfig:
    return api.load_config([], ["embedder.kind=hashing"], api.default_config())


def answered(name: str, answer: object) -> dict[str, dict[str, JsonObject]]:
    """One of the example sets with the same answer everywhere."""
    told = json.dumps(answer) if isinstance(answer, dict) else answer
    return {
        name: {id_: {**record, "prediction": str(told)} for id_, record in sets()[name].items()}
    }


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the oracle over the example sets."""
    place = tmp_path_factory.mktemp("published")
    data = write(place / "data", sets())
    settings = ["data.source=teval", f"data.paths={data}", "engine.kind=oracle"]
    return api.run(api.load_config([], [*settings, f"out={place / 'run'}"])).folder


def test_the_default_embedder_is_the_small_encoder() -> None:
    config = api.default_config()
    assert (config.embedder.kind, config.embedder.model) == ("sbert", "all-minilm-l6-v2")


def test_a_line_has_both_scorers_values_by_the_releases_names(tmp_path: Path) -> None:
    wrong = {**MOVES[0], "args": {"day": "2031-06-02", "seats": "4"}}
    place = write(tmp_path / "in", answered("reason_retrieve_understand_json", wrong))
    out = tmp_path / "out" / "lines.jsonl"
    scored = api.score_files(str(place), hashing(), out)
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert lines == [line.model_dump(mode="json") for line in scored.lines]
    assert [line["id"] for line in lines] == ["query_0_1_0", "query_0_1_1", "query_0_1_2"]
    first = lines[0]
    assert list(first) == [
        *("id", "ability", "format", "status", "published", "corrected", "flags")
    ]
    assert (first["ability"], first["format"]) == ("reason_retrieve_understand", "json")
    assert first["published"] == pytest.approx(
        {"thought": 1.0, "name": 1.0, "args": 2 / 2.00001, "parse_rate": 1.0}
    )
    assert first["corrected"] == {
        **{"thought": 1.0, "name": 1.0, "args": 0.5, "parse_rate": 1.0},
        **{"similarity": 1.0, "accuracy": 1.0, "arguments": 0.5},
    }


def test_a_joint_reply_that_lacks_a_field_is_no_whole_one(tmp_path: Path) -> None:
    said = {"thought": MOVES[0]["thought"], "name": MOVES[0]["name"]}
    place = write(tmp_path, answered("reason_retrieve_understand_json", said))
    line = api.score_files(str(place), hashing()).lines[0]
    assert line.status == "unparsed"
    assert line.corrected["parse_rate"] == pytest.approx(2 / 3)
    assert line.published["parse_rate"] == 1.0


def test_a_plan_has_the_papers_f1_beside_the_headline(tmp_path: Path) -> None:
    place = write(tmp_path, answered("plan_str_v1", "1. BoatHire.find_boats\n2. BoatHire.book"))
    (line,) = api.score_files(str(place), hashing()).lines
    assert line.corrected.keys() == {"precision", "recall", "f1_score", "parse_rate", "f1"}
    assert line.corrected["f1"] == 1.0


def test_a_crash_of_the_release_is_a_flag(tmp_path: Path) -> None:
    records = answered("plan_json_v1", "[{'name': 'FinishAction', 'id': 0, 'args': {}}]")
    (line,) = api.score_files(str(write(tmp_path, records)), hashing()).lines
    assert line.flags == ("release_crash:RuntimeError",)
    assert set(line.published.values()) == {0.0}


def test_a_record_without_an_answer_counts_as_nothing(tmp_path: Path) -> None:
    records = answered("review_str", "A")
    records["review_str"]["query_0_2_0"] = sets()["review_str"]["query_0_1_0"]
    scored = api.score_files(str(write(tmp_path, records)), hashing())
    assert [line.status for line in scored.lines] == ["ok", "engine_error"]
    assert scored.lines[1].published == {"review_quality": 0.0, "parse_rate": 0.0}
    assert scored.summary.corrected.overall == 0.5


def test_files_without_any_answer_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no record has a 'prediction'"):
        api.score_files(str(write(tmp_path, sets())), hashing())


def test_the_oracle_is_right_by_both_scorers_on_published_files(published: Path) -> None:
    summary = RunFolder(published).summary()
    assert summary.corrected.overall == 1.0
    assert summary.published is not None
    assert summary.published.overall == pytest.approx(1.0, abs=1e-5)
    assert summary.published.complete
    assert not summary.corrected.complete
    assert summary.published.mark == "hashing"


def test_a_run_over_files_can_be_limited_like_any_other(tmp_path: Path) -> None:
    data = ["data.source=teval", f"data.paths={write(tmp_path / 'data', sets())}"]
    config = api.load_config([], [*data, "cases.abilities=[plan]", "cases.paths=[query_0_1]"])
    assert {case.ability for case in api.slice_cases(config)} == {"plan"}
    with pytest.raises(UnknownNameError, match="query_9"):
        api.slice_cases(api.load_config([], [*data, "cases.paths=[query_9]"]))
    with pytest.raises(ConfigError, match="zh"):
        api.slice_cases(api.load_config([], [*data, "data.language=zh"]))


def test_a_record_without_a_prompt_can_be_asked_of_nobody(tmp_path: Path) -> None:
    records: dict[str, dict[str, JsonObject]] = {
        "review_str": {"r": {"ground_truth": {"answer": "A"}}}
    }
    place = write(tmp_path, records)
    config = api.load_config([], ["data.source=teval", f"data.paths={place}"])
    with pytest.raises(DataError, match="record r of review_str has no origin_prompt"):
        api.slice_cases(config)


def test_a_run_is_exported_and_scores_the_same_again(published: Path, tmp_path: Path) -> None:
    files = api.export_teval(published, tmp_path)
    assert {file.parent for file in files} == {tmp_path / "oracle"}
    results = json.loads(files[-1].read_text(encoding="utf-8"))
    assert results.keys() == {
        *("instruct_json", "plan_json", "plan_str", "reason_str", "retrieve_str"),
        *("understand_str", "rru_json", "review_str"),
    }
    again = api.score_files(str(tmp_path / "oracle"), hashing()).summary
    assert again.corrected.overall == 1.0
    assert again.published is not None
    assert again.published.mark == "hashing"


def test_our_own_cases_in_that_layout_are_marked(tmp_path: Path) -> None:
    paths = tmp_path / "paths.jsonl"
    paths.write_text(f"{make_path().model_dump_json()}\n", encoding="utf-8")
    settings = [f"data.paths={paths}", f"out={tmp_path / 'run'}", "report.floors=false"]
    api.run(api.load_config(["smoke"], settings))
    api.export_teval(tmp_path / "run", tmp_path / "out")
    again = api.score_files(str(tmp_path / "out" / "oracle"), hashing()).summary
    assert again.corrected.overall == 1.0
    assert again.published is not None
    assert again.published.mark == "hashing, oracle"


@pytest.mark.parametrize(
    ("kind", "model", "mark"),
    [
        ("sbert", "/models/all-mpnet-base-v2", ""),
        ("sbert", "sentence-transformers/all-mpnet-base-v2", ""),
        ("sbert", "all-minilm-l6-v2", "all-minilm-l6-v2"),
        ("hashing", "all-mpnet-base-v2", "hashing"),
    ],
)
def test_only_the_releases_encoder_goes_without_a_mark(kind: str, model: str, mark: str) -> None:
    assert mark_of([], EmbedderConfig(kind=kind, model=model), "data") == mark


def test_paths_are_imported(tmp_path: Path) -> None:
    place = write(tmp_path / "in", sets())
    out = tmp_path / "new" / "paths.jsonl"
    rebuilt = api.import_paths(str(place), out)
    config = api.load_config(["smoke"], [f"data.paths={out}", f"out={tmp_path / 'run'}"])
    assert api.read_paths(config) == rebuilt.paths
    assert api.run(config).summary.corrected.overall == 1.0


def test_an_import_of_nothing_writes_nothing(tmp_path: Path) -> None:
    place = write(tmp_path / "in", {"plan_json": sets()["plan_json_v1"]})
    with pytest.raises(DataError, match="no record of it has a history"):
        api.import_paths(str(place), tmp_path / "paths.jsonl")
    assert not (tmp_path / "paths.jsonl").exists()
