"""The noise floor: the same run twice, and what differs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import yaml

from teval import report as reports
from teval.abilities import ABILITIES
from teval.api.job import plan, requests_of, stored_config
from teval.api.worker import Worker, heeding_signals, last_words, stop_all
from teval.errors import DataError, EngineError
from teval.report import LoadedRun
from teval.run.answers import Answers
from teval.run.cells import FORMATS, SCORERS
from teval.run.config import RunConfig
from teval.run.store import RunFolder
from teval.schema import Completion, Noise, NoiseRow

RUNS = ("first", "second")
"""Names of the two runs and of their folders."""
BOTH = "both"
"""Stands in the column of formats where a row is about both."""
_PAUSE = 0.1
"""Seconds between two looks at a process."""


class _Pair(NamedTuple):
    """What both runs made of one case."""

    ability: str
    format: str
    same_answer: bool
    first: float
    second: float


def noise(config: RunConfig, out: Path, tell: Callable[[str], None] = lambda line: None) -> Noise:
    """Run the same settings twice, each time in a process of its own, and return what differs.

    A run that was finished before is not asked again, and one that was stopped goes on.

    Args:
        config: The settings of both runs; the folder is filled in.
        out: Where both runs' folders and logs lie.
        tell: Is given a line when a run starts.

    Raises:
        TevalError: The settings can't be used, or a run failed or left requests over.
        KeyboardInterrupt: Somebody stopped it; the run in progress was ended properly.
    """
    plan(config)  # so that a wrong setting is told at once, and not by a log
    out.mkdir(parents=True, exist_ok=True)
    for name in RUNS:
        tell(f"{name} run → {out / name}")
        _run(config.model_copy(update={"out": str(out / name)}), out, name)
    return measure_noise(out / RUNS[0], out / RUNS[1])


def measure_noise(first: Path, second: Path) -> Noise:
    """Return what differs between two scored runs, case by case.

    Args:
        first: The folder of a run.
        second: The folder of another one under the same settings.

    Raises:
        DataError: A folder holds no scored run, or they were asked different cases.
    """
    one, other = reports.load_runs([first, second])
    if one.cases != other.cases:
        raise DataError(f"{first} and {second} were asked different cases: that is no noise")
    pairs = list(_pairs(one, other, _answers(first), _answers(second)))
    config = RunFolder(first).manifest().config
    engine = config.get("engine")
    return Noise(
        label=one.label.partition(" [")[0],
        signature=one.summary.signature,
        deterministic=isinstance(engine, dict) and engine.get("deterministic") is True,
        rows=tuple(_rows(pairs)),
        warnings=tuple(_warnings(one, other)),
    )


def _run(config: RunConfig, out: Path, name: str) -> None:
    """Carry out one run to its end.

    Raises:
        EngineError: It failed.
    """
    file = out / f"{name}.yaml"
    settings = config.model_dump(mode="json")
    file.write_text(yaml.safe_dump(settings, sort_keys=False, allow_unicode=True), "utf-8")
    with heeding_signals():
        worker = Worker(file, out / f"{name}.log", {})
        try:
            while (code := worker.poll()) is None:
                time.sleep(_PAUSE)
        finally:
            stop_all([worker])
    if code:
        said = last_words(worker.said()).removeprefix("error: ")
        raise EngineError(f"the {name} run failed: {said}; see {out / name}.log")


def _answers(folder: Path) -> dict[tuple[str, int], Completion]:
    """Completions by case and repeat."""
    place = RunFolder(folder)
    cases, answers = place.case_file(), Answers(place.completion_file())
    requests = requests_of(stored_config(folder), cases)
    return {
        (case.id, repeat): completion
        for case in cases
        for repeat, completion in enumerate(answers.to(requests, case.prompt))
        if completion is not None
    }


def _pairs(
    one: LoadedRun,
    other: LoadedRun,
    ours: dict[tuple[str, int], Completion],
    theirs: dict[tuple[str, int], Completion],
) -> Iterator[_Pair]:
    value = SCORERS["corrected"].of
    for a, b in zip(one.scores, other.scores, strict=True):
        key = a.case, a.repeat
        same = _said(ours.get(key)) == _said(theirs.get(key))
        yield _Pair(a.ability, a.format, same, value(a), value(b))


def _said(completion: Completion | None) -> tuple[str, str] | None:
    return None if completion is None else (completion.text, completion.finish)


def _rows(pairs: Sequence[_Pair]) -> Iterator[NoiseRow]:
    for ability in ABILITIES:
        own = [pair for pair in pairs if pair.ability == ability]
        for form in FORMATS:
            some = [pair for pair in own if pair.format == form]
            if some:
                yield _row(ability, form, some)
        if own:
            yield _row(ability, BOTH, own)
    yield _row("overall", "", pairs)


def _row(ability: str, form: str, pairs: Sequence[_Pair]) -> NoiseRow:
    return NoiseRow(
        ability=ability,
        format=form,
        n=len(pairs),
        answers=sum(not pair.same_answer for pair in pairs),
        scores=sum(pair.first != pair.second for pair in pairs),
        first=fmean(pair.first for pair in pairs),
        second=fmean(pair.second for pair in pairs),
        moved=fmean(abs(pair.first - pair.second) for pair in pairs),
    )


def _warnings(one: LoadedRun, other: LoadedRun) -> Iterator[str]:
    if one.summary.signature != other.summary.signature:
        yield (
            f"the runs have other signatures ({one.summary.signature} and "
            f"{other.summary.signature}): the difference is not noise alone"
        )
