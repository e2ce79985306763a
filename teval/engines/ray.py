"""The engine for many machines: any other engine inside the actors of Ray Data.

Ray places the workers, hands them their shards, starts lost ones again and repeats what they had
in hand. What is decided here is only where the ordered requests are cut.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, NamedTuple

from teval.engines import ray_worker
from teval.engines.checkpoint import first_line, import_extra, require_extra
from teval.engines.ray_worker import Make, Worker, tally_here, written
from teval.engines.shards import cut
from teval.errors import ConfigError, EngineError
from teval.schema import Completion, JsonObject, Request

PLACES = frozenset({"engine", "address", "workers", "cpus", "gpus", "shard"})
"""Options of this engine; all others are those of the engine inside."""

ENVIRONMENT = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_BACKEND_LOG_LEVEL": "fatal"}
"""What Ray reads from the environment; only what is not set there already."""

LOCAL_ENVIRONMENT = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
"""The same for a cluster of this process alone: it then listens on loopback and nowhere else."""

CONNECT = 10.0
"""Seconds after which a cluster that takes no connection counts as missing."""

AHEAD = 2
"""Shards that a worker has in hand, so that it never waits for the next one."""

SHARDS_A_WORKER = 8
"""Shards are cut so small that each worker gets about as many, for the last ones to end alike."""

LARGEST_SHARD = 512
"""Requests; a lost worker's shard is asked again from its beginning."""


class RayEngine:
    """Answers requests by workers on all machines of a Ray cluster, each with an engine of its own.

    Requests come in the order of their text and are cut into contiguous shards where neighbours
    have least in common, so that common beginnings stay with one worker. Answers come back as they
    are written, some at a time. A lost worker's shard is asked again by another one.

    Python's environment must be the same on all machines, and the model must lie in the same
    place on each: a shared folder, or a name on the hub or of the catalogue.

    Args:
        make: Makes the engine inside.
        address: Of the cluster: ``"auto"`` for the one that this machine is part of, or
            ``HOST:PORT``. Empty starts one of this machine alone, which ends with the run.
        workers: How many engines; None takes as many as the cluster has room for.
        cpus: Cores of each worker, which are also its threads. None takes 1 beside a GPU, else
            all that the smallest machine has.
        gpus: GPUs of each worker; None takes 1 where the cluster has any.
        shard: Requests in a shard, about; None takes eight shards a worker, of 512 at most.

    Raises:
        ConfigError: A setting can't be used.
        MissingExtraError: Ray is not installed.
    """

    def __init__(
        self,
        make: Make,
        /,
        *,
        address: str = "",
        workers: int | None = None,
        cpus: float | None = None,
        gpus: float | None = None,
        shard: int | None = None,
    ) -> None:
        for name, value, least in (("workers", workers, 1), ("shard", shard, 1), ("gpus", gpus, 0)):
            _check(name, value, least)
        _check("cpus", cpus, 0.001)
        require_extra("ray", "ray")
        self._make = make
        self._address = address
        self._wanted = Room(workers, cpus, gpus)
        self._shard = shard

    def describe(self) -> JsonObject:
        """Return how the engine inside describes itself on a worker's machine.

        How many workers there are and where is left out: a run may go on elsewhere.

        Raises:
            EngineError: The cluster can't be reached, or a worker can't make its engine.
        """
        told: JsonObject = self._on_worker(ray_worker.describe, self._make)
        return {**told, "kind": "ray", "inside": told["kind"], "ray": self._ray.__version__}

    def generate(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Yield one completion a request, in parts of each shard as they are there.

        Raises:
            EngineError: No worker can go on.
        """
        asked = list(requests)
        if not asked:
            return
        with self._one_line():
            for batch in self._dataset(asked).iter_batches(
                batch_size=None, batch_format="pyarrow", prefetch_batches=0
            ):
                for row in batch.to_pylist():
                    if row["trouble"]:
                        raise EngineError(row["trouble"])
                    yield from map(Completion.model_validate_json, row["answers"])

    def close(self) -> None:
        """Leave the cluster; one that was started here ends. A later request enters it again."""
        ray = self.__dict__.pop("_ray", None)
        self.__dict__.pop("_room", None)
        if ray is not None and self._entered:
            ray.shutdown()

    @cached_property
    def _ray(self) -> Any:
        """Ray, connected to the cluster."""
        for name, value in (ENVIRONMENT | ({} if self._address else LOCAL_ENVIRONMENT)).items():
            os.environ.setdefault(name, value)
        ray: Any = import_extra("ray", "ray")
        import_extra("ray.data", "ray")
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        self._entered = not ray.is_initialized()
        if self._entered:
            self._check_address()
            own = {} if self._address else {"include_dashboard": False}
            try:
                ray.init(
                    address=self._address or "local",
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                    **own,
                )
            except (ConnectionError, OSError, RuntimeError, ValueError) as error:
                raise self._nobody(error) from error
        return ray

    def _check_address(self) -> None:
        """Refuse an address where nobody listens, at which Ray itself would try for minutes."""
        host, colon, port = self._address.rpartition(":")
        if not colon:
            return
        try:
            socket.create_connection((host.strip("[]"), int(port)), CONNECT).close()
        except (OSError, ValueError) as error:
            raise self._nobody(error) from error

    def _nobody(self, error: Exception) -> EngineError:
        return EngineError(
            f"no Ray cluster at {self._address or 'this machine'} ({first_line(error)});"
            " start one with: ray start --head, or mend engine.options.address"
        )

    _entered = False
    """Whether this engine connected to the cluster, and not who uses it."""

    @cached_property
    def _room(self) -> Room:
        nodes = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        return fit(self._wanted, nodes)

    def _dataset(self, requests: Sequence[Request]) -> Any:
        """Return the completions as Ray Data makes them, a part of a shard in each row."""
        import pyarrow as pa

        ray, room = self._ray, self._room
        shards = cut(requests, self._shard or _shard_size(len(requests), room.workers or 1))
        made = ray.data.from_arrow([pa.table({"request": written(shard)}) for shard in shards])
        # No part waits for another one to fill a block.
        made.context.target_max_block_size = 1
        made.context.enable_progress_bars = False
        pool = ray.data.ActorPoolStrategy(
            size=min(room.workers or 1, len(shards)), max_tasks_in_flight_per_actor=AHEAD
        )
        return made.map_batches(
            Worker,
            fn_constructor_args=(self._make, tally_here(ray)),
            batch_size=None,
            batch_format="pyarrow",
            compute=pool,
            num_cpus=room.cpus,
            num_gpus=room.gpus,
        )

    def _on_worker(self, do: Callable[..., tuple[Any, str]], *arguments: object) -> Any:
        """Return what a function returned on a machine that has room for a worker.

        Raises:
            EngineError: It could not, or it was told in one line why not.
        """
        ray, room = self._ray, self._room
        with self._one_line():
            remote = ray.remote(num_cpus=room.cpus, num_gpus=room.gpus)(do)
            found, trouble = ray.get(remote.remote(*arguments))
        if trouble:
            raise EngineError(trouble)
        return found

    @contextmanager
    def _one_line(self) -> Iterator[None]:
        """Turn what Ray raises into one line with the way out."""
        from ray.exceptions import RayError

        try:
            yield
        except RayError as error:
            cause = getattr(error, "cause", None)
            raise EngineError(
                f"Ray can't go on ({first_line(cause or error)}); what was answered is kept;"
                " the logs lie in /tmp/ray/session_latest/logs of each machine"
            ) from error


class Room(NamedTuple):
    """How many workers, and what each of them takes; None where it is to be found."""

    workers: int | None = None
    cpus: float | None = None
    gpus: float | None = None


def fit(wanted: Room, nodes: Sequence[Mapping[str, float]]) -> Room:
    """Return how many workers a cluster has room for, nothing left open.

    >>> fit(Room(), [{"CPU": 8.0, "GPU": 2.0}, {"CPU": 4.0}])
    Room(workers=2, cpus=1, gpus=1)
    >>> fit(Room(cpus=2), [{"CPU": 8.0}, {"CPU": 3.0}])
    Room(workers=5, cpus=2, gpus=0)

    Args:
        wanted: What was asked for. More workers than there is room for are no mistake: clusters
            may grow.
        nodes: Resources of each machine by Ray's names for them.

    Raises:
        ConfigError: No machine is large enough for one worker.
    """
    has_gpu = any(node.get("GPU", 0) >= 1 for node in nodes)
    gpus = wanted.gpus if wanted.gpus is not None else int(has_gpu)
    cores = [node["CPU"] for node in nodes if node.get("CPU", 0) > 0]
    cpus = wanted.cpus or (1 if gpus else min(cores, default=1))
    room = sum(
        int(min(node.get("CPU", 0) / cpus, node.get("GPU", 0) / gpus if gpus else float("inf")))
        for node in nodes
    )
    if not room:
        raise ConfigError(
            f"no machine of the Ray cluster has {cpus:g} cores and {gpus:g} GPUs for a worker;"
            " lower engine.options.cpus or engine.options.gpus"
        )
    return Room(wanted.workers or room, cpus, gpus)


def _shard_size(requests: int, workers: int) -> int:
    return min(LARGEST_SHARD, -(-requests // (SHARDS_A_WORKER * workers)))


def _check(name: str, value: float | None, least: float) -> None:
    whole = name in ("workers", "shard")
    kinds = (int,) if whole else (int, float)
    usable = isinstance(value, kinds) and not isinstance(value, bool) and value >= least
    if value is not None and not usable:
        kind = "a whole number" if whole else "a number"
        raise ConfigError(f"engine.options.{name}: must be {kind} of at least {least:g}")
