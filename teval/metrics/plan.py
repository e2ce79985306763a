"""A planned sequence of calls against the gold one: linked calls, and those in a sound order.

After section 2.2.2 of the T-Eval paper (arXiv 2312.14033), with three repairs: a name that is a
tool of the case links to no other tool; of the matchings of greatest weight the one counts that
serves the count best; and only linked calls count, in any order that the dependencies allow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, TypeAlias

from teval.metrics.plan_matching import Link, best_matching
from teval.metrics.similarity import same_text

NAME_WEIGHT = 0.75
ARGS_WEIGHT = 0.25
THRESHOLD = 0.7
"""Pairs of calls of less weight don't link."""
UNIT = 100_000
"""Weights are whole multiples of 1 / UNIT, so that equal ones are equal."""

Likeness: TypeAlias = Callable[[str, str], float]


class PlanCall(NamedTuple):
    """One call of a plan."""

    name: str
    args: str = ""
    """The arguments as canonical JSON text, or the sentence that names the call."""
    alternatives: tuple[tuple[str, str], ...] = ()
    """Name and arguments' text of calls that are as right; for gold calls only."""


class PlanScore(NamedTuple):
    """How well a plan agrees with the gold one; all shares in [0, 1]."""

    precision: float
    recall: float
    f1: float
    args_f1: float
    """The same as ``f1``, each counted call counting as its share of right arguments."""
    links: tuple[Link, ...]
    """Positions (gold, answered) of linked calls, in the sequences as given."""
    counted: tuple[Link, ...]
    """Those of them that count: none stands before a call that it depends on."""


def plan_score(
    gold: Sequence[PlanCall],
    answered: Sequence[PlanCall],
    tools: Collection[str],
    likeness: Likeness,
    *,
    finish: str = "",
    needs: Sequence[Collection[int]] | None = None,
    share: Callable[[int, int], float] = lambda gold, answered: 1.0,
) -> PlanScore:
    """Return precision, recall and F1 of a plan, with the links behind them.

    Args:
        gold: The gold calls.
        answered: The answer's calls.
        tools: Names of the case's tools; with none, every name is judged by its likeness.
        likeness: Likeness of two texts in [0, 1]; asked only for :func:`plan_pairs`.
        finish: Name of the pseudo-tool that is dropped from both sides.
        needs: For each gold call the positions of the earlier ones it depends on; without it,
            every call depends on all before it.
        share: Share of right arguments, in [0, 1], of a link given by its two positions.

    >>> a, b, c = PlanCall("a"), PlanCall("b"), PlanCall("c")
    >>> round(plan_score([a, b, c], [a, c, b], "abc", lambda x, y: 0.0).f1, 4)
    0.6667
    >>> plan_score([a, b, c], [c, b, a], "abc", lambda x, y: 0.0, needs=[(), (), (0,)]).f1
    0.6666666666666666
    """
    kept = [i for i, call in enumerate(gold) if call.name != finish]
    said = [j for j, call in enumerate(answered) if call.name != finish]
    if not kept or not said:
        even = float(not kept and not said)
        return PlanScore(even, even, even, even, (), ())
    links = _weights([gold[i] for i in kept], [answered[j] for j in said], tools, likeness)
    before = _before(needs if needs is not None else [range(i) for i in range(len(gold))])
    position = {i: at for at, i in enumerate(kept)}
    best = best_matching(
        links,
        {(position[i], position[k]) for i, k in before if i in position and k in position},
        lambda i, j: share(kept[i], said[j]),
    )
    counted = tuple((kept[i], said[j]) for i, j in best.counted)
    sizes = len(kept), len(said)
    return PlanScore(
        *_f1(len(counted), *sizes),
        _f1(sum(share(*link) for link in counted), *sizes)[2],
        tuple((kept[i], said[j]) for i, j in best.links),
        counted,
    )


def plan_pairs(
    gold: Sequence[PlanCall], answered: Sequence[PlanCall], tools: Collection[str], finish: str = ""
) -> list[tuple[str, str]]:
    """Return the pairs of texts whose likeness :func:`plan_score` may ask for, each once.

    Not among them are equal texts, names that may not link, and arguments of two calls that can
    link to each other alone.

    >>> plan_pairs([PlanCall("a", "x"), PlanCall("b", "y")], [PlanCall("a", "z")], ["a", "b"])
    []
    >>> plan_pairs([PlanCall("a", "x")], [PlanCall("the a tool", "z")], ["a", "b"])
    [('a', 'the a tool'), ('x', 'z')]
    """
    found: dict[tuple[str, str], None] = {}
    kept = [call for call in gold if call.name != finish]
    said = [call for call in answered if call.name != finish]
    for pair in _pairs(kept, said, tools):
        if not pair.alone:
            for name, args in pair.references:
                found[name, pair.name] = None
                found[args, pair.args] = None
    return [pair for pair in found if not same_text(*pair)]


class _Pair(NamedTuple):
    """A gold call and an answered one that may link."""

    link: Link
    references: list[tuple[str, str]]
    """Name and arguments of the gold call and its alternatives, as far as they may link."""
    name: str
    args: str
    alone: bool
    """Whether neither of the two may link to any other call, and their names agree."""


def _pairs(
    gold: Sequence[PlanCall], answered: Sequence[PlanCall], tools: Collection[str]
) -> list[_Pair]:
    pairs = [
        _Pair((i, j), references, call.name, call.args, alone=call.name in tools)
        for j, call in enumerate(answered)
        for i, right in enumerate(gold)
        if (references := _references(right, call, tools))
    ]
    rows = Counter(pair.link[0] for pair in pairs)
    columns = Counter(pair.link[1] for pair in pairs)
    return [
        pair._replace(alone=pair.alone and rows[pair.link[0]] == columns[pair.link[1]] == 1)
        for pair in pairs
    ]


def _references(
    gold: PlanCall, answered: PlanCall, tools: Collection[str]
) -> list[tuple[str, str]]:
    """Return the gold call and its alternatives; only those of its name if it is a tool."""
    references = [(gold.name, gold.args), *gold.alternatives]
    if answered.name not in tools:
        return references
    return [reference for reference in references if reference[0] == answered.name]


def _weights(
    gold: Sequence[PlanCall],
    answered: Sequence[PlanCall],
    tools: Collection[str],
    likeness: Likeness,
) -> dict[Link, int]:
    """Return the weights of all pairs that reach the threshold, in units."""
    weights: dict[Link, int] = {}
    for pair in _pairs(gold, answered, tools):
        weight = UNIT if pair.alone else max(_weight(pair, r, likeness) for r in pair.references)
        if weight >= round(THRESHOLD * UNIT):
            weights[pair.link] = weight
    return weights


def _weight(pair: _Pair, reference: tuple[str, str], likeness: Likeness) -> int:
    name, args = reference
    names = 1.0 if same_text(name, pair.name) else likeness(name, pair.name)
    if NAME_WEIGHT * names + ARGS_WEIGHT < THRESHOLD - 1 / UNIT:
        return 0
    arguments = 1.0 if same_text(args, pair.args) else likeness(args, pair.args)
    return round((NAME_WEIGHT * names + ARGS_WEIGHT * arguments) * UNIT)


def _before(needs: Sequence[Collection[int]]) -> set[tuple[int, int]]:
    """Return all pairs of which the second depends on the first, directly or through others."""
    all_needs: list[set[int]] = []
    for direct in needs:
        indirect = (all_needs[i] for i in direct)
        all_needs.append(set(direct).union(*indirect))
    return {(i, k) for k, earlier in enumerate(all_needs) for i in earlier}


def _f1(count: float, gold: int, answered: int) -> tuple[float, float, float]:
    """Return precision, recall and F1 of a count out of so many."""
    return count / answered, count / gold, 2 * count / (gold + answered)
