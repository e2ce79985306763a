"""A planned sequence of calls against the gold one: linked calls, and those in a sound order.

After section 2.2.2 of the T-Eval paper (arXiv 2312.14033), with three repairs: a name that is a
tool of the case links to no other tool; of the matchings of greatest weight the one counts that
serves the count best; and only linked calls count, in any order that the dependencies allow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

from teval.metrics.matching import Link, contenders
from teval.metrics.plan_matching import best_matching
from teval.metrics.similarity import same_text

NAME_WEIGHT = 0.75
ARGS_WEIGHT = 0.25
THRESHOLD = 0.7
"""Pairs of calls of less weight don't link."""
UNIT = 100_000
"""Weights are whole multiples of 1 / UNIT, so that equal ones are equal."""
LEAST = round(THRESHOLD * UNIT)
"""The threshold in units."""

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
        likeness: Likeness of two texts in [0, 1]; asked only for :func:`name_pairs` and
            :func:`args_pairs`.
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
    best = best_matching(links, _before(kept, needs), lambda i, j: share(kept[i], said[j]))
    counted = tuple((kept[i], said[j]) for i, j in best.counted)
    sizes = len(kept), len(said)
    return PlanScore(
        *_f1(len(counted), *sizes),
        _f1(sum(share(*link) for link in counted), *sizes)[2],
        tuple((kept[i], said[j]) for i, j in best.links),
        counted,
    )


def name_pairs(
    gold: Sequence[PlanCall], answered: Sequence[PlanCall], tools: Collection[str], finish: str = ""
) -> list[tuple[str, str]]:
    """Return the pairs of names whose likeness :func:`plan_score` may ask for, each once.

    Not among them are equal names, and those of which the answered one is a tool.

    >>> name_pairs([PlanCall("a"), PlanCall("b")], [PlanCall("a"), PlanCall("the a")], ["a", "b"])
    [('a', 'the a'), ('b', 'the a')]
    """
    right = dict.fromkeys(
        name for call in gold if call.name != finish for name, _ in _references(call)
    )
    said = dict.fromkeys(call.name for call in answered if call.name != finish)
    judged = [name for name in said if name not in tools]
    return [(name, other) for other in judged for name in right if not same_text(name, other)]


def args_pairs(
    gold: Sequence[PlanCall],
    answered: Sequence[PlanCall],
    tools: Collection[str],
    likeness: Likeness,
    finish: str = "",
) -> list[tuple[str, str]]:
    """Return the pairs of arguments' texts that can matter, given the names' likeness, each once.

    Not among them are equal texts, those of calls whose names are too unlike to link, or that
    have better partners whatever the likeness, and those of two calls that link for sure.

    >>> args_pairs([PlanCall("a", "x"), PlanCall("b", "y")], [PlanCall("a", "z")], "ab", max)
    []
    >>> args_pairs([PlanCall("a", "x"), PlanCall("a", "y")], [PlanCall("a", "z")], "ab", max)
    [('x', 'z'), ('y', 'z')]
    """
    kept = [call for call in gold if call.name != finish]
    said = [call for call in answered if call.name != finish]
    candidates = _candidates(kept, said, tools, likeness)
    _, open_ = _settled(candidates, said)
    found = {(args, said[link[1]].args): None for link in open_ for _, args in candidates[link]}
    return [pair for pair in found if not same_text(*pair)]


Candidates: TypeAlias = dict[Link, list[tuple[float, str]]]
"""Calls that may link: likeness of the names, and the gold arguments' text, of the gold call and
of its alternatives, as far as these may link."""


def _references(gold: PlanCall) -> list[tuple[str, str]]:
    """Return name and arguments' text of a gold call and of its alternatives."""
    return [(gold.name, gold.args), *gold.alternatives]


def _candidates(
    gold: Sequence[PlanCall],
    answered: Sequence[PlanCall],
    tools: Collection[str],
    likeness: Likeness,
) -> Candidates:
    """Return the pairs of calls whose names let them reach the threshold.

    The name of a tool does so with itself alone.
    """
    by_name: dict[str, list[tuple[int, str]]] = {}
    for i, call in enumerate(gold):
        for name, args in _references(call):
            by_name.setdefault(name, []).append((i, args))
    found: Candidates = {}
    for j, call in enumerate(answered):
        for name in (call.name,) if call.name in tools else by_name:
            equal = name == call.name or same_text(name, call.name)
            alike = 1.0 if equal else likeness(name, call.name)
            if NAME_WEIGHT * alike + ARGS_WEIGHT >= THRESHOLD - 1 / UNIT:
                for i, args in by_name.get(name, ()):
                    found.setdefault((i, j), []).append((alike, args))
    return found


def _settled(
    candidates: Candidates, answered: Sequence[PlanCall]
) -> tuple[dict[Link, int], list[Link]]:
    """Return the weights that are known without likeness of arguments, and which have to be known.

    All other pairs are in no matching of greatest weight. Where a pair links for sure, and to
    nothing else, the least that it weighs is as good as its weight.
    """
    least: dict[Link, int] = {}
    most: dict[Link, int] = {}
    for link, references in candidates.items():
        said = answered[link[1]].args
        bounds = [_bounds(names, same_text(args, said)) for names, args in references]
        least[link], most[link] = (max(side) for side in zip(*bounds, strict=True))
        if least[link] < LEAST:
            least[link] = 0
    chosen = contenders(least, most)
    rows = Counter(gold for gold, _ in chosen)
    columns = Counter(place for _, place in chosen)
    sure = {link for link in chosen if least[link] and rows[link[0]] == columns[link[1]] == 1}
    known = {link: w for link, w in least.items() if link in chosen and w == most[link]}
    known |= {link: least[link] for link in candidates if link in sure}
    return known, [link for link in candidates if link in chosen and link not in known]


def _bounds(names: float, equal: bool) -> tuple[int, int]:
    """Return what a pair weighs at least and at most, arguments' likeness not being known."""
    most = round((NAME_WEIGHT * names + ARGS_WEIGHT) * UNIT)
    return (most, most) if equal else (round(NAME_WEIGHT * names * UNIT), min(most, UNIT - 1))


def _weights(
    gold: Sequence[PlanCall],
    answered: Sequence[PlanCall],
    tools: Collection[str],
    likeness: Likeness,
) -> dict[Link, int]:
    """Return the weights, in units, of all pairs that may be in a matching of greatest weight."""
    candidates = _candidates(gold, answered, tools, likeness)
    weights, open_ = _settled(candidates, answered)
    for link in open_:
        said = answered[link[1]].args
        weight = max(_weight(*reference, said, likeness) for reference in candidates[link])
        if weight >= LEAST:
            weights[link] = weight
    return weights


def _weight(names: float, args: str, answered: str, likeness: Likeness) -> int:
    """Return what a pair weighs: only if its calls are equal as much as a pair can."""
    if same_text(args, answered):
        return _bounds(names, equal=True)[1]
    weight = round((NAME_WEIGHT * names + ARGS_WEIGHT * likeness(args, answered)) * UNIT)
    return min(weight, UNIT - 1)


def _before(kept: Sequence[int], needs: Sequence[Collection[int]] | None) -> set[Link]:
    """Return all pairs of kept calls of which the second depends on the first, also through others.

    Args:
        kept: Places of the gold calls in question, rising.
        needs: For each gold call the places of those it depends on; None: of all before it.
    """
    if needs is None:
        return set(combinations(range(len(kept)), 2))
    all_needs: list[set[int]] = []
    for direct in needs:
        indirect = (all_needs[i] for i in direct)
        all_needs.append(set(direct).union(*indirect))
    position = {i: at for at, i in enumerate(kept)}
    return {(position[i], at) for k, at in position.items() for i in all_needs[k] if i in position}


def _f1(count: float, gold: int, answered: int) -> tuple[float, float, float]:
    """Return precision, recall and F1 of a count out of so many."""
    return count / answered, count / gold, 2 * count / (gold + answered)
