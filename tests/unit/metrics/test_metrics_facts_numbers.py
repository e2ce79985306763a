"""Numbers in words."""

from __future__ import annotations

import pytest

from teval.metrics.facts_numbers import (
    ORDINALS,
    cardinal,
    is_number,
    ordinal,
    plain_number,
)


def words(text: str) -> list[str]:
    return [*text.split(), "", "", ""]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("zero", "0"),
        ("one", "1"),
        ("nineteen", "19"),
        ("twenty", "20"),
        ("ninety nine", "99"),
        ("twenty one", "21"),
        ("a hundred", "100"),
        ("one hundred", "100"),
        ("nine hundred ninety nine", "999"),
        ("two hundred and five", "205"),
        ("nineteen hundred", "1900"),
        ("a thousand", "1000"),
        ("two thousand and one", "2001"),
        ("twelve thousand three hundred and forty five", "12345"),
        ("three million two hundred thousand", "3200000"),
        ("one billion and one", "1000000001"),
        ("a dozen", "12"),
        ("two dozen", "24"),
        ("an hundred", "100"),
        ("5", "5"),
        ("-2.5", "-2.5"),
        ("2.5 million", "2500000"),
        ("1.25 thousand", "1250"),
        ("3 hundred", "300"),
        ("2 dozen", "24"),
        ("123456789012345 thousand", "123456789012345000"),
        ("0 million", "0"),
    ],
)
def test_a_cardinal_is_read_to_its_end(text: str, number: str) -> None:
    assert cardinal(words(text), 0) == (number, len(text.split()))
    for before in range(1, 6):
        said = words("for " * before + f"{text} people")
        assert cardinal(said, before) == (number, before + len(text.split()))


@pytest.mark.parametrize(
    ("text", "number", "length"),
    [
        ("twenty twenty", "20", 1),
        ("twenty ten", "20", 1),
        ("twenty zero", "20", 1),
        ("five six", "5", 1),
        ("one and two", "1", 1),
        ("two hundred and more", "200", 2),
        ("two thousand and more", "2000", 2),
        ("one thousand two million", "1002", 3),
        ("one thousand two thousand", "1002", 3),
        ("zero hundred", "0", 1),
        ("1234567890123456 thousand", "1234567890123456", 1),
        ("5 and", "5", 1),
    ],
)
def test_a_cardinal_ends_where_another_begins(text: str, number: str, length: int) -> None:
    assert cardinal(words(text), 0) == (number, length)


@pytest.mark.parametrize("text", ["", "a", "an hour", "hundred", "thousands", "first", "12b", "x"])
def test_other_words_are_no_cardinal(text: str) -> None:
    assert cardinal(words(text), 0) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("first", "1"),
        ("second", "2"),
        ("third", "3"),
        ("fourth", "4"),
        ("fifth", "5"),
        ("eighth", "8"),
        ("ninth", "9"),
        ("twelfth", "12"),
        ("nineteenth", "19"),
        ("twentieth", "20"),
        ("thirtieth", "30"),
        ("ninetieth", "90"),
        ("twenty first", "21"),
        ("ninety ninth", "99"),
    ],
)
def test_an_ordinal_is_read_to_its_end(text: str, number: str) -> None:
    assert ordinal(words(f"the {text} time"), 1) == (number, 1 + len(text.split()))


@pytest.mark.parametrize(
    "text", ["", "one", "twenty", "twenty tenth", "twenty thirtieth", "zeroth"]
)
def test_other_words_are_no_ordinal(text: str) -> None:
    assert ordinal(words(text), 0) is None


def test_there_are_ordinals_for_all_words_but_zero() -> None:
    assert sorted(ORDINALS.values()) == [*range(1, 20), *range(20, 100, 10)]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("0", "0"),
        ("000", "0"),
        ("007", "7"),
        ("1,200", "1200"),
        ("1200.00", "1200"),
        ("0.50", "0.5"),
        ("00.05", "0.05"),
        ("-01.10", "-1.1"),
        ("-7.5", "-7.5"),
        ("100", "100"),
    ],
)
def test_needless_zeros_and_commas_go(text: str, plain: str) -> None:
    assert plain_number(text) == plain
    assert is_number(plain)


@pytest.mark.parametrize("word", ["", "-", "1,200", "1.", ".5", "12b", "4th", "17:00", "--05-04"])
def test_only_digits_are_a_number(word: str) -> None:
    assert not is_number(word)
