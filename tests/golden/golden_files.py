"""Golden cases as published files, scored the way ``teval score --from-teval`` scores them."""

from __future__ import annotations

import json
from pathlib import Path

from golden_cases import SCORERS, Golden, cases

from teval.abilities import adopt_records
from teval.api.teval_files import CaseLine, case_lines, read_predictions
from teval.run.score import score_readings
from teval.schema import Json, Likeness
from teval.sources.teval_files import read_records


def write_files(folder: Path) -> None:
    """Write all golden cases into a folder, one published file for each of the golden ones."""
    golden = list(cases())
    for file in SCORERS:
        records = {case.id: _as_record(case) for case in golden if case.file == file}
        (folder / f"{file}.json").write_text(json.dumps(records), encoding="utf-8")


def _as_record(case: Golden) -> dict[str, Json]:
    kept = {"prediction", "ground_truth", "template", "meta", "meta_data"}
    record: dict[str, Json] = case.model_dump(mode="json", include=kept)
    return {key: value for key, value in record.items() if key != "meta" or value is not None}


def score_files(folder: Path, likeness: Likeness) -> dict[str, CaseLine]:
    """Return the line of each record in a folder of published files, by id."""
    records = read_records(str(folder))
    readings = read_predictions(records, list(adopt_records(records)))
    scores = score_readings(readings, likeness)
    return {line.id: line for line in case_lines(records, scores)}
