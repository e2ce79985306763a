"""Free text by its facts."""

from __future__ import annotations

import pytest

from teval.metrics.facts_tokens import tokens
from teval.metrics.text_facts import Facts, says


def alike(a: str, b: str) -> float:
    return 0.965


def unlike(a: str, b: str) -> float:
    return 0.59


@pytest.mark.parametrize(
    "spellings",
    [
        ("5 pm", "5pm", "5 p.m.", "5:00 PM", "17:00", "17:00:00"),
        ("12:30 a.m.", "00:30", "0:30"),
        ("noon", "12:00", "12 pm", "midday"),
        ("midnight", "00:00", "12 am"),
        ("4 May 2031", "2031-05-04", "May 4, 2031", "4th of May 2031", "May 4th 2031"),
        ("4 May", "May 4", "4th of May"),
        ("2031-05-04T17:00:00", "4 May 2031, 5 pm"),
        ("1,200", "1200", "1200.00", "01200"),
        ("2.50", "2.5"),
        ("€50", "50 euros", "50 EUR", "50 €"),
        ("20%", "20 percent", "twenty percent"),
        ("twenty-five", "25", "twenty five"),
        ("don't", "do not", "don’t"),
        ("can't", "cannot", "can not"),
        ("Ana's", "ana"),
        ("Hello, World!", "hello world"),
        ("杭州", "杭 州"),
    ],
)
def test_one_fact_has_one_spelling(spellings: tuple[str, ...]) -> None:
    first, *others = (tokens(spelling) for spelling in spellings)
    assert first
    assert others == [first] * len(others)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("5 pm", "3 pm"),
        ("5 pm", "5 am"),
        ("5 pm", "5"),
        ("4 May", "5 May"),
        ("4 May", "4 June"),
        ("4 May", "May"),
        ("1,200", "1,300"),
        ("5", "-5"),
        ("12", "12b"),
        ("1.5", "15"),
        ("do", "don't"),
        ("TGV-884", "TGV-885"),
        ("€50", "$50"),
    ],
)
def test_different_facts_differ(a: str, b: str) -> None:
    assert tokens(a) != tokens(b)


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
