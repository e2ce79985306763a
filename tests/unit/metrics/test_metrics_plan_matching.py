"""Which links are made, and which of them count."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from plan_brute_force import Link, brute_force, closed, count, matchings

from teval.metrics.plan_matching import FEW, best_matching


def none(gold: int, place: int) -> float:
    return 0.0


def chain(size: int) -> set[Link]:
    return set(combinations(range(size), 2))


def weight(weights: dict[Link, int], links: list[Link]) -> int:
    return sum(weights[link] for link in links)


@pytest.mark.parametrize("graph", [True, False])
@pytest.mark.parametrize("seed", range(40))
def test_the_matching_is_the_best_of_all(seed: int, graph: bool) -> None:
    rng = Random(seed)
    rows, columns = rng.randint(2, 4), rng.randint(2, 4)
    values = rng.choice([(7,), (75, 76, 77), (70, 85, 100), (1, 2)])
    every = [(i, j) for i in range(rows) for j in range(columns)]
    weights = {link: rng.choice(values) for link in rng.sample(every, min(9, len(every)))}
    needs = [{i for i in range(k) if not graph or rng.random() < 0.5} for k in range(rows)]
    before = closed(needs)
    found = best_matching(weights, before, none)
    assert found.links == sorted(found.links)
    assert count(found.counted, before) == len(found.counted)
    assert set(found.counted) <= set(found.links)
    assert (weight(weights, found.links), len(found.counted)) == brute_force(weights, before)


@pytest.mark.parametrize("graph", [True, False])
@pytest.mark.parametrize("seed", range(25))
def test_of_equal_counts_the_greatest_sum_of_shares_is_taken(seed: int, graph: bool) -> None:
    rng = Random(seed)
    size = 4
    places = rng.sample(range(size), size)
    weights = dict.fromkeys(enumerate(places), 10)
    shares = {link: rng.choice([0.0, 0.25, 1.0]) for link in weights}
    needs = [{i for i in range(k) if not graph or rng.random() < 0.6} for k in range(size)]
    before = closed(needs)
    found = best_matching(weights, before, lambda i, j: shares[i, j])
    sets = [
        chosen
        for number in range(size + 1)
        for chosen in combinations(sorted(weights), number)
        if count(list(chosen), before) == number
    ]
    longest = max(map(len, sets))
    best = max(sum(shares[link] for link in chosen) for chosen in sets if len(chosen) == longest)
    assert len(found.counted) == longest
    assert sum(shares[link] for link in found.counted) == best


def test_shares_never_outweigh_a_link() -> None:
    """Two links with nothing right count more than one that is right altogether."""
    weights = {(0, 1): 9, (1, 2): 9, (2, 0): 9}
    found = best_matching(weights, chain(3), lambda i, j: float((i, j) == (2, 0)))
    assert found.counted == [(0, 1), (1, 2)]
    weights = {(0, 2): 9, (1, 3): 9, (2, 4): 9, (3, 0): 9, (4, 1): 9}
    found = best_matching(weights, chain(5), lambda i, j: float(i > 2))
    assert found.counted == [(0, 2), (1, 3), (2, 4)]
    weights = {(0, 1): 9, (1, 2): 9, (2, 0): 9}
    graph = {(0, 2), (1, 2), (2, 3), (0, 3), (1, 3)}
    found = best_matching(weights, graph, lambda i, j: float((i, j) == (2, 0)))
    assert found.counted == [(0, 1), (1, 2)]


def test_more_links_of_the_same_weight_are_better() -> None:
    weights = {(0, 0): 2, (0, 1): 1, (1, 0): 1}
    assert best_matching(weights, set(), none).counted == [(0, 1), (1, 0)]
    assert len(best_matching(weights, chain(2), none).counted) == 1


def test_among_a_few_ties_the_order_decides() -> None:
    weights = {(0, 1): 5, (1, 0): 5, (1, 2): 5, (2, 0): 5}
    found = best_matching(weights, chain(3), none)
    assert (found.links, len(found.counted)) == ([(0, 1), (1, 2), (2, 0)], 2)
    weights = {(0, 0): 5, (0, 2): 5, (1, 1): 9}
    assert best_matching(weights, chain(2), none).counted == [(0, 0), (1, 1)]


def test_more_ties_than_are_tried_one_by_one() -> None:
    """Five equal calls, and beside them calls whose weights differ."""
    loops = {(i, j): 5 for i in range(5) for j in range(5)}
    others = {(5, 5): 7, (5, 6): 9, (6, 5): 9, (6, 6): 7}
    assert FEW < 120
    found = best_matching(loops | others, set(), none)
    assert len(found.links) == len(found.counted) == 7
    assert {(5, 6), (6, 5)} <= set(found.links)
    found = best_matching(loops | others, chain(7), none)
    assert len(found.counted) == 6
    assert weight(loops | others, found.links) == 43
    small = {(5, 5): 2, (5, 6): 1, (6, 5): 1}
    assert len(best_matching(loops | small, set(), none).links) == 7


@pytest.mark.parametrize("few", [True, False])
@pytest.mark.parametrize("seed", range(25))
def test_among_equal_matchings_the_greatest_sum_of_shares_decides(seed: int, few: bool) -> None:
    """Beside them, so that there are many more of them: five equal calls in any order."""
    rng = Random(seed)
    weights = {(i, j): rng.choice([5, 6]) for i in range(3) for j in range(3) if rng.random() < 0.8}
    shares = {link: rng.choice([0.0, 0.25, 0.75]) for link in weights}
    every = list(matchings(list(weights)))
    greatest = max(weight(weights, links) for links in every)
    heaviest = [links for links in every if weight(weights, links) == greatest]
    longest = max(map(len, heaviest))
    best = max(sum(shares[link] for link in links) for links in heaviest if len(links) == longest)
    loops = {} if few else {(i, j): 5 for i in range(3, 8) for j in range(3, 8)}
    shares |= dict.fromkeys(loops, 0.5)
    found = best_matching(weights | loops, set(), lambda i, j: shares[i, j])
    assert sum(shares[link] for link in found.counted) == best + (0 if few else 2.5)


def test_shares_of_very_many_matchings_never_outweigh_a_link() -> None:
    """Five links with nothing right weigh as much as four that are right altogether."""
    right = {(i, i): 5 for i in range(4)}
    wrong = {(i + 1, i): 4 for i in range(4)} | {(0, 4 + place): 4 for place in range(FEW)}
    found = best_matching(right | wrong, set(), lambda i, j: float((i, j) in right))
    assert len(found.links) == 5


def test_a_call_without_a_link_needs_nothing() -> None:
    weights = {(0, 1): 5, (2, 0): 5, (3, 2): 5}
    found = best_matching(weights, {(0, 1), (0, 2)}, lambda i, j: float(i == 2))
    assert found.counted == [(2, 0), (3, 2)]


@pytest.mark.parametrize("turned", [False, True])
def test_a_call_that_all_heaviest_matchings_link_is_linked_though_fewer_count(turned: bool) -> None:
    """Without the heavy call all three others would stand in order."""
    weights = {(0, 3): 900, (1, 3): 900, (0, 1): 500, (1, 0): 500, (2, 2): 500}
    before = {(0, 2), (1, 2)}
    if turned:
        weights = {(place, gold): w for (gold, place), w in weights.items()}
        before = {(2, 3)}
    found = best_matching(weights, before, none)
    assert weight(weights, found.links) == 1900
    assert len(found.counted) == 2


def test_a_solver_s_matching_is_one_of_the_heaviest() -> None:
    weights = {(i, j): 5 + (i == j == 3) for i in range(4) for j in range(5)}
    found = best_matching(weights, {(0, 3)}, none)
    assert found.links in list(matchings(sorted(weights)))
    assert weight(weights, found.links) == 21
    assert len(found.counted) == 4


def test_calls_that_no_heaviest_matching_needs_may_be_left_out() -> None:
    """More gold calls than answered ones, weights as plans have them, and a broken pair."""
    loops = {(i, j): 70_000 for i in range(5) for j in range(4)}
    broken = {(5, 10): 90_000, (6, 9): 90_000}
    found = best_matching(loops | broken, {(0, 1), (5, 6)}, none)
    assert weight(loops | broken, found.links) == 4 * 70_000 + 2 * 90_000
    assert len(found.links) == 6
    assert len(found.counted) == 5
    turned = {(j, i): w for (i, j), w in (loops | broken).items()}
    found = best_matching(turned, {(0, 1), (9, 10)}, none)
    assert weight(turned, found.links) == 4 * 70_000 + 2 * 90_000
    assert len(found.counted) == 5
