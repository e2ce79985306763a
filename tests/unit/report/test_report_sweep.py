from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from report_examples import make_cell, make_scores, make_summary, store_run
from rich.console import Console

from teval.report.grid import to_markdown
from teval.report.sweep import sweep_table, sweep_to_csv, sweep_to_screen, write_sweep
from teval.report.table import BESIDE
from teval.schema import Sweep, SweptModel

VALUES = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4)
TEXTS = ["sweep.md", "sweep.csv", "sweep.json"]
CHARTS = ["radar.png", "radar.svg", "dots.png", "dots.svg"]


def done(place: Path, label: str, shift: float = 0.0, changed: tuple[str, ...] = ()) -> SweptModel:
    """A model whose scores are so much below the usual ones, with its run stored."""
    scores = make_scores()
    values = [value - shift for value in VALUES]
    summary = make_summary(values, scores, model=label, warnings=("many were cut off",))
    folder = store_run(place / label.replace("/", "_"), summary, scores)
    return SweptModel(
        label=label,
        model=label,
        state="done",
        changed=changed,
        folder=str(folder),
        log=f"{folder}.log",
        summary=summary,
    )


def failed(label: str, why: str = "killed by SIGKILL") -> SweptModel:
    return SweptModel(
        label=label, model=label, state="failed", why=why, folder=f"x/{label}", log=f"x/{label}.log"
    )


def test_models_are_rows_and_a_failed_one_is_no_gap(tmp_path: Path) -> None:
    models = (done(tmp_path, "one", 0.1), failed("two"), done(tmp_path, "three"))
    table = sweep_table(Sweep(name="s", models=models))
    assert table.title == "Sweep s: 2 of 3 models have scores"
    assert table.header[:4] == ("no.", "model", "overall", "instruct")
    assert table.rows == (
        ("1", "one", "55.0", "80.0", "70.0", "60.0", "50.0", "40.0", "30.0"),
        ("2", "two", "failed", *["–"] * 6),
        ("3", "three", "65.0", "90.0", "80.0", "70.0", "60.0", "50.0", "40.0"),
    )
    assert "2 two failed: killed by SIGKILL. Log: x/two.log" in table.notes
    assert "1 one: Warning: many were cut off" in table.notes
    assert table.findings[0].startswith("Highest overall score: three, 65.0 (63.0–67.0).")


def test_smaller_settings_and_left_over_requests_are_told(tmp_path: Path) -> None:
    small = done(tmp_path, "small", changed=("batch_size 8 instead of 16",))
    broken = done(tmp_path, "broken").model_copy(
        update={"state": "left_over", "why": "2 of 18 requests are left over"}
    )
    text = " ".join(sweep_table(Sweep(name="s", models=(small, broken))).notes)
    assert "1 small ran short of memory and was tried again with batch_size 8 instead of" in text
    assert "2 broken left requests over: 2 of 18 requests are left over. Log: " in text


def test_incomplete_runs_and_other_cases_are_marked(tmp_path: Path) -> None:
    one, two = done(tmp_path, "one"), done(tmp_path, "two")
    assert one.summary is not None
    assert two.summary is not None
    partial = one.summary.corrected.model_copy(update={"complete": False})
    one = one.model_copy(
        update={
            "summary": one.summary.model_copy(
                update={"corrected": partial, "signature": "data:a|cases:1"}
            )
        }
    )
    two = two.model_copy(
        update={"summary": two.summary.model_copy(update={"signature": "data:a|cases:2"})}
    )
    table = sweep_table(Sweep(name="s", models=(one, two)))
    assert [row[2] for row in table.rows] == ["65.0*", "65.0"]
    assert any(note.startswith("* Mean of what was asked") for note in table.notes)
    assert any("can't be compared" in note for note in table.notes)


def test_the_csv_holds_intervals_and_why(tmp_path: Path) -> None:
    sweep = Sweep(name="s", models=(done(tmp_path, "one"), failed("two", "no, it's |odd|")))
    one, two = csv.DictReader(io.StringIO(sweep_to_csv(sweep)))
    assert (one["overall_score"], one["overall_low"], one["overall_high"]) == (
        *("65.0", "63.0", "67.0"),
    )
    assert (one["plan_score"], one["plan_low"], one["plan_high"]) == ("80.0", "77.5", "82.5")
    assert (one["no"], one["state"], one["n"], one["complete"]) == ("1", "done", "24", "True")
    assert (two["state"], two["why"]) == ("failed", "no, it's |odd|")
    assert {two[key] for key in two if key.endswith(("_score", "_low", "_high"))} == {""}
    assert None not in one  # no cell stands beyond the header
    assert None not in two.values()


def test_long_names_leave_room_for_the_numbers_on_a_terminal(tmp_path: Path) -> None:
    label = "a-finetuned-checkpoint-of-a-small-model-lora-r64-step-12000-merged"
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(sweep_to_screen(Sweep(name="s", models=(done(tmp_path, label), failed("two")))))
    lines = console.export_text().splitlines()
    (row,) = [line for line in lines if line.startswith("1  ")]
    assert row.split()[2:] == ["65.0", "90.0", "80.0", "70.0", "60.0", "50.0", "40.0"]


@pytest.mark.parametrize("count", [1, 4, 5])
def test_all_files_are_written_whatever_the_count(tmp_path: Path, count: int) -> None:
    models = (*(done(tmp_path, f"m/{i}", i / 20) for i in range(count)), failed("broken <b>"))
    sweep = Sweep(name="s", models=models)
    files = write_sweep(sweep, tmp_path / "out")
    assert [file.name for file in files] == [*TEXTS, *CHARTS]
    text = (tmp_path / "out" / "sweep.md").read_text(encoding="utf-8")
    assert "](radar.svg)" in text
    assert to_markdown(sweep_table(sweep)) in text
    assert "<b>" not in text.replace("\\<b\\>", "")
    stored = json.loads((tmp_path / "out" / "sweep.json").read_text(encoding="utf-8"))
    assert Sweep.model_validate(stored) == sweep


def test_without_any_scores_there_are_no_charts(tmp_path: Path) -> None:
    files = write_sweep(Sweep(name="s", models=(failed("one"),)), tmp_path)
    assert [file.name for file in files] == TEXTS
    text = (tmp_path / "sweep.md").read_text(encoding="utf-8")
    assert text.startswith("# No model has scores\n")
    assert "1 one failed: killed by SIGKILL." in text
    assert "radar" not in text


def test_scores_that_enter_no_mean_have_columns_at_the_end(tmp_path: Path) -> None:
    plain, other = done(tmp_path, "plain"), done(tmp_path, "native")
    assert other.summary is not None
    beside = {"retrieve": {"tools": make_cell(0.3, make_scores()[:2])}}
    corrected = other.summary.corrected.model_copy(update={"beside": beside})
    summary = other.summary.model_copy(update={"corrected": corrected})
    native = other.model_copy(update={"summary": summary})
    sweep = Sweep(name="s", models=(plain, native, failed("gone")))
    table = sweep_table(sweep)
    assert table.header[-1] == "retrieve (tools)"
    assert [row[-1] for row in table.rows] == ["–", "30.0", "–"]
    assert {len(row) for row in table.rows} == {len(table.header)}
    assert BESIDE in table.notes
    lines = list(csv.DictReader(io.StringIO(sweep_to_csv(sweep))))
    assert [line["retrieve (tools)"] for line in lines] == ["", "30.0", ""]
    assert BESIDE not in sweep_table(Sweep(name="s", models=(plain,))).notes
