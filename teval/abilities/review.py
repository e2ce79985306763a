"""Review: judge what a tool's response amounts to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pydantic import StrictBool

from teval import slicing
from teval.abilities import published as release_code
from teval.abilities.card import FORMATS, Card, Explanation, make_case
from teval.abilities.published import Scoring
from teval.abilities.release import told
from teval.formats import json_format, letters, reasoning
from teval.prompting import Prompts
from teval.schema import (
    REVIEW_LABELS,
    Case,
    Field,
    Format,
    Frozen,
    Json,
    JsonObject,
    PublishedRecord,
    Release,
    Reply,
    ReviewLabel,
    Shape,
    Similarity,
    SolutionPath,
    Tool,
)

NAME = "review"
SHAPE = Shape((Field("review", "string"),))
FINISHED = Shape((Field("review", "boolean", "is_finished"),))
"""What published files ask for in JSON: whether the task is done."""


class ReviewGold(Frozen):
    """The right letter; in published files also whether the task is done, or nothing readable."""

    review: ReviewLabel | StrictBool | None

    @property
    def meaning(self) -> str:
        """What is right, in words."""
        return _meaning(self.review)


def _meaning(review: Json) -> str:
    meanings = {str(letter): text for letter, text in REVIEW_LABELS.items()}
    said = str(review)
    return f"{said} ({meanings[said]})" if said in meanings else said


def gold_of(case: Case) -> ReviewGold:
    """Return a case's gold, typed."""
    return case.right(ReviewGold)


def slice_cases(path: SolutionPath, prompts: Prompts) -> Iterator[Case]:
    """Yield both cases of each step with a tool response, unsound ones included."""
    for step in slicing.review_steps(path):
        for form in FORMATS:
            messages = prompts.render(NAME, form, tools=path.tools, step=step)
            gold = ReviewGold.model_validate({"review": step.review})
            yield make_case(NAME, form, path, step, messages, gold)


def _write(review: Json, case: Case) -> str:
    if case.format == "json":
        return json_format.render({"review": review}, _shape(case))
    return str(review)


def _shape(case: Case) -> Shape:
    return FINISHED if isinstance(gold_of(case).review, bool) else SHAPE


def answer(case: Case) -> str:
    """Return the right letter."""
    return _write(gold_of(case).review, case)


def mutants(case: Case) -> dict[str, str]:
    """Return each of the other letters."""
    gold = gold_of(case).review
    if isinstance(gold, bool):
        return {"label_other": _write(not gold, case)}
    return {f"label_{x}": _write(x, case) for x in REVIEW_LABELS if x != gold}


def guesses(case: Case, other: Case) -> dict[str, str]:
    """Return each letter, as one who always gives it."""
    if isinstance(gold_of(case).review, bool):
        return {f"always_{x}": _write(x, case) for x in (True, False)}
    return {f"always_{x}": _write(x, case) for x in REVIEW_LABELS}


def read(text: str, case: Case) -> Reply:
    """Return the letter that the answer names."""
    if case.format == "string":
        return reasoning.read(text, letters.parse)
    return reasoning.read(text, lambda said: _read_json(said, case))


def _read_json(said: str, case: Case) -> Reply:
    """The letter, or what published files ask for: whether the task is done."""
    finished = Reply() if case.release is None else json_format.parse(said, FINISHED)
    if finished.parsed or _shape(case) is FINISHED:
        return finished
    return letters.checked(json_format.parse(said, SHAPE))


def schema(case: Case, tools: Sequence[Tool]) -> JsonObject:
    """Return one of the letters, or what published files ask for."""
    letter: JsonObject = {"enum": list(REVIEW_LABELS)}
    return json_format.schema(_shape(case), [{"review": letter}] if _shape(case) is SHAPE else ())


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
    said = _meaning(reply.values["review"])
    why = f"expected {gold_of(case).meaning}, answered {said}"
    return Explanation("wrong_label", why)


def adopt(record: PublishedRecord, rivals: Sequence[str]) -> ReviewGold:
    """Return the letter of a published record, or whether it calls the task done."""
    right = told(record.release.ground_truth, "answer").get("answer")
    if isinstance(right, dict):
        right = right.get("review")
    if isinstance(right, bool) or (isinstance(right, str) and right in REVIEW_LABELS):
        return ReviewGold.model_validate({"review": right})
    return ReviewGold(review=None)


def release(case: Case) -> Release:
    """Return the letter."""
    return Release(ground_truth={"answer": gold_of(case).review})


def published(answer: Json, record: Release, form: Format) -> Scoring:
    """Return whether the letter is right; in JSON no letter ever is."""
    score = release_code.review_json if form == "json" else release_code.review_string
    return score(answer, record.ground_truth)


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
    schema=schema,
    texts=texts,
    score=score,
    explain=explain,
    adopt=adopt,
    release=release,
    published=published,
    released={"review_quality": "accuracy", "parse_rate": "parsed"},
)
