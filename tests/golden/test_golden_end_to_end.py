"""Both scorers' values of the golden cases, from published files to lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from golden_cases import ENCODERS, Golden, Recorded, cases
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


def name(value: Golden | str) -> str:
    return value if isinstance(value, str) else value.id


def test_each_case_is_one_line(lines: Lines) -> None:
    for found in lines.values():
        assert list(found) == sorted(case.id for case in GOLDEN)
        assert all(0 <= v <= 1 for line in found.values() for v in line.corrected.values())


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize("case", GOLDEN, ids=name)
def test_published_values_are_the_releases(case: Golden, encoder: str, lines: Lines) -> None:
    line, value = lines[encoder][case.id], case.published[encoder]
    theirs = value.metrics or dict.fromkeys(line.published, 0.0)
    crashes = [flag for flag in line.flags if flag.startswith("release_crash")]
    assert crashes == ([f"release_crash:{value.crash}"] if value.crash else [])
    assert line.published.keys() == theirs.keys()
    if value.tie_sensitive:
        assert value.order_optimal is not None
        assert line.published["f1_score"] <= value.order_optimal["f1_score"] + 1e-9
        return
    for metric, expected in theirs.items():
        assert abs(line.published[metric] - expected) <= (2e-4 if metric == "thought" else 1e-6)


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
@pytest.mark.parametrize("case", FAULTS, ids=name)
def test_corrected_values_have_no_fault(case: Golden, encoder: str, lines: Lines) -> None:
    line = lines[encoder][case.id]
    assert case.corrected is not None
    wrong = {m: v for m, v in case.corrected.items() if not holds(line.corrected[m], v)}
    assert not wrong, line


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize("case", GOLDEN, ids=name)
def test_cards_score_as_readers_and_metrics_alone(case: Golden, encoder: str, lines: Lines) -> None:
    line = lines[encoder][case.id]
    alone = corrected(case, RecordedLikeness(encoder))
    if "_" in line.ability:  # a joint reply's line has the mean of three parse rates
        alone["parse_rate"] = line.corrected["parse_rate"]
    assert {metric: line.corrected[metric] for metric in alone} == pytest.approx(alone, abs=1e-12)
