"""Which models a sweep runs, and what they are called; how it runs them is a smoke test."""

from __future__ import annotations

from pathlib import Path

import pytest

from teval.api.sweep import expand_models, labels_of, sweep_folder
from teval.errors import ConfigError
from teval.run.config import RunConfig


def checkpoints(folder: Path, *numbers: int) -> Path:
    for number in numbers:
        (folder / f"checkpoint-{number}").mkdir(parents=True)
    return folder


@pytest.mark.parametrize(
    ("models", "labels"),
    [
        (["org/one", "two"], ["one", "two"]),
        (["org/one", "other/one"], ["org/one", "other/one"]),
        (["one", "org/one"], ["one", "org/one"]),
        (["/a/x/best", "/b/x/best", "/c/best"], ["a/x/best", "b/x/best", "c/best"]),
        (["one", "/one"], ["one", "/one"]),
    ],
)
def test_models_are_called_by_the_shortest_end_of_their_own(
    models: list[str], labels: list[str]
) -> None:
    assert labels_of(models) == labels


def test_a_training_run_stands_for_its_checkpoints_in_their_order(tmp_path: Path) -> None:
    run = checkpoints(tmp_path / "run", 1000, 50, 200)
    (run / "checkpoint-last").mkdir()
    (run / "checkpoint-7").write_text("a file", encoding="utf-8")
    names = [f"checkpoint-{number}" for number in (50, 200, 1000)]
    assert expand_models([f"{run}/"]) == [str(run / name) for name in names]
    (run / "config.json").write_text("{}", encoding="utf-8")
    assert expand_models([str(run), "hub/name"]) == [
        *(str(run / name) for name in names),
        str(run),
        "hub/name",
    ]


def test_a_folder_without_checkpoints_stands_for_itself(tmp_path: Path) -> None:
    assert expand_models([str(tmp_path)]) == [str(tmp_path)]


def test_the_same_model_twice_is_refused_however_it_is_spelt(tmp_path: Path) -> None:
    run = checkpoints(tmp_path / "run", 50)
    (tmp_path / "link").symlink_to(run / "checkpoint-50")
    with pytest.raises(ConfigError, match="2 times"):
        expand_models([str(run), str(tmp_path / "link")])
    with pytest.raises(ConfigError, match="2 times"):
        expand_models(["hub/name", "hub/name/"])


@pytest.mark.parametrize(("models", "told"), [([], "needs models"), (["~/no/such"], "no such")])
def test_no_model_and_a_missing_folder_are_refused(models: list[str], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        expand_models(models)


@pytest.mark.parametrize(("name", "folder"), [("vllm", "sweep-vllm"), ("a/b c.", "sweep-a_b_c")])
def test_a_sweep_lies_under_reports_by_its_name(name: str, folder: str) -> None:
    assert sweep_folder(RunConfig(name=name)) == Path("reports", folder)
