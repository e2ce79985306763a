"""How a call's arguments are compared, got wrong and explained, for all cards that have any."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from teval.abilities.card import Explanation
from teval.metrics import arguments as metric
from teval.metrics.text_facts import Facts
from teval.schema import Comparator, Frozen, Json, JsonObject, Step, TextFacts, Tool
from teval.schema.protocols import Similarity

PROBLEMS = {
    "missing": ("missing_argument", "left out"),
    "extra": ("extra_argument", "added"),
    "mistyped": ("mistyped_argument", "of another type"),
    "wrong": ("wrong_argument", "wrong"),
}
"""Verdict on an argument to its cause and its word, the heaviest first."""


class Rule(Frozen):
    """How one argument's value is compared with the gold one."""

    type: str = "string"
    compare: Comparator = Comparator()
    has_default: bool = False
    default: Json = None
    accepts: tuple[Json, ...] = ()
    """Other right values."""
    text: TextFacts | None = None
    """What a free text must say."""

    @cached_property
    def metric(self) -> metric.Rule:
        """The rule as the metrics take it."""
        text = self.text or TextFacts(facts=())
        return metric.Rule(
            kind=self.compare.kind,
            tolerance=self.compare.tolerance,
            has_default=self.has_default,
            default=self.default,
            accepted=self.accepts,
            facts=Facts(text.facts, text.contradictions, text.accepted),
        )


Rules = Mapping[str, Rule]


def rules_of(tool: Tool, step: Step) -> dict[str, Rule]:
    """Return the rules of all arguments of a tool, as one step uses it."""
    own = tool.name == step.call.name
    return {
        a.name: Rule(
            type=a.type,
            compare=a.compare,
            has_default=a.has_default,
            default=a.default,
            accepts=step.accepts.get(a.name, ()) if own else (),
            text=step.text.get(a.name) if own else None,
        )
        for a in tool.arguments
    }


def verdicts(
    answered: object, gold: JsonObject, rules: Rules, similarity: Similarity
) -> dict[str, metric.Verdict]:
    """Return what became of each argument that counts."""
    return metric.verdicts(answered, gold, metric_rules(rules), similarity)


def metric_rules(rules: Rules) -> dict[str, metric.Rule]:
    """Return the rules of all arguments as the metrics take them."""
    return {name: rule.metric for name, rule in rules.items()}


def lenient(a: str, b: str) -> float:
    """Return 1: a likeness for which only facts and plain values can make an argument wrong."""
    return 1.0


def share(
    answered: object, gold: JsonObject, rules: Rules, similarity: Similarity = lenient
) -> float:
    """Return right arguments over distinct gold and answered ones, in [0, 1]."""
    return metric.argument_score(answered, gold, metric_rules(rules), similarity)


def wrong_arguments(gold: JsonObject, rules: Rules) -> Iterator[tuple[str, JsonObject]]:
    """Yield kind of mistake and arguments with it: one changed, one dropped, one added.

    Each is wrong whatever the likeness of texts.
    """
    for name, value in gold.items():
        changed = gold | {name: wrong_value(value, rules.get(name, Rule()))}
        if share(changed, gold, rules) < 1:
            yield "argument_changed", changed
            break
    for name in gold:
        dropped = {k: v for k, v in gold.items() if k != name}
        if share(dropped, gold, rules) < 1:
            yield "argument_dropped", dropped
            break
    extra = next(n for n in _strangers() if n not in gold and n not in rules)
    yield "argument_added", gold | {extra: "none"}


def _strangers() -> Iterator[str]:
    yield "remark"
    number = 2
    while True:
        yield f"remark_{number}"
        number += 1


def wrong_value(value: Json, rule: Rule) -> Json:
    """Return a value of the same JSON type that is not right."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1 + math.ceil(2 * rule.compare.tolerance)
    if isinstance(value, str):
        return "Nothing to say." if rule.compare.kind == "text" else f"{value}-x"
    if isinstance(value, list):
        return [*value, "x"]
    return {"x": "x"}


def explain_arguments(answered: object, gold: JsonObject, rules: Rules) -> Explanation | None:
    """Return why arguments lost points: the heaviest kind of mistake, each argument named.

    A free text counts as wrong for its likeness alone only where nothing else is wrong.
    """
    found = [verdicts(answered, gold, rules, likeness) for likeness in (lenient, _strict)]
    given = answered if isinstance(answered, Mapping) else {}
    for said in found:
        for verdict, (cause, word) in PROBLEMS.items():
            names = [name for name, what in said.items() if what == verdict]
            if names:
                told = "; ".join(_told(name, given, gold, word) for name in names)
                return Explanation(cause, told)
    return None


def _strict(a: str, b: str) -> float:
    return 0.0


def _told(name: str, given: Mapping[str, object], gold: JsonObject, word: str) -> str:
    parts = []
    if name in gold:
        parts.append(f"expected {gold[name]!r}")
    if name in given:
        parts.append(f"answered {given[name]!r}")
    return f"argument {name} {word}: {', '.join(parts)}"


def pairs_asked(score: Callable[[Similarity], object]) -> Iterable[tuple[str, str]]:
    """Return the pairs of texts that a scoring function asks the likeness of."""
    asked: dict[tuple[str, str], None] = {}

    def record(a: str, b: str) -> float:
        asked[a, b] = None
        return 1.0

    score(record)
    return asked
