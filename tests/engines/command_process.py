"""The command as a process that finds the engines lying beside this file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}


def teval(
    *words: str | Path, environment: Mapping[str, str] = ENVIRONMENT
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "teval", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
        env=environment,
    )


def stop(
    words: Sequence[str], answers: Callable[[], Sequence[bytes]], how: signal.Signals
) -> tuple[int, str]:
    """Start a command, stop it after three answers; return exit code and last line of stderr."""
    with subprocess.Popen(
        [sys.executable, "-m", "teval", *words],
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_hear_interrupts,
    ) as run:
        while len(answers()) < 3:
            assert run.poll() is None, "the command ended before it could be stopped"
            time.sleep(0.01)
        run.send_signal(how)
        _, errors = run.communicate(timeout=60)
    return run.returncode, errors.splitlines()[-1]


def _hear_interrupts() -> None:
    """Undo what a shell does to a command in the background: it lets it ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
