"""Runs that are stopped or killed, and go on."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import killed_run
import pytest
from command_process import ENVIRONMENT, stop, teval
from factories import make_path

pytestmark = [pytest.mark.engine, pytest.mark.long]

RECORDS = ("cases.jsonl", "completions.jsonl", "scores.jsonl", "summary.json")
KILLS = int(os.environ.get("KILLS", "100"))


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
    assert_same(tmp_path, whole)


def assert_same(out: Path, whole: Path) -> None:
    for name in RECORDS:
        assert (out / name).read_bytes() == (whole / name).read_bytes(), name


def test_a_hundred_kills_at_random_moments_end_in_the_same_records(
    data: str, tmp_path: Path
) -> None:
    whole = tmp_path / "whole"
    assert ended(whole, data) == 0
    chance = random.Random(0)
    killed, rounds, met = 0, 0, set()
    while killed < KILLS:
        out = tmp_path / f"round{rounds}"
        rounds += 1
        # From before there is a folder to when all is answered and scores are made.
        while code := ended(out, data, moment(chance, len(answers(whole))), chance.random()):
            assert code == -signal.SIGKILL
            killed += 1
            met.add(len(answers(out)))
        assert_same(out, whole)
    assert len(met) >= KILLS // 10


def moment(chance: random.Random, answers: int) -> int | None:
    """Return after how many answers to kill, or, once in five, to let the run end."""
    return None if chance.random() < 0.2 else chance.randint(-1, answers)


def ended(out: Path, data: str, count: int | None = None, part: float = 0.0) -> int | None:
    """Return the exit code of a run that is killed if it has not ended before.

    Args:
        out: Its folder.
        data: Its paths.
        count: The answers that are waited for; none if negative, and None waits for its end.
        part: Of a tenth of a second that it has left then.
    """
    process = killed_run.start(killed_run.settings(data, out))
    while count is not None and process.is_alive() and len(answers(out)) < count:
        time.sleep(0.002)
    process.join(None if count is None else part / 10)
    if process.is_alive():
        process.kill()
        process.join()
    return process.exitcode


def test_a_full_disk_is_one_line_and_the_run_goes_on_when_there_is_room(
    whole: Path, data: str, tmp_path: Path
) -> None:
    room = (whole / "completions.jsonl").stat().st_size // 2 + 50
    full = teval(*settings(data, tmp_path), environment={**ENVIRONMENT, "ROOM": str(room)})
    assert full.returncode == 2
    last = full.stderr.splitlines()[-1]
    assert last.startswith("error: no room on the disk")
    assert "what was answered is kept" in last
    # The disk was full in the middle of a line.
    assert (tmp_path / "completions.jsonl").stat().st_size == room
    assert not (tmp_path / "completions.jsonl").read_bytes().endswith(b"\n")
    done = teval(*settings(data, tmp_path))
    assert done.returncode == 0, done.stderr
    assert " answered before)" in done.stderr
    assert_same(tmp_path, whole)
