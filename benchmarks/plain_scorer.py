"""A scorer that asks the encoder as the released T-Eval code does, to measure teval against.

Four calls of the encoder a plan (names and arguments of either side), and thoughts in batches of
32 as they come, answers and gold ones apart; nothing is told apart, sorted or kept. Only the
reading of answers is teval's own. :func:`unlike` checks the values against the golden cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from teval.abilities import card_of, published
from teval.formats import published as read
from teval.metrics.published import NAME_SHARE, THRESHOLD, without_finish
from teval.schema import PublishedRecord

Encode: TypeAlias = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts to rows of norm 1."""
Metrics: TypeAlias = Mapping[str, float]

BATCH = 32


def scores(records: Sequence[PublishedRecord], encode: Encode) -> list[Metrics]:
    """Return the release's metrics of each record."""
    found: list[Metrics] = []
    waiting: list[tuple[int, published.Scoring]] = []
    for place, record in enumerate(records):
        if record.abilities == ("plan",):
            found.append(plan(record, encode))
            continue
        scoring = _scoring(record)
        found.append({})
        if scoring.pairs:
            waiting.append((place, scoring))
        else:
            found[place] = scoring.score(_never).metrics
        if len(waiting) == BATCH:
            _settle(waiting, found, encode)
    _settle(waiting, found, encode)
    return found


def _scoring(record: PublishedRecord) -> published.Scoring:
    if len(record.abilities) > 1:
        return published.joint(record.prediction, record.release.ground_truth)
    card = card_of(record.abilities[0])
    return card.published(record.prediction, record.release, record.format)


def _never(a: str, b: str) -> float:
    raise AssertionError(f"no encoder was to be asked about {a!r} and {b!r}")


def _same(cosine: float, a: str, b: str) -> float:
    return cosine


def _settle(
    waiting: list[tuple[int, published.Scoring]], found: list[Metrics], encode: Encode
) -> None:
    """Score the thoughts that wait, all at once."""
    if waiting:
        answers, golds = zip(*(scoring.pairs[0] for _, scoring in waiting), strict=True)
        cosines = (encode(answers) * encode(golds)).sum(axis=1)
        for (place, scoring), cosine in zip(waiting, cosines.tolist(), strict=True):
            found[place] = scoring.score(partial(_same, cosine)).metrics
        waiting.clear()


def plan(record: PublishedRecord, encode: Encode) -> Metrics:
    """Return precision, recall, F1 and parse rate of a plan."""
    zeros = dict.fromkeys(published.PLAN, 0.0)
    try:
        if record.format == "json":
            answer = read.plan_json(record.prediction)
        else:
            answer = read.plan_lines(record.prediction, record.release.names)
    except read.ReleaseCrash:
        return zeros
    gold = read.plan_json(record.release.ground_truth)
    said, right = without_finish(answer), without_finish(gold)
    if not said or not right:
        return zeros
    names = _cosines([call[0] for call in said], [call[0] for call in right], encode)
    args = _cosines([call[1] for call in said], [call[1] for call in right], encode)
    count = max(1, _longest(_matched(NAME_SHARE * names + (1 - NAME_SHARE) * args)))
    precision, recall = count / len(said), count / len(right)
    f1 = 2 * precision * recall / (precision + recall)
    return {"precision": precision, "recall": recall, "f1_score": f1, "parse_rate": 1.0}


def _cosines(one: Sequence[str], other: Sequence[str], encode: Encode) -> NDArray[np.float32]:
    return np.asarray(np.clip(encode(one) @ encode(other).T, 0, None))


def _matched(weights: NDArray[np.float32]) -> list[int]:
    """Return the gold places of linked calls, in the answer's order."""
    graph: nx.Graph[tuple[str, int]] = nx.Graph()
    for i, j in np.argwhere(weights > THRESHOLD).tolist():
        graph.add_edge(("said", i), ("right", j), weight=float(weights[i, j]))
    links = [dict(pair) for pair in nx.max_weight_matching(graph)]
    return [link["right"] for link in sorted(links, key=lambda link: link["said"])]


def _longest(places: Sequence[int]) -> int:
    """Return the length of the longest rising run, from the best run that ends at each place."""
    best: list[int] = []
    for at, place in enumerate(places):
        before = [best[i] for i in range(at) if places[i] < place]
        best.append(1 + max(before, default=0))
    return max(best, default=0)


def unlike(encode: Encode, encoder: str = "minilm") -> Iterator[str]:
    """Yield the golden cases whose values differ, but for those that hang on float noise.

    Args:
        encode: The encoder that they were recorded with.
        encoder: Its name there.
    """
    from golden_cases import cases
    from golden_files import write_files

    from teval.sources.teval_files import read_records

    with TemporaryDirectory() as folder:
        write_files(Path(folder))
        records = read_records(folder)
    golden = {case.id: case.published[encoder] for case in cases()}
    ours = dict(zip((r.release.id for r in records), scores(records, encode), strict=True))
    for id_, value in golden.items():
        theirs = value.metrics or dict.fromkeys(ours[id_], 0.0)
        if not value.tie_sensitive and not all(
            abs(ours[id_][key] - theirs[key]) <= (2e-4 if key == "thought" else 1e-6)
            for key in theirs
        ):
            yield f"{id_}: {dict(ours[id_])} here, {theirs} there"
