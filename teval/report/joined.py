"""Step runs joined with outcomes: by model, then by task, then by step."""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from teval.abilities import ABILITIES
from teval.errors import DataError
from teval.metrics.agreement import Measured
from teval.metrics.bottleneck import Episode
from teval.metrics.gap import Met
from teval.report.episodes import EpisodeRun
from teval.report.loaded import LoadedRun
from teval.schema import Score

OVERALL = "overall"
SAME = 1e-9
"""A score that misses 1 by less is 1."""

WHOLLY_RIGHT: Mapping[str, Callable[[Score], bool]] = {"instruct": lambda score: score.parsed}
"""When a case counts as right beside a free run, where that is not the full score: there a call
only has to be readable."""
FORMAT = "json"
"""Format of the cases that stand beside a free run, in which calls are written as JSON."""


class Ended(NamedTuple):
    """How one model did end to end."""

    model: str
    value: float
    """Success rate or win rate, in [0, 1]."""
    source: str
    """Folder or file, for messages."""
    episodes: EpisodeRun | None = None


@dataclass(frozen=True)
class Pair:
    """A model of which both are known."""

    name: str
    """In tables and charts."""
    run: LoadedRun
    ended: Ended


class Joined(NamedTuple):
    """Models with both, and what is left over."""

    pairs: tuple[Pair, ...]
    unmatched: tuple[str, ...]
    """One sentence for each run or outcome without its counterpart."""


def model_of(run: LoadedRun) -> str:
    """Return what a run's model is called; the run's own name where it has none."""
    return run.summary.model or run.summary.name


def join(runs: Sequence[LoadedRun], ended: Sequence[Ended]) -> Joined:
    """Return the runs with the outcomes of the same models, in the order of the runs.

    A model goes by its full name or by its last part, in upper or lower case, and by either within
    a label ``run (model)``.

    Args:
        runs: Step runs, one a model.
        ended: Outcomes, one a model.

    Raises:
        DataError: Two runs or two outcomes are of one model, or no model has both.
    """
    found = {place: _match(one, runs) for place, one in enumerate(ended)}
    _refuse_doubles(runs, ended, found)
    pairs = [
        Pair(name=_short(run, runs), run=run, ended=ended[place])
        for number, run in enumerate(runs)
        for place, match in found.items()
        if match == number
    ]
    names = [model_of(run) for run in runs]
    models = [one.model for one in ended]
    lonely = [names[n] for n in range(len(runs)) if n not in found.values()]
    if not pairs:
        raise DataError(
            f"no model has both step scores ({', '.join(names)}) and outcomes "
            f"({', '.join(models)}); both are joined by the model's name, which must be the same"
        )
    return Joined(
        tuple(pairs),
        (
            *(_left_over(n, "outcome", models) for n in lonely),
            *(_left_over(m, "step run", names) for p, m in enumerate(models) if found[p] is None),
        ),
    )


def measured(pair: Pair) -> Measured:
    """Return a model's scores, as far as it was asked for them, and its outcome."""
    values = {ability: pair.run.value(ability) for ability in ABILITIES}
    values[OVERALL] = pair.run.overall
    scores = {name: value.score for name, value in values.items() if value is not None}
    return Measured(pair.name, scores, pair.ended.value)


def episodes(pair: Pair) -> list[Episode]:
    """Return each episode beside the step scores on its task.

    Tasks without step scores are left out, and so are episodes that the engine broke off. Of a step
    that makes several cases the mean counts.
    """
    if pair.ended.episodes is None:
        return []
    values: dict[tuple[str, str], dict[int | None, list[float]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for score in pair.run.scores:
        values[score.path, score.ability][score.step].append(_headline(score))
    paths = {path for path, _ in values}
    return [
        Episode(
            family=outcome.family,
            scores={a: fmean(map(fmean, steps.values())) for a, steps in _asked(values, path)},
            steps={a: len(steps) for a, steps in _asked(values, path)},
            success=outcome.success,
        )
        for outcome in pair.ended.episodes.outcomes
        if (path := outcome.path) in paths and outcome.answered
    ]


def met(pair: Pair) -> Iterator[Met]:
    """Yield each step that a free run met and that was asked by itself as well."""
    if pair.ended.episodes is None:
        return
    forced: dict[tuple[str, int | None, str], list[bool]] = defaultdict(list)
    for score in pair.run.scores:
        if score.format == FORMAT:
            right = WHOLLY_RIGHT.get(score.ability, _is_full)
            forced[score.path, score.step, score.ability].append(right(score))
    for outcome in pair.ended.episodes.outcomes:
        for mark in outcome.marks:
            key = (outcome.path, mark.step, mark.ability)
            if key in forced:
                share = fmean(forced[key])
                yield Met(outcome.family, mark.ability, mark.step, share, mark.right)


def _is_full(score: Score) -> bool:
    return _headline(score) > 1 - SAME


def _headline(score: Score) -> float:
    return score.corrected[ABILITIES[score.ability].headline]


_Steps = Mapping[int | None, list[float]]


def _asked(values: Mapping[tuple[str, str], _Steps], path: str) -> Iterator[tuple[str, _Steps]]:
    yield from ((a, values[path, a]) for a in ABILITIES if (path, a) in values)


def _match(one: Ended, runs: Sequence[LoadedRun]) -> int | None:
    """Return the place of the one run of a model, None where there is none."""
    names = [model_of(run) for run in runs]
    same = [place for place, name in enumerate(names) if name.casefold() == one.model.casefold()]
    near = [place for place, name in enumerate(names) if _aliases(name) & _aliases(one.model)]
    found = same or near
    if len(found) > 1:
        raise DataError(
            f"{one.source}: model {one.model!r} may be that of {len(found)} step runs "
            f"({', '.join(runs[place].label for place in found)}); name one run a model"
        )
    return found[0] if found else None


def _aliases(name: str) -> set[str]:
    """Return the names that a model goes by."""
    label = re.fullmatch(r"[^()]*\((.*)\)", name)
    full = [name, *([label[1]] if label else [])]
    return {alias.strip().casefold() for one in full for alias in (one, Path(one).name)} - {""}


def _refuse_doubles(
    runs: Sequence[LoadedRun], ended: Sequence[Ended], found: Mapping[int, int | None]
) -> None:
    for number, run in enumerate(runs):
        sources = [ended[place].source for place, match in found.items() if match == number]
        if len(sources) > 1:
            raise DataError(
                f"{' and '.join(dict.fromkeys(sources))}: {len(sources)} outcomes of model "
                f"{model_of(run)!r}; give one a model"
            )


def _short(run: LoadedRun, runs: Sequence[LoadedRun]) -> str:
    """Return the last part of a model's name, or all of it where models share that."""
    names = [Path(model_of(one)).name for one in runs]
    name = Path(model_of(run)).name
    return " ".join((name if names.count(name) == 1 else model_of(run)).split())


def _left_over(name: str, lacks: str, others: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(others), n=1, cutoff=0)
    return f"{name} has no {lacks} and is left out; the nearest name there is {near[0]}"
