"""All matchings of greatest weight, and the links that may be in one."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest
from plan_brute_force import Link, matchings

from teval.metrics.matching import LARGE, contenders, heaviest_matchings

Weights = dict[Link, int]


def heaviest(weights: Mapping[Link, int]) -> set[tuple[Link, ...]]:
    """All matchings of greatest weight, found by trying every set of links."""
    every = list(matchings(sorted(weights)))
    totals = [sum(weights[link] for link in links) for links in every]
    best = max(totals)
    return {tuple(links) for links, total in zip(every, totals, strict=True) if total == best}


def drawn(rng: Random, values: tuple[int, ...]) -> Weights:
    rows, columns = rng.randint(1, 4), rng.randint(1, 4)
    every = [(i, j) for i in range(rows) for j in range(columns)]
    return {link: rng.choice(values) for link in rng.sample(every, rng.randint(0, len(every)))}


@pytest.mark.parametrize("seed", range(60))
def test_all_matchings_of_greatest_weight_are_found(seed: int) -> None:
    rng = Random(seed)
    weights = drawn(rng, rng.choice([(7,), (1, 2), (3, 4, 5), (70, 85, 100)]))
    expected = heaviest(weights)
    found = heaviest_matchings(weights, 10_000)
    assert {tuple(links) for links in found} == expected
    assert len(found) == len(expected)
    assert heaviest_matchings(weights, len(expected)) == found
    if len(expected) > 1:
        assert heaviest_matchings(weights, len(expected) - 1) == []


def moved_by(far: int, link: Link) -> Link:
    return link[0] + far, link[1] + far


@pytest.mark.parametrize("seed", range(20))
def test_it_does_not_matter_how_far_back_the_places_are(seed: int) -> None:
    weights = drawn(Random(seed), (6, 7, 8, 9))
    moved = {moved_by(1000, link): weight for link, weight in weights.items()}
    found = {
        tuple(moved_by(-1000, link) for link in links)
        for links in heaviest_matchings(moved, 10_000)
    }
    assert found == set(map(tuple, heaviest_matchings(weights, 10_000)))
    some = contenders(dict.fromkeys(moved, 6), moved)
    assert {moved_by(-1000, link) for link in some} == contenders(
        dict.fromkeys(weights, 6), weights
    )


def test_matchings_of_parts_that_do_not_touch_are_combined() -> None:
    pair: Weights = {(0, 0): 1, (0, 1): 1}
    weights = {(i + 2 * k, j + 2 * k): w for k in range(3) for (i, j), w in pair.items()}
    assert len(heaviest_matchings(weights | {(9, 9): 5}, 8)) == 8
    assert all(links[-1] == (9, 9) for links in heaviest_matchings(weights | {(9, 9): 5}, 8))
    assert heaviest_matchings(weights, 7) == []


def test_without_links_no_link_is_the_one_matching() -> None:
    assert heaviest_matchings({}, 1) == [[]]


@pytest.mark.parametrize("seed", range(60))
def test_no_matching_of_greatest_weight_has_another_link(seed: int) -> None:
    rng = Random(seed)
    most = drawn(rng, (6, 7, 8, 9))
    least = {link: rng.choice([0, weight, rng.randint(1, weight)]) for link, weight in most.items()}
    chosen = contenders(least, most)
    for _ in range(20):
        weights = {link: rng.randint(least[link], weight) for link, weight in most.items()}
        weights = {link: weight for link, weight in weights.items() if weight}
        assert {link for links in heaviest(weights) for link in links} <= chosen


@pytest.mark.parametrize(
    ("bounds", "chosen"),
    [
        ({}, ""),
        ({(0, 0): (0, 1)}, "00"),
        ({(0, 0): (9, 9), (0, 1): (1, 8)}, "00"),
        ({(0, 0): (9, 9), (0, 1): (1, 9)}, "00 01"),
        ({(0, 0): (0, 9), (0, 1): (1, 1)}, "00 01"),
        ({(0, 0): (9, 9), (1, 1): (9, 9), (0, 1): (7, 8), (1, 0): (7, 8)}, "00 11"),
        ({(0, 0): (9, 9), (1, 1): (7, 9), (0, 1): (7, 8), (1, 0): (7, 8)}, "00 01 10 11"),
        ({(0, 0): (9, 9), (1, 1): (7, 9), (0, 1): (7, 7), (1, 0): (7, 8)}, "00 11"),
        ({(0, 0): (9, 9), (1, 0): (5, 8), (1, 1): (2, 2), (2, 1): (9, 9)}, "00 21"),
        ({(0, 0): (9, 9), (0, 1): (0, 8), (5, 5): (0, 3), (5, 6): (2, 2)}, "00 55 56"),
    ],
)
def test_links_that_bounds_rule_out(bounds: Mapping[Link, tuple[int, int]], chosen: str) -> None:
    least = {link: low for link, (low, _) in bounds.items()}
    most = {link: high for link, (_, high) in bounds.items()}
    found = sorted(contenders(least, most))
    assert " ".join(f"{i}{j}" for i, j in found) == chosen


@pytest.mark.parametrize(("more", "chosen"), [(0, []), (1, [(0, 1)])])
def test_of_very_many_links_a_bound_alone_rules_some_out(more: int, chosen: list[Link]) -> None:
    """By the bound the link off the diagonal could replace one on it; tried, it costs two."""
    weights = {(i, j): 9 if i == j else 1 for i in range(10) for j in range(10)} | {(0, 1): 9}
    weights |= {(10 + i, 9): 1 for i in range(more)}
    assert len(weights) == LARGE + more
    assert contenders(weights, weights) == {(i, i) for i in range(10)} | set(chosen)
    turned = {(j, i): weight for (i, j), weight in weights.items()}
    assert contenders(turned, turned) == {(i, i) for i in range(10)} | {(j, i) for i, j in chosen}
