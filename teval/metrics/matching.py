"""All matchings of greatest weight, where they are few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import islice, product
from typing import TypeAlias

import numpy as np
from scipy.optimize import linear_sum_assignment

Link: TypeAlias = tuple[int, int]
"""A place on the left, and the place on the right that it is linked to."""
Weights: TypeAlias = Mapping[Link, int]
"""Positive whole weights of the pairs that may link."""
LARGE = 100
"""Links that hang together, from which on :func:`contenders` no longer tries each of them."""


def heaviest_matchings(weights: Weights, most: int) -> list[list[Link]]:
    """Return all matchings of greatest total weight, each in the order of its links.

    Args:
        weights: The pairs that may link; with none, no link is the one matching.
        most: If there are more of them than this, none is returned.

    >>> heaviest_matchings({(0, 0): 3, (0, 1): 2, (1, 0): 2}, 1)
    [[(0, 1), (1, 0)]]
    >>> sorted(heaviest_matchings({(0, 0): 3, (0, 1): 3, (2, 2): 1}, 2))
    [[(0, 0), (2, 2)], [(0, 1), (2, 2)]]
    >>> heaviest_matchings({(0, 0): 3, (0, 1): 3}, 1)
    []
    """
    alone, parts = _parts(weights)
    choices = [[alone]]
    allowed = most
    for part in parts:
        found = list(islice(_all(part, _total(part, _heaviest(part))), allowed + 1))
        choices.append(found)
        allowed //= len(found)
        if not allowed:
            return []
    return [sorted(link for links in chosen for link in links) for chosen in product(*choices)]


def contenders(least: Weights, most: Weights) -> set[Link]:
    """Return the links that a matching of greatest weight may have, as far as bounds tell.

    Whatever the weights are between their bounds, no other link is in any such matching.

    Args:
        least: The least that each link can weigh; 0 where it may turn out not to be allowed.
        most: The most that it can weigh, for the same links.

    >>> sorted(contenders({(0, 0): 9, (0, 1): 1, (1, 1): 5}, {(0, 0): 9, (0, 1): 8, (1, 1): 9}))
    [(0, 0), (1, 1)]
    """
    alone, parts = _parts(most)
    found = set(alone)
    for part in parts:
        sure = _heaviest({link: least[link] for link in part if least[link]})
        best = _total(least, sure)
        found.update(sure)
        found.update(
            link
            for link in _near(best, part)
            if len(part) > LARGE or link in found or _reaches(best, link, part)
        )
    return found


def _near(weight: int, part: Weights) -> list[Link]:
    """Return the links that a matching of so much weight may have, by a bound that costs little.

    No matching weighs more than the best links of all rows do, or of all columns.
    """
    best = [_best(part, side) for side in (0, 1)]
    totals = [_total(part, of.values()) for of in best]
    return [
        link
        for link, w in part.items()
        if w + min(totals[side] - part[best[side][link[side]]] for side in (0, 1)) >= weight
    ]


def _reaches(weight: int, link: Link, part: Weights) -> bool:
    """Whether a matching that has this link weighs so much."""
    rest = {other: w for other, w in part.items() if other[0] != link[0] and other[1] != link[1]}
    return part[link] + _total(rest, _heaviest(rest)) >= weight


def _parts(weights: Weights) -> tuple[list[Link], list[Weights]]:
    """Return the links that stand alone, and of the others those that hang together.

    Links hang together that have a place in common, directly or through others.
    """
    rows = Counter(row for row, _ in weights)
    columns = Counter(column for _, column in weights)
    alone = [link for link in weights if rows[link[0]] == columns[link[1]] == 1]
    left = {link: weights[link] for link in weights.keys() - alone}
    parts: list[Weights] = []
    while left:
        link, weight = left.popitem()
        part = {link: weight}
        border = [link]
        while border:
            row, column = border.pop()
            near = [other for other in left if other[0] == row or other[1] == column]
            part |= {other: left.pop(other) for other in near}
            border += near
        parts.append(part)
    return alone, parts


def _all(part: Weights, needed: int) -> Iterator[list[Link]]:
    """Yield the matchings that weigh as much as is needed, which is the most that any does."""
    found = _heaviest(part)
    if _total(part, found) < needed:
        return
    if not found:
        yield []
        return
    row, column = link = found[0]
    rest = {other: w for other, w in part.items() if other[0] != row and other[1] != column}
    yield from ([link, *others] for others in _all(rest, needed - part[link]))
    yield from _all({other: w for other, w in part.items() if other != link}, needed)


def _heaviest(part: Weights) -> list[Link]:
    """Return one matching of greatest weight."""
    for side in (0, 1):
        best = _best(part, side)
        # Where the best links of all rows fit together, no solver has to be asked.
        if len({link[1 - side] for link in best.values()}) == len(best):
            return list(best.values())
    rows, columns = (sorted({link[side] for link in part}) for side in (0, 1))
    table = np.zeros((len(rows), len(columns)), dtype=np.int64)
    for (row, column), weight in part.items():
        table[rows.index(row), columns.index(column)] = weight
    chosen = (side.tolist() for side in linear_sum_assignment(table, maximize=True))
    links = [(rows[i], columns[j]) for i, j in zip(*chosen, strict=True)]
    return [link for link in links if link in part]


def _best(part: Weights, side: int) -> dict[int, Link]:
    """Return the first link of greatest weight of each place on a side."""
    best: dict[int, Link] = {}
    for link, weight in part.items():
        if link[side] not in best or weight > part[best[link[side]]]:
            best[link[side]] = link
    return best


def _total(weights: Weights, links: Collection[Link]) -> int:
    return sum(weights[link] for link in links)
