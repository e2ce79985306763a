"""Runs that are stopped or killed, and go on."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from command_process import stop, teval
from factories import make_path

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file of four small paths of two families."""
    file = tmp_path_factory.mktemp("data") / "paths.jsonl"
    paths = [make_path(f"{family}_{n}", family) for family in ("trip", "walk") for n in range(2)]
    file.write_text("".join(f"{path.model_dump_json()}\n" for path in paths), encoding="utf-8")
    return f"data.paths={file}"


def settings(data: str, out: Path) -> list[str]:
    """A run of a few cases, each of which takes a moment."""
    limit = ["-s", "engine.kind=slow_engine:SlowEngine", "--limit", "24"]
    return ["run", "-c", "smoke", "-s", data, "-s", f"out={out}", *limit]


def answers(out: Path) -> list[bytes]:
    file = out / "completions.jsonl"
    return file.read_bytes().splitlines() if file.exists() else []


@pytest.fixture(scope="module")
def whole(data: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nobody stopped."""
    out = tmp_path_factory.mktemp("runs") / "whole"
    done = teval(*settings(data, out))
    assert done.returncode == 0, done.stderr
    return out


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_run_stopped_mid_way_goes_on_to_the_same_records(
    whole: Path, data: str, tmp_path: Path, how: signal.Signals
) -> None:
    code, last = stop(settings(data, tmp_path), lambda: answers(tmp_path), how)
    if how == signal.SIGINT:
        assert (code, last) == (130, "stopped; run the same command again to go on")
    before = answers(tmp_path)
    assert 3 <= len(before) < len(answers(whole))
    done = teval(*settings(data, tmp_path))
    assert done.returncode == 0, done.stderr
    assert f"({len(before)} answered before)" in done.stderr
    for name in ("cases.jsonl", "completions.jsonl", "scores.jsonl", "summary.json"):
        assert (tmp_path / name).read_bytes() == (whole / name).read_bytes()
