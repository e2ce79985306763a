"""From completions to scores: every planned case ends in exactly one status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from teval.abilities import ABILITIES
from teval.run.similarity import CachedSimilarity
from teval.schema import Case, Completion, Reply, Score, Similarity, Status

SCORER = "corrected-1"
"""Name and version of the scorer; the version moves with any change that can move a score."""

_WHY: dict[Status, str] = {
    "engine_error": "The engine gave no answer.",
    "context_overflow": "The prompt is longer than the model can take.",
    "truncated_in_reasoning": "The answer ran into its token limit while still reasoning.",
    "truncated": "The answer ran into its token limit before it could be read.",
    "unparsed": "What was asked for could not be read from the answer.",
}


class Reading(NamedTuple):
    """One answer to one case, read but not scored."""

    case: Case
    repeat: int
    reply: Reply
    status: Status
    hit_limit: bool = False
    """Whether the engine stopped at its limit although the answer could be read."""
    error: str = ""
    """The engine's own words where it failed."""


class _NamesCase:
    """Adds the case's id to an exception that passes through: it is a bug, never a 0."""

    def __init__(self, case: Case) -> None:
        self._case = case

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            error.add_note(f"while scoring case {self._case.id}")


def score_cases(
    cases: Sequence[Case],
    answers: Mapping[str, Sequence[Completion | None]],
    similarity: CachedSimilarity,
) -> list[Score]:
    """Return one score a case and repeat, in the order of the cases.

    Args:
        cases: All planned cases; one without any completion ends as ``engine_error``.
        answers: Completions by prompt hash, in the order of the repeats, None where missing.
        similarity: Judges the likeness of texts; all texts are embedded together beforehand.
    """
    return score_readings(
        [
            read_answer(case, completion, repeat)
            for case in cases
            for repeat, completion in enumerate(answers.get(case.prompt, (None,)))
        ],
        similarity,
    )


def score_readings(readings: Sequence[Reading], similarity: CachedSimilarity) -> list[Score]:
    """Return one score a reading, all texts embedded together beforehand."""
    similarity.prepare(pair for reading in readings for pair in _texts(reading))
    return [_score(reading, similarity) for reading in readings]


def read_answer(case: Case, completion: Completion | None, repeat: int = 0) -> Reading:
    """Return what an answer says, and the one status that it ends in.

    What the engine reports is decided first; then the answer is read, and one that could be
    read counts even if the engine stopped at its limit, for small models answer and then go on.
    """
    if completion is None or completion.finish == "error":
        error = completion.error if completion else "never asked"
        return Reading(case, repeat, Reply(), "engine_error", error=error)
    if completion.finish == "overflow":
        return Reading(case, repeat, Reply(), "context_overflow", error=completion.error)
    with _NamesCase(case):
        reply = ABILITIES[case.ability].read(completion.text, case)
    limited = completion.finish == "length"
    if reply.parsed:
        return Reading(case, repeat, reply, "ok", hit_limit=limited)
    if not limited:
        return Reading(case, repeat, reply, "unparsed")
    reasoning = "reasoning_unclosed" in reply.flags
    return Reading(case, repeat, reply, "truncated_in_reasoning" if reasoning else "truncated")


def _texts(reading: Reading) -> list[tuple[str, str]]:
    if reading.status != "ok":
        return []
    with _NamesCase(reading.case):
        return list(ABILITIES[reading.case.ability].texts(reading.reply, reading.case))


def _score(reading: Reading, similarity: Similarity) -> Score:
    case, reply = reading.case, reading.reply
    card = ABILITIES[case.ability]
    metrics, cause, why = {card.headline: 0.0}, str(reading.status), ""
    found: str | None = cause
    if reading.status == "ok":
        with _NamesCase(case):
            metrics = card.score(reply, case, similarity)
            explanation = card.explain(reply, case, metrics)
        found, why = explanation if explanation else (None, "")
    else:
        why = " ".join(filter(None, [_WHY[reading.status], reading.error]))
    return Score(
        case=case.id,
        ability=case.ability,
        format=case.format,
        family=case.family,
        path=case.path,
        step=case.step,
        repeat=reading.repeat,
        status=reading.status,
        parsed=reading.status == "ok",
        well_formed=reading.status == "ok" and reply.well_formed,
        rule=reply.rule,
        flags=(*reply.flags, *(["hit_limit"] if reading.hit_limit else [])),
        corrected=metrics,
        cause=found,
        why=why,
    )
