"""What counts of a plan, against all ways to link it, on many plans drawn at random."""

from __future__ import annotations

import random
from collections.abc import Callable

import networkx
import pytest
from plan_brute_force import brute_force, closed, count

from teval.metrics.plan import UNIT, PlanCall, PlanScore, plan_score

TOOLS = "ABC"
PLANS = 3_000
GRAPHS = 2_000


def no_likeness(a: str, b: str) -> float:
    return 0.0


def alike(a: str, b: str) -> float:
    """A likeness of arguments that differs from pair to pair, with many ties."""
    return sum(map(ord, a + b)) % 4 / 4


def plan(rng: random.Random, longest: int) -> list[PlanCall]:
    """A plan that calls few tools, so some of them again and again."""
    names = rng.choices(TOOLS, weights=(3, 2, 1), k=rng.randint(1, longest))
    return [PlanCall(name, rng.choice("xyz")) for name in names]


def weights_of(gold: list[PlanCall], answered: list[PlanCall]) -> dict[tuple[int, int], int]:
    """The weights of calls of one name, as the metric defines them."""
    pairs = [(i, j) for i, g in enumerate(gold) for j, a in enumerate(answered) if g[0] == a[0]]
    likes = [
        1.0 if gold[i].args == answered[j].args else alike(gold[i].args, answered[j].args)
        for i, j in pairs
    ]
    return {
        pair: round((0.75 + 0.25 * like) * UNIT) for pair, like in zip(pairs, likes, strict=True)
    }


def weigh(found: PlanScore, weights: dict[tuple[int, int], int]) -> int:
    return sum(weights[link] for link in found.links)


def test_plans_with_repeats_count_as_much_as_can_be() -> None:
    rng = random.Random(1)
    for _ in range(PLANS):
        gold, answered = plan(rng, 5), plan(rng, 5)
        weights = weights_of(gold, answered)
        before = {(i, k) for k in range(len(gold)) for i in range(k)}
        found = plan_score(gold, answered, TOOLS, alike)
        expected = brute_force(weights, before)
        assert len(found.counted) == expected[1], (gold, answered)
        assert weigh(found, weights) == expected[0]


def graph(rng: random.Random, size: int) -> list[list[int]]:
    """For each call the earlier ones it depends on, many or few."""
    share = rng.choice([0.1, 0.3, 0.6])
    return [[i for i in range(k) if rng.random() < share] for k in range(size)]


def test_any_order_that_the_graph_allows_counts() -> None:
    rng = random.Random(2)
    for _ in range(GRAPHS):
        size = rng.randint(1, 8)
        needs = graph(rng, size)
        gold = [PlanCall(f"t{i}") for i in range(size)]
        order = rng.sample(range(size), k=rng.randint(1, size))
        answered = [gold[i] for i in order]
        found = plan_score(gold, answered, [g.name for g in gold], no_likeness, needs=needs)
        links = [(i, j) for j, i in enumerate(order)]
        assert len(found.counted) == count(links, closed(needs)), (needs, order)


def likes(seed: int, steps: int) -> Callable[[str, str], float]:
    """A likeness with so many values above 0.6, the more of them the fewer ties."""
    return lambda a, b: 0.6 + 0.4 * random.Random(f"{seed} {a} {b}").randrange(steps) / steps


@pytest.mark.parametrize(("size", "steps"), [(12, 3), (30, 40), (60, 10_000), (80, 100_000)])
def test_large_matchings_by_the_rule_of_the_paper_weigh_as_much_as_those_of_networkx(
    size: int, steps: int
) -> None:
    rng = random.Random(size)
    like = likes(size, steps)
    gold, answered = (
        [PlanCall(f"{side}{rng.randrange(size)}", f"{side}{i}") for i in range(size)]
        for side in "ga"
    )
    weights: dict[tuple[int, int], int] = {}
    for i, right in enumerate(gold):
        for j, said in enumerate(answered):
            both = 0.75 * like(right.name, said.name) + 0.25 * like(right.args, said.args)
            weights[i, j] = round(both * UNIT)
    links = {pair: weight for pair, weight in weights.items() if weight >= 0.7 * UNIT}
    graph_of_links: networkx.Graph[int] = networkx.Graph()
    graph_of_links.add_weighted_edges_from((i, size + j, w) for (i, j), w in links.items())
    best = networkx.max_weight_matching(graph_of_links)
    found = plan_score(gold, answered, (), like)
    assert weigh(found, links) == sum(graph_of_links.edges[edge]["weight"] for edge in best)
    assert len(found.links) > size / 2
