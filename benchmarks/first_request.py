"""How long after the engine is ready does the first request go out, with 25,000 cases planned?

    python benchmarks/first_request.py [--cases 25000]

The full set's paths are repeated under other ids and queries until there are that many cases, and
a run is started that stops with its first request. Printed are the seconds from the engine being
ready (the model loaded) to the first request handed to vLLM, and what came before.

Measured on 2 shared cores, without a GPU, for the full set's 29,266 cases: 0.014 s; slicing,
writing and loading the model took 37.5 s before.
"""

from __future__ import annotations

import argparse
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engine_work import MODEL, offline

from teval import api
from teval.api.run import generate
from teval.engines.vllm import VllmEngine
from teval.schema import Completion, Request

AT: dict[str, float] = {}
"""When what happened, by the clock."""


class MeasuredError(Exception):
    """All is known."""


class WatchedEngine(VllmEngine):
    """Notes when its model is loaded and when its first request is handed over, then stops."""

    def generate(self, requests: Any) -> Any:
        assert self._llm is not None
        AT["ready"] = time.perf_counter()
        return super().generate(requests)

    def _hand_over(self, engine: Any, name: str, request: Request, ids: Any) -> Completion | None:
        super()._hand_over(engine, name, request, ids)
        AT["first"] = time.perf_counter()
        raise MeasuredError


def write_paths(file: Path, cases: int) -> None:
    """Write the full set's paths as often as it takes, each time about something else."""
    config = api.load_config([], ["data.paths=full"])
    paths = api.read_paths(config)
    times = -(-cases // len(api.slice_cases(config)))
    with file.open("w", encoding="utf-8") as out:
        for number in range(times):
            for path in paths:
                named = {"id": f"{path.id}_{number}", "query": f"{path.query} ({number})"}
                out.write(path.model_copy(update=named).model_dump_json() + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=25_000)
    parser.add_argument("--model", default=MODEL)
    given = parser.parse_args()
    offline()
    with TemporaryDirectory() as folder:
        file = Path(folder, "paths.jsonl")
        write_paths(file, given.cases)
        engine = [f"engine.kind={__name__}:WatchedEngine", f"engine.model={given.model}"]
        more = ["engine.max_model_len=8192", f"data.paths={file}", f"out={folder}/run"]
        config = api.load_config([], [*engine, *more])
        AT["start"] = time.perf_counter()
        with suppress(MeasuredError):
            generate(config)
        cases = Path(folder, "run", "cases.jsonl").read_bytes().count(b"\n")
    print(f"{cases} cases: {AT['ready'] - AT['start']:.1f} s to slice, write and load the model")
    print(f"first request {AT['first'] - AT['ready']:.3f} s after the engine was ready")


if __name__ == "__main__":
    main()
