"""Golden cases as published files, scored the way ``teval score --from-teval`` scores them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import pytest
from golden_cases import ENCODERS, SCORERS, Golden, Recorded, cases

from teval.abilities import adopt_records
from teval.api.teval_files import CaseLine, case_lines, score_records
from teval.schema import Json
from teval.sources.teval_files import read_records

GOLDEN = {case.id: case for case in cases()}
BOUNDS = {"=any": lambda _: True, ">0": lambda value: value > 0, "<1": lambda value: value < 1}


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


def as_record(case: Golden) -> dict[str, Json]:
    """A golden case as a record of a published file."""
    kept = {"prediction", "ground_truth", "template", "meta", "meta_data"}
    record: dict[str, Json] = case.model_dump(mode="json", include=kept, exclude_none=False)
    return {key: value for key, value in record.items() if key != "meta" or value is not None}


@cache
def lines(encoder: str, folder: Path) -> dict[str, CaseLine]:
    """All golden cases, written as published files and scored."""
    for file in SCORERS:
        records = {case.id: as_record(case) for case in GOLDEN.values() if case.file == file}
        (folder / f"{file}.json").write_text(json.dumps(records), encoding="utf-8")
    read = read_records(str(folder))
    scores = score_records(read, list(adopt_records(read)), RecordedLikeness(encoder))
    return {line.id: line for line in case_lines(read, scores)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("published")


@pytest.mark.parametrize("encoder", ENCODERS)
def test_each_case_is_one_line(encoder: str, folder: Path) -> None:
    found = lines(encoder, folder)
    assert found.keys() == GOLDEN.keys()
    assert all(0 <= v <= 1 for line in found.values() for v in line.corrected.values())


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize("name", GOLDEN)
def test_published_values_are_the_releases(name: str, encoder: str, folder: Path) -> None:
    line, value = lines(encoder, folder)[name], GOLDEN[name].published[encoder]
    theirs = value.metrics or dict.fromkeys(line.published, 0.0)
    best = value.order_optimal or {}
    assert line.published.keys() == theirs.keys()
    assert [f for f in line.flags if f.startswith("release_crash")] == (
        [f"release_crash:{value.crash}"] if value.crash else []
    )
    for metric, expected in theirs.items():
        within = 2e-4 if metric == "thought" else 1e-6
        near = (expected, best.get(metric, expected))
        assert min(abs(line.published[metric] - v) for v in near) <= within, metric


CORRECTED = [case for case in GOLDEN.values() if case.corrected is not None]


def holds(value: float, expected: float | str) -> bool:
    """Whether a value is the golden one, or within its bound."""
    if isinstance(expected, str) and expected not in BOUNDS:
        return value < float(expected.removeprefix("<"))
    return (
        BOUNDS[expected](value) if isinstance(expected, str) else abs(value - expected) <= 1e-6
    )


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize("case", CORRECTED, ids=lambda case: case.id)
def test_corrected_values_have_no_fault(case: Golden, encoder: str, folder: Path) -> None:
    line = lines(encoder, folder)[case.id]
    assert case.corrected is not None
    for metric, expected in case.corrected.items():
        assert holds(line.corrected[metric], expected), (metric, line)
