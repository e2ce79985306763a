"""How fast is scoring, beside a plain scorer on the same answers?

    python benchmarks/scoring_speed.py FOLDER [--plans 2000] [--answers 25000] [--seed 0] [--nth 1]
        [--longest N]

FOLDER holds all-MiniLM-L6-v2 in sentence-transformers format. First the plain scorer's values are
checked against the golden cases. Then each of two sets of made-up answers (plans of about 12
calls; a whole suite) is scored by

- plain: the plain scorer; with ``--nth`` every nth answer only, and its times are n times as long,
  which is fair, since it keeps nothing from one answer to the next;
- both: teval, both scorers, from cold;
- corrected: teval, the corrected scorer alone, from cold;
- again: teval, both scorers, with all vectors cached.

Each has a process of its own, one after another. Printed are seconds by the clock and by the
processor, how many times faster than plain that is, the share of the clock's time inside the
encoder's forward pass, and the peak of memory and how far that is above what the loaded
encoder took. Reading files and loading the encoder are not counted.

Measured on 2 cores, without a GPU, with ``--nth 10``, by the clock. 2,000 plans: both 12 times
faster than plain (38 s), corrected 52 times (9 s), again 71 times (6 s). 25,000 answers: both 11.9
times (70 s, of which the forward pass 90.7 %), corrected 13.8 times, again 224 times (3.7 s). Of
25,000 answers without long thoughts: both 3.7 times (53 s, the forward pass 86.7 %), corrected 5.1
times, again 38 times (5.1 s; these before scoring was made a quarter faster). All golden cases
were scored by the plain scorer as recorded.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "golden")]

import plain_scorer  # noqa: E402
from scoring_suite import MAKERS, Words, records_of  # noqa: E402

from teval.abilities import adopt_records  # noqa: E402
from teval.api.teval_files import read_predictions  # noqa: E402
from teval.engines.precision import prepare_torch  # noqa: E402
from teval.engines.sbert import SbertEmbedder  # noqa: E402
from teval.run.score import score_readings  # noqa: E402
from teval.run.similarity import CachedSimilarity  # noqa: E402
from teval.schema import PAIR, PublishedRecord  # noqa: E402

SCORERS = ("plain", "both", "corrected", "again")


class Measured(NamedTuple):
    """What one scorer took."""

    clock: float
    processor: float
    forward: float
    """Seconds inside the encoder's forward pass, by the clock."""
    memory: int
    """Peak of the process, in bytes."""
    loaded: int
    """The same before scoring began."""


class Stopwatch:
    """Adds up the time inside the encoder's forward passes."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._began = 0.0

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch every forward pass, pooling included, for as long as the context lasts."""
        from torch.nn.modules import module as hooks

        def begin(layer: object, given: object) -> None:
            if type(layer).__name__ == "SentenceTransformer":
                self._began = time.perf_counter()

        def end(layer: object, given: object, made: object) -> None:
            if type(layer).__name__ == "SentenceTransformer":
                self.seconds += time.perf_counter() - self._began

        handles = [
            hooks.register_module_forward_pre_hook(begin),
            hooks.register_module_forward_hook(end),
        ]
        yield
        for handle in handles:
            handle.remove()


def plain_encoder(model: str) -> plain_scorer.Encode:
    """Return the encoder as the released code asks it."""
    prepare_torch()
    from sentence_transformers import SentenceTransformer

    library = SentenceTransformer(model, device="cpu", model_kwargs={"dtype": "float32"})

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        inputs = [text.split(PAIR) if PAIR in text else text for text in texts]
        rows = library.encode(inputs, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(rows)

    return encode


def measure(
    scorer: str, set_: str, count: int, cache: Path, options: argparse.Namespace
) -> Measured:
    """Return what one scorer takes for one set of answers."""
    nth = options.nth if scorer == "plain" else 1
    words, model = Words(options.seed, options.longest), options.model
    records = records_of(MAKERS[set_](words, count))[::nth]
    work = _plain(records, model) if scorer == "plain" else _teval(records, scorer, model, cache)
    loaded, watch = _peak(), Stopwatch()
    with watch.watching():
        clock, processor = time.perf_counter(), time.process_time()
        work()
        clock, processor = time.perf_counter() - clock, time.process_time() - processor
    return Measured(clock * nth, processor * nth, watch.seconds * nth, _peak(), loaded)


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _plain(records: Sequence[PublishedRecord], model: str) -> Callable[[], object]:
    encode = plain_encoder(model)
    encode(["The first text is slow."])
    return lambda: plain_scorer.scores(records, encode)


def _teval(
    records: Sequence[PublishedRecord], scorer: str, model: str, cache: Path
) -> Callable[[], object]:
    embedder = SbertEmbedder(model=model, device="cpu")
    embedder.embed(["The first text is slow."])
    cases = list(adopt_records(records))
    file = cache / ("corrected" if scorer == "corrected" else "both")

    def score() -> object:
        similarity = CachedSimilarity(embedder, file)
        readings = read_predictions(records, cases)
        return score_readings(readings, similarity, published=scorer != "corrected")

    return score


def compare(set_: str, count: int, options: argparse.Namespace) -> None:
    """Print what every scorer takes for a set, one process after another."""
    print(f"\n{set_}: {count:,}")
    print("scorer\tclock s\tfaster\tcpu s\tfaster\tforward %\tpeak MiB\tabove loaded MiB")
    plain = Measured(0, 0, 0, 0, 0)
    with TemporaryDirectory() as cache:
        for scorer in SCORERS:
            command = [sys.executable, __file__, options.model]
            command += ["--seed", str(options.seed), "--nth", str(options.nth)]
            if options.longest is not None:
                command += ["--longest", str(options.longest)]
            command += ["--one", scorer, set_, str(count), cache]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            found = Measured(*json.loads(done.stdout))
            plain = found if scorer == "plain" else plain
            _tell(scorer, found, plain)


def _tell(scorer: str, found: Measured, plain: Measured) -> None:
    print(
        scorer,
        f"{found.clock:.2f}",
        f"{plain.clock / found.clock:.1f}",
        f"{found.processor:.2f}",
        f"{plain.processor / found.processor:.1f}",
        f"{100 * found.forward / found.clock:.1f}",
        found.memory >> 20,
        (found.memory - found.loaded) >> 20,
        sep="\t",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model", help="the encoder's folder")
    parser.add_argument("--plans", type=int, default=2000)
    parser.add_argument("--answers", type=int, default=25_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--nth", type=int, default=1, help="of the plain scorer's answers")
    parser.add_argument("--longest", type=int, help="characters of a thought at most")
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        scorer, set_, count, cache = options.one
        found = measure(scorer, set_, int(count), Path(cache), options)
        print(json.dumps(found))
        return
    unlike = list(plain_scorer.unlike(plain_encoder(options.model)))
    print(*unlike, sep="\n", file=sys.stderr)
    print(f"golden cases that the plain scorer scores otherwise: {len(unlike)}", flush=True)
    for set_, count in (("plans", options.plans), ("suite", options.answers)):
        if count:
            compare(set_, count, options)


if __name__ == "__main__":
    main()
