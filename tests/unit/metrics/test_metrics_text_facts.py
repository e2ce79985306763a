"""Free text by its facts."""

from __future__ import annotations

import pytest

from teval.metrics.text_facts import Facts, says


def alike(a: str, b: str) -> float:
    return 0.965


def unlike(a: str, b: str) -> float:
    return 0.59


GOLD = "Please book a table for four on 4 May 2031 at 5 pm, no nuts."
FACTS = Facts(
    facts=("4 May", "17:00", "four", "no nuts"),
    contradictions=("window",),
    accepted=("Table, as discussed",),
)


@pytest.mark.parametrize(
    ("answered", "right"),
    [
        (GOLD, True),
        ("please book a table for FOUR on 4 may 2031 at 5pm - no nuts", True),
        ("Table for 4 on 2031-05-04, 17:00. No nuts please!", True),
        ("table as discussed", True),
        ("Table for 4 on 2031-05-04, 15:00. No nuts please!", False),
        ("Table for 14 on 2031-05-04, 17:00. No nuts please!", False),
        ("Table for 4 on 2031-05-14, 17:00. No nuts please!", False),
        ("Table for 4 on 2031-05-04, 17:00. Nuts please!", False),
        ("Table for 4 on 2031-05-04, 17:00. No nuts, at the window!", False),
        ("", False),
    ],
)
def test_every_fact_and_no_contradiction(answered: str, right: bool) -> None:
    assert says(answered, GOLD, FACTS, alike) is right


def test_a_text_too_unlike_the_gold_one_is_wrong() -> None:
    answered = "4 May 17:00 four no nuts"
    assert says(answered, GOLD, FACTS, alike)
    assert not says(answered, GOLD, FACTS, unlike)


def test_without_facts_only_phrasings_are_right() -> None:
    assert not says("Nearly the same", "Almost the same", Facts(), alike)
    assert says("almost the same.", "Almost the same", Facts(), unlike)


def test_texts_without_a_token_are_compared_as_they_are() -> None:
    assert says("!", " !", Facts(), unlike)
    assert not says("!", "?", Facts(), unlike)


@pytest.mark.parametrize(
    ("answered", "fact", "told"),
    [
        ("The airport pickup is fixed", "pick-up", True),
        ("The airport pick up is fixed", "pickup", True),
        ("An e-mail came", "email", True),
        ("Flight VX318 is late", "VX 318", True),
        ("Flight VX-318 is late", "VX318", True),
        ("Flight VX 3180 is late", "VX318", False),
        ("Flight AVX318 is late", "VX 318", False),
        ("Room B12", "12", False),
        ("Room B12 5 times", "B125", False),
        ("Room 5 0", "50", False),
        ("Room 50", "5 0", False),
        ("It came at 17:00 5 times", "17:005", False),
        ("again", "gain", False),
        ("gains", "gain", False),
        ("a gain and a gains", "gains", True),
        ("again, but no gain", "gain", True),
        ("the gate", "", False),
        ("the gate", "!", False),
        ("the gate", "the gate is open", False),
    ],
)
def test_a_fact_is_told_whole_however_spaced(answered: str, fact: str, told: bool) -> None:
    assert says(answered, "Gold", Facts((fact,)), alike) is told
    assert says(answered, "Gold", Facts(("a fact never told", fact)), alike) is False
    assert says(f"{answered}, so", f"{answered}: so", Facts(), unlike)


def test_one_text_may_tell_a_fact_in_other_words() -> None:
    facts = Facts(("5 pm", "no nuts"), contradictions=("4 pm",))
    assert says("No nuts, at five o'clock in the afternoon", "Gold", facts, alike)
    assert not says("No nuts, at 5 pm, not at 16:00", "Gold", facts, alike)
