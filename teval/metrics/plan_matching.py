"""Which calls of two plans are linked, and which links count: exactly, whatever ties there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linear_sum_assignment, milp
from scipy.sparse import csr_array

from teval.metrics.matching import Link, heaviest_matchings

FEW = 16
"""So many matchings of greatest weight are tried one by one; more are left to a solver."""


class Matching(NamedTuple):
    """A matching of greatest weight that serves the count best."""

    links: list[Link]
    counted: list[Link]
    """The largest set of links of which none is broken with another."""


def best_matching(
    weights: Mapping[Link, int],
    before: Set[Link],
    share: Callable[[int, int], float],
) -> Matching:
    """Return the matching of greatest total weight that has the most links to count.

    Two links are broken with each other where the answer has the later gold call first, though
    it depends on the earlier one. Among equals, the greatest sum of shares decides.

    Args:
        weights: Positive whole weights of the pairs that may link.
        before: Pairs of gold positions, the second depending on the first; transitive.
        share: What a link may add at most 1 by, where counts are equal; in [0, 1].

    >>> best_matching({(0, 0): 5, (0, 1): 5, (1, 0): 5, (1, 1): 5}, {(0, 1)}, lambda i, j: 0.0)
    Matching(links=[(0, 0), (1, 1)], counted=[(0, 0), (1, 1)])
    """
    if not weights:
        return Matching([], [])
    found = heaviest_matchings(weights, FEW)
    links = _fullest(found, share) if found else _likely(_table(weights), share)
    if not _any_broken(links, before):
        return Matching(links, links)
    golds = sorted({gold for gold, _ in weights})
    if found and before >= set(combinations(golds, 2)):
        runs = (_best_run(links, share, len(weights)) for links in found)
        (_, counted), links = max(zip(runs, found, strict=True), key=lambda pair: pair[0][0])
        return Matching(links, counted)
    return _solve(_ties(_table(weights), list(weights)), before, share)


def _table(weights: Mapping[Link, int]) -> NDArray[np.int64]:
    """Return the weights as a matrix, 0 where calls may not link."""
    rows, columns = (1 + max(link[side] for link in weights) for side in (0, 1))
    table = np.zeros((rows, columns), dtype=np.int64)
    for link, weight in weights.items():
        table[link] = weight
    return table


def _fullest(found: Sequence[list[Link]], share: Callable[[int, int], float]) -> list[Link]:
    """Return the matching that would be the best one, if all its links counted."""
    most = max(map(len, found))
    full = [links for links in found if len(links) == most]
    if len(full) == 1:  # shares cost more than all else
        return full[0]
    return max(full, key=lambda links: sum(share(*link) for link in links))


def _likely(table: NDArray[np.int64], share: Callable[[int, int], float]) -> list[Link]:
    """Return the same of all matchings of greatest weight, which are too many to be tried."""
    above = min(table.shape) + 1
    gains = (table * above).astype(np.float64)
    for row, column in zip(*map(np.ndarray.tolist, table.nonzero()), strict=True):
        gains[row, column] += 1 + share(row, column) / above
    rows, columns = linear_sum_assignment(gains, maximize=True)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return [link for link in pairs if table[link] > 0]


def _best_run(
    links: Sequence[Link], share: Callable[[int, int], float], most: int
) -> tuple[float, list[Link]]:
    """Return the longest run of links that rises on both sides, and its length.

    Args:
        links: A matching in the order of its gold calls.
        share: What decides where lengths are equal: each link's share of 1, at most, is added to
            the length, small enough to decide nothing else.
        most: No run has more links.
    """
    runs: list[tuple[float, list[Link]]] = []
    for link in links:
        before = [run for run in runs if run[1][-1][1] < link[1]]
        gain, run = max(before, key=itemgetter(0), default=(0.0, []))
        runs.append((gain + 1 + share(*link) / (most + 1), [*run, link]))
    return max(runs, key=itemgetter(0))


def _any_broken(links: Sequence[Link], before: Set[Link]) -> bool:
    return any((i, k) in before and j > m for i, j in links for k, m in links)


class _Ties(NamedTuple):
    """All matchings of greatest weight: made of ``links``, covering ``rows`` and ``columns``."""

    links: list[Link]
    rows: frozenset[int]
    columns: frozenset[int]


def _ties(table: NDArray[np.int64], links: Iterable[Link]) -> _Ties:
    """Return what the matchings of greatest weight have in common.

    By complementary slackness a matching has the greatest weight if, and only if, each of its
    links stands in some such matching and it covers all calls that every such matching covers.
    """
    totals: dict[tuple[bytes, bytes], int] = {}

    def without(row: int | None, column: int | None) -> int:
        key = (
            b"" if row is None else table[row].tobytes(),
            b"" if column is None else table[:, column].tobytes(),
        )
        if key not in totals:
            rest = table if row is None else np.delete(table, row, axis=0)
            rest = rest if column is None else np.delete(rest, column, axis=1)
            totals[key] = int(rest[linear_sum_assignment(rest, maximize=True)].sum())
        return totals[key]

    greatest = without(None, None)
    return _Ties(
        [link for link in links if int(table[link]) + without(*link) == greatest],
        frozenset(row for row in range(table.shape[0]) if without(row, None) < greatest),
        frozenset(col for col in range(table.shape[1]) if without(None, col) < greatest),
    )


class _Rule(NamedTuple):
    """One linear constraint: ``low <= sum of coefficient * variable <= high``."""

    low: float
    high: float
    terms: dict[int, float]


class _Variables:
    """Numbers of the integer program's variables, by what they say."""

    def __init__(self, links: Sequence[Link]) -> None:
        self.links = links
        self.golds = sorted({gold for gold, _ in links})
        self.places = sorted({place for _, place in links})
        self.size = 2 * len(links) + len(self.golds) * len(self.places)

    def made(self, at: int) -> int:
        """Whether the link at this position is made."""
        return at

    def counts(self, at: int) -> int:
        """Whether the link at this position counts."""
        return len(self.links) + at

    def until(self, gold: int, place: int) -> int:
        """Whether a link of a gold call to this place of the answer or an earlier one counts."""
        row, column = self.golds.index(gold), self.places.index(place)
        return 2 * len(self.links) + row * len(self.places) + column


def _solve(ties: _Ties, before: Set[Link], share: Callable[[int, int], float]) -> Matching:
    """Choose links and, among them, those that count, by an integer program."""
    links = ties.links
    names = _Variables(links)
    rules = [*_made(ties, names), *_sums(names), *_orderly(names, before)]
    gains = np.zeros(names.size)
    for at, link in enumerate(links):
        gains[names.counts(at)] = 1 + share(*link) / (len(links) + 1)
    result = milp(
        -gains,
        integrality=np.ones(names.size, dtype=np.int64),
        bounds=Bounds(0, 1),
        constraints=_constraint(rules, names.size),
        options={"mip_rel_gap": 0.0},
    )
    if result.x is None:
        raise RuntimeError(f"no solution among {len(links)} links: {result.message}")
    chosen = result.x > 0.5
    return Matching(
        sorted(link for at, link in enumerate(links) if chosen[names.made(at)]),
        sorted(link for at, link in enumerate(links) if chosen[names.counts(at)]),
    )


def _constraint(rules: Sequence[_Rule], size: int) -> LinearConstraint:
    coefficients = [value for rule in rules for value in rule.terms.values()]
    rows = [row for row, rule in enumerate(rules) for _ in rule.terms]
    columns = [variable for rule in rules for variable in rule.terms]
    matrix = csr_array((coefficients, (rows, columns)), shape=(len(rules), size))
    return LinearConstraint(matrix, [rule.low for rule in rules], [rule.high for rule in rules])


def _made(ties: _Ties, names: _Variables) -> Iterator[_Rule]:
    """Yield: a call has one link at most, and one for sure where all matchings give it one."""
    for side, essential in enumerate((ties.rows, ties.columns)):
        for call in sorted({link[side] for link in ties.links}):
            members = [names.made(at) for at, link in enumerate(ties.links) if link[side] == call]
            yield _Rule(float(call in essential), 1.0, dict.fromkeys(members, 1.0))
    for at in range(len(ties.links)):
        yield _Rule(0.0, 1.0, {names.made(at): 1.0, names.counts(at): -1.0})


def _sums(names: _Variables) -> Iterator[_Rule]:
    """Yield: what counts until a place is what counts until the one before it, and there."""
    counting = {link: names.counts(at) for at, link in enumerate(names.links)}
    for gold in names.golds:
        for before, place in zip([None, *names.places], names.places, strict=False):
            terms = {names.until(gold, place): 1.0}
            if before is not None:
                terms[names.until(gold, before)] = -1.0
            if (gold, place) in counting:
                terms[counting[gold, place]] = -1.0
            yield _Rule(0.0, 0.0, terms)


def _orderly(names: _Variables, before: Set[Link]) -> Iterator[_Rule]:
    """Yield: no call counts that stands before a counted one which it depends on.

    For each dependent pair and place: the later gold call until there, or the earlier one behind
    there, but not both.
    """
    last = names.places[-1]
    for earlier, later in sorted(before):
        if earlier not in names.golds:
            continue
        for place in sorted(place for gold, place in names.links if gold == later):
            yield _Rule(
                -1.0,
                1.0,
                {names.until(earlier, last): 1.0, names.until(earlier, place): -1.0}
                | {names.until(later, place): 1.0},
            )
