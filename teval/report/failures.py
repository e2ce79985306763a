"""Lost points: how many, for which causes, and which of them are the model's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from teval.abilities import ABILITIES
from teval.report.grid import Grid, percent
from teval.report.loaded import LoadedRun

ELSEWHERE = {
    "engine_error": "engine",
    "context_overflow": "limit",
    "truncated": "limit",
    "truncated_in_reasoning": "limit",
}
"""Causes that are not, or not only, the model's: no answer, or no room for prompt or answer."""
_TOP = 3
"""Causes shown for each ability."""


def failures(run: LoadedRun) -> Grid:
    """Return the most frequent causes of lost points by ability, each with one example."""
    lost: dict[str, dict[str, _Lost]] = {ability: {} for ability in ABILITIES}
    asked: Counter[str] = Counter()
    for score in run.scores:
        asked[score.ability] += 1
        if score.cause is not None:
            causes = lost[score.ability]
            causes.setdefault(score.cause, _Lost(score.case)).answers += 1
    return Grid(
        title=f"Lost points: {run.label}",
        header=("ability", "cause", "lies with", "example", "answers", "share"),
        rows=tuple(row for name in ABILITIES for row in _rows(name, lost[name], asked[name])),
        texts=4,
        notes=(_tally(lost.values(), asked.total()),),
    )


@dataclass
class _Lost:
    """What is lost to one cause."""

    example: str
    """The first case."""
    answers: int = 0


def _rows(ability: str, causes: Mapping[str, _Lost], asked: int) -> list[tuple[str, ...]]:
    most = sorted(causes.items(), key=lambda found: -found[1].answers)
    return [
        (
            ability,
            cause.replace("_", " "),
            ELSEWHERE.get(cause, "model"),
            lost.example,
            str(lost.answers),
            percent(lost.answers / asked),
        )
        for cause, lost in most[:_TOP]
    ]


def _tally(abilities: Iterable[Mapping[str, _Lost]], total: int) -> str:
    lies: Counter[str] = Counter()
    for causes in abilities:
        for cause, lost in causes.items():
            lies[ELSEWHERE.get(cause, "model")] += lost.answers
    return (
        f"{lies.total()} of {total} answers lost points: {lies['model']} lie with the model, "
        f"{lies['limit']} with a limit on prompt or answer, {lies['engine']} with the engine."
    )
