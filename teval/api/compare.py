"""Two runs on the same cases: which abilities differ, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from pathlib import Path
from typing import NamedTuple

from teval import report as reports
from teval.abilities import ABILITIES
from teval.errors import ConfigError, DataError
from teval.metrics.compare import Difference, differences, holm
from teval.report import LoadedRun
from teval.report.rows import MEAN
from teval.run.cells import BESIDE, FORMATS, SCORERS, Cells, Key, by_cell, count_up, groups_of
from teval.run.store import RunFolder
from teval.schema import Compared, Comparison, Contrast, Score

UNFAIR = ("data", "cases", "prompts", "sampling", "constrained", "embedder", "scorer", "errata")
"""Parts of a signature that move scores without the model's doing."""


class _Asked(NamedTuple):
    """What makes two cases one and the same."""

    id: str
    prompt: str
    family: str
    cell: Key


class _Row(NamedTuple):
    """A score to be compared, and the groups of cells that it is the mean over."""

    ability: str
    format: str
    groups: list[list[Key]]


def compare(a: Path, b: Path, scorer: str = "corrected") -> Comparison:
    """Return how two scored runs differ over the cases that both planned.

    Cases are the same where id and prompt are. Of a case that was asked several times, the mean
    counts. The statistics are those of :func:`teval.metrics.compare.differences`; p values of
    abilities are corrected by Holm for the number of abilities.

    Args:
        a: The folder of a run.
        b: The folder of the run that is held against it.
        scorer: Whose scores: ``corrected`` or ``published``.

    Raises:
        ConfigError: There is no such scorer.
        DataError: A folder holds no scored run, or the runs have no case in common.
    """
    if scorer not in SCORERS:
        raise ConfigError(f"no scorer {scorer!r}; give {' or '.join(SCORERS)}")
    first, second = reports.load_runs([a, b])
    asked_first, asked_second = _asked(a, first), _asked(b, second)
    common = asked_first & asked_second
    if not common:
        raise DataError(_why_nothing(a, b, asked_first, asked_second))
    ids = {case.id for case in common}
    return Comparison(
        scorer=scorer,
        mark=_mark(first, second) if scorer == "published" else "",
        a=_compared(first, len(asked_first - common)),
        b=_compared(second, len(asked_second - common)),
        n=len(common),
        families=len({case.family for case in common}),
        rows=tuple(
            _contrasts(_counted(a, first, ids, scorer), _counted(b, second, ids, scorer), scorer)
        ),
        warnings=tuple(_unfair(first.summary.signature, second.summary.signature)),
    )


def _asked(folder: Path, run: LoadedRun) -> set[_Asked]:
    """What a run planned, without what errata exclude."""
    scored = {score.case for score in run.scores}
    return {
        _Asked(c.id, c.prompt, c.family, (c.ability, c.format))
        for c in RunFolder(folder).case_file()
        if c.id in scored
    }


def _why_nothing(a: Path, b: Path, first: set[_Asked], second: set[_Asked]) -> str:
    same = {case.id for case in first} & {case.id for case in second}
    why = (
        f"{len(same)} case ids are the same, but the prompts of all differ"
        if same
        else "no case id of one stands in the other, so they are about other data"
    )
    return f"{a} and {b} have no case in common: {why}; run both on the same data and prompts"


def _compared(run: LoadedRun, left_out: int) -> Compared:
    return Compared(label=run.label, signature=run.summary.signature, left_out=left_out)


def _counted(folder: Path, run: LoadedRun, ids: set[str], scorer: str) -> Cells:
    scores: list[Score] = [score for score in run.scores if score.case in ids]
    if scorer == "published":
        scores = [score for score in scores if score.format not in BESIDE]
    if scorer == "published" and any(score.published is None for score in scores):
        raise DataError(f"{folder} has no published scores; score it again: teval score {folder}")
    return count_up(dict(sorted(by_cell(scores).items())), SCORERS[scorer])


def _contrasts(a: Cells, b: Cells, scorer: str) -> Iterator[Contrast]:
    rows = list(_rows(a.keys, scorer))
    found = differences(a.sums, b.sums, a.counts, [a.places(row.groups) for row in rows])
    tests = [test.p for row, test in zip(rows, found, strict=True) if row.format == MEAN]
    corrected = iter(holm(tests))
    for row, test in zip(rows, found, strict=True):
        yield _contrast(row, test, a, b, next(corrected) if row.format == MEAN else None)


def _rows(keys: list[Key], scorer: str) -> Iterator[_Row]:
    abilities = groups_of(keys, SCORERS[scorer])
    for ability in ABILITIES:
        for form in (*FORMATS, *BESIDE):
            if (ability, form) in keys:
                yield _Row(ability, form, [[(ability, form)]])
        if ability in abilities:
            yield _Row(ability, MEAN, [abilities[ability]])
    if abilities:
        yield _Row("overall", "", list(abilities.values()))


def _contrast(row: _Row, test: Difference, a: Cells, b: Cells, p_holm: float | None) -> Contrast:
    places = [place for group in a.places(row.groups) for place in group]
    return Contrast(
        ability=row.ability,
        format=row.format,
        a=a.score(row.groups),
        b=b.score(row.groups),
        delta=test.delta,
        low=_number(test.low),
        high=_number(test.high),
        p=test.p,
        p_holm=p_holm,
        detectable=_number(test.detectable),
        n=int(a.counts[places].sum()),
        families=test.families,
    )


def _number(value: float) -> float | None:
    return None if isnan(value) else value


def _mark(*runs: LoadedRun) -> str:
    marks = (run.summary.published.mark for run in runs if run.summary.published)
    return ", ".join(dict.fromkeys(filter(None, marks)))


def _unfair(first: str, second: str) -> Iterator[str]:
    """Yield what makes the comparison unfair: parts of the signatures that had to be the same."""
    a, b = _parts(first), _parts(second)
    unlike = [part for part in UNFAIR if a.get(part) != b.get(part)]
    if unlike:
        told = ", ".join(f"{part} ({_unlike(a.get(part, ''), b.get(part, ''))})" for part in unlike)
        yield f"the runs differ in more than the model: {told}; differences may come from that"


def _parts(signature: str) -> dict[str, str]:
    parts = (part.partition(":") for part in signature.split("|"))
    return {name: value for name, _, value in parts}


def _unlike(a: str, b: str) -> str:
    """Return both values, without the settings among them that both share."""
    ours, theirs = a.split(","), b.split(",")
    left = ",".join(setting for setting in ours if setting not in theirs)
    right = ",".join(setting for setting in theirs if setting not in ours)
    return f"{left or 'none'} / {right or 'none'}"
