"""An engine that takes its time, so that a run can be stopped in the middle of it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from teval.engines import ScriptedEngine
from teval.schema import Completion, Request


class SlowEngine(ScriptedEngine):
    """Says nothing, ten times a second."""

    def __init__(self) -> None:
        super().__init__(answers={}, kind="slow")

    def generate(self, requests: Sequence[Request]) -> Iterator[Completion]:
        for completion in super().generate(requests):
            time.sleep(0.03)
            yield completion
