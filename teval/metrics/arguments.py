"""The arguments of a call against the gold ones, key by key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, NamedTuple, TypeAlias

from teval.metrics import exact
from teval.metrics.text_facts import Facts, says

Kind: TypeAlias = Literal["exact", "number", "datetime", "set", "text"]
Verdict: TypeAlias = Literal["right", "wrong", "mistyped", "missing", "extra"]
Likeness: TypeAlias = Callable[[str, str], float]


class Rule(NamedTuple):
    """How one argument is compared."""

    kind: Kind = "exact"
    tolerance: float = 0.0
    """For ``number`` only."""
    has_default: bool = False
    default: object = None
    accepted: tuple[object, ...] = ()
    """Values that are as right as the gold one."""
    facts: Facts = Facts()
    """For ``text`` only."""


def same(answered: object, gold: object, rule: Rule, likeness: Likeness) -> bool:
    """Whether an argument's value is right: the gold one or an accepted one, by its comparator.

    Args:
        answered: The answer's value.
        gold: The gold value.
        rule: The argument's comparator and its other accepted values.
        likeness: Likeness of two texts in [0, 1]; asked for free text only.

    >>> same(5.0, 5, Rule(), lambda a, b: 0.0), same("5", 5, Rule(), lambda a, b: 0.0)
    (True, False)
    """
    return any(_equal(answered, right, rule, likeness) for right in (gold, *rule.accepted))


def _equal(answered: object, gold: object, rule: Rule, likeness: Likeness) -> bool:
    match rule.kind:
        case "number":
            return exact.close(answered, gold, rule.tolerance)
        case "datetime":
            return exact.same_moment(answered, gold)
        case "set":
            return exact.same_set(answered, gold)
        case "text" if isinstance(answered, str) and isinstance(gold, str):
            return says(answered, gold, rule.facts, likeness)
        case _:
            return exact.equal(answered, gold)


def verdicts(
    answered: object, gold: Mapping[str, object], rules: Mapping[str, Rule], likeness: Likeness
) -> dict[str, Verdict]:
    """Return what became of each argument, gold ones first.

    An argument that one side leaves out and whose value on the other is the default counts on
    neither, and does not appear.

    Args:
        answered: The answer's arguments; anything but a mapping has none.
        gold: The gold arguments.
        rules: Rules by argument; one without a rule is compared exactly and has no default.
        likeness: Likeness of two texts in [0, 1]; asked for free text only.

    >>> verdicts({"a": 2, "c": 3}, {"a": 1, "b": 1}, {}, lambda a, b: 0.0)
    {'a': 'wrong', 'b': 'missing', 'c': 'extra'}
    """
    given = answered if isinstance(answered, Mapping) else {}
    found: dict[str, Verdict] = {}
    for name, right in gold.items():
        rule = rules.get(name, Rule())
        if name in given:
            found[name] = _verdict(given[name], right, rule, likeness)
        elif not _is_default(right, rule, likeness):
            found[name] = "missing"
    for name, value in given.items():
        if name not in gold and not _is_default(value, rules.get(name, Rule()), likeness):
            found[name] = "extra"
    return found


def _verdict(value: object, gold: object, rule: Rule, likeness: Likeness) -> Verdict:
    if same(value, gold, rule, likeness):
        return "right"
    typed = exact.json_type(value) == exact.json_type(gold)
    return "wrong" if typed else "mistyped"


def _is_default(value: object, rule: Rule, likeness: Likeness) -> bool:
    bare = rule._replace(accepted=(), facts=Facts())
    return rule.has_default and same(value, rule.default, bare, likeness)


def argument_score(
    answered: object, gold: Mapping[str, object], rules: Mapping[str, Rule], likeness: Likeness
) -> float:
    """Return right arguments over distinct gold and answered ones, in [0, 1].

    1 where no argument is left to judge on either side; 0 where the answer's arguments are no
    mapping.

    >>> argument_score({"a": 1}, {"a": 1, "b": 2}, {}, lambda a, b: 0.0)
    0.5
    """
    if not isinstance(answered, Mapping):
        return 0.0
    return share(verdicts(answered, gold, rules, likeness).values())


def share(found: Iterable[Verdict]) -> float:
    """Return the share of right verdicts; 1 where there are none.

    >>> share(["right", "extra"])
    0.5
    """
    judged = list(found)
    return judged.count("right") / len(judged) if judged else 1.0


def instruct_score(name_right: bool, found: Mapping[str, Verdict]) -> float:
    """Return (name right + right arguments) / (1 + judged arguments), in [0, 1].

    >>> instruct_score(True, {"a": "right", "b": "missing"})
    0.6666666666666666
    """
    return share(["right" if name_right else "wrong", *found.values()])
