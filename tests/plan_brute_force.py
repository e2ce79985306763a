"""What counts of a plan, by trying everything."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

Link: TypeAlias = tuple[int, int]
"""Position of a gold call, position of the answered call it is linked to."""
Needs: TypeAlias = Sequence[Collection[int]]
"""For each gold call the earlier ones that it depends on."""


def matchings(links: list[Link]) -> Iterator[list[Link]]:
    """Yield all sets of links in which no call stands twice."""
    if not links:
        yield []
        return
    first, *rest = links
    yield from matchings(rest)
    free = [link for link in rest if link[0] != first[0] and link[1] != first[1]]
    yield from ([first, *others] for others in matchings(free))


def count(links: list[Link], before: set[Link]) -> int:
    """Return the size of the largest set of links without a broken pair."""
    broken = {(a, b) for a in links for b in links if (a[0], b[0]) in before and a[1] > b[1]}
    for size in range(len(links), -1, -1):
        for chosen in combinations(links, size):
            if not any((a, b) in broken for a in chosen for b in chosen):
                return size
    return 0


def brute_force(weights: Mapping[Link, int], before: set[Link]) -> tuple[int, int]:
    """Return the greatest weight of a matching, and the most that counts in one of that weight."""
    every = list(matchings(list(weights)))
    greatest = max(sum(weights[link] for link in links) for links in every)
    best = [links for links in every if sum(weights[link] for link in links) == greatest]
    return greatest, max(count(links, before) for links in best)


def closed(needs: Needs) -> set[Link]:
    """Return all pairs of which the second depends on the first, directly or through others."""
    before = {(i, k) for k, direct in enumerate(needs) for i in direct}
    for _ in needs:
        before |= {(i, m) for i, k in before for j, m in before if k == j}
    return before
