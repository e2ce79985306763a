"""Review: judge what a tool's response amounts to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from teval import slicing
from teval.abilities.card import FORMATS, Card, Explanation, make_case
from teval.formats import json_format, letters, reasoning
from teval.prompting import Prompts
from teval.schema import (
    REVIEW_LABELS,
    Case,
    Field,
    Frozen,
    Reply,
    ReviewLabel,
    Shape,
    Similarity,
    SolutionPath,
)

NAME = "review"
SHAPE = Shape((Field("review", "string"),))


class ReviewGold(Frozen):
    """The right letter."""

    review: ReviewLabel


def gold_of(case: Case) -> ReviewGold:
    """Return a case's gold, typed."""
    return ReviewGold.model_validate(case.gold)


def slice_cases(path: SolutionPath, prompts: Prompts) -> Iterator[Case]:
    """Yield both cases of each step with a tool response, unsound ones included."""
    for step in slicing.review_steps(path):
        for form in FORMATS:
            messages = prompts.render(NAME, form, tools=path.tools, step=step)
            gold = ReviewGold.model_validate({"review": step.review})
            yield make_case(NAME, form, path, step, messages, gold)


def _write(letter: str, case: Case) -> str:
    if case.format == "json":
        return json_format.render({"review": letter}, SHAPE)
    return letter


def answer(case: Case) -> str:
    """Return the right letter."""
    return _write(gold_of(case).review, case)


def mutants(case: Case) -> dict[str, str]:
    """Return each of the other letters."""
    gold = gold_of(case).review
    return {f"label_{x}": _write(x, case) for x in REVIEW_LABELS if x != gold}


def guesses(case: Case, other: Case) -> dict[str, str]:
    """Return each letter, as one who always gives it."""
    return {f"always_{x}": _write(x, case) for x in REVIEW_LABELS}


def read(text: str, case: Case) -> Reply:
    """Return the letter that the answer names."""
    if case.format == "string":
        return reasoning.read(text, letters.parse)
    return reasoning.read(text, lambda said: letters.checked(json_format.parse(said, SHAPE)))


def texts(reply: Reply, case: Case) -> Iterable[tuple[str, str]]:
    """Return nothing: letters are compared as they are."""
    return ()


def score(reply: Reply, case: Case, similarity: Similarity) -> dict[str, float]:
    """Return ``accuracy``: 1 for the right letter, else 0."""
    return {"accuracy": float(reply.values["review"] == gold_of(case).review)}


def explain(reply: Reply, case: Case, scores: Mapping[str, float]) -> Explanation | None:
    """Return which label was expected and which was given."""
    if scores["accuracy"] == 1:
        return None
    gold = gold_of(case).review
    meanings: dict[str, str] = {str(k): v for k, v in REVIEW_LABELS.items()}
    said = str(reply.values["review"])
    why = f"expected {gold} ({meanings[gold]}), answered {said} ({meanings[said]})"
    return Explanation("wrong_label", why)


CARD = Card(
    name=NAME,
    label="Review",
    headline="accuracy",
    gold=ReviewGold,
    slice=slice_cases,
    answer=answer,
    mutants=mutants,
    guesses=guesses,
    read=read,
    texts=texts,
    score=score,
    explain=explain,
)
