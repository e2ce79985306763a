from __future__ import annotations

from report_examples import make_run

from teval.report.failures import failures


def test_causes_are_counted_by_ability_with_an_example() -> None:
    lost = {
        "plan": ["order", "missing_step", "missing_step"],
        "review": ["wrong_label", "truncated", "engine_error", "unparsed"],
    }
    grid = failures(make_run("weak", lost=lost))
    assert grid.title == "Lost points: weak"
    assert grid.rows == (
        ("plan", "missing step", "model", "p1/plan/json", "2", "50.0"),
        ("plan", "order", "model", "p0/plan/json", "1", "25.0"),
        ("review", "wrong label", "model", "p0/review/json", "1", "25.0"),
        ("review", "truncated", "limit", "p1/review/json", "1", "25.0"),
        ("review", "engine error", "engine", "p0/review/string", "1", "25.0"),
    )
    assert grid.notes == (
        "7 of 24 answers lost points: 5 lie with the model, "
        "1 with a limit on prompt or answer, 1 with the engine.",
    )


def test_a_perfect_run_has_an_empty_table() -> None:
    grid = failures(make_run())
    assert grid.rows == ()
    assert grid.notes[0].startswith("0 of 24 answers lost points")
