"""The card: all that the rest of teval needs to know about one ability."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from teval.abilities.published import Scoring
from teval.prompting import Prompts, prompt_hash
from teval.schema import (
    FINISH,
    Case,
    Format,
    Frozen,
    Function,
    Json,
    JsonObject,
    Message,
    PublishedRecord,
    Release,
    Reply,
    Score,
    Similarity,
    SolutionPath,
    Step,
    Tool,
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


def _no_cases(path: SolutionPath, prompts: Prompts) -> Iterator[Case]:
    return iter(())


def _no_more(reply: Reply, case: Case, similarity: Similarity) -> Iterable[tuple[str, str]]:
    return ()


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
    schema: Callable[[Case, Sequence[Tool]], JsonObject]
    """JSON Schema of the answers to a JSON case that lists these tools, for those who want them
    held to it while they are written."""
    texts: Callable[[Reply, Case], Iterable[tuple[str, str]]]
    """Pairs of texts whose likeness :attr:`score` and :attr:`more` will ask for."""
    score: Callable[[Reply, Case, Similarity], dict[str, float]]
    """Metric name to value in [0, 1] for a parsed reply."""
    explain: Callable[[Reply, Case, Mapping[str, float]], Explanation | None]
    """Why a parsed reply lost points, or None where it lost none."""

    adopt: Callable[[PublishedRecord, Sequence[str]], Frozen]
    """The gold that a record of a published T-Eval file tells; the texts are thoughts that belong
    elsewhere."""
    release: Callable[[Case], Release]
    """A case of ours as such a file would tell it."""
    published: Callable[[Json, Release, Format], Scoring]
    """What the released T-Eval code makes of an answer, any JSON value."""
    released: Mapping[str, str]
    """The release's metrics, ``{form}`` standing for the format, to those of :attr:`score` that
    mean the same; ``parsed`` is whether the answer could be read."""

    slice_native: Callable[[SolutionPath, Prompts], Iterator[Case]] = _no_cases
    """Cases of one path that are answered by a call in the model's own syntax."""
    more: Callable[[Reply, Case, Similarity], Iterable[tuple[str, str]]] = _no_more
    """Pairs that :attr:`score` will ask for besides, given the likeness of :attr:`texts`."""

    def published_score(self, answer: Json, case: Case) -> Scoring:
        """Return what the released code makes of an answer to a case, ours or the release's."""
        return self.published(answer, case.release or self.release(case), case.format)

    def in_release_words(self, score: Score) -> dict[str, float]:
        """Return a score's corrected values by the release's names."""
        values = {**score.corrected, "parsed": float(score.parsed)}
        return {
            theirs.format(form=score.format): values.get(ours, 0.0)
            for theirs, ours in self.released.items()
        }

    def spoil(self, case: Case, rng: Random) -> str:
        """Return one wrong answer, drawn from :attr:`mutants`."""
        mutants = self.mutants(case)
        return mutants[rng.choice(sorted(mutants))]


FORMATS: tuple[Format, ...] = ("json", "string")
"""Both formats that an ability's score is the mean of, in the order in which cases are made."""
NATIVE: Format = "tools"
"""The format that stands beside them for those who ask for it: a call in the model's own syntax."""


def make_case(
    ability: str,
    form: Format,
    path: SolutionPath,
    step: Step | None,
    messages: tuple[Message, ...],
    gold: Frozen,
    functions: tuple[Function, ...] = (),
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
        functions=functions,
        gold=gold.model_dump(mode="json", exclude_defaults=True),
        prompt=prompt_hash(messages, functions),
    )


def random_tool(case: Case) -> str:
    """Return one of the listed tools, drawn by the case's id; a file may list none."""
    return Random(case.id).choice(case.tools or (FINISH,))
