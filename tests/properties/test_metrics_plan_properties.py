"""The plan's matching against brute force."""

from __future__ import annotations

from typing import TypeAlias

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plan_brute_force import Link, brute_force, closed, count

from teval.metrics.plan import PlanCall, args_pairs, name_pairs, plan_score
from teval.metrics.plan_matching import best_matching

LOADED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A busy machine fails no test."""

Graph: TypeAlias = list[set[int]]


def graphs(size: int) -> st.SearchStrategy[Graph]:
    parts = [st.sets(st.integers(0, k - 1)) if k else st.just(set[int]()) for k in range(size)]
    return st.one_of(st.tuples(*parts).map(list), st.just([set(range(k)) for k in range(size)]))


@st.composite
def problems(draw: st.DrawFn) -> tuple[dict[Link, int], Graph]:
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    values = st.sampled_from(draw(st.sampled_from([[7], [75, 76, 77], [70, 85, 100]])))
    every = [(i, j) for i in range(rows) for j in range(columns)]
    links = draw(st.lists(st.sampled_from(every), unique=True, max_size=10))
    return {link: draw(values) for link in links}, draw(graphs(rows))


@given(problems())
@settings(LOADED, max_examples=250)
def test_the_matching_is_the_best_of_all(problem: tuple[dict[Link, int], Graph]) -> None:
    weights, needs = problem
    before = closed(needs)
    found = best_matching(weights, before, lambda i, j: 0.0)
    assert len({i for i, _ in found.links}) == len({j for _, j in found.links}) == len(found.links)
    assert set(found.counted) <= set(found.links) <= set(weights)
    assert count(found.counted, before) == len(found.counted)
    total = sum(weights[link] for link in found.links)
    assert (total, len(found.counted)) == brute_force(weights, before)


names = st.lists(st.sampled_from("ABC"), max_size=8)


def common(a: list[str], b: list[str]) -> int:
    """Length of the longest common subsequence."""
    rows = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            rows[i + 1][j + 1] = rows[i][j] + 1 if x == y else max(rows[i][j + 1], rows[i + 1][j])
    return rows[-1][-1]


@given(names, names)
@settings(LOADED, max_examples=150)
def test_with_equal_weights_the_count_is_the_longest_common_subsequence(
    gold: list[str], answered: list[str]
) -> None:
    found = plan_score(
        [PlanCall(name) for name in gold],
        [PlanCall(name) for name in answered],
        "ABC",
        lambda a, b: 0.0,
    )
    assert len(found.counted) == common(gold, answered)


@st.composite
def orders(draw: st.DrawFn) -> tuple[Graph, list[int]]:
    size = draw(st.integers(1, 8))
    return draw(graphs(size)), draw(st.permutations(range(size)))


@given(orders())
@settings(LOADED, max_examples=150)
def test_with_a_graph_the_count_is_the_largest_set_without_a_broken_pair(
    problem: tuple[Graph, list[int]],
) -> None:
    needs, order = problem
    gold = [PlanCall(f"t{i}") for i in range(len(order))]
    answered = [gold[i] for i in order]
    tools = [call.name for call in gold]
    found = plan_score(gold, answered, tools, lambda a, b: 0.0, needs=needs)
    links = [(i, j) for j, i in enumerate(order)]
    assert len(found.counted) == count(links, closed(needs))


calls = st.lists(
    st.builds(
        PlanCall, st.sampled_from(["A", "B", "do a", "do b"]), st.sampled_from("xyz"), st.just(())
    ),
    max_size=6,
)


def likeness(a: str, b: str) -> float:
    """A likeness that differs from pair to pair, and is 1 for equal texts alone."""
    return 1.0 if a == b else sum(map(ord, a + b)) % 40 / 40


@given(calls, calls, st.sampled_from([[], ["A", "B"]]))
@settings(LOADED, max_examples=80)
def test_scores_are_shares_and_need_no_other_pairs(
    gold: list[PlanCall], answered: list[PlanCall], tools: list[str]
) -> None:
    known = set(name_pairs(gold, answered, tools))
    known |= set(args_pairs(gold, answered, tools, likeness))

    def asked(a: str, b: str) -> float:
        assert (a, b) in known
        return likeness(a, b)

    found = plan_score(gold, answered, tools, asked)
    assert all(0 <= value <= 1 for value in found[:4])
    assert found.args_f1 == found.f1
    if found.precision + found.recall > 0:
        mean = 2 * found.precision * found.recall / (found.precision + found.recall)
        assert abs(found.f1 - mean) < 1e-9


@given(calls, calls, graphs(6), st.sampled_from([set[str](), {"A", "B"}]))
@settings(LOADED, max_examples=160)
def test_what_is_not_asked_changes_nothing(
    gold: list[PlanCall], answered: list[PlanCall], needs: Graph, tools: set[str]
) -> None:
    weights = {
        (i, j): round(75_000 * likeness(right.name, said.name))
        + round(25_000 * likeness(right.args, said.args))
        for i, right in enumerate(gold)
        for j, said in enumerate(answered)
        if said.name not in tools or said.name == right.name
    }
    linkable = {link: weight for link, weight in weights.items() if weight >= 70_000}
    depends = needs[: len(gold)]
    found = plan_score(gold, answered, tools, likeness, needs=depends)
    if gold and answered:
        expected = best_matching(linkable, closed(depends), lambda i, j: 0.0)
        assert len(found.counted) == len(expected.counted)


@given(calls.filter(bool))
@settings(LOADED, max_examples=100)
def test_a_plan_against_itself_is_right_and_a_disjoint_one_wrong(plan: list[PlanCall]) -> None:
    assert plan_score(plan, plan, ["A", "B"], likeness).f1 == 1
    other = [PlanCall("C", call.args) for call in plan]
    assert plan_score(plan, other, "ABC", likeness).f1 == 0
