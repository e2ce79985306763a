"""``teval sweep`` as a process over models that answer, fail, die and run short of memory."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from command_process import stop, teval
from factories import make_path

pytestmark = pytest.mark.engine

ENGINE = ("-s", "engine.kind=fickle_engine:FickleEngine", "-s", "report.resamples=100")


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The settings of a small run, as words of the command."""
    file = tmp_path_factory.mktemp("data") / "paths.jsonl"
    paths = [make_path(f"{family}_{n}", family) for family in ("trip", "walk") for n in range(2)]
    file.write_text("".join(f"{path.model_dump_json()}\n" for path in paths), encoding="utf-8")
    return ["-c", "smoke", "-s", f"data.paths={file}", *ENGINE, "--limit", "24"]


def found_in(out: Path) -> dict[str, dict[str, Any]]:
    """Each model's record in ``sweep.json``, by its label."""
    models = json.loads((out / "sweep.json").read_text(encoding="utf-8"))["models"]
    return {model["label"]: model for model in models}


@pytest.fixture(scope="module")
def swept(
    settings: list[str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A sweep over models of every kind, and how the command ended."""
    out = tmp_path_factory.mktemp("sweeps") / "all"
    models = ("says-A", "raises", "dies", "hungry", "refuses", "errs")
    done = teval("sweep", *settings, "--models", *models, "--out", out)
    return out, done


def test_a_sweep_goes_on_whatever_becomes_of_a_model(
    swept: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    out, done = swept
    assert done.returncode == 1, done.stderr
    states = {label: model["state"] for label, model in found_in(out).items()}
    assert states == {
        **{"says-A": "done", "raises": "failed", "dies": "failed"},
        **{"hungry": "done", "refuses": "failed", "errs": "left_over"},
    }
    assert "6 of 6: errs left over" in done.stderr


def test_why_a_model_failed_stands_in_every_file(
    swept: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    out, done = swept
    found = found_in(out)
    told = {
        "raises": "LookupError: the weights are torn",
        "dies": "killed by SIGKILL (out of memory?); last said: reading the weights",
        "refuses": "this model can't be loaded; name another",
    }
    text = (out / "sweep.md").read_text(encoding="utf-8")
    with (out / "sweep.csv").open(encoding="utf-8", newline="") as file:
        table = {row["label"]: row for row in csv.DictReader(file)}
    screen = " ".join(done.stdout.split())
    for label, why in told.items():
        assert found[label]["why"] == table[label]["why"] == why
        assert f"{label} failed: {why}. Log: " in text.replace("\\", "")
        assert f"{label} failed: {why}. Log:" in screen
        assert Path(found[label]["log"]).read_text(encoding="utf-8")
        assert table[label]["overall_score"] == ""
    assert found["errs"]["why"].startswith("18 of 18 requests are left over")
    assert float(table["says-A"]["overall_low"]) <= float(table["says-A"]["overall_score"])


def test_a_start_short_of_memory_is_tried_once_more(
    swept: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    out, done = swept
    found = found_in(out)
    assert [name for name, model in found.items() if model["changed"]] == ["dies", "hungry"]
    assert found["hungry"]["changed"] == ["batch_size 8 instead of the default"]
    assert done.stderr.count("once more with batch_size 8 instead of the default") == 2
    assert "CUDA out of memory" in done.stderr
    assert found["hungry"]["folder"].endswith("-smaller")
    manifest = json.loads((Path(found["hungry"]["folder"]) / "manifest.json").read_text("utf-8"))
    assert manifest["engine"]["batch"] == 8


def test_each_run_lies_under_the_sweep_with_its_log_beside(
    swept: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    out, _ = swept
    for model in found_in(out).values():
        folder = Path(model["folder"])
        assert folder.parent == out
        assert folder.name.startswith("smoke-fickle_engine_FickleEngine-")
        assert model["log"] == f"{folder}.log"
    assert {"radar.png", "radar.svg", "dots.png", "dots.svg"} <= {f.name for f in out.iterdir()}


def test_finished_models_are_not_asked_again(
    swept: tuple[Path, subprocess.CompletedProcess[str]], settings: list[str]
) -> None:
    out, _ = swept
    models = ("says-A", "hungry")
    before = {label: found_in(out)[label] for label in models}
    done = teval("sweep", *settings, "--models", *models, "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    after = {model["label"]: model for model in json.loads(done.stdout)["models"]}
    assert after == before
    for model in after.values():
        said = Path(model["log"]).read_text(encoding="utf-8")
        assert said.count("reading the weights") == 1
        assert "(18 answered before)" in said


def test_checkpoints_of_one_run_stand_in_the_order_of_training(
    settings: list[str], tmp_path: Path
) -> None:
    for number in (1000, 50, 200):
        (tmp_path / "mine" / f"checkpoint-{number}").mkdir(parents=True)
    (tmp_path / "mine" / "checkpoint-best").mkdir()
    out = tmp_path / "out"
    done = teval("sweep", *settings, "--models", tmp_path / "mine", "--gpus", "0,1", "--out", out)
    assert done.returncode == 0, done.stderr
    found = found_in(out)
    assert list(found) == ["checkpoint-50", "checkpoint-200", "checkpoint-1000"]
    engines = [
        json.loads((Path(model["folder"]) / "manifest.json").read_text("utf-8"))["engine"]
        for model in found.values()
    ]
    assert [engine["devices"] for engine in engines][:2] == ["0", "1"]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_sweep_stopped_mid_way_stops_its_run_and_goes_on(
    settings: list[str], tmp_path: Path, how: signal.Signals
) -> None:
    words = ["sweep", *settings, "--models", "slow", "says-A", "--out", str(tmp_path)]
    code, last = stop(words, lambda: answers(tmp_path), how)
    assert (code, last) == (130, "stopped; run the same command again to go on")
    (log,) = tmp_path.glob("*slow*.log")
    assert log.read_text(encoding="utf-8").endswith(f"{last}\n")
    before = answers(tmp_path)
    assert len(before) < 18
    done = teval(*words)
    assert done.returncode == 0, done.stderr
    assert f"({len(before)} answered before)" in log.read_text(encoding="utf-8")


def answers(out: Path) -> list[bytes]:
    """Lines of the slow model's answers so far."""
    files = out.glob("*slow-*/completions.jsonl")
    return [line for file in files for line in file.read_bytes().splitlines()]
