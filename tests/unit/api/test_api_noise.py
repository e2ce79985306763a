"""What differs between two runs of the same cases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from factories import make_path

from teval import api
from teval.errors import DataError
from teval.report.noise import noise_grid, write_noise
from teval.schema import Noise


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders: the oracle twice, one that spoils plans, and one of fewer cases."""
    place = tmp_path_factory.mktemp("noise")
    paths = [make_path(f"{family}_0", family) for family in ("trip", "walk")]
    text = "".join(f"{path.model_dump_json()}\n" for path in paths)
    (place / "paths.jsonl").write_text(text, encoding="utf-8")
    spoilt = ["engine.kind=degraded", "engine.ability=plan", "engine.rate=1"]
    wanted = {"first": [], "second": [], "spoilt": spoilt, "fewer": ["cases.formats=[json]"]}
    for name, more in wanted.items():
        given = [f"data.paths={place / 'paths.jsonl'}", f"out={place / name}", *more]
        api.run(api.load_config(["smoke"], [*given, "report.floors=false"]))
    return place


@pytest.fixture(scope="module")
def quiet(runs: Path) -> Noise:
    return api.measure_noise(runs / "first", runs / "second")


@pytest.fixture(scope="module")
def loud(runs: Path) -> Noise:
    return api.measure_noise(runs / "first", runs / "spoilt")


def test_the_same_answers_make_no_noise(quiet: Noise) -> None:
    assert {(row.answers, row.scores, row.moved) for row in quiet.rows} == {(0, 0, 0.0)}
    assert quiet.total.n == sum(row.n for row in quiet.rows if row.format == "both")
    assert quiet.warnings == ()
    assert not quiet.deterministic


def test_what_differs_is_counted_where_it_differs(loud: Noise) -> None:
    differing = {(row.ability, row.format): row for row in loud.rows if row.answers}
    assert list(differing) == [
        ("plan", "json"),
        ("plan", "string"),
        ("plan", "both"),
        ("overall", ""),
    ]
    plan, total = differing["plan", "both"], loud.total
    assert plan.answers == plan.scores == plan.n == total.answers == total.scores
    assert plan.moved == pytest.approx(plan.first - plan.second)
    assert total.moved == pytest.approx(plan.moved * plan.n / total.n)


def test_other_settings_are_told_apart_from_noise(loud: Noise) -> None:
    (warning,) = loud.warnings
    assert "other signatures" in warning


def test_other_cases_are_refused(runs: Path) -> None:
    with pytest.raises(DataError, match="different cases"):
        api.measure_noise(runs / "first", runs / "fewer")


def test_the_table_says_it_in_words(quiet: Noise, loud: Noise) -> None:
    assert noise_grid(quiet).findings == (
        f"All {quiet.total.n} answers are the same in both runs.",
    )
    (found,) = noise_grid(loud).findings
    assert found.startswith(f"{loud.total.answers} of {loud.total.n} answers differ")
    assert len(noise_grid(loud).header) == len(noise_grid(loud).rows[0])


def test_the_files_hold_the_numbers(loud: Noise, tmp_path: Path) -> None:
    table, numbers = write_noise(loud, tmp_path)
    assert "| plan | json |" in table.read_text(encoding="utf-8")
    assert Noise.model_validate(json.loads(numbers.read_text(encoding="utf-8"))) == loud
