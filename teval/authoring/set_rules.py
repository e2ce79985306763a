"""What can be wrong with gold paths taken together.

Each rule yields findings: the path's place in the sequence, or None where all are meant, the step,
or None, and what is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import quantiles
from typing import TypeAlias

from teval.authoring.phrasing import pairs, reading_level, words
from teval.schema import REVIEW_LABELS, Embedder, SolutionPath
from teval.slicing import review_steps

LABEL_SHARES = (0.15, 0.28)
"""Least and greatest share of each review label."""
FEWEST = 20
"""Shares and outliers are told from so many values on."""
FENCE = 3.0
"""Outliers lie so many quartile distances beyond the quartiles: Tukey's outer fences."""
MAX_COSINE = 0.92
"""Two phrasings of a thought that are more alike count as one."""

Finding: TypeAlias = tuple[int | None, int | None, str]
"""Place of the path, step, message."""
_Texts: TypeAlias = dict[tuple[int, int | None], str]
"""Texts by place of the path and step."""


def same_id(paths: Sequence[SolutionPath]) -> Iterator[Finding]:
    """No two paths share an id."""
    yield from _twins(paths, "id", lambda path: path.id)


def same_query(paths: Sequence[SolutionPath]) -> Iterator[Finding]:
    """No two paths share a query, whatever its case and punctuation."""
    yield from _twins(paths, "query", lambda path: " ".join(words(path.query)))


def _twins(
    paths: Sequence[SolutionPath], what: str, key: Callable[[SolutionPath], str]
) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for place, path in enumerate(paths):
        if key(path) in first:
            yield place, None, f"same {what} as path {first[key(path)]}"
        first.setdefault(key(path), path.id)


def balance(paths: Sequence[SolutionPath]) -> Iterator[Finding]:
    """No review label is rare, and none prevails."""
    labels = Counter(step.review for path in paths for step in review_steps(path))
    total, (low, high) = labels.total(), LABEL_SHARES
    shares = {label: labels[label] / total for label in REVIEW_LABELS} if total >= FEWEST else {}
    wrong = [f"{label} {s:.0%}" for label, s in shares.items() if not low <= s <= high]
    if wrong:
        yield None, None, f"of {total} reviews {', '.join(wrong)}, not {low:.0%} to {high:.0%} each"


def outliers(paths: Sequence[SolutionPath]) -> Iterator[Finding]:
    """Queries and thoughts are about as long, and as hard to read, as the others."""
    queries: _Texts = {(place, None): path.query for place, path in enumerate(paths)}
    thoughts: _Texts = {
        (place, step.id): step.thought for place, path in enumerate(paths) for step in path.steps
    }
    yield from _beyond(queries, _length, "the query has {:.0f} words")
    yield from _beyond(queries, reading_level, "the query's reading level is {:.1f}")
    yield from _beyond(thoughts, _length, "the thought has {:.0f} words")


def _length(text: str) -> float:
    return len(words(text))


def _beyond(texts: _Texts, measure: Callable[[str], float | None], told: str) -> Iterator[Finding]:
    measured = {key: measure(text) for key, text in texts.items()}
    values = {key: value for key, value in measured.items() if value is not None}
    if len(values) < FEWEST:
        return
    lower, _, upper = quantiles(values.values(), n=4)
    reach = FENCE * (upper - lower)
    for (place, step), value in values.items():
        if not lower - reach <= value <= upper + reach:
            yield place, step, f"{told.format(value)}; half lie in {lower:.3g} to {upper:.3g}"


def alike(paths: Sequence[SolutionPath], embedder: Embedder) -> Iterator[Finding]:
    """No two phrasings of a thought are nearly one to a sentence encoder."""
    phrasings = [
        (place, step.id, pair)
        for place, path in enumerate(paths)
        for step in path.steps
        for pair in pairs(step)
    ]
    texts = sorted({text for _, _, pair in phrasings for text in pair})
    rows = dict(zip(texts, embedder.embed(texts), strict=True)) if texts else {}
    for place, step, (first, second) in phrasings:
        cosine = float(rows[first] @ rows[second])
        if cosine > MAX_COSINE:
            yield place, step, f"two phrasings of the thought have cosine {cosine:.2f}"
