"""The wheel: built, installed into an empty environment, and run from there."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.packaging


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as built through the source archive."""
    out = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)],
        check=True,
        capture_output=True,
    )
    (built,) = out.glob("*.whl")
    return built


def test_wheel_holds_the_assets_and_nothing_ignored(wheel: Path) -> None:
    """Data, prompts and configs travel; run folders and downloaded sets do not."""
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in (
        "teval/_assets/data/lite/paths.jsonl",
        "teval/_assets/prompts/en/_tools.yaml",
        "teval/_assets/eval_configs/smoke.yaml",
        "teval/py.typed",
    ):
        assert wanted in names
    assert not [n for n in names if n.startswith(("tests", "reports", "benchmarks"))]


def test_installed_wheel_runs_the_smoke_config(wheel: Path, tmp_path: Path) -> None:
    """From an environment that has only the wheel, the command runs and the oracle is right."""
    place = tmp_path / "env"
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    subprocess.run(
        [str(python), "-m", "pip", "install", "--quiet", "--no-compile", str(wheel)],
        check=True,
        capture_output=True,
    )
    out = tmp_path / "run"
    done = subprocess.run(
        [str(python), "-m", "teval", "run", "-c", "smoke", "-s", f"out={out}"],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert summary["corrected"]["overall"] == 1.0
    assert (out / "radar.png").stat().st_size > 10_000
