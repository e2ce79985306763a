"""How well does the comparator of free texts do on pairs that it was never tuned on?

    python benchmarks/text_comparator.py FOLDER

FOLDER holds a sentence encoder. ``text_pairs_held_out.jsonl`` has 60 wrong and 60 right answers,
written without sight of the code, after it was last tuned. Printed are how many of the wrong ones
are refused and of the right ones accepted, and those that are judged otherwise than a person would.

Measured with all-MiniLM-L6-v2: 54 of 60 wrong ones refused, 15 of 60 right ones accepted. On the
pairs that the code was tuned on it is 60 and 60 (``tests/golden/text_pairs.jsonl``). Facts here are
mostly phrases ("won't be able to come"), of which the comparator knows no other wording; it knows
other spellings of numbers, times, dates, names and negations. So facts should be as short as those.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from teval.engines.sbert import SbertEmbedder  # noqa: E402
from teval.metrics.text_facts import Facts, says  # noqa: E402
from teval.run.similarity import CachedSimilarity  # noqa: E402

PAIRS = Path(__file__).with_name("text_pairs_held_out.jsonl")


def main() -> None:
    alike = CachedSimilarity(SbertEmbedder(model=sys.argv[1]))
    agreed = {True: 0, False: 0}
    otherwise = []
    for line in PAIRS.read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        facts = Facts(tuple(pair["facts"]), tuple(pair["contradictions"]))
        accepted = says(pair["answer"], pair["gold"], facts, alike)
        agreed[pair["right"]] += accepted is pair["right"]
        if accepted is not pair["right"]:
            otherwise.append(f"{pair['id']} {pair['answer']!r} ({pair['why']})")
    print(*otherwise, sep="\n")
    print(f"wrong ones refused: {agreed[False]}; right ones accepted: {agreed[True]}")


if __name__ == "__main__":
    main()
