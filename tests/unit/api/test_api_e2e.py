"""End-to-end runs from start to end."""

from __future__ import annotations

from pathlib import Path

import pytest
from e2e_examples import lite, standard

from teval import api
from teval.errors import ConfigError, DataError, UnknownNameError
from teval.run.store import RunFolder

WRITING = [path.id for path in lite() if standard(path.id).wanted][:2]
PATHS = f"cases.paths=[{', '.join(WRITING)}]"


def config_of(out: Path, *more: str) -> api.RunConfig:
    return api.load_config(["e2e"], [f"out={out}", "engine.kind=oracle", PATHS, *more])


def test_gold_replay_scores_one_and_floors_stand_beside(tmp_path: Path) -> None:
    done = api.e2e(config_of(tmp_path))
    assert (done.summary.success, done.summary.planned, done.summary.families) == (1.0, 2, 2)
    assert done.summary.floors == {"apologiser": 0.0, "parrot": 0.0, "random": 0.0}
    assert done.summary == RunFolder(tmp_path).outcome_summary()
    assert "agent:react-20-1|scorer:outcome-1" in done.summary.signature
    assert {mark.right for o in RunFolder(tmp_path).outcomes() for mark in o.marks} == {True}


def test_a_stopped_run_goes_on_and_leaves_the_same_records(tmp_path: Path) -> None:
    settings = ["engine.kind=degraded", "engine.ability=understand", "engine.seed=3"]
    whole = api.e2e(config_of(tmp_path / "whole", *settings)).folder
    torn = api.e2e(config_of(tmp_path / "torn", *settings)).folder
    lines = (torn / "completions.jsonl").read_bytes().splitlines(keepends=True)
    (torn / "completions.jsonl").write_bytes(b"".join(lines[:5]) + lines[5][:30])
    for name in ("episodes.jsonl", "outcomes.jsonl", "outcomes.json"):
        (torn / name).unlink()
    waves: list[tuple[int, int]] = []
    api.e2e(config_of(tmp_path / "torn", *settings), lambda *wave: waves.append(wave))
    assert waves[:2] == [(2, 0), (2, 0)]
    for name in ("completions.jsonl", "episodes.jsonl", "outcomes.jsonl", "outcomes.json"):
        assert (torn / name).read_bytes() == (whole / name).read_bytes(), name


def test_episodes_are_scored_again_without_the_model(tmp_path: Path) -> None:
    done = api.e2e(config_of(tmp_path))
    (tmp_path / "outcomes.jsonl").unlink()
    assert api.score_episodes(tmp_path) == done.summary


def test_tasks_are_taken_in_turn_from_all_families(tmp_path: Path) -> None:
    config = api.load_config(
        ["e2e"], [f"out={tmp_path}", "engine.kind=apologiser", "episodes.tasks=3"]
    )
    done = api.e2e(config)
    assert (done.summary.planned, done.summary.families, done.summary.success) == (3, 3, 0.0)


@pytest.mark.parametrize(
    ("setting", "kind", "match"),
    [
        ("episodes.trials=2", ConfigError, "temperature"),
        ("repeats=2", ConfigError, "episodes.trials"),
        ("episodes.agent=reakt", UnknownNameError, "react"),
        ("episodes.steps=0", ConfigError, "episodes.steps"),
        ("engine.kind=degraded", ConfigError, "engine.ability"),
        ("engine={kind: ray, options: {engine: vllm}}", ConfigError, "turns of an episode"),
    ],
)
def test_settings_that_make_no_sense_are_refused(
    tmp_path: Path, setting: str, kind: type[Exception], match: str
) -> None:
    with pytest.raises(kind, match=match):
        api.e2e(config_of(tmp_path, setting))


def test_a_changed_setting_needs_another_folder(tmp_path: Path) -> None:
    api.e2e(config_of(tmp_path))
    with pytest.raises(ConfigError, match=r"episodes.steps: 20 there, 5 now"):
        api.e2e(config_of(tmp_path, "episodes.steps=5"))


def test_paths_without_world_can_not_be_played(tmp_path: Path) -> None:
    from factories import make_path

    file = tmp_path / "paths.jsonl"
    file.write_text(make_path().model_dump_json() + "\n", encoding="utf-8")
    config = api.load_config(
        ["e2e"], [f"out={tmp_path / 'run'}", "engine.kind=oracle", f"data.paths={file}"]
    )
    with pytest.raises(DataError, match="no path has a world"):
        api.e2e(config)
