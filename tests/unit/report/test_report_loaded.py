from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from report_examples import make_run, make_scores, make_summary, store_run

from teval.errors import DataError
from teval.report.loaded import Value, caption, cells, load_runs

VALUES = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4)


def test_a_stored_run_is_loaded_with_the_hash_of_its_summary(tmp_path: Path) -> None:
    scores = make_scores()
    summary = make_summary(VALUES, scores, name="quick", model="models/SmolLM2-135M")
    folder = store_run(tmp_path / "run", summary, scores)
    (run,) = load_runs([folder])
    assert run.label == "quick (SmolLM2-135M)"
    assert run.summary == summary
    assert tuple(run.scores) == tuple(run.scores) == scores
    assert run.sha256 == hashlib.sha256((folder / "summary.json").read_bytes()).hexdigest()
    assert (run.data, run.cases) == ("sample 01234567", "beef")


@pytest.mark.parametrize(
    ("name", "model", "label"),
    [
        ("smoke", "", "smoke"),
        ("smoke", "org/Qwen3-8B", "smoke (Qwen3-8B)"),
        ("my Qwen3-8B", "org/Qwen3-8B", "my Qwen3-8B"),
        ("two\nlines", "", "two lines"),
    ],
)
def test_labels_name_the_run_and_its_model_once(
    tmp_path: Path, name: str, model: str, label: str
) -> None:
    scores = make_scores()
    folder = store_run(tmp_path, make_summary(VALUES, scores, name, model), scores)
    assert load_runs([folder])[0].label == label


def test_runs_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    scores = make_scores()
    names = {"a": "same", "b": "same", "c": "other"}
    folders = [
        store_run(tmp_path / place, make_summary(VALUES, scores, name), scores)
        for place, name in names.items()
    ]
    labels = [run.label for run in load_runs(folders)]
    assert labels == [f"same [{folders[0]}]", f"same [{folders[1]}]", "other"]


def test_a_folder_without_a_summary_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"has no summary\.json"):
        load_runs([tmp_path])


def test_scores_that_are_not_those_of_the_summary_are_refused(tmp_path: Path) -> None:
    scores = make_scores()
    folder = store_run(tmp_path, make_summary(VALUES, scores), scores[:-1])
    with pytest.raises(DataError, match=r"sums up 24 scores.*holds 23; .*teval score"):
        load_runs([folder])


def test_an_ability_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    scores = make_scores()
    summary = make_summary(VALUES, scores)
    abilities = {**summary.corrected.abilities, "juggle": None}
    corrected = summary.corrected.model_copy(update={"abilities": abilities})
    folder = store_run(tmp_path, summary.model_copy(update={"corrected": corrected}), scores)
    with pytest.raises(DataError, match="'juggle' is none of instruct, plan"):
        load_runs([folder])


def test_values_carry_interval_and_floor() -> None:
    run = make_run(values=(0.9, None, 0.7, 0.6, 0.5, 0.4))
    assert run.value("instruct") == Value(0.9, 0.875, 0.925, 0.1)
    assert run.value("plan") is None
    assert run.overall is None
    assert len(list(cells(run.summary))) == 10


def test_overall_is_there_when_all_was_asked() -> None:
    overall = make_run(values=(0.5,) * 6).overall
    assert overall == Value(0.5, 0.48, 0.52, 0.1)


def test_caption_names_each_differing_fact_once() -> None:
    runs = [make_run(), make_run(), make_run(values=(0.9, None, 0.7, 0.6, 0.5, 0.4))]
    assert caption(runs) == (
        "Corrected scores, 0–100; n = 24 / 20 cases of 2 families; data: sample 12345678."
    )
