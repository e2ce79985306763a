"""Likeness from cosines."""

from __future__ import annotations

import pytest

from teval.metrics.similarity import clipped, same_text


@pytest.mark.parametrize(
    ("cosine", "likeness"),
    [(-1.0, 0.0), (0.0, 0.0), (0.123456789, 0.12346), (0.9999999, 1.0), (1.0000002, 1.0)],
)
def test_clipped(cosine: float, likeness: float) -> None:
    assert clipped(cosine) == likeness


def test_same_text_forgives_the_space_around() -> None:
    assert same_text(" a b\n", "a b")
    assert not same_text("a b", "a  b")
