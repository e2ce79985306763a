"""From completions to scores: every planned case ends in exactly one status."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice
from typing import NamedTuple

from teval.abilities import ABILITIES
from teval.abilities.card import NATIVE
from teval.abilities.published import Published, Scoring
from teval.metrics.repetition import ends_in_loop
from teval.run.similarity import CachedSimilarity
from teval.schema import (
    Case,
    Completion,
    Json,
    Likeness,
    Reply,
    Score,
    Similarity,
    Status,
    canonical,
    whole_text,
)

SCORER = "corrected-1"
"""Name and version of the scorer; the version moves with any change that can move a score."""

AT_ONCE = 2048
"""Answers that are scored together."""

_WHY: dict[Status, str] = {
    "engine_error": "The engine gave no answer.",
    "context_overflow": "The prompt is longer than the model can take.",
    "truncated_in_reasoning": "The answer ran into its token limit while still reasoning.",
    "truncated": "The answer ran into its token limit before it could be read.",
    "unparsed": "What was asked for could not be read from the answer.",
}


UNANSWERED: tuple[Status, ...] = ("engine_error", "context_overflow")
"""Statuses of cases that nobody answered; the published scorer gives them 0 in everything."""


class Reading(NamedTuple):
    """One answer to one case, read but not scored."""

    case: Case
    repeat: int
    reply: Reply
    status: Status
    hit_limit: bool = False
    """Whether the engine stopped at its limit although the answer could be read."""
    loops: bool = False
    """Whether it stopped there while repeating one piece over and over."""
    error: str = ""
    """The engine's own words where it failed."""
    answer: Json = ""
    """What was answered, for the published scorer to read; blank where nobody answered."""


class _NamesCase:
    """Adds the case's id to an exception that passes through: it is a bug, never a 0."""

    def __init__(self, case: Case) -> None:
        self._case = case

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            error.add_note(f"while scoring case {self._case.id}")


def read_answers(
    cases: Iterable[Case], answers: Callable[[str], Sequence[Completion | None]]
) -> Iterator[Reading]:
    """Yield one reading a case and repeat, in the order of the cases.

    Args:
        cases: All planned cases; one without any completion ends as ``engine_error``.
        answers: Gives the completions to a prompt hash, in the order of the repeats, None where
            missing, and nothing for a prompt that nobody was asked.
    """
    return (
        read_answer(case, completion, repeat)
        for case in cases
        for repeat, completion in enumerate(answers(case.prompt) or (None,))
    )


def score_in_turn(
    readings: Iterable[Reading], similarity: CachedSimilarity
) -> Iterator[tuple[Reading, Score]]:
    """Yield each reading with its score; only some are in memory at any time.

    Args:
        readings: Answers that were read.
        similarity: Judges the likeness of texts; it forgets what it knows before it grows large.
    """
    waiting = iter(readings)
    while some := list(islice(waiting, AT_ONCE)):
        yield from zip(some, score_readings(some, similarity), strict=True)
        similarity.keep_small()


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no cyclic garbage: reading and scoring make many records and no cycles.

    Looking through all of them again and again took a third of the time of scoring.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@uncollected()
def score_readings(
    readings: Sequence[Reading], similarity: Likeness, *, published: bool = True
) -> list[Score]:
    """Return one score a reading, all texts embedded together beforehand.

    Args:
        readings: Answers that were read.
        similarity: Judges the likeness of texts.
        published: Whether the released T-Eval code's values are wanted beside the corrected ones.
    """
    scorings = [_scoring(reading) if published else None for reading in readings]
    theirs = [scoring for scoring in scorings if scoring is not None]
    # Names first: how alike they are decides which arguments need to be embedded at all.
    names = (_texts(reading) for reading in readings)
    similarity.prepare(chain(*names, *(scoring.pairs for scoring in theirs)))
    rest = (_more_texts(reading, similarity) for reading in readings)
    similarity.prepare(chain(*rest, *(s.more(similarity.cosine) for s in theirs)))
    found = [_published(s, similarity) if s else _Published() for s in scorings]
    return [_score(*both, similarity) for both in zip(readings, found, strict=True)]


class _Published(NamedTuple):
    """What the released T-Eval code makes of one answer."""

    metrics: dict[str, float] | None = None
    flags: tuple[str, ...] = ()


def _published(scoring: Scoring, similarity: Likeness) -> _Published:
    metrics, crash = scoring.score(similarity.cosine)
    return _Published(dict(metrics), (f"release_crash:{crash}",) if crash else ())


def _scoring(reading: Reading) -> Scoring | None:
    """What the released code makes of an answer; nothing at all where nobody answered.

    None for a call in the model's own syntax, which that code does not know.
    """
    case = reading.case
    if case.format == NATIVE:
        return None
    card = ABILITIES[case.ability]
    if reading.status in UNANSWERED:
        zeros = dict.fromkeys((name.format(form=case.format) for name in card.released), 0.0)
        return Scoring(lambda _: Published(zeros))
    with _NamesCase(case):
        return card.published_score(reading.answer, case)


def read_answer(case: Case, completion: Completion | None, repeat: int = 0) -> Reading:
    """Return what an answer says, and the one status that it ends in.

    What the engine reports is decided first; then the answer is read, and one that could be
    read counts even if the engine stopped at its limit, for small models answer and then go on.
    """
    if completion is None or completion.finish == "error":
        return unanswered(case, repeat, completion.error if completion else "never asked")
    if completion.finish == "overflow":
        return Reading(case, repeat, Reply(), "context_overflow", error=completion.error)
    limited = completion.finish == "length"
    reading = _read(case, repeat, completion.answer, completion.text, limited=limited)
    return _note_engine(reading, completion)


def unanswered(case: Case, repeat: int = 0, error: str = "never asked") -> Reading:
    """Return what is left to say of a case that has no answer."""
    return Reading(case, repeat, Reply(), "engine_error", error=error)


def read_prediction(case: Case, prediction: Json) -> Reading:
    """Return what an answer says that stands in a published file, be it text or not.

    What is not text is read as JSON where JSON was asked for, and else says nothing.
    """
    if isinstance(prediction, str):
        text = whole_text(prediction)
    else:
        is_json = case.format == "json" and isinstance(prediction, dict | list)
        text = canonical(prediction) if is_json else ""
    return _read(case, 0, text, prediction)


def _read(case: Case, repeat: int, text: str, answer: Json, *, limited: bool = False) -> Reading:
    with _NamesCase(case):
        reply = ABILITIES[case.ability].read(text, case)
    status: Status = "ok" if reply.parsed else "unparsed"
    if limited and not reply.parsed:
        reasoning = "reasoning_unclosed" in reply.flags
        status = "truncated_in_reasoning" if reasoning else "truncated"
    return Reading(
        case,
        repeat,
        reply,
        status,
        hit_limit=limited and reply.parsed,
        loops=limited and isinstance(answer, str) and ends_in_loop(answer),
        answer=answer,
    )


def _note_engine(reading: Reading, completion: Completion) -> Reading:
    """Add what the engine itself has noticed, above all a thought that it told from the answer."""
    flags = [*completion.flags, *reading.reply.flags]
    if completion.thought:
        flags.insert(0, "reasoning_unclosed" if completion.unclosed else "reasoning_cut")
    cut_off = reading.status == "truncated" and completion.unclosed
    return reading._replace(
        reply=replace(reading.reply, flags=tuple(dict.fromkeys(flags))),
        status="truncated_in_reasoning" if cut_off else reading.status,
    )


def _texts(reading: Reading) -> list[tuple[str, str]]:
    if reading.status != "ok":
        return []
    with _NamesCase(reading.case):
        return list(ABILITIES[reading.case.ability].texts(reading.reply, reading.case))


def _more_texts(reading: Reading, similarity: Similarity) -> list[tuple[str, str]]:
    if reading.status != "ok":
        return []
    with _NamesCase(reading.case):
        return list(ABILITIES[reading.case.ability].more(reading.reply, reading.case, similarity))


def _limits(reading: Reading) -> Iterator[str]:
    """Flags of an answer that the engine stopped at its limit."""
    if reading.hit_limit:
        yield "hit_limit"
    if reading.loops:
        yield "loop"


def _score(reading: Reading, published: _Published, similarity: Likeness) -> Score:
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
        flags=(*reply.flags, *_limits(reading), *published.flags),
        corrected=metrics,
        published=published.metrics,
        cause=found,
        why=whole_text(why),
    )
