"""How much memory does a run take, with more cases than fit into it?

    python benchmarks/memory.py [--cases 100000] [--engine oracle] [--floors]

Made-up paths are sliced into cases of about 4 kB each (a line of ``cases.jsonl``), asked, scored
and reported as any run is, by a scripted engine and the hashing encoder, in a process of its own.
Printed are the process's peak of resident memory and the seconds each part took. The run's folder
and what is laid aside while prompts are sorted take about 15 kB of disk a case, in TMPDIR.

Measured on 2 shared cores: 100,035 cases of 4.3 kB through the oracle, with floors, took at most
258 MB, 124 of them before the run began: 105 s to slice, write and ask (949 cases a second), 464 s
to score and sum up (216 a second, the floors included), 4 s for the report. 9,006 cases through the
silent engine, without floors, took 203 MB.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "benchmarks")]

from factories import make_path  # noqa: E402

from teval import api  # noqa: E402
from teval.api.run import generate, report, score  # noqa: E402
from teval.schema import SolutionPath  # noqa: E402

FAMILIES = 500


def made_up(number: str) -> Iterator[SolutionPath]:
    """The source of paths that the run is given: so many, none like another."""
    for index in range(int(number)):
        path = make_path(f"path_{index}", f"family_{index % FAMILIES}")
        more = f" This is errand number {index}, of no importance to anybody else."
        yield path.model_copy(update={"query": path.query + more * 23})


def cases_of_a_path() -> int:
    config = api.load_config([], ["data.source=memory:made_up", "data.paths=1"])
    return len(api.slice_cases(config))


def measure(cases: int, engine: str, floors: str, folder: str) -> None:
    """Carry out the run in this process, and tell."""
    paths = -(-cases // cases_of_a_path())
    given = ["data.source=memory:made_up", f"data.paths={paths}", f"engine.kind={engine}"]
    more = [f"report.floors={floors}", f"out={folder}/run", "name=memory"]
    config = api.load_config([], [*given, *more])
    print(f"at the start: {peak():.0f} MB", flush=True)
    parts = {
        "slice, write, ask": lambda: generate(config),
        "score, sum up": lambda: score(config.folder),
        "report": lambda: report([config.folder], config.folder),
    }
    for name, part in parts.items():
        start = time.perf_counter()
        part()
        seconds = time.perf_counter() - start
        rate = f"{cases / seconds:,.0f} cases a second"
        print(f"{name}: {seconds:.0f} s, {rate}, peak by now {peak():.0f} MB", flush=True)
    file = config.folder / "cases.jsonl"
    lines = sum(1 for _ in file.open("rb"))
    print(f"{lines:,} cases of {file.stat().st_size / lines / 1000:.1f} kB: {peak():.0f} MB")


def peak() -> float:
    """The most memory that this process ever had resident, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--engine", default="oracle")
    parser.add_argument("--floors", action="store_true")
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.folder:
        measure(given.cases, given.engine, str(given.floors).lower(), given.folder)
        return
    with TemporaryDirectory() as folder:
        subprocess.run([sys.executable, *sys.argv, "--folder", folder], check=True)


if __name__ == "__main__":
    main()
