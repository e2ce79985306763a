"""How long does it take to slice a set of paths into cases, and how much memory?

    python benchmarks/slicing.py [PATHS]

PATHS is ``full`` or ``lite`` or a JSONL file of solution paths. The paths are read, checked and
sliced, every prompt is rendered, and cases and requests are counted, as the start of a run does.
Printed are the seconds by the clock and the peak of resident memory.

Measured on 2 cores shared with other jobs: the full set's 27,793 cases in 21,514 requests took 23 s
and 166 MB.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from teval import api  # noqa: E402
from teval.api.job import plan  # noqa: E402


def main() -> None:
    place = sys.argv[1] if len(sys.argv) > 1 else "full"
    start = time.perf_counter()
    job = plan(api.load_config(["smoke"], [f"data.paths={place}"]))
    seconds = time.perf_counter() - start
    requests = sum(1 for _ in job.requests)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"{len(job.cases):,} cases, {requests:,} requests: {seconds:.1f} s, {peak:.0f} MB")


if __name__ == "__main__":
    main()
