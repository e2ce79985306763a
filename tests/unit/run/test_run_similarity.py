from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from teval.engines.hashing import HashingEmbedder
from teval.run.similarity import CachedSimilarity
from teval.schema import JsonObject


class PlaneEmbedder:
    """Two known vectors, and a record of all that was asked."""

    VECTORS = {"east": (1.0, 0.0), "north": (0.0, 1.0), "between": (0.6, 0.8), "west": (-1.0, 0.0)}

    def __init__(self, name: str = "plane") -> None:
        self.asked: list[str] = []
        self._name = name

    def describe(self) -> JsonObject:
        return {"kind": self._name}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return np.array([self.VECTORS[text] for text in texts], dtype=np.float32)


@pytest.mark.parametrize(
    ("a", "b", "likeness"),
    [
        ("east", "north", 0.0),
        ("east", "between", 0.6),
        ("between", "north", 0.8),
        ("east", "west", 0.0),
        (" east", "between\n", 0.6),
    ],
)
def test_likeness_is_the_clipped_rounded_cosine(a: str, b: str, likeness: float) -> None:
    assert CachedSimilarity(PlaneEmbedder())(a, b) == likeness


def test_equal_texts_are_never_embedded() -> None:
    embedder = PlaneEmbedder()
    similarity = CachedSimilarity(embedder)
    similarity.prepare([("nobody knows this", " nobody knows this ")])
    assert similarity("nor this", "nor this\n") == 1.0
    assert embedder.asked == []


def test_each_text_is_embedded_once_and_long_ones_first() -> None:
    embedder = PlaneEmbedder()
    similarity = CachedSimilarity(embedder)
    similarity.prepare([("between", "east"), ("east ", "north"), ("between", "north")])
    assert embedder.asked == ["between", "north", "east"]
    similarity.prepare([("east", "west")])
    assert similarity("west", "north") == 0.0
    assert embedder.asked == ["between", "north", "east", "west"]


def test_vectors_are_kept_between_runs_by_embedder_and_text(tmp_path: Path) -> None:
    file = tmp_path / "cache" / "vectors.sqlite"
    first, second, other = PlaneEmbedder(), PlaneEmbedder(), PlaneEmbedder("other")
    pairs = [("east", "between")]
    for embedder in (first, second, other):
        similarity = CachedSimilarity(embedder, file)
        similarity.prepare(pairs)
        assert similarity("east", "between") == 0.6
    assert (len(first.asked), len(second.asked), len(other.asked)) == (2, 0, 2)


def test_many_vectors_are_read_back(tmp_path: Path) -> None:
    texts = [f"text {number}" for number in range(1203)]
    pairs = list(pairwise(texts))
    first = CachedSimilarity(HashingEmbedder(), tmp_path / "vectors.sqlite")
    first.prepare(pairs)
    again = CachedSimilarity(HashingEmbedder(), tmp_path / "vectors.sqlite")
    again.prepare(pairs)
    assert [again.cosine(*pair) for pair in pairs] == [first.cosine(*pair) for pair in pairs]


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.text(max_size=12), st.text(max_size=12)), max_size=8))
def test_preparing_changes_no_result(pairs: list[tuple[str, str]]) -> None:
    prepared = CachedSimilarity(HashingEmbedder())
    prepared.prepare(pairs)
    for pair in pairs:
        assert prepared(*pair) == CachedSimilarity(HashingEmbedder())(*pair)


def test_what_grew_large_is_forgotten_and_found_again() -> None:
    embedder = PlaneEmbedder()
    similarity = CachedSimilarity(embedder, kept=2)
    for _ in range(2):
        assert similarity("east", "between") == 0.6
        similarity.keep_small()
    assert sorted(embedder.asked) == ["between", "east"]
    similarity.prepare([("north", "west")])
    similarity.keep_small()
    assert similarity("east", "between") == 0.6
    assert sorted(embedder.asked) == ["between", "between", "east", "east", "north", "west"]
