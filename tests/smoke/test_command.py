"""The command as a process: how it starts, how it is stopped and killed, how it goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from factories import make_path

HEAVY = (
    *("torch", "vllm", "transformers", "sentence_transformers", "ray", "matplotlib", "pandas"),
    *("datasets", "numpy", "scipy", "pydantic"),
)


def teval(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "teval", *words],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file of four small paths of two families."""
    file = tmp_path_factory.mktemp("data") / "paths.jsonl"
    paths = [make_path(f"{family}_{n}", family) for family in ("trip", "walk") for n in range(2)]
    file.write_text("".join(f"{path.model_dump_json()}\n" for path in paths), encoding="utf-8")
    return f"data.paths={file}"


@pytest.fixture(scope="module")
def finished(data: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run of the oracle."""
    out = tmp_path_factory.mktemp("runs") / "oracle"
    done = teval("run", "-c", "smoke", "-s", data, "-s", f"out={out}")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == f"engine oracle → {out}"
    assert lines[-1] == f"radar: {out / 'radar.png'}"
    assert "cases" in done.stderr
    assert "prompt tokens" in done.stderr
    return out


def summary_of(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    return found


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys\nsys.argv = ['teval', '--help']\nfrom teval.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print('loaded', sorted(set({HEAVY!r}) & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "loaded []"
    for verb in ("run", "slice", "generate", "score", "report", "build", "replay", "model"):
        assert verb in done.stdout


def test_version() -> None:
    done = teval("--version")
    assert (done.returncode, done.stdout) == (0, "teval 0.1.0\n")


def test_an_error_is_one_line() -> None:
    done = teval("run", "-c", "smoke", "-s", "engine.knd=x")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


def test_ctrl_c_ends_in_one_line(finished: Path, data: str, tmp_path: Path) -> None:
    words = ["run", "-c", "smoke", "-s", data, "-s", f"out={tmp_path}"]
    with subprocess.Popen(
        [sys.executable, "-m", "teval", *words], stderr=subprocess.PIPE, text=True
    ) as run:
        while not (tmp_path / ".lock").exists():
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=60)
    assert run.returncode == 130
    assert errors.splitlines()[-1] == "stopped; run the same command again to go on"
    done = teval(*words)
    assert done.returncode == 0
    assert summary_of(tmp_path) == summary_of(finished)


def test_a_killed_run_goes_on_to_the_same_records(
    finished: Path, data: str, tmp_path: Path
) -> None:
    words = ["run", "-c", "smoke", "-s", data, "-s", f"out={tmp_path}"]
    with subprocess.Popen(
        [sys.executable, "-m", "teval", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as run:
        while not (tmp_path / "completions.jsonl").exists():
            time.sleep(0.001)
        os.kill(run.pid, signal.SIGKILL)
    assert teval(*words).returncode == 0
    for name in ("cases.jsonl", "completions.jsonl", "scores.jsonl", "summary.json"):
        assert (tmp_path / name).read_bytes() == (finished / name).read_bytes()
