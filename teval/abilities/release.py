"""What all cards share to read and write the layout of published T-Eval files."""

from __future__ import annotations

from collections.abc import Sequence

from teval.abilities.published import Published, Scoring
from teval.formats.json_values import literal
from teval.metrics.published import Cosine
from teval.schema import FINISH, Json, JsonObject, PublishedRecord

NO_TOOL = "no.tool"
"""Stands for a wrong tool where a file does not tell which others there are."""


def told(ground_truth: Json, field: str) -> JsonObject:
    """Return what a record says is right; a text that holds no mapping is the one field's value.

    >>> told('{"name": "maps.find"}', "name"), told("Look for it.", "thought")
    ({'name': 'maps.find'}, {'thought': 'Look for it.'})
    """
    value = ground_truth
    if isinstance(value, str):
        read = literal(value)
        value = value if read is None else read.value
    return value if isinstance(value, dict) else {field: ground_truth}


def others(record: PublishedRecord, right: Sequence[str]) -> tuple[str, ...]:
    """Return the record's tools that are wrong, at least one."""
    names = record.release.names or [tool.name for tool in record.tools]
    return tuple(name for name in names if name not in (*right, FINISH)) or (NO_TOOL,)


def query_of(record: PublishedRecord) -> str:
    """Return what the user asked for: the first turn that is the user's."""
    return next((m.content for m in record.messages if m.role == "user"), "")


def part(scoring: Scoring, metric: str) -> Scoring:
    """Return one metric of a joint answer's score, and whether the answer could be read."""

    def score(cosine: Cosine) -> Published:
        metrics, crash = scoring.score(cosine)
        return Published({name: metrics[name] for name in (metric, "parse_rate")}, crash)

    if metric == "thought":
        return Scoring(score, scoring.pairs, scoring.more)
    return Scoring(lambda _: score(_no_likeness))


def _no_likeness(_a: str, _b: str) -> float:
    return 0.0
