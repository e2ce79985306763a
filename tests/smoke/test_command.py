"""The command as a process: how it starts, and how it ends on an error."""

from __future__ import annotations

import subprocess
import sys

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
