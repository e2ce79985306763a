"""Are the cosines of the golden cases those of the encoders, computed here and now?

    python benchmarks/golden_encoders.py minilm=FOLDER mpnet=FOLDER

A folder holds all-MiniLM-L6-v2 or all-mpnet-base-v2 in sentence-transformers format. For each
are printed how many cosines were recorded, how far the largest and the mean deviation is from
them, and how many of the golden cases' published values come out otherwise from the fresh ones.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "golden")]

from golden_cases import ENCODERS, THRESHOLDS, Golden, Recorded, cases  # noqa: E402

from teval.engines.sbert import SbertEmbedder  # noqa: E402
from teval.metrics.published import Cosine  # noqa: E402

CLOSE = {"thought": 2e-4}
"""How far a metric may be off; a millionth for all others."""


class Deviation(NamedTuple):
    """What an encoder gives beside what was recorded of it."""

    cosines: int
    largest: float
    mean: float
    values: int
    other_values: int
    """Values that differ, but for those that are known to hang on float noise."""


def deviation(encoder: str, folder: str) -> Deviation:
    """Return how far the cosines of a folder's encoder are from those recorded."""
    recorded = Recorded(encoder)
    rows = SbertEmbedder(model=folder, device="cpu").embed(recorded.texts)
    vectors = dict(zip(recorded.texts, rows.astype(np.float64), strict=True))

    def cosine(a: str, b: str) -> float:
        return float(vectors[a] @ vectors[b])

    off = np.array([abs(cosine(*pair) - value) for pair, value in recorded.cosines.items()])
    agree = [
        _agrees(case, key, cosine)
        for case in cases()
        for key, value in case.published.items()
        if key.partition(".")[0] == encoder and not value.tie_sensitive
    ]
    return Deviation(len(off), float(off.max()), float(off.mean()), len(agree), agree.count(False))


def _agrees(case: Golden, key: str, cosine: Cosine) -> bool:
    """Whether all metrics of a case are as recorded."""
    threshold = THRESHOLDS["".join(key.partition(".")[1:])]
    ours = case.scoring(threshold).score(cosine).metrics
    theirs = case.published[key].metrics or dict.fromkeys(ours, 0.0)
    return all(abs(ours[name] - theirs[name]) <= CLOSE.get(name, 1e-6) for name in theirs)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("encoders", nargs="+", metavar="ENCODER=FOLDER")
    options = parser.parse_args()
    print("encoder", *Deviation._fields, sep="\t")
    for named in options.encoders:
        encoder, _, folder = named.partition("=")
        if encoder not in ENCODERS:
            parser.error(f"no encoder {encoder}: one of {', '.join(ENCODERS)}")
        found = deviation(encoder, folder)
        told = (f"{v:.1e}" if isinstance(v, float) else f"{v:,}" for v in found)
        print(encoder, *told, sep="\t", flush=True)


if __name__ == "__main__":
    main()
