"""The letter of a review."""

from __future__ import annotations

import pytest

from teval.formats import json_format
from teval.formats.letters import checked, parse
from teval.schema import Field, Shape


@pytest.mark.parametrize(
    ("text", "letter", "rule"),
    [
        ("A", "A", "alone"),
        (" b ", "B", "alone"),
        ("(B)", "B", "alone"),
        ("**C**", "C", "alone"),
        ('"D"', "D", "alone"),
        ("'E'", "E", "alone"),
        ("A.", "A", "alone"),
        ("Option A", "A", "alone"),
        ("```\nA\n```", "A", "alone"),
        ("Because the tool failed.\n\n(E)\n", "E", "alone"),
        ("A: the call failed\nB", "B", "alone"),
        ("The answer is A.\nOption B", "B", "alone"),
        ("B: Error in the request", "B", "beginning"),
        ("D. Success", "D", "beginning"),
        ("C) Definitely", "C", "beginning"),
        ("(B) Internal Error", "B", "beginning"),
        ("**B**: it failed", "B", "beginning"),
        ("A: A", "A", "beginning"),
        ("B：内部错误", "B", "beginning"),
        ("Answer: B\nOption A is wrong because the answer is a list.", "B", "line"),
        ("answer: C (not option: A)", "C", "line"),
        ("Answer：C", "C", "line"),
        ("答案：C", "C", "line"),
        ("选择：C。", "C", "line"),
        ("答案是 C", "C", "line"),
        ("Answer:A", "A", "line"),
        ("Review: **B**", "B", "line"),
        ("Review: (B)", "B", "line"),
        ('Review: "B"', "B", "line"),
        ("**Review:** B", "B", "line"),
        ("__Answer__: B", "B", "line"),
        ("Final answer is D.", "D", "line"),
        ("Answer: Option B", "B", "line"),
        ("Thought: the call failed\nReview: C", "C", "line"),
        ("Review: A\nReview: B", "B", "line"),
        ("Choice: B, as the tool was down", "B", "line"),
        ("Based on the response, the answer is E.", "E", "anywhere"),
        ("At 10:30 the call failed. Review: B", "B", "anywhere"),
        ("The final answer is: **D**, I think so", "D", "anywhere"),
        ("So the answer is B because it failed", "B", "anywhere"),
        ("My answer is B. Yes, the answer is B!", "B", "anywhere"),
        ("我认为答案是B。", "B", "anywhere"),
    ],
)
def test_the_first_rule_that_matches_decides(text: str, letter: str, rule: str) -> None:
    reply = parse(text)
    assert reply.values == {"review": letter}
    assert reply.rule == rule
    assert reply.parsed
    assert reply.well_formed == (text == letter)


@pytest.mark.parametrize(
    "text",
    [
        "The answer is a valid response, so C.",
        "My review is a bit mixed.",
        "Choice: a database error, therefore B",
        "Choice: A database error",
        "Response review: E-mail sent",
        "I would pick F.",
        "F",
        "Review: F",
        "Because the tool returned an error",
        "All arguments are correct",
        "Evaluation: Could not decide",
        "Does not apply",
        "AB",
        "E.coli",
        "E-mail",
        "A's",
        "B2",
        "Ｂ",
        "1",
        "...",
        "Review:",
        "",
        "   ",
        "answered: B",
        "Answer: b",
    ],
)
def test_no_letter_is_unparsed(text: str) -> None:
    reply = parse(text)
    assert not reply.parsed
    assert reply.values == {}
    assert reply.flags == ()


@pytest.mark.parametrize(
    "text",
    [
        "A or B",
        "Answer: A, B",
        "Answer: A/B",
        "Answer: A and E.",
        "The answer is A. No, the answer is B!",
    ],
)
def test_two_letters_by_one_rule_are_none(text: str) -> None:
    reply = parse(text)
    assert not reply.parsed
    assert reply.values == {}
    assert reply.flags == ("ambiguous",)


SHAPE = Shape((Field("review", "string"),))


@pytest.mark.parametrize(
    ("text", "letter", "well_formed"),
    [
        ('{"review": "B"}', "B", True),
        ('{"review": " B."}', "B", False),
        ('{"review": "b"}', "B", False),
        ('{"review": "B: Internal Error"}', "B", False),
        ('{"review": "Internal Error"}', None, False),
        ('{"review": "The answer is B"}', None, False),
        ('{"review": 1}', None, False),
        ("B", None, False),
    ],
)
def test_a_json_review_is_a_letter(text: str, letter: str | None, well_formed: bool) -> None:
    reply = checked(json_format.parse(text, SHAPE))
    assert reply.values.get("review") == letter
    assert reply.parsed == (letter is not None)
    assert reply.well_formed == well_formed
