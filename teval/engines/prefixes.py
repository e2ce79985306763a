"""How much of each prompt was there before: what a cache of prompts can spare at best."""

from __future__ import annotations

from collections.abc import Sequence


class SharedPrefixes:
    """Compares each prompt with the one before it, in constant memory.

    In the order of a walk through the tree of common beginnings a prompt shares most with its
    neighbour, so that the tokens not shared add up to the size of the tree. That order is the
    order of the prompts' text, where a word may be cut into tokens in another way than in the
    prompt before: then some tokens of that word are counted once too often.
    """

    def __init__(self) -> None:
        """Begin with no prompt."""
        self._last: list[int] = []

    def add(self, prompt: list[int]) -> int:
        """Return how many tokens a prompt begins with like the one before it, and remember it."""
        shared = shared_length(self._last, prompt)
        self._last = prompt
        return shared


def shared_length(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many tokens, or characters, both begin with alike.

    >>> shared_length([1, 2, 3], [1, 2, 4, 5]), shared_length("plane", "plan")
    (2, 4)
    """
    low, high = 0, min(len(one), len(other))
    while low < high:
        # Slices are compared many times faster than their members one by one.
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
