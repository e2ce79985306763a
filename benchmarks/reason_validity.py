"""Does likeness tell a right thought from one that belongs elsewhere, and does rank do better?

    python benchmarks/reason_validity.py FOLDER

FOLDER holds a sentence encoder. ``blind_thoughts.jsonl`` has a thought for each of 150 steps of 50
families of the full set, written from the query, what was seen so far and the next call, without
sight of the gold thoughts. Each is scored as an answer to its step, and so are thoughts that belong
elsewhere: the description of the nearest sibling tool, the gold thought of the step before, and the
blind thought of an earlier step of the path. Printed are the areas under the ROC curve, right
thoughts against each kind, of likeness and of rank. Needs scikit-learn.

Measured with all-MiniLM-L6-v2: likeness 0.979 against siblings, 0.799 against the gold thought of
the step before (half of which make the same call once more), 0.889 against both; 0.893 against
blind thoughts of earlier steps, 0.945 against those and siblings, where rank reaches 0.837.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from sklearn.metrics import roc_auc_score  # noqa: E402

from teval.abilities.step import StepGold, step_gold  # noqa: E402
from teval.engines.sbert import SbertEmbedder  # noqa: E402
from teval.run.similarity import CachedSimilarity  # noqa: E402
from teval.schema import SolutionPath  # noqa: E402
from teval.slicing import siblings  # noqa: E402
from teval.sources.native import read_paths  # noqa: E402

THOUGHTS = Path(__file__).with_name("blind_thoughts.jsonl")


class Blind(NamedTuple):
    """A thought that was written without sight of the gold ones."""

    path: str
    step: int
    thought: str


class Judged(NamedTuple):
    """What a thought scores at a step."""

    likeness: float
    rank: float


def judge(thought: str, gold: StepGold, alike: CachedSimilarity) -> Judged:
    """Score a thought as reason does."""
    best = max(alike(thought, right) for right in gold.thoughts)
    rival = max((alike(thought, other) for other in gold.rivals if other != thought), default=0.0)
    return Judged(best, float(best > rival))


def elsewhere(blind: Blind, earlier: Blind | None, path: SolutionPath) -> Iterator[tuple[str, str]]:
    """Yield kind and text of thoughts that belong elsewhere."""
    yield "sibling", siblings(path, path.steps[blind.step].call.name)[0].description
    yield "step before", path.steps[blind.step - 1].thought
    if earlier and earlier.path == blind.path:
        yield "blind, earlier", earlier.thought


def main() -> None:
    paths = {path.id: path for path in read_paths("full")}
    lines = THOUGHTS.read_text(encoding="utf-8").splitlines()
    blinds = [Blind(**json.loads(line)) for line in lines]
    alike = CachedSimilarity(SbertEmbedder(model=sys.argv[1]))
    right: list[Judged] = []
    wrong: dict[str, list[Judged]] = {}
    for blind, earlier in zip(blinds, [None, *blinds], strict=False):
        path = paths[blind.path]
        gold = step_gold(path, path.steps[blind.step])
        right.append(judge(blind.thought, gold, alike))
        for kind, text in elsewhere(blind, earlier, path):
            wrong.setdefault(kind, []).append(judge(text, gold, alike))
    sibling, before, earlier_ones = wrong.values()
    tell("sibling", right, sibling)
    tell("step before", right, before)
    tell("sibling and step before", right, [*sibling, *before])
    tell("blind, earlier", right, earlier_ones)
    tell("sibling and blind, earlier", right, [*sibling, *earlier_ones])


def tell(kind: str, right: Sequence[Judged], wrong: Sequence[Judged]) -> None:
    truth = [1] * len(right) + [0] * len(wrong)
    both = [*right, *wrong]
    likeness = roc_auc_score(truth, [one.likeness for one in both])
    rank = roc_auc_score(truth, [one.rank for one in both])
    print(f"{len(right)} against {len(wrong)} {kind}: likeness {likeness:.3f}, rank {rank:.3f}")


if __name__ == "__main__":
    main()
