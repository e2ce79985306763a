"""``teval noise``: two processes, one after the other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_process import teval
from factories import make_path

pytestmark = [pytest.mark.engine, pytest.mark.long]


def settings(tmp_path: Path, *more: str) -> list[str]:
    paths = [make_path(f"{family}_0", family) for family in ("trip", "walk")]
    file = tmp_path / "paths.jsonl"
    file.write_text("".join(f"{path.model_dump_json()}\n" for path in paths), encoding="utf-8")
    given = [f"data.paths={file}", *more]
    return ["-c", "smoke", *(word for one in given for word in ("-s", one)), "--limit", "24"]


def test_noise_is_measured_over_two_processes(tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = settings(tmp_path, "engine.kind=coin_engine:CoinEngine")
    done = teval("noise", *words, "-o", out, "--json")
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stderr.splitlines()] == ["first", "second"]
    found = json.loads(done.stdout)
    assert found["rows"][-1]["n"] == 24
    assert 0 < found["rows"][-1]["answers"] <= 24
    assert Path(found["files"][1]).name == "noise.json"
    again = teval("noise", *words, "-o", out, "--json")
    assert json.loads(again.stdout)["rows"] == found["rows"]


def test_a_run_that_fails_is_told(tmp_path: Path) -> None:
    more = ["engine.kind=fickle_engine:FickleEngine", "engine.model=refuses"]
    done = teval("noise", *settings(tmp_path, *more), "-o", tmp_path / "out")
    assert done.returncode == 2
    assert "the first run failed: this model can't be loaded; name another" in done.stderr
    more = ["engine.kind=fickle_engine:FickleEngine", "engine.model=says-A"]
    done = teval("noise", *settings(tmp_path, *more), "-o", tmp_path / "two", "--deterministic")
    assert done.returncode == 2
    assert "can't be made deterministic" in done.stderr
