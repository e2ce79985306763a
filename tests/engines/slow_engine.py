"""An engine that takes its time, so that a run can be stopped in the middle of it."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterable, Iterator

from teval.engines import ScriptedEngine
from teval.schema import Completion, Request


class SlowEngine(ScriptedEngine):
    """Answers with the beginning of the prompt's hash, each after a moment.

    Where the environment has ``ROOM``, no file may be larger than so many bytes from the first
    answer on, which is what a full disk looks like.

    Args:
        seconds: For one answer.
    """

    def __init__(self, *, seconds: float = 0.03) -> None:
        super().__init__(answers={}, kind="slow")
        self._seconds = seconds

    def generate(self, requests: Iterable[Request]) -> Iterator[Completion]:
        if room := os.environ.get("ROOM"):
            resource.setrlimit(resource.RLIMIT_FSIZE, (int(room), resource.RLIM_INFINITY))
        for completion in super().generate(requests):
            time.sleep(self._seconds)
            yield completion.model_copy(update={"text": completion.prompt[:8]})
