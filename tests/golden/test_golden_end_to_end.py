"""Both scorers' values of the golden cases, from published files to lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from golden_cases import ENCODERS, Golden, Recorded, cases
from golden_files import score_files, write_files

from teval.api.teval_files import CaseLine

GOLDEN = list(cases())
Lines = Mapping[str, Mapping[str, CaseLine]]
"""Lines by encoder and id."""


class RecordedLikeness:
    """The recorded cosines as what judges the likeness of texts."""

    def __init__(self, encoder: str) -> None:
        self._recorded = Recorded(encoder)

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


FAULTS = [case for case in GOLDEN if case.corrected is not None]
READ_OTHERWISE = {
    "plan_json_014": "a trailing comma is repaired",
    "plan_json_018": "of two plans the last one counts",
    "plan_json_019": "a plan that was cut off is read as far as it goes",
    "plan_json_043": "a finish counts nowhere, not even at the beginning",
    "plan_json_085": "the same",
    "plan_json_099": "a name that is no text is no name",
    "plan_json_108": "one call without a list around it is a plan of one call",
    "plan_str_086": "all mentions count, those before the plan too",
}
"""Sound plans that the corrected reader reads in another way than the released code."""
SOUND_PLANS = [
    case
    for case in GOLDEN
    if case.meta is not None and case.corrected is None and case.id not in READ_OTHERWISE
]


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize("case", FAULTS, ids=name)
def test_corrected_values_have_no_fault(case: Golden, encoder: str, lines: Lines) -> None:
    line = lines[encoder][case.id]
    assert case.corrected is not None
    wrong = {m: v for m, v in case.corrected.items() if not holds(line.corrected[m], v)}
    assert not wrong, line


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize("case", SOUND_PLANS, ids=name)
def test_plans_without_a_fault_score_as_the_paper_says(
    case: Golden, encoder: str, lines: Lines
) -> None:
    value = case.published[f"{encoder}.t07"]
    expected = value.order_optimal if value.tie_sensitive else value.metrics
    line = lines[encoder][case.id]
    assert expected is not None
    assert abs(line.corrected["f1_score"] - expected["f1_score"]) <= 1e-6, (line, expected)
