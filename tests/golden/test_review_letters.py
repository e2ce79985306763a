"""The reader of reviews on strings that were written before it was seen."""

from __future__ import annotations

import pytest
from golden_cases import FOLDER
from pydantic import BaseModel, ConfigDict

from teval.formats import letters, reasoning

RULES = {"alone": 1, "beginning": 2, "line": 3, "anywhere": 4}
"""Our rules to their numbers."""


class Review(BaseModel):
    """An answer and the letter that it names, if any."""

    model_config = ConfigDict(extra="forbid")
    id: str
    text: str
    letter: str | None
    ambiguous: bool
    rule: int | None
    why: str


def reviews() -> list[Review]:
    lines = (FOLDER / "review_letters.jsonl").read_text(encoding="utf-8").splitlines()
    return [Review.model_validate_json(line) for line in lines]


@pytest.mark.parametrize("review", reviews(), ids=lambda review: review.id)
def test_the_letter_that_an_answer_names(review: Review) -> None:
    reply = reasoning.read(review.text, letters.parse)
    assert reply.values.get("review") == review.letter
    assert reply.parsed is (review.letter is not None)
    assert ("ambiguous" in reply.flags) is review.ambiguous
    if review.letter is not None:
        assert RULES[reply.rule] == review.rule
