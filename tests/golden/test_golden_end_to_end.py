"""Both scorers' values of the golden cases, from published files to lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from golden_cases import ENCODERS, FILES, Golden, Recorded, Value, cases
from golden_corrected import corrected
from golden_files import score_files, write_files

from teval.api.teval_files import CaseLine

GOLDEN = list(cases())
Lines = Mapping[str, Mapping[str, CaseLine]]
"""Lines by encoder and id."""


RECORDED = {encoder: Recorded(encoder) for encoder in ENCODERS}


class RecordedLikeness:
    """The recorded cosines as what judges the likeness of texts."""

    def __init__(self, encoder: str) -> None:
        self._recorded = RECORDED[encoder]

    def __call__(self, a: str, b: str) -> float:
        return self._recorded.likeness(a, b)

    def cosine(self, a: str, b: str) -> float:
        return self._recorded(a, b)

    def prepare(self, pairs: Iterable[tuple[str, str]]) -> None:
        pass


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Lines:
    folder: Path = tmp_path_factory.mktemp("published")
    write_files(folder)
    return {encoder: score_files(folder, RecordedLikeness(encoder)) for encoder in ENCODERS}


def test_each_case_is_one_line(lines: Lines) -> None:
    for found in lines.values():
        assert list(found) == sorted(case.id for case in GOLDEN)
        assert all(0 <= v <= 1 for line in found.values() for v in line.corrected.values())


def of(file: str) -> list[Golden]:
    return [case for case in GOLDEN if case.file == file]


def is_the_releases(line: CaseLine, value: Value) -> bool:
    """Whether published values, and the crashes that are told, are those of the released code."""
    theirs = value.metrics or dict.fromkeys(line.published, 0.0)
    crashes = [flag for flag in line.flags if flag.startswith("release_crash")]
    if crashes != ([f"release_crash:{value.crash}"] if value.crash else []):
        return False
    if line.published.keys() != theirs.keys():
        return False
    if value.tie_sensitive:
        assert value.order_optimal is not None
        return line.published["f1_score"] <= value.order_optimal["f1_score"] + 1e-9
    return all(
        abs(line.published[metric] - expected) <= (2e-4 if metric == "thought" else 1e-6)
        for metric, expected in theirs.items()
    )


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize("file", FILES)
def test_published_values_are_the_releases(file: str, encoder: str, lines: Lines) -> None:
    found = [(lines[encoder][case.id], case.published[encoder]) for case in of(file)]
    assert [pair for pair in found if not is_the_releases(*pair)] == []


def holds(value: float, expected: float | str) -> bool:
    """Whether a value is the golden one, or within its bound: ``>0``, ``<0.9``, ``=any``."""
    if not isinstance(expected, str):
        return abs(value - expected) <= 1e-6
    sign, bound = expected[0], expected[1:]
    return sign == "=" or (value > float(bound) if sign == ">" else value < float(bound))


TWO_MENTIONS = "retrieve_str_051"
"""Without a list of tools ``weather.Then`` is one, so that the answer names two."""
FAULTS = [case for case in GOLDEN if case.corrected is not None and case.id != TWO_MENTIONS]


@pytest.mark.parametrize("encoder", ENCODERS)
def test_corrected_values_have_no_fault(encoder: str, lines: Lines) -> None:
    found = [(lines[encoder][case.id], case.corrected or {}) for case in FAULTS]
    wrong = [
        (line, expected)
        for line, expected in found
        if not all(holds(line.corrected[metric], value) for metric, value in expected.items())
    ]
    assert wrong == []


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize("file", FILES)
def test_cards_score_as_readers_and_metrics_alone(file: str, encoder: str, lines: Lines) -> None:
    for case in of(file):
        line = lines[encoder][case.id]
        alone = corrected(case, RecordedLikeness(encoder))
        if "_" in line.ability:  # a joint reply's line has the mean of three parse rates
            alone["parse_rate"] = line.corrected["parse_rate"]
        scores = {metric: line.corrected[metric] for metric in alone}
        assert scores == pytest.approx(alone, abs=1e-12), case.id
