from __future__ import annotations

from pathlib import Path

import pytest
from factories import make_path

from teval import api
from teval.errors import ConfigError, DataError, UnknownNameError


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of an oracle that always gets retrieve wrong."""
    place = tmp_path_factory.mktemp("show")
    paths = place / "paths.jsonl"
    paths.write_text(f"{make_path().model_dump_json()}\n", encoding="utf-8")
    settings = [f"data.paths={paths}", f"out={place / 'run'}", "report.floors=false"]
    degraded = ["engine.kind=degraded", "engine.ability=retrieve", "engine.rate=1"]
    return api.run(api.load_config(["smoke"], [*settings, *degraded])).folder


def test_failed_cases_tell_what_was_right_and_what_was_said(folder: Path) -> None:
    shown = api.show_cases(folder, failed=True)
    assert {case.ability for case in shown} == {"retrieve"}
    assert all(case.score < 1 and case.cause and case.why for case in shown)
    text = [case for case in shown if case.format == "string"]
    assert all(case.gold and case.answer and case.gold != case.answer for case in text)


def test_all_cases_are_shown_in_their_order(folder: Path) -> None:
    shown = api.show_cases(folder)
    assert len(shown) > len(api.show_cases(folder, failed=True))
    assert {case.cause for case in shown if case.score == 1} == {None}


def test_filters_narrow_what_is_shown(folder: Path) -> None:
    plans = api.show_cases(folder, ability="plan", form="json")
    assert [(case.ability, case.format) for case in plans] == [("plan", "json")]
    assert len(api.show_cases(folder, limit=3)) == 3


def test_what_is_not_there_is_told(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="retrieve"):
        api.show_cases(folder, ability="retrive")
    with pytest.raises(ConfigError, match="xml"):
        api.show_cases(folder, form="xml")
    with pytest.raises(DataError):
        api.show_cases(tmp_path)
