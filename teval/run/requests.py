"""From cases to requests: one for all cases with the same prompt, in the order of their text.

Of a request only the place of its case is kept, so that there may be millions.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import tempfile
from array import array
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from itertools import groupby
from operator import itemgetter
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from teval.run.record_file import RecordFile, needing_room
from teval.schema import Case, Format, Request, Sampling, canonical

SORTED_AT_ONCE = 32_000_000
"""Characters of prompts and schemas sorted in memory; more are laid aside in sorted runs."""


class Asking(NamedTuple):
    """How cases are asked."""

    sampling: Sampling = Sampling()
    max_tokens: Mapping[str, int | Mapping[Format, int]] = {}
    """Token limits by ability, or by ability and format; ``sampling.max_tokens`` for all
    others."""
    seed: int = 0
    """Seed of all requests; their repeats differ by number."""
    repeats: int = 1
    """How often each is asked, at least 1."""

    def limit(self, case: Case) -> int:
        """Return the most tokens that the answer to a case may have."""
        given = self.max_tokens.get(case.ability, self.sampling.max_tokens)
        return given if isinstance(given, int) else given.get(case.format, self.sampling.max_tokens)


class Requests:
    """The requests that answer all cases, in the order of their text.

    Cases with the same messages share one request, which may have as many tokens as the most
    generous of their abilities. The order is that of a walk through the tree of common
    beginnings, so that an engine can keep what it computed for the last one.

    Args:
        cases: The planned cases.
        asking: How they are asked.
        at_once: Characters of prompts that are sorted in memory.
    """

    def __init__(
        self, cases: RecordFile[Case], asking: Asking, *, at_once: int = SORTED_AT_ONCE
    ) -> None:
        self._cases = cases
        self._asking = asking
        self._places, self._limits = array("q"), array("q")
        keys, prompts = array("Q"), array("Q")
        for entry in _merged(cases, asking, at_once):
            self._places.append(entry.place)
            self._limits.append(entry.limit)
            prompts.append(number_of(entry.prompt))
            for repeat in range(asking.repeats):
                keys.append(number_of(self._key(entry, repeat)))
        self.keys: NDArray[np.uint64] = np.array(keys, dtype=np.uint64)
        """Number of each request's key, in their order."""
        self._prompts: NDArray[np.uint64] = np.array(prompts, dtype=np.uint64)
        self._by_prompt = np.argsort(self._prompts)

    def __len__(self) -> int:
        """Return how many requests there are."""
        return len(self.keys)

    def __iter__(self) -> Iterator[Request]:
        """Yield all requests."""
        return self.those(np.ones(len(self), dtype=np.bool_))

    def those(self, wanted: NDArray[np.bool_]) -> Iterator[Request]:
        """Yield the requests that are wanted, one truth value each."""
        repeats = self._asking.repeats
        for place in np.flatnonzero(wanted):
            yield self._request(*divmod(int(place), repeats))

    def keys_of(self, prompt: str) -> NDArray[np.uint64]:
        """Return the numbers of the keys of a prompt's requests, by repeat; none if unknown."""
        number = number_of(prompt)
        found = int(np.searchsorted(self._prompts, np.uint64(number), sorter=self._by_prompt))
        row = int(self._by_prompt[found]) if found < len(self._by_prompt) else -1
        if row < 0 or int(self._prompts[row]) != number:
            return self.keys[:0]
        return self.keys[row * self._asking.repeats : (row + 1) * self._asking.repeats]

    def _request(self, row: int, repeat: int) -> Request:
        case = self._cases.at(self._places[row])
        return Request(
            prompt=case.prompt,
            messages=case.messages,
            functions=case.functions,
            constraint=case.constraint,
            sampling=self._sampling(self._limits[row]),
            seed=self._asking.seed,
            repeat=repeat,
        )

    def _key(self, entry: _Entry, repeat: int) -> str:
        return Request(
            prompt=entry.prompt,
            messages=(),
            constraint=json.loads(entry.constraint),
            sampling=self._sampling(entry.limit),
            seed=self._asking.seed,
            repeat=repeat,
        ).key

    def _sampling(self, limit: int) -> Sampling:
        return self._asking.sampling.model_copy(update={"max_tokens": limit})


def number_of(key: str) -> int:
    """Return a number in [0, 2**64) that stands for a key; two keys hardly ever share one."""
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "big")


class _Entry(NamedTuple):
    """A prompt on its way to its place in the order."""

    text: list[list[str]]
    """What it is ordered by: what is offered, which templates put first, and the turns."""
    prompt: str
    place: int
    """Of its case."""
    limit: int
    constraint: str
    """The schema as JSON, or null."""


def _merged(cases: RecordFile[Case], asking: Asking, at_once: int) -> Iterator[_Entry]:
    """Yield one entry a prompt, with the largest limit of its cases, in order."""
    with ExitStack() as stack:
        ordered = heapq.merge(*_runs(cases, asking, at_once, stack))
        for _, same in groupby(ordered, key=itemgetter(1)):
            entries = list(same)
            yield entries[-1]._replace(limit=max(entry.limit for entry in entries))


def _runs(
    cases: RecordFile[Case], asking: Asking, at_once: int, stack: ExitStack
) -> Iterator[Iterator[_Entry]]:
    """Yield sorted runs; all but the last lie in files."""
    waiting: list[_Entry] = []
    size = 0
    for place, case in cases.placed():
        held = canonical(case.constraint)
        waiting.append(_Entry(_text(case), case.prompt, place, asking.limit(case), held))
        size += len(held) + sum(len(message.content) for message in case.messages)
        if size >= at_once:
            yield _laid_aside(sorted(waiting), stack)
            waiting, size = [], 0
    yield iter(sorted(waiting))


def _text(case: Case) -> list[list[str]]:
    return [
        [function.name for function in case.functions],
        [part for message in case.messages for part in (message.role, message.content)],
    ]


def _laid_aside(entries: list[_Entry], stack: ExitStack) -> Iterator[_Entry]:
    """Write a sorted run into a temporary file, and return it as that is read."""
    # It is closed with the stack, after the run was read.
    made = tempfile.TemporaryFile("w+", encoding="utf-8", errors="surrogatepass")  # noqa: SIM115
    file: IO[str] = stack.enter_context(made)
    with needing_room():
        file.writelines(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
        file.seek(0)
    return (_Entry(*json.loads(line)) for line in file)
