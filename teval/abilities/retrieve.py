"""Retrieve: name the tool that the next step calls."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping

from teval import slicing
from teval.abilities.card import Card, Explanation, random_tool
from teval.abilities.published import retrieve_string
from teval.abilities.step import (
    StepGold,
    gold_of,
    joint_answer,
    joint_case,
    joint_guesses,
    joint_schema,
    native_case,
    read_joint,
    step_gold,
    string_case,
)
from teval.abilities.step_release import adopter, releaser, scorer
from teval.formats import plain, reasoning
from teval.prompting import Prompts
from teval.schema import Case, Reply, Similarity, SolutionPath

NAME = "retrieve"


def slice_cases(path: SolutionPath, prompts: Prompts) -> Iterator[Case]:
    """Yield both cases of each sound step, finish included; the string one gives the thought."""
    for step in slicing.decision_steps(path):
        yield joint_case(NAME, path, step, prompts)
        yield string_case(NAME, path, step, prompts, step_gold(path, step), thought=step.thought)


def slice_native(path: SolutionPath, prompts: Prompts) -> Iterator[Case]:
    """Yield the case of each sound step, finish included, that is answered by a native call."""
    for step in slicing.decision_steps(path):
        yield native_case(NAME, path, step, prompts)


def answer(case: Case) -> str:
    """Return the gold tool's name, in JSON with the gold thought and arguments, or a call."""
    move = gold_of(case).move
    return joint_answer(case, move) if case.format != "string" else move.name


def mutants(case: Case) -> dict[str, str]:
    """Return another tool: the nearest neighbour, and any neighbour; as text also two at once."""
    gold = gold_of(case)
    wrong = difflib.get_close_matches(gold.move.name, gold.siblings, n=1, cutoff=0.0)[0]
    if case.format != "string":
        return {"sibling_tool": joint_answer(case, gold.move, name=wrong)}
    return {"sibling_tool": wrong, "two_tools": f"{gold.move.name} or {wrong}"}


def guesses(case: Case, other: Case) -> Mapping[str, str]:
    """Return a random tool, all tools, the tool nearest to the thought, and parrots."""
    if case.format != "string":
        return joint_guesses(case, other)
    gold = gold_of(case)
    return gold.echoes | {
        "random_tool": random_tool(case),
        "all_tools": ", ".join(case.tools),
        "nearest_tool": gold.nearest,
    }


def read(text: str, case: Case) -> Reply:
    """Return the one tool that the answer names."""
    if case.format != "string":
        return read_joint(text, case, "name")
    return reasoning.read(text, lambda said: plain.name(said, case.tools))


def texts(reply: Reply, case: Case) -> Iterable[tuple[str, str]]:
    """Return nothing: names are compared as they are."""
    return ()


def score(reply: Reply, case: Case, similarity: Similarity) -> dict[str, float]:
    """Return ``accuracy``: 1 for the gold tool, an alternative, or a tool ready to be called."""
    return {"accuracy": float(reply.values["name"] in gold_of(case).names)}


def explain(reply: Reply, case: Case, scores: Mapping[str, float]) -> Explanation | None:
    """Return which tool was expected and which was named."""
    if scores["accuracy"] == 1:
        return None
    gold, said = gold_of(case), str(reply.values["name"])
    if said not in case.tools:
        why = f"expected {gold.move.name}, answered {said}, which is not in the list"
        near = difflib.get_close_matches(said, case.tools, n=1, cutoff=0.8)
        return Explanation("near_miss_name" if near else "wrong_tool", why)
    note = " (a near neighbour)" if said in gold.siblings else ""
    return Explanation("wrong_tool", f"expected {gold.move.name}, answered {said}{note}")


CARD = Card(
    name=NAME,
    label="Retrieve",
    headline="accuracy",
    gold=StepGold,
    slice=slice_cases,
    slice_native=slice_native,
    answer=answer,
    mutants=mutants,
    guesses=guesses,
    read=read,
    schema=joint_schema,
    texts=texts,
    score=score,
    explain=explain,
    adopt=adopter("name"),
    release=releaser("name"),
    published=scorer("name", retrieve_string),
    released={"name": "accuracy", "parse_rate": "parsed"},
)
