"""Reason, retrieve and understand in the layout of published T-Eval files."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from teval.abilities import published as release_code
from teval.abilities.arguments import Rule
from teval.abilities.published import Scoring
from teval.abilities.release import others, part, query_of, told
from teval.abilities.step import Move, StepGold, gold_of, nearest_tool
from teval.metrics.exact import json_type
from teval.schema import Case, Format, Json, JsonObject, PublishedRecord, Release

VALUE = "value"
"""Name of the argument that a published file asks for alone, for it tells none."""


def adopter(field: str) -> Callable[[PublishedRecord, Sequence[str]], StepGold]:
    """Return how an ability takes its gold from a record; its own field may stand there alone."""

    def adopt(record: PublishedRecord, rivals: Sequence[str]) -> StepGold:
        right = told(record.release.ground_truth, field)
        thought, name = str(right.get("thought", "")), str(right.get("name", ""))
        args = right.get("args", "")
        alone = field == "args" and record.format == "string"
        if alone or not isinstance(args, dict):
            args = {VALUE: args} if alone else {}
        query = query_of(record)
        return StepGold(
            moves=(Move(thoughts=(thought,), name=name, args=args, rules=_rules(args)),),
            rivals=tuple(rival for rival in dict.fromkeys(rivals) if rival != thought),
            siblings=others(record, [name]),
            argument=VALUE if alone else "",
            echoes={f"parrot_{what}": query for what in ("query", "thought", "observation")},
            nearest=nearest_tool(record.tools, thought),
        )

    return adopt


def _rules(args: JsonObject) -> dict[str, Rule]:
    return {name: Rule(type=json_type(value)) for name, value in args.items()}


def releaser(field: str) -> Callable[[Case], Release]:
    """Return how an ability tells its gold: the whole move in JSON, its own field as text."""

    def release(case: Case) -> Release:
        gold = gold_of(case)
        move = gold.move
        args: Json = move.args.get(gold.argument) if gold.argument else move.args
        right: JsonObject = {"thought": move.thoughts[0], "name": move.name, "args": args}
        return Release(ground_truth=right if case.format == "json" else {field: right[field]})

    return release


def scorer(
    field: str, text: Callable[[Json, Json], Scoring]
) -> Callable[[Json, Release, Format], Scoring]:
    """Return how the released code scores an ability: its part of a joint reply, or its text."""

    def published(answer: Json, record: Release, form: Format) -> Scoring:
        if form == "json":
            return part(release_code.joint(answer, record.ground_truth), field)
        return text(answer, record.ground_truth)

    return published
