"""An embedder without a model: hashed character and word n-grams, for tests and dry runs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from teval.schema import JsonObject

WIDTHS = (3, 4)
"""Lengths of the character n-grams."""


class HashingEmbedder:
    """Turns a text into counts of its words and character n-grams, hashed into a few places.

    Texts that share words are near, but meaning is not seen: scores with it are for checking
    the pipeline, not for comparing models. The same text gives the same vector everywhere.

    Args:
        dimensions: Length of a vector, at least 1.
    """

    def __init__(self, *, dimensions: int = 256) -> None:
        self._dimensions = dimensions

    def describe(self) -> JsonObject:
        """Return the kind and the length of a vector."""
        return {"kind": "hashing", "dimensions": self._dimensions, "version": 1}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of norm 1 a text, shape ``(len(texts), dimensions)``, float32."""
        rows = np.zeros((len(texts), self._dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for gram in _grams(text):
                place, sign = _place(gram, self._dimensions)
                row[place] += sign
            if not row.any():
                row[_place(text, self._dimensions)[0]] = 1.0
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows


def _grams(text: str) -> Iterator[str]:
    for word in text.lower().split():
        yield word
        padded = f" {word} "
        for width in WIDTHS:
            yield from (padded[i : i + width] for i in range(len(padded) - width + 1))


@lru_cache(maxsize=65536)
def _place(gram: str, dimensions: int) -> tuple[int, float]:
    """Return the place of a gram in the vector and whether it adds or subtracts there."""
    code = hashlib.blake2b(gram.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    number = int.from_bytes(code, "big")
    return (number >> 1) % dimensions, 1.0 if number & 1 else -1.0
