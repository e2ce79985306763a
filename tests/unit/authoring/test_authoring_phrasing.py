from __future__ import annotations

import pytest

from teval.authoring.phrasing import common_run, reading_level, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("Don’t stop: 5 p.m.!", ["don’t", "stop", "5", "p", "m"]),
        ("Estrella-Quist's mail", ["estrella-quist's", "mail"]),
        ("Straße ÄRGER", ["strasse", "ärger"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "level"),
    [
        # 17 letters, 6 words, 1 sentence: 4.71 * 17/6 + 0.5 * 6 - 21.43
        ("The cat sat on the mat.", 4.71 * 17 / 6 + 3 - 21.43),
        ("The cat sat. The cat sat on", 4.71 * 20 / 7 + 3.5 - 21.43),
        ("The cat sat on the mat. XQ7 a@b.example", 4.71 * 17 / 6 + 3 - 21.43),
        ("Wow", 4.71 * 3 + 0.5 - 21.43),
    ],
)
def test_reading_level(text: str, level: float) -> None:
    assert reading_level(text) == pytest.approx(level)


@pytest.mark.parametrize("text", ["", "5 + 5", "a@b.example"])
def test_what_has_no_words_has_no_level(text: str) -> None:
    assert reading_level(text) is None


@pytest.mark.parametrize(
    ("first", "second", "slots", "run"),
    [
        ("a b c d e", "x a b c d e y", (), "a b c d e"),
        ("a b c d e", "a b c d x e", (), None),
        ("a b c d", "a b c d", (), None),
        ("A b, c d E", "a b c d e", (), "a b c d e"),
        ("a b c d Oslo", "a b c d Oslo", ("Oslo",), None),
        ("a b c d 5", "a b c d 5", (), None),
        ("a b c d Monday", "a b c d Monday", (), None),
        ("a b c in Oslo e", "a b c in Bergen e", ("Bergen", "Oslo"), "a b c in … e"),
        ("a b c New Oslo d e", "a b c Oslo d e", ("New Oslo", "Oslo"), "a b c … d e"),
        ("a b c Osloberg d", "a b c Osloberg d", ("Oslo",), "a b c osloberg d"),
        ("a b c x+y d e", "a b c x+y d e", ("x+y",), "a b c … d e"),
    ],
)
def test_common_run(first: str, second: str, slots: tuple[str, ...], run: str | None) -> None:
    assert common_run(first, second, slots) == run
    assert (common_run(second, first, slots) is None) == (run is None)
