"""Reason: say what to do next and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from teval import slicing
from teval.abilities.arguments import pairs_asked
from teval.abilities.card import Card, Explanation
from teval.abilities.published import reason_string
from teval.abilities.step import (
    StepGold,
    gold_of,
    joint_answer,
    joint_case,
    joint_guesses,
    joint_schema,
    read_joint,
    reference,
    step_gold,
    string_case,
)
from teval.abilities.step_release import adopter, releaser, scorer
from teval.formats import plain, reasoning
from teval.prompting import Prompts
from teval.schema import Case, Reply, Similarity, SolutionPath

NAME = "reason"


def slice_cases(path: SolutionPath, prompts: Prompts) -> Iterator[Case]:
    """Yield both cases of each sound step, finish included."""
    for step in slicing.decision_steps(path):
        yield joint_case(NAME, path, step, prompts)
        yield string_case(NAME, path, step, prompts, step_gold(path, step))


def answer(case: Case) -> str:
    """Return the gold thought, in JSON with the gold call."""
    move = gold_of(case).move
    return joint_answer(case, move) if case.format == "json" else move.thoughts[0]


def mutants(case: Case) -> dict[str, str]:
    """Return the thought of another step or tool in place of the right one."""
    gold = gold_of(case)
    rivals = gold.rivals or ("",)
    kinds = {"other_thought": rivals[0], "another_thought": rivals[-1]}
    if case.format == "string":
        return kinds
    return {kind: joint_answer(case, gold.move, thought=thought) for kind, thought in kinds.items()}


def guesses(case: Case, other: Case) -> Mapping[str, str]:
    """Return the query, the last thought or observation, and another family's thought."""
    if case.format == "json":
        return joint_guesses(case, other)
    return gold_of(case).echoes | {"other_family": gold_of(other).move.thoughts[0]}


def read(text: str, case: Case) -> Reply:
    """Return the answer's thought."""
    if case.format == "json":
        return read_joint(text, case, "thought")
    return reasoning.read(text, plain.thought)


def texts(reply: Reply, case: Case) -> Iterable[tuple[str, str]]:
    """Return the thought beside each accepted phrasing and each rival."""
    return pairs_asked(lambda similarity: score(reply, case, similarity))


def score(reply: Reply, case: Case, similarity: Similarity) -> dict[str, float]:
    """Return ``similarity`` to the nearest accepted phrasing, and ``rank``.

    The rank is 1 where an accepted phrasing is nearer than every thought that belongs elsewhere,
    else 0. In JSON the phrasings are those of the one reference move.
    """
    gold = gold_of(case)
    said = str(reply.values["thought"])
    accepted = _accepted(reply, case, gold, similarity)
    best = max(similarity(said, thought) for thought in accepted)
    rival = max((similarity(said, thought) for thought in gold.rivals), default=0.0)
    return {"similarity": best, "rank": float(best > rival)}


def _accepted(reply: Reply, case: Case, gold: StepGold, similarity: Similarity) -> tuple[str, ...]:
    if case.format == "string":
        return gold.thoughts
    return reference(reply, gold, similarity).thoughts


def explain(reply: Reply, case: Case, scores: Mapping[str, float]) -> Explanation | None:
    """Return how far the thought is from the expected one."""
    if scores["similarity"] == 1:
        return None
    nearer = "" if scores["rank"] else "; a thought of another step or tool is nearer"
    why = (
        f"expected {gold_of(case).move.thoughts[0]!r}, answered {reply.values['thought']!r} "
        f"(likeness {scores['similarity']:.2f}{nearer})"
    )
    return Explanation("dissimilar_thought", why)


CARD = Card(
    name=NAME,
    label="Reason",
    headline="similarity",
    gold=StepGold,
    slice=slice_cases,
    answer=answer,
    mutants=mutants,
    guesses=guesses,
    read=read,
    schema=joint_schema,
    texts=texts,
    score=score,
    explain=explain,
    adopt=adopter("thought"),
    release=releaser("thought"),
    published=scorer("thought", reason_string),
    released={"thought": "similarity", "parse_rate": "parsed"},
)
