"""Scores counted up by cell and family: what a run's summary and a comparison of two start from."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teval.abilities import ABILITIES
from teval.metrics import published as release
from teval.metrics.stats import score_of
from teval.run.record_file import RecordFile
from teval.schema import Score

FEW = 20_000
"""Scores that are kept in memory although they lie on disk."""

FORMATS = ("json", "string")
"""Formats that an ability's score is the mean of."""

BESIDE = ("tools",)
"""Formats that stand beside these and enter no mean."""

Key = tuple[str, str]
"""Ability and format."""

Groups = Mapping[Key, Sequence[Score]]
"""Scores by cell."""


class Scorer(NamedTuple):
    """Whose values of a score are summed up, and how."""

    metrics: Callable[[Score], Mapping[str, float]]
    headline: Callable[[str, str, Mapping[str, float]], float]
    """An ability's score in one format, out of its metrics."""
    mean: Callable[[Sequence[float], str], float]
    """Of one metric of an ability."""
    parsed: Callable[[Score], bool]
    formats: Callable[[str, Iterable[str]], list[str]]
    """Those of an ability's formats that its score is the mean of."""

    def of(self, score: Score) -> float:
        """Return the value of one answer."""
        return self.headline(score.ability, score.format, self.metrics(score))

    def by_case(self, scores: Iterable[Score]) -> dict[str, float]:
        """Return the value of each case, the mean over its repeats."""
        values: dict[str, list[float]] = defaultdict(list)
        for score in scores:
            values[score.case].append(self.of(score))
        return {case: fmean(found) for case, found in values.items()}


def _is_parsed_by_release(score: Score) -> bool:
    """Whether the released code could read an answer; instruct has a name of its own for it."""
    found = score.published or {}
    return bool(found.get("parse_rate", found.get(f"{score.format}_format_metric", 0.0)))


SCORERS = {
    "corrected": Scorer(
        metrics=lambda score: score.corrected,
        headline=lambda ability, _, metrics: metrics[ABILITIES[ability].headline],
        mean=lambda values, _: fmean(values),
        parsed=lambda score: score.parsed,
        formats=lambda _, formats: list(formats),
    ),
    "published": Scorer(
        metrics=lambda score: score.published or {},
        headline=release.headline,
        mean=release.mean,
        parsed=_is_parsed_by_release,
        formats=release.counted,
    ),
}


class Cells(NamedTuple):
    """Sums of values and numbers of cases, arrays of shape ``(cells, families)``."""

    keys: list[Key]
    """The cells, row by row."""
    sums: NDArray[np.float64]
    counts: NDArray[np.float64]

    def places(self, groups: Sequence[Sequence[Key]]) -> list[list[int]]:
        """Return the rows of groups of cells."""
        return [[self.keys.index(key) for key in group] for group in groups]

    def score(self, groups: Sequence[Sequence[Key]]) -> float:
        """Return the mean over groups of the means within each group."""
        means = self.sums.sum(axis=1) / self.counts.sum(axis=1)
        return float(score_of(means[np.newaxis], self.places(groups))[0])


def by_cell(scores: Iterable[Score], few: int = FEW) -> Groups:
    """Return the scores of each cell, cells in the order in which they first come.

    Those that lie on disk are read cell by cell, whenever they are asked for, if there are more
    than a few.
    """
    if isinstance(scores, RecordFile):
        return _StoredGroups(scores, few)
    groups: dict[Key, list[Score]] = defaultdict(list)
    for score in scores:
        groups[score.ability, score.format].append(score)
    return dict(groups)


class _StoredGroups(Groups):
    """Scores by cell, of which only the places are kept, and the scores where they are few."""

    def __init__(self, file: RecordFile[Score], few: int) -> None:
        self._file = file
        self._places: dict[Key, array[int]] = {}
        for place, score in file.placed():
            key = score.ability, score.format
            self._places.setdefault(key, array("q")).append(place)
        number = sum(map(len, self._places.values()))
        self._kept = {key: self._read(key) for key in self._places if number <= few}

    def __getitem__(self, key: Key) -> Sequence[Score]:
        return self._kept[key] if key in self._kept else self._read(key)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def _read(self, key: Key) -> list[Score]:
        return [self._file.at(place) for place in self._places[key]]


def only(groups: Groups, forms: Collection[str]) -> Groups:
    """Return the cells in some of the formats, each read no sooner than ``groups`` reads it."""
    return _SomeGroups(groups, [key for key in groups if key[1] in forms])


class _SomeGroups(Groups):
    """Some of the cells of others."""

    def __init__(self, groups: Groups, keys: Sequence[Key]) -> None:
        self._groups = groups
        self._keys = keys

    def __getitem__(self, key: Key) -> Sequence[Score]:
        if key not in self._keys:
            raise KeyError(key)
        return self._groups[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


def count_up(groups: Groups, scorer: Scorer) -> Cells:
    """Return sums and numbers of cases by cell and family, families in the order of their names.

    Of a case that was asked several times, the mean counts.
    """
    names = sorted({score.family for group in groups.values() for score in group})
    families = {name: place for place, name in enumerate(names)}
    sums = np.zeros((len(groups), len(families)))
    counts = np.zeros_like(sums)
    for row, group in enumerate(groups.values()):
        family = {score.case: families[score.family] for score in group}
        for case, value in scorer.by_case(group).items():
            sums[row, family[case]] += value
            counts[row, family[case]] += 1
    return Cells(list(groups), sums, counts)


def groups_of(keys: Iterable[Key], scorer: Scorer) -> dict[str, list[Key]]:
    """Return the cells that each ability's score is the mean of, in the order of the abilities.

    Args:
        keys: The cells that were asked.
        scorer: Whose rules hold.
    """
    asked = set(keys)
    found = {name: [form for form in FORMATS if (name, form) in asked] for name in ABILITIES}
    return {
        name: [(name, form) for form in scorer.formats(name, forms)]
        for name, forms in found.items()
        if forms
    }
