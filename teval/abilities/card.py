"""The card: all that the rest of teval needs to know about one ability."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, get_args

from teval.prompting import Prompts, prompt_hash
from teval.schema import (
    Case,
    Format,
    Frozen,
    Message,
    Reply,
    Similarity,
    SolutionPath,
    Step,
)
from teval.slicing import case_id


class Explanation(NamedTuple):
    """Why points were lost."""

    cause: str
    """One of the fixed causes of :data:`CAUSES`."""
    why: str
    """The cause as a sentence that names what was expected and what was answered."""


CAUSES = (
    "format",
    "wrong_tool",
    "near_miss_name",
    "missing_argument",
    "extra_argument",
    "mistyped_argument",
    "wrong_argument",
    "order",
    "missing_step",
    "extra_step",
    "wrong_label",
    "dissimilar_thought",
    "ambiguous",
)
"""Causes of lost points; a case that has no score for its status has the status as its cause."""


@dataclass(frozen=True)
class Card:
    """One ability: how its cases are made, answered, read, scored and explained.

    All functions are pure. A case knows its format, so none of them is told it again.
    """

    name: str
    """Name in files and on the command line."""
    label: str
    """Name on the radar chart."""
    headline: str
    """The metric of :attr:`score` that stands in tables."""
    gold: type[Frozen]
    """Model of :attr:`Case.gold`."""
    slice: Callable[[SolutionPath, Prompts], Iterator[Case]]
    """Cases of one path, both formats, messages rendered."""
    answer: Callable[[Case], str]
    """A perfect answer; for a joint prompt the same text whichever of its abilities is asked."""
    mutants: Callable[[Case], Mapping[str, str]]
    """Wrong answers by kind of mistake; each scores below 1 here, and in a joint prompt leaves
    the other abilities' parts right."""
    guesses: Callable[[Case, Case], Mapping[str, str]]
    """Answers that need no ability, by answerer, for the floor; the second case is one of the
    same ability and format from another family."""
    read: Callable[[str, Case], Reply]
    """What the text of an answer says; never raises."""
    texts: Callable[[Reply, Case], Iterable[tuple[str, str]]]
    """Pairs of texts whose likeness :attr:`score` will ask for."""
    score: Callable[[Reply, Case, Similarity], dict[str, float]]
    """Metric name to value in [0, 1] for a parsed reply."""
    explain: Callable[[Reply, Case, Mapping[str, float]], Explanation | None]
    """Why a parsed reply lost points, or None where it lost none."""

    def spoil(self, case: Case, rng: Random) -> str:
        """Return one wrong answer, drawn from :attr:`mutants`."""
        mutants = self.mutants(case)
        return mutants[rng.choice(sorted(mutants))]


FORMATS: tuple[Format, ...] = get_args(Format)
"""Both formats of an answer, in the order in which cases are made."""


def make_case(
    ability: str,
    form: Format,
    path: SolutionPath,
    step: Step | None,
    messages: tuple[Message, ...],
    gold: Frozen,
) -> Case:
    """Return a case with all facts about it in its fields."""
    number = None if step is None else step.id
    return Case(
        id=case_id(path.id, number, ability, form),
        ability=ability,
        format=form,
        language=path.language,
        family=path.family,
        path=path.id,
        step=number,
        tags=path.tags,
        messages=messages,
        tools=tuple(tool.name for tool in path.tools),
        gold=gold.model_dump(mode="json", exclude_defaults=True),
        prompt=prompt_hash(messages),
    )
