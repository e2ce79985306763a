from __future__ import annotations

import json
from pathlib import Path

import pytest
from teval_examples import MOVES, QUERY, joint, prompt, sets, write

from teval.schema import FINISH, Json, JsonObject, SolutionPath
from teval.sources.teval_files import read_records
from teval.sources.teval_paths import Rebuilt, rebuild_paths


def rebuilt(folder: Path, records: dict[str, dict[str, JsonObject]]) -> Rebuilt:
    return rebuild_paths(read_records(str(write(folder, records))))


def only(found: Rebuilt) -> SolutionPath:
    assert found.problems == []
    (path,) = found.paths
    return path


def test_a_path_is_whole_again(tmp_path: Path) -> None:
    path = only(rebuilt(tmp_path, sets()))
    assert (path.id, path.family, path.language, path.query) == (
        "query_0_1",
        "query_0",
        "en",
        QUERY,
    )
    assert [step.thought for step in path.steps] == [move["thought"] for move in MOVES]
    assert [step.call.args for step in path.steps] == [move["args"] for move in MOVES]
    assert [tool.name for tool in path.tools] == [
        "BoatHire.book",
        "BoatHire.find_boats",
        "TideTable.today",
        FINISH,
    ]
    first, second, last = path.steps
    assert first.observation is not None
    assert first.observation.content == {"boats": ["Heron"]}
    assert first.review == "A"
    assert second.observation is not None
    assert second.observation.content == {"result": "Booked."}
    assert second.review is None
    assert last.observation is None
    assert path.answer.text == MOVES[-1]["thought"]
    assert path.tags == ("t-eval",)


LABELLED = "Thought: {thought}\nAction: {name}\nAction Input: {args}"


@pytest.mark.parametrize("as_json", [True, False])
def test_the_history_of_the_last_record_is_enough(tmp_path: Path, *, as_json: bool) -> None:
    turns = prompt(2)
    for turn, move in zip((turns[2], turns[4]), MOVES, strict=False):
        assert isinstance(turn, dict)
        said = {key: v if isinstance(v, str) else json.dumps(v) for key, v in move.items()}
        turn["content"] = json.dumps(move) if as_json else LABELLED.format(**said)
    last = {**joint()["query_0_1_2"], "origin_prompt": turns}
    path = only(rebuilt(tmp_path, {"rru_json": {"query_0_1_2": last}}))
    assert [step.call.name for step in path.steps] == [move["name"] for move in MOVES]
    assert path.steps[1].call.args == MOVES[1]["args"]


def test_a_review_tells_which_observation_was_an_error(tmp_path: Path) -> None:
    records = sets()
    for letter, status in (("B", "internal_error"), ("C", "input_error")):
        records["review_str"]["query_0_1_0"]["ground_truth"] = {"answer": letter}
        observation = only(rebuilt(tmp_path, records)).steps[0].observation
        assert observation is not None
        assert observation.status == status
        assert observation.content == {"error": '{"boats": ["Heron"]}'}


def test_a_path_without_its_finish_gets_one_that_nobody_is_asked(tmp_path: Path) -> None:
    records = joint()
    del records["query_0_1_2"]
    path = only(rebuilt(tmp_path, {"rru_json": records}))
    assert [step.call.name for step in path.steps][-1] == FINISH
    assert not path.steps[-1].sound
    assert "finish-added" in path.tags


def test_languages_do_not_share_an_id(tmp_path: Path) -> None:
    chinese = {name: {**record, "language": "zh"} for name, record in joint().items()}
    found = rebuilt(tmp_path, {"rru_json": joint(), "rru_json_zh": chinese})
    assert {path.id for path in found.paths} == {"query_0_1", "query_0_1_zh"}


def changed(step: int, **changes: Json) -> dict[str, JsonObject]:
    records = joint()
    records[f"query_0_1_{step}"] = {**records[f"query_0_1_{step}"], **changes}
    return records


@pytest.mark.parametrize(
    ("records", "why"),
    [
        ({"plan_json_v1": sets()["plan_json_v1"]}, "no record of it has a history"),
        ({"rru_json": changed(2, origin_prompt=prompt(1))}, "history of 1 steps"),
        (
            {"rru_json": changed(1, ground_truth={**MOVES[1], "name": "TideTable.moon"})},
            "which the prompt does not list",
        ),
        ({"reason_str": sets()["reason_str"]}, "nowhere told together"),
    ],
)
def test_what_can_not_be_rebuilt_says_why(
    tmp_path: Path, records: dict[str, dict[str, JsonObject]], why: str
) -> None:
    found = rebuilt(tmp_path, records)
    assert found.paths == []
    (problem,) = found.problems
    assert problem.startswith("query_0_1 (en): ")
    assert why in problem
