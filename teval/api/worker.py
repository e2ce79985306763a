"""One run of a sweep as a process of its own, whose end no other run notices."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_GRACE = {signal.SIGINT: 30.0, signal.SIGTERM: 5.0, signal.SIGKILL: 5.0}
"""How a process is asked to end, each more firmly, and how many seconds it has for it."""
_TOLD = re.compile(r"error: ")
"""How the command starts the line that says what to change."""
_RAISED = re.compile(r"[A-Za-z_][\w.]*(Error|Exception|Interrupt|Exit)\b")
"""How the last line of a traceback starts."""


class Worker:
    """``teval run`` in a process and a session of its own.

    So it can be ended with all that it started, and Ctrl-C reaches it only by :func:`stop_all`.

    Args:
        config: The file that holds all of the run's settings.
        log: The file that all it says is added to.
        environment: Variables set for it beside those of this process.
    """

    def __init__(self, config: Path, log: Path, environment: Mapping[str, str]) -> None:
        self._log = log
        words = [sys.executable, "-m", "teval", "run", "-c", str(config)]
        with log.open("ab") as file:
            self._start = file.tell()
            # Unbuffered, for else the last line of the log need not be what was said last.
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
                start_new_session=True,
            )

    def poll(self) -> int | None:
        """Return the exit code, the negative number of a signal, or None while it goes on."""
        code = self._process.poll()
        if code is not None:
            self.send(signal.SIGKILL)  # what it started and left behind may hold a device's memory
        return code

    def said(self) -> str:
        """Return what it said so far, outputs and errors in their order."""
        with self._log.open("rb") as file:
            file.seek(self._start)
            return file.read().decode("utf-8", "replace")

    def send(self, sign: signal.Signals) -> None:
        """Send a signal to the process and all that it started."""
        try:
            os.killpg(self._process.pid, sign)
        except (ProcessLookupError, PermissionError):  # all have ended
            return


def stop_all(workers: Iterable[Worker]) -> None:
    """End processes: as Ctrl-C does at first, so that they end properly, then more firmly."""
    left = list(workers)
    try:
        for sign, seconds in _GRACE.items():
            for worker in left:
                worker.send(sign)
            until = time.monotonic() + seconds
            while left and time.monotonic() < until:
                left = [worker for worker in left if worker.poll() is None]
                time.sleep(0.05)
    finally:
        for worker in left:  # where somebody can't wait and presses Ctrl-C again
            worker.send(signal.SIGKILL)


def last_words(said: str) -> str:
    r"""Return the line that best tells why a command failed, empty where it said nothing.

    That is its own error line where there is one, else the last line of a traceback, else the last
    line of all: libraries like to say more after that.

    >>> last_words("loading\nerror: no such model\n[W] leaked a semaphore")
    'error: no such model'
    """
    lines = [line.strip() for line in re.split(r"[\r\n]+", said) if line.strip()]
    tests: tuple[Callable[[str], object], ...] = (_TOLD.match, _RAISED.match, bool)
    found = (line for test in tests for line in reversed(lines) if test(line))
    return next(found, "")


@contextmanager
def heeding_signals() -> Iterator[None]:
    """Make being told to end, or losing the terminal, the same as Ctrl-C while it lasts."""
    # Python lets only the main thread set what a signal does; nohup has SIGHUP ignored.
    main = threading.current_thread() is threading.main_thread()
    deadly = [s for s in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(s) == signal.SIG_DFL]
    for sign in deadly if main else ():
        signal.signal(sign, signal.default_int_handler)
    try:
        yield
    finally:
        for sign in deadly if main else ():
            signal.signal(sign, signal.SIG_DFL)
