"""Likeness of texts at speed: each distinct text is embedded once, in big batches."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from teval.metrics.similarity import clipped, same_text
from teval.schema import Embedder, JsonObject, digest, whole_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BATCH = 8192
"""Texts handed to the embedder at once; their vectors are kept before the next ones are made."""
_KEPT = 32768
"""Vectors above which all are forgotten between two groups of answers."""
_ASKED = 500
"""Vectors asked for by one query; SQLite takes 999 values at least."""

Pair: TypeAlias = tuple[str, str]


class CachedSimilarity:
    """Cosine of two texts' embeddings, clipped to [0, 1] and rounded; 1 where they are equal.

    Args:
        embedder: Turns texts into vectors.
        cache: A file that keeps vectors between runs, by the embedder's description and the text;
            None keeps them for this run only.
        kept: The most vectors that :meth:`keep_small` leaves in memory.
    """

    def __init__(self, embedder: Embedder, cache: Path | None = None, *, kept: int = _KEPT) -> None:
        self._kept = kept
        self._embedder = embedder
        self._store = _VectorFile(cache, digest(embedder.describe())) if cache else None
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._cosines: dict[Pair, float] = {}
        self._likenesses: dict[Pair, float] = {}

    def describe(self) -> JsonObject:
        """Return the embedder's own description."""
        return self._embedder.describe()

    def prepare(self, pairs: Iterable[Pair]) -> None:
        """Embed all texts that the pairs need and that have no vector yet.

        Args:
            pairs: Pairs whose likeness will be asked for.
        """
        unknown = [pair for pair in set(pairs) - self._cosines.keys() if not same_text(*pair)]
        needed = {text.strip() for pair in unknown for text in pair} - self._vectors.keys()
        if self._store is not None:
            self._vectors |= self._store.read(needed)
            needed -= self._vectors.keys()
        # Texts of like length share a batch, so that little is spent on padding, and the longest
        # come first, so that memory runs out at once or never; the text itself breaks ties, so
        # that batches do not hang on the order of a set.
        ordered = sorted(needed, key=lambda text: (-len(text), text))
        for start in range(0, len(ordered), _BATCH):
            self._embed(ordered[start : start + _BATCH])

    def keep_small(self) -> None:
        """Forget all vectors and cosines if there are many; nothing prepared is left then."""
        if len(self._vectors) > self._kept:
            self._vectors.clear()
            self._cosines.clear()
            self._likenesses.clear()

    def __call__(self, a: str, b: str) -> float:
        """Return the likeness of two texts in [0, 1], rounded to 5 decimals."""
        known = self._likenesses.get((a, b))
        if known is None:
            known = self._likenesses[a, b] = clipped(self.cosine(a, b))
        return known

    def cosine(self, a: str, b: str) -> float:
        """Return the cosine of two texts in about [-1, 1], neither clipped nor rounded."""
        known = self._cosines.get((a, b))
        if known is None:
            known = self._cosines[a, b] = self._cosine(a, b)
        return known

    def _cosine(self, a: str, b: str) -> float:
        if same_text(a, b):
            return 1.0
        one, other = a.strip(), b.strip()
        if one not in self._vectors or other not in self._vectors:
            self.prepare([(a, b)])
        return float(self._vectors[one] @ self._vectors[other])

    def _embed(self, texts: Sequence[str]) -> None:
        vectors = self._embedder.embed([whole_text(text) for text in texts])
        fresh = dict(zip(texts, vectors, strict=True))
        self._vectors |= fresh
        if self._store is not None:
            self._store.write(fresh)


class _VectorFile:
    """Vectors of one embedder in a SQLite file that others may read and write too."""

    def __init__(self, path: Path, embedder: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._embedder = embedder
        with self._open() as connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS vectors (embedder TEXT, text TEXT, vector BLOB, "
                "PRIMARY KEY (embedder, text)) WITHOUT ROWID"
            )

    def read(self, texts: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """Return the vectors that are there."""
        found: dict[str, NDArray[np.float32]] = {}
        by_key = {digest(text, 32): text for text in texts}
        keys = list(by_key)
        with self._open() as connection:
            for start in range(0, len(keys), _ASKED):
                some = keys[start : start + _ASKED]
                query = (
                    "SELECT text, vector FROM vectors WHERE embedder = ? AND text IN "
                    f"({', '.join('?' * len(some))})"
                )
                for key, vector in connection.execute(query, (self._embedder, *some)):
                    found[by_key[key]] = np.frombuffer(vector, dtype=np.float32)
        return found

    def write(self, vectors: dict[str, NDArray[np.float32]]) -> None:
        """Keep vectors."""
        rows = [(self._embedder, digest(t, 32), v.tobytes()) for t, v in vectors.items()]
        with self._open() as connection:
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=60)) as connection, connection:
            yield connection
