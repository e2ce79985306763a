"""What prompts have in common with their neighbours."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from teval.engines.prefixes import SharedPrefixes, shared_length

PROMPTS = st.lists(st.lists(st.integers(0, 2), max_size=6), max_size=30)


def test_nothing_comes_before_the_first_prompt() -> None:
    prefixes = SharedPrefixes()
    assert [prefixes.add(ids) for ids in ([1, 2, 3], [1, 2, 3], [1, 2], [9])] == [0, 3, 2, 0]


@given(st.lists(st.integers(0, 1), max_size=9), st.lists(st.integers(0, 1), max_size=9))
def test_the_shared_length_is_the_longest_common_beginning(one: list[int], two: list[int]) -> None:
    length = shared_length(one, two)
    assert one[:length] == two[:length]
    assert one[length : length + 1] != two[length : length + 1] or length == len(one) == len(two)


@given(PROMPTS)
def test_in_order_what_is_not_shared_is_the_prefix_tree(prompts: list[list[int]]) -> None:
    tree = {tuple(ids[:end]) for ids in prompts for end in range(1, len(ids) + 1)}
    prefixes = SharedPrefixes()
    assert sum(len(ids) - prefixes.add(ids) for ids in sorted(prompts)) == len(tree)
