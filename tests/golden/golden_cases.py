"""Golden cases, how each file of them is scored, and the cosines recorded for them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from teval.abilities import published
from teval.abilities.published import Scoring
from teval.metrics.published import Pair
from teval.metrics.similarity import clipped, same_text
from teval.schema import Json

FOLDER = Path(__file__).resolve().parent
ENCODERS = ("minilm", "mpnet")
"""all-MiniLM-L6-v2 and all-mpnet-base-v2."""
THRESHOLDS = {"": 0.8, ".t07": 0.7}
"""Weight that a link must exceed, by the end of a key of :attr:`Golden.published`."""


class Value(BaseModel):
    """What the released code gave for one case with one encoder and threshold."""

    model_config = ConfigDict(extra="forbid")
    metrics: dict[str, float] | None
    crash: str = ""
    tie_sensitive: bool = False
    threshold_margin: float | None = None
    order_optimal: dict[str, float] | None = None


class Meta(BaseModel):
    """A plan's facts about its case."""

    API_list: list[str]


class Golden(BaseModel):
    """One golden case."""

    id: str
    prediction: Json
    ground_truth: Json
    template: dict[str, str] = {}
    meta: Meta | None = None
    meta_data: dict[str, str] = {}
    tags: list[str]
    published: dict[str, Value]
    corrected: dict[str, float | str] | None = None
    """What a sound scorer gives where the released code has a fault; a text is a bound."""

    @property
    def file(self) -> str:
        """The name of the case's file, which begins its id."""
        return self.id.rpartition("_")[0]

    def scoring(self, threshold: float = 0.8) -> Scoring:
        """Return how the published scorer reads the case."""
        return SCORERS[self.file](self, threshold)


def cases() -> Iterator[Golden]:
    """Yield all golden cases, in the order of their files."""
    for file in SCORERS:
        for line in (FOLDER / f"{file}.jsonl").read_text(encoding="utf-8").splitlines():
            yield Golden.model_validate(json.loads(line))


class TextPair(BaseModel):
    """A free text as an argument, and one that says the same or does not."""

    model_config = ConfigDict(extra="forbid")
    id: str
    gold: str
    facts: tuple[str, ...]
    contradictions: tuple[str, ...]
    answer: str
    right: bool
    why: str


def text_pairs() -> list[TextPair]:
    """Return the pairs of free texts: written before the comparator was seen."""
    lines = (FOLDER / "text_pairs.jsonl").read_text(encoding="utf-8").splitlines()
    return [TextPair.model_validate_json(line) for line in lines]


class Recorded:
    """Cosines of an encoder, read from ``cosines.<encoder>.jsonl``.

    A line is a text, or two places in the list of texts so far and their cosine.
    """

    def __init__(self, encoder: str) -> None:
        """Read all cosines of an encoder."""
        self.texts: list[str] = []
        self.cosines: dict[Pair, float] = {}
        for line in (FOLDER / f"cosines.{encoder}.jsonl").read_text(encoding="utf-8").splitlines():
            match json.loads(line):
                case str(text):
                    self.texts.append(text)
                case [int(a), int(b), float(cosine)]:
                    self.cosines[self.texts[a], self.texts[b]] = cosine

    def __call__(self, a: str, b: str) -> float:
        """Return the recorded cosine of two texts, in either order."""
        return self.cosines[(a, b) if (a, b) in self.cosines else (b, a)]

    def likeness(self, a: str, b: str) -> float:
        """Return the likeness of two texts, in [0, 1]."""
        return 1.0 if same_text(a, b) else clipped(self(a, b))


def _instruct(case: Golden, _: float) -> Scoring:
    if case.meta_data["response_format"] == "json":
        return published.instruct_json(case.prediction, case.ground_truth, case.template)
    return published.instruct_string(case.prediction, case.ground_truth, case.template)


def _plan_string(case: Golden, threshold: float) -> Scoring:
    names = case.meta.API_list if case.meta else None
    return published.plan_string(case.prediction, case.ground_truth, names, threshold)


def _plain(scorer: Callable[[Json, Json], Scoring]) -> Callable[[Golden, float], Scoring]:
    return lambda case, _: scorer(case.prediction, case.ground_truth)


SCORERS: Mapping[str, Callable[[Golden, float], Scoring]] = {
    "instruct": _instruct,
    "plan_json": lambda case, least: published.plan_json(case.prediction, case.ground_truth, least),
    "plan_str": _plan_string,
    "reason_str": _plain(published.reason_string),
    "retrieve_str": _plain(published.retrieve_string),
    "understand_str": _plain(published.understand_string),
    "rru_json": _plain(published.joint),
    "review_str": _plain(published.review_string),
    "review_json": _plain(published.review_json),
}
"""How the cases of each file are scored."""
FILES = tuple(SCORERS)
