"""An engine that answers otherwise each time it is started."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from teval.engines import ScriptedEngine
from teval.schema import Completion, Request


class CoinEngine(ScriptedEngine):
    """Says a letter of chance."""

    def __init__(self) -> None:
        super().__init__(answers={}, kind="coin")
        self._chance = random.Random()

    def generate(self, requests: Iterable[Request]) -> Iterator[Completion]:
        for completion in super().generate(requests):
            yield completion.model_copy(update={"text": self._chance.choice("ABCDE")})
