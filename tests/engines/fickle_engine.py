"""An engine that does what its model's name says, good things and bad."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from teval.engines import ScriptedEngine
from teval.errors import EngineError
from teval.schema import Completion, JsonObject, Request


class FickleEngine(ScriptedEngine):
    """Answers with a letter, raises, refuses, dies, is hungry for memory, or slow.

    Args:
        model: ``says-A`` and the like, ``raises``, ``refuses``, ``errs``, ``dies``, ``hungry``,
            ``slow``, ``tires`` (and breaks after 20 answers); any other name says A.
        batch_size: The hungry one has enough memory for 8.
        max_model_len: Not needed, but a setting that runs short of memory may change.
    """

    def __init__(
        self, *, model: str, batch_size: int = 16, max_model_len: int | None = None
    ) -> None:
        super().__init__(answers={}, kind="fickle")
        self._name = Path(model).name
        self._batch = batch_size
        self._window = max_model_len
        self._said = 0

    def describe(self) -> JsonObject:
        devices = os.environ.get("CUDA_VISIBLE_DEVICES", "")
        return {**super().describe(), "batch": self._batch, "devices": devices}

    def generate(self, requests: Iterable[Request]) -> Iterator[Completion]:
        self._act()
        for completion in super().generate(requests):
            self._said += 1
            if self._name == "tires" and self._said > 20:
                raise EngineError("the engine is worn out")
            if self._name == "slow":
                time.sleep(0.1)
            letter = self._name[-1] if self._name.startswith("says-") else "A"
            failed = {"finish": "error", "error": "no"} if self._name == "errs" else {}
            yield completion.model_copy(update={"text": letter, **failed})

    def _act(self) -> None:
        sys.stderr.write("reading the weights\n")
        sys.stderr.flush()
        if self._name == "raises":
            raise LookupError("the weights are torn")
        if self._name == "refuses":
            raise EngineError("this model can't be loaded; name another")
        if self._name == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        if self._name == "hungry" and self._batch > 8:
            sys.stderr.write("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate\n")
            raise EngineError("Engine core initialization failed. See root cause above")
