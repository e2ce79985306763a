"""Stored completions by their requests: only where they stand is kept in memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from teval.run.record_file import RecordFile
from teval.run.requests import Requests, number_of
from teval.schema import Completion

_ENDS = ("stop", "length", "overflow", "error")
"""How an answer may have ended, by number."""


class Answers:
    """The latest completion of each request.

    Args:
        file: The stored completions.

    Raises:
        DataError: A line is broken.
    """

    def __init__(self, file: RecordFile[Completion]) -> None:
        self._file = file
        keys, places, ends = array("Q"), array("q"), array("B")
        for place, completion in file.placed():
            keys.append(number_of(completion.request))
            places.append(place)
            ends.append(_ENDS.index(completion.finish))
        # Of each key the first one is kept: reversed, that is the latest.
        backwards = np.array(keys, dtype=np.uint64)[::-1]
        self._keys, latest = np.unique(backwards, return_index=True)
        self._places: NDArray[np.int64] = np.array(places, dtype=np.int64)[::-1][latest]
        self._ends: NDArray[np.uint8] = np.array(ends, dtype=np.uint8)[::-1][latest]

    def __iter__(self) -> Iterator[Completion]:
        """Yield the completions, in the order in which they came."""
        return (self._file.at(int(place)) for place in np.sort(self._places))

    def ended(self, requests: Requests, *ends: str) -> NDArray[np.bool_]:
        """Return of each request whether its completion ended in one of these ways."""
        numbers = [_ENDS.index(end) for end in ends]
        return np.isin(requests.keys, self._keys[np.isin(self._ends, numbers)])

    def to(self, requests: Requests, prompt: str) -> tuple[Completion | None, ...]:
        """Return the completions of a prompt by repeat, None where missing; none if unknown."""
        keys = requests.keys_of(prompt)
        rows = np.searchsorted(self._keys, keys)
        return tuple(self._latest(*pair) for pair in zip(rows, keys, strict=True))

    def _latest(self, row: np.intp, key: np.uint64) -> Completion | None:
        """The completion with a key, which can stand in one row alone."""
        if row == len(self._keys) or self._keys[row] != key:
            return None
        return self._file.at(int(self._places[row]))
