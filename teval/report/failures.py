"""Lost points: how many, for which causes, and which of them are the model's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from teval.abilities import ABILITIES
from teval.report.grid import Grid, percent
from teval.report.loaded import LoadedRun
from teval.schema import Score

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
    causes = [score.cause for score in run.scores if score.cause is not None]
    return Grid(
        title=f"Lost points: {run.label}",
        header=("ability", "cause", "lies with", "example", "answers", "share"),
        rows=tuple(row for ability in ABILITIES for row in _ability_rows(ability, run.scores)),
        texts=4,
        notes=(_tally(causes, len(run.scores)),),
    )


def _ability_rows(ability: str, scores: Iterable[Score]) -> list[tuple[str, ...]]:
    asked = [score for score in scores if score.ability == ability]
    causes = Counter(score.cause for score in asked if score.cause is not None)
    return [
        (
            ability,
            cause.replace("_", " "),
            ELSEWHERE.get(cause, "model"),
            next(score.case for score in asked if score.cause == cause),
            str(count),
            percent(count / len(asked)),
        )
        for cause, count in causes.most_common(_TOP)
    ]


def _tally(causes: Sequence[str], total: int) -> str:
    lies = Counter(ELSEWHERE.get(cause, "model") for cause in causes)
    return (
        f"{len(causes)} of {total} answers lost points: {lies['model']} lie with the model, "
        f"{lies['limit']} with a limit on prompt or answer, {lies['engine']} with the engine."
    )
