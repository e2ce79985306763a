"""The hashing embedder."""

from __future__ import annotations

import numpy as np
import pytest

from teval.engines.hashing import HashingEmbedder
from teval.schema import Embedder


def cosine(a: str, b: str) -> float:
    one, other = HashingEmbedder().embed([a, b])
    return float(one @ other)


@pytest.mark.parametrize("texts", [[], [""], ["a", " ", "é 字", "\ud800", "x" * 5000]])
def test_rows_are_unit_vectors(texts: list[str]) -> None:
    embedder: Embedder = HashingEmbedder(dimensions=64)
    rows = embedder.embed(texts)
    assert rows.shape == (len(texts), 64)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)


def test_a_vector_is_the_same_everywhere() -> None:
    (row,) = HashingEmbedder(dimensions=8).embed(["mail"])
    np.testing.assert_allclose(row * np.sqrt(8), [1, -1, 0, 0, -2, 1, 0, -1], atol=1e-6)


def test_a_text_does_not_depend_on_its_neighbours() -> None:
    alone = HashingEmbedder().embed(["send the mail"])
    among = HashingEmbedder().embed(["get the weather", "send the mail"])
    np.testing.assert_array_equal(alone[0], among[1])


def test_case_and_spaces_do_not_count() -> None:
    assert cosine("Send  the Mail", "send the mail") == pytest.approx(1.0)


def test_shared_words_bring_texts_nearer() -> None:
    near = cosine("send the mail to Ana", "send the mail to Ben")
    far = cosine("send the mail to Ana", "weather forecast in Oslo")
    assert near > 0.6 > 0.3 > abs(far)


def test_the_description_names_the_dimensions() -> None:
    assert HashingEmbedder(dimensions=9).describe()["dimensions"] == 9
