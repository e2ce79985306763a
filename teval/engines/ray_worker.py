"""What a Ray worker does: an engine inside an actor, and what is asked of it from afar."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, TypeAlias

from teval.errors import EngineError, TevalError
from teval.schema import Completion, Engine, JsonObject, Request

Make: TypeAlias = Callable[[], Engine]
"""Makes the engine that a worker runs; it travels to the worker's machine."""

TRIES = 4
"""How many workers may be lost over one shard before the run is given up: Ray itself never
would."""

PART = 16
"""Answers of a shard that come back together; Ray Data takes in some twenty parts a second."""


class Tally:
    """How often each shard was begun, kept where no lost worker can take it along."""

    def __init__(self) -> None:
        self._begun: Counter[str] = Counter()

    def begin(self, shard: str) -> int:
        """Return how often a shard was begun, this time included.

        Args:
            shard: Key of its first request.
        """
        self._begun[shard] += 1
        return self._begun[shard]


def tally_here(ray: Any) -> Any:
    """Return a tally on the machine of this process."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    return ray.remote(num_cpus=0, scheduling_strategy=here)(Tally).remote()


class Worker:
    """An engine inside an actor.

    Args:
        make: Makes the engine, when the first shard comes.
        tally: An actor that counts.
    """

    def __init__(self, make: Make, tally: Any) -> None:
        self._make = make
        self._tally = tally
        self._answered = False

    def __call__(self, shard: Any) -> Iterator[Any]:
        """Yield the completions of a shard in parts, as tables of one row.

        They come in the order of the requests, so that a shard that is asked again has the same
        parts: Ray leaves out those that it knows by their number.

        Args:
            shard: A table of requests.
        """
        requests = read(shard["request"].to_pylist())
        try:
            self._begin(requests)
            for part in parts(in_order(requests, self._engine.generate(requests)), PART):
                self._answered = True
                yield _row(answers=[completion.model_dump_json() for completion in part])
        except TevalError as error:
            if self._answered:
                # It worked before, so that another one may: Ray starts one where one has ended.
                sys.stderr.write(f"{error}\n")
                sys.stderr.flush()
                os._exit(1)
            yield _row(trouble=str(error))

    @cached_property
    def _engine(self) -> Engine:
        return self._make()

    def _begin(self, requests: Sequence[Request]) -> None:
        import ray

        if ray.get(self._tally.begin.remote(requests[0].key)) > TRIES:
            raise EngineError(
                f"{TRIES} workers were lost over the same {len(requests)} requests; if they ran"
                " out of memory, lower engine.batch_size or engine.max_model_len"
            )


def _row(answers: Sequence[str] = (), trouble: str = "") -> Any:
    import pyarrow as pa

    kind = pa.schema([("answers", pa.list_(pa.string())), ("trouble", pa.string())])
    return pa.table({"answers": [list(answers)], "trouble": [trouble]}, kind)


def in_order(
    requests: Sequence[Request], completions: Iterable[Completion]
) -> Iterator[Completion]:
    """Yield completions in the order of their requests, each as soon as all before it are there."""
    found: dict[str, Completion] = {}
    waiting = (request.key for request in requests)
    key = next(waiting, "")
    for completion in completions:
        found[completion.request] = completion
        while key in found:
            yield found.pop(key)
            key = next(waiting, "")
    yield from found.values()


def parts(completions: Iterable[Completion], size: int) -> Iterator[list[Completion]]:
    """Yield the completions in lists of a size; the last one may be shorter."""
    left = iter(completions)
    while part := list(islice(left, size)):
        yield part


def describe(make: Make) -> tuple[JsonObject, str]:
    """Return what an engine says of itself, or why it can't."""
    try:
        engine = make()
    except TevalError as error:
        return {}, str(error)
    try:
        return engine.describe(), ""
    finally:
        engine.close()


def written(requests: Iterable[Request]) -> list[str]:
    """Return requests as they travel."""
    # Escaped, for Python's texts may hold halves of surrogate pairs.
    return [json.dumps(request.model_dump(mode="json")) for request in requests]


def read(texts: Iterable[str]) -> list[Request]:
    """Return requests that travelled."""
    return [Request.model_validate(json.loads(text)) for text in texts]
