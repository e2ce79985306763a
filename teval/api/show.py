"""The cases of a scored run, one by one: what was right, what was answered, and why it lost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from teval.abilities import ABILITIES, card_of
from teval.api.job import requests_of, stored_config
from teval.errors import ConfigError, DataError
from teval.run.answers import Answers
from teval.run.errata import case_hash, overlay
from teval.run.store import RunFolder
from teval.schema import Case, Completion, Format, Frozen, Score, Status, canonical


class ShownCase(Frozen):
    """One answer to one case."""

    case: str
    hash: str
    """Of the case's prompt and gold; errata know it by that."""
    ability: str
    format: str
    repeat: int
    status: Status
    score: float
    """The ability's headline metric, in [0, 1]."""
    cause: str | None
    """Why points were lost; None where none were."""
    why: str
    """The cause as a sentence."""
    gold: str
    """An answer that would have been right, errata taken into account."""
    answer: str | None
    """None where nobody answered."""
    flags: tuple[str, ...]


def show_cases(
    folder: Path,
    *,
    failed: bool = False,
    ability: str | None = None,
    form: str | None = None,
    limit: int | None = None,
) -> list[ShownCase]:
    """Return the cases of a scored run, in their order.

    Args:
        folder: A run's folder.
        failed: Only those that lost points.
        ability: Only those of one ability.
        form: Only those of one format: ``json``, ``string`` or ``tools``.
        limit: At most so many.

    Raises:
        DataError: The folder holds no scored run.
        UnknownNameError: There is no such ability.
        ConfigError: There is no such format.
    """
    if ability is not None:
        card_of(ability)
    if form not in {None, *get_args(Format)}:
        raise ConfigError(f"no format {form!r}; give {', '.join(get_args(Format))}")
    place = RunFolder(folder)
    planned, errata = place.case_file(), place.summary().errata
    hashes = {case.id: case_hash(case) for case in planned}
    scored = overlay(planned, errata.applied if errata else ()).mend(planned)
    cases = {case.id: case for case in scored}
    requests = requests_of(stored_config(folder), planned)
    answers = Answers(place.completion_file())
    shown = []
    for score in place.scores():
        kept = score.cause is not None or not failed
        if kept and ability in {None, score.ability} and form in {None, score.format}:
            case = cases[score.case]
            answer = _text(answers.to(requests, case.prompt), score.repeat)
            shown.append(_shown(score, case, hashes[case.id], answer))
    return shown[:limit]


def _shown(score: Score, case: Case, hashed: str, answer: str | None) -> ShownCase:
    return ShownCase(
        **score.model_dump(
            include={"case", "ability", "format", "repeat", "status", "cause", "why"}
        ),
        hash=hashed,
        score=score.corrected[ABILITIES[score.ability].headline],
        gold=_gold(case),
        answer=answer,
        flags=score.flags,
    )


def _gold(case: Case) -> str:
    try:
        return card_of(case.ability).answer(case)
    except DataError:  # a published record may call something right that nobody can write down
        return canonical(case.gold)


def _text(answers: Sequence[Completion | None], repeat: int) -> str | None:
    found = answers[repeat] if repeat < len(answers) else None
    return None if found is None or found.finish in {"error", "overflow"} else found.text
