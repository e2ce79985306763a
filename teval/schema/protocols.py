"""The seams: what a run is handed without knowing who made it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from teval.schema.records import Completion, Request
from teval.schema.stored import JsonObject

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Engine(Protocol):
    """Something that answers requests."""

    def describe(self) -> JsonObject:
        """Return all that could move an answer: kind, model, versions, template hash, precision."""
        ...

    def generate(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Yield one completion a request, in any order, each as soon as it is there.

        Requests are taken one by one, not far ahead of the answers: there may be more of them
        than fit into memory. Nothing is started for none at all. A request that can't be answered
        yields a completion with ``finish`` ``overflow`` or ``error``; it never raises for one
        request alone.

        Raises:
            EngineError: The engine can't start or can't go on.
        """
        ...

    def close(self) -> None:
        """Free what the engine holds; may be called twice."""
        ...


PAIR = "\x1f"
"""Stands between two texts that an encoder is to take as one pair, where it knows pairs."""


class Embedder(Protocol):
    """Something that turns texts into unit vectors."""

    def describe(self) -> JsonObject:
        """Return all that could move a vector: kind, model, revision, precision."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of norm 1 a text, shape ``(len(texts), dimensions)``, float32."""
        ...


class Likeness(Protocol):
    """A :class:`Similarity` that many texts are handed to before any is judged."""

    def __call__(self, a: str, b: str) -> float:
        """Return the likeness in [0, 1], rounded to 5 decimals."""
        ...

    def cosine(self, a: str, b: str) -> float:
        """Return the cosine in about [-1, 1], neither clipped nor rounded."""
        ...

    def prepare(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Make ready all pairs whose likeness will be asked for."""
        ...


class Similarity(Protocol):
    """Likeness of two texts in [0, 1]; 1 where they are equal after trimming."""

    def __call__(self, a: str, b: str) -> float:
        """Return the likeness, rounded to 5 decimals."""
        ...
