"""Runs with native calls beside the two formats, and runs whose JSON is held to a schema."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories import make_path

from teval import api
from teval.abilities import ABILITIES
from teval.engines import ScriptedEngine
from teval.errors import ConfigError
from teval.report import load_runs
from teval.report.grid import to_markdown
from teval.report.table import BESIDE, comparison, details
from teval.run.store import RunFolder
from teval.schema import Cell, Summary

ALL = "cases.formats=[json,string,tools]"
NATIVE = ("instruct", "retrieve", "understand")


class HoldingEngine(ScriptedEngine):
    """Says that it can hold answers to a schema."""

    HOLDS_TO_SCHEMA = True

    def __init__(self) -> None:
        super().__init__(answers={}, kind="holding")


@pytest.fixture
def settings(tmp_path: Path) -> list[str]:
    paths = [make_path(f"{family}_0", family) for family in ("trip", "walk")]
    file = tmp_path / "paths.jsonl"
    file.write_text("".join(f"{p.model_dump_json()}\n" for p in paths), encoding="utf-8")
    return [f"data.paths={file}"]


def run(settings: list[str], folder: Path, *more: str) -> Summary:
    return api.run(api.load_config(["smoke"], [*settings, f"out={folder}", *more])).summary


def native(summary: Summary) -> dict[str, Cell]:
    return {name: found["tools"] for name, found in summary.corrected.beside.items()}


@pytest.mark.parametrize(("kind", "score"), [("oracle", 1.0), ("silent", 0.0)])
def test_the_oracle_gets_all_points_and_silence_none(
    settings: list[str], tmp_path: Path, kind: str, score: float
) -> None:
    summary = run(settings, tmp_path / "run", ALL, f"engine.kind={kind}")
    assert {name: cell.score for name, cell in native(summary).items()} == dict.fromkeys(
        NATIVE, score
    )
    assert native(summary)["retrieve"].n == 2 * 6
    assert native(summary)["understand"].n == native(summary)["instruct"].n == 2 * 5


@pytest.mark.parametrize("kind", ["oracle", "silent"])
def test_native_calls_enter_no_number_of_the_two_formats(
    settings: list[str], tmp_path: Path, kind: str
) -> None:
    """A recorded run, so that the native answers are unlike the others."""
    other = {"oracle": "silent", "silent": "oracle"}[kind]
    plain = run(settings, tmp_path / "plain", f"engine.kind={kind}")
    native_only = tmp_path / "native"
    run(settings, native_only, f"engine.kind={other}", "cases.formats=[tools]")
    both = tmp_path / "both.jsonl"
    files = [RunFolder(tmp_path / "plain"), RunFolder(native_only)]
    both.write_bytes(b"".join((f.path / "completions.jsonl").read_bytes() for f in files))
    summary = run(settings, tmp_path / "both", ALL, "engine.kind=recorded", f"engine.file={both}")
    assert summary.corrected.model_copy(update={"beside": {}}) == plain.corrected
    assert summary.published == plain.published
    assert {cell.score for cell in native(summary).values()} == {float(other == "oracle")}


def test_native_calls_have_no_published_value(settings: list[str], tmp_path: Path) -> None:
    summary = run(settings, tmp_path / "run", ALL)
    assert summary.published is not None
    assert summary.published.beside == {}
    scores = RunFolder(tmp_path / "run").scores()
    assert all((s.published is None) == (s.format == "tools") for s in scores)


def test_native_calls_alone_make_a_run_without_an_overall_score(
    settings: list[str], tmp_path: Path
) -> None:
    summary = run(settings, tmp_path / "run", "cases.formats=[tools]")
    assert summary.corrected.overall is None
    assert summary.corrected.n == 0
    assert summary.published is None
    assert set(native(summary)) == set(NATIVE)
    api.report([tmp_path / "run"], tmp_path / "report")
    text = (tmp_path / "report" / "report.md").read_text(encoding="utf-8")
    assert "| retrieve | tools | 100.0 |" in text
    dots = (tmp_path / "report" / "dots.svg").stat()
    assert dots.st_size > 0


def test_the_default_asks_none_and_is_called_as_ever(settings: list[str], tmp_path: Path) -> None:
    plain = api.load_config(["smoke"], settings)
    with_them = api.load_config(["smoke"], [*settings, ALL])
    cases = api.slice_cases(plain)
    assert all(case.format != "tools" for case in cases)
    assert [c for c in api.slice_cases(with_them) if c.format != "tools"] == cases


def test_the_signature_tells_of_them_apart(settings: list[str], tmp_path: Path) -> None:
    plain = run(settings, tmp_path / "plain").signature.split("|")
    both = run(settings, tmp_path / "both", ALL).signature.split("|")
    (native,) = (part for part in both if part not in plain and not part.startswith("engine:"))
    assert native.startswith("native:")
    assert [p.split(":")[0] for p in both if p != native] == [p.split(":")[0] for p in plain]


def test_tables_show_them_apart(settings: list[str], tmp_path: Path) -> None:
    run(settings, tmp_path / "a", ALL, "name=a")
    run(settings, tmp_path / "b", "name=b")
    runs = load_runs([tmp_path / "a", tmp_path / "b"])
    table = comparison(runs)
    beside = [f"{name} (tools)" for name in NATIVE]
    assert [row[0] for row in table.rows] == [*ABILITIES, "overall", "micro", *beside]
    assert table.strong == {6}
    assert table.rows[-1][2] == "–"
    assert table.notes == (BESIDE,)
    text = to_markdown(details(runs[0]))
    assert "| retrieve | tools | 100.0 |" in text
    assert BESIDE in text
    assert BESIDE not in to_markdown(details(runs[1]))


def test_compare_tells_of_them_outside_the_means(settings: list[str], tmp_path: Path) -> None:
    run(settings, tmp_path / "a", ALL, "name=a")
    run(settings, tmp_path / "b", ALL, "name=b", "engine.kind=silent")
    found = api.compare(tmp_path / "a", tmp_path / "b")
    rows = {(row.ability, row.format): row for row in found.rows}
    assert rows["retrieve", "tools"].delta == -1
    assert rows["retrieve", "tools"].p_holm is None
    assert rows["overall", ""].delta == -1
    published = api.compare(tmp_path / "a", tmp_path / "b", "published")
    assert all(row.format != "tools" for row in published.rows)


def test_the_release_s_layout_leaves_them_out(settings: list[str], tmp_path: Path) -> None:
    run(settings, tmp_path / "a", ALL)
    run(settings, tmp_path / "b")
    files = [api.export_teval(tmp_path / name, tmp_path / f"out_{name}") for name in "ab"]
    assert [f.read_text() for f in files[0]] == [f.read_text() for f in files[1]]


def test_an_engine_that_can_not_hold_to_a_schema_says_so(
    settings: list[str], tmp_path: Path
) -> None:
    for kind in ("transformers", "oracle", "api_engines:WideEngine"):
        with pytest.raises(ConfigError, match=r"engine\.constrained.*engine\.kind=vllm"):
            run(settings, tmp_path / "run", "engine.constrained=true", f"engine.kind={kind}")
        assert not (tmp_path / "run").exists()


def test_free_runs_are_never_held_to_a_schema(settings: list[str]) -> None:
    held = ["engine.constrained=true", f"engine.kind={__name__}:HoldingEngine"]
    with pytest.raises(ConfigError, match="step cases only"):
        api.e2e(api.load_config(["smoke"], [*settings, *held]))


def test_answers_held_to_a_schema_are_named_wherever_they_are_told(
    settings: list[str], tmp_path: Path
) -> None:
    engine = f"engine.kind={__name__}:HoldingEngine"
    free = run(settings, tmp_path / "free", engine)
    held = run(settings, tmp_path / "held", engine, "engine.constrained=true")
    assert held.model.endswith("(constrained JSON)")
    assert "|constrained:json|" in held.signature
    assert any("held to a schema" in warning for warning in held.warnings)
    assert "constrained" not in free.signature + free.model + " ".join(free.warnings)
    found = api.compare(tmp_path / "free", tmp_path / "held")
    assert found.n == free.corrected.n
    assert "constrained (none / json)" in found.warnings[0]


def test_free_answers_are_never_taken_for_held_ones(settings: list[str], tmp_path: Path) -> None:
    engine = f"engine.kind={__name__}:HoldingEngine"
    run(settings, tmp_path / "run", engine)
    with pytest.raises(ConfigError, match="constrained"):
        run(settings, tmp_path / "run", engine, "engine.constrained=true")
    run(settings, tmp_path / "held", engine, "engine.constrained=true")
    keys = [set(RunFolder(tmp_path / name).completions()) for name in ("run", "held")]
    cases = RunFolder(tmp_path / "held").cases()
    strings = {case.prompt for case in cases if case.constraint is None}
    assert len(keys[0] & keys[1]) == len(strings)
    assert all(case.constraint is not None for case in cases if case.format == "json")


def test_an_answer_held_to_a_schema_has_no_place_for_a_thought(
    settings: list[str], tmp_path: Path
) -> None:
    held = ["engine.constrained=true", f"engine.kind={__name__}:HoldingEngine"]
    with pytest.raises(ConfigError, match=r"no place for a thought.*engine\.thinking=off"):
        run(settings, tmp_path / "run", *held, "engine.thinking=on")
    assert not (tmp_path / "run").exists()
