"""Likeness from cosines."""

from __future__ import annotations

import pytest

from teval.metrics.similarity import SHORT, clipped, same_text, surely_apart


@pytest.mark.parametrize(
    ("cosine", "likeness"),
    [
        (-1.0, 0.0),
        (0.0, 0.0),
        (0.123456789, 0.12346),
        (0.9999999, 1.0),
        (1.0000002, 1.0),
        (1.004, 1.0),
    ],
)
def test_clipped(cosine: float, likeness: float) -> None:
    assert clipped(cosine) == likeness


def test_same_text_forgives_the_space_around() -> None:
    assert same_text(" a b\n", "a b")
    assert not same_text("a b", "a  b")


@pytest.mark.parametrize(
    ("a", "b", "apart"),
    [
        ("5 pm", "6 pm", True),
        ("x", "", True),
        ("5 pm", "5 PM!", False),
        ("{'a': 1}", '{"a":1}', False),
        ("a" * SHORT, "b" * SHORT, True),
        ("a" * (SHORT + 1), "b", False),
        ("杭州", "上海", False),
    ],
)
def test_short_texts_of_other_letters_or_digits_are_apart(a: str, b: str, apart: bool) -> None:
    assert surely_apart(a, b) is apart
    assert surely_apart(b, a) is apart
