"""Texts that go round in circles."""

from __future__ import annotations

import pytest

from teval.metrics.repetition import LEAST, REACH, ends_in_loop


@pytest.mark.parametrize(
    ("text", "loops"),
    [
        ("", False),
        ("a short answer", False),
        ("x" * (LEAST - 1), False),
        ("x" * LEAST, True),
        ("I search again. " * 20, True),
        ("Well. " + "I search again. " * 20 + "I sea", True),
        ("I search again. " * 20 + "Done, and this is what came of it.", False),
        (("a longer piece of forty characters, yes" * 3), False),
        (("a longer piece of forty characters, yes" * 4), True),
        ("y" * 50_000, True),
        (str(list(range(500))), False),
    ],
)
def test_a_loop_is_one_piece_over_and_over_at_the_end(text: str, loops: bool) -> None:
    assert ends_in_loop(text) == loops


def test_a_piece_longer_than_what_is_looked_at_is_no_loop() -> None:
    piece = "".join(f"{n} " for n in range(REACH // 4))
    assert not ends_in_loop(piece * 4)
