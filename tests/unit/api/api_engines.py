"""Engines and embedders that a config names by their dotted names."""

from __future__ import annotations

from collections.abc import Mapping

from teval.engines import ScriptedEngine
from teval.engines.hashing import HashingEmbedder
from teval.schema import Json


class PickyEngine(ScriptedEngine):
    """Needs a model and takes one option of its own."""

    def __init__(self, *, model: str, seed: int = 0, beams: int = 1) -> None:
        super().__init__(answers={}, kind=f"{model} {seed} {beams}")


class OpenEngine(ScriptedEngine):
    """Hands on what it does not know."""

    def __init__(self, *, model: str, options: Mapping[str, Json] | None = None) -> None:
        super().__init__(answers={}, kind=f"{model} {dict(options or {})}")


class WideEngine(ScriptedEngine):
    """Has the other name for the number of answers written side by side."""

    def __init__(self, *, max_num_seqs: int = 3) -> None:
        super().__init__(answers={}, kind=f"{max_num_seqs}")


class PlainEmbedder(HashingEmbedder):
    """Takes no setting at all."""

    def __init__(self) -> None:
        super().__init__(dimensions=8)
