from __future__ import annotations

import csv
import io
from pathlib import Path

from episode_examples import make_outcome
from rich.console import Console

from teval.e2e.arena import win_rates
from teval.e2e.summary import Planned
from teval.report.arena import arena_to_csv, arena_to_screen, duel_table, rate_table, write_arena
from teval.report.grid import to_markdown
from teval.schema import Arena

PLANNED = [Planned("a_1", "a"), Planned("b_1", "b")]
OUTCOMES = {
    "weak": [make_outcome("a_1", success=True)],
    "good": [make_outcome("a_1", success=True), make_outcome("b_1", success=True)],
}
ARENA = win_rates(OUTCOMES, PLANNED, left_out=3)


def test_the_best_model_stands_first() -> None:
    assert (
        to_markdown(rate_table(ARENA))
        == """\
## Win rates

| model | win rate | 95 % interval | won | tied | lost | unanswered |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| good | 75.0 | 50.0–100.0 | 1 | 1 | 0 | 0 |
| weak | 25.0 | 0.0–50.0 | 0 | 1 | 1 | 1 |

Win rates, 0–100, the mean over all other models; ties count half, and a task without an answer \
is lost. n = 2 planned tasks of 2 families.

What decided: unanswered 1, tie 1.

Tasks left out because not every model was to try them: 3.
"""
    )


def test_the_reference_has_no_rate() -> None:
    grid = rate_table(win_rates(OUTCOMES, PLANNED, reference="good"))
    assert grid.rows == (
        ("good", "reference", "–", "–", "–", "–", "0"),
        ("weak", "25.0", "0.0–50.0", "0", "1", "1", "1"),
    )
    assert "against good" in grid.notes[0]
    assert len(grid.notes) == 2


def test_rows_are_held_against_columns() -> None:
    grid = duel_table(ARENA)
    assert grid.header == ("model", "1", "2")
    assert grid.rows == (("1  good", "–", "75.0"), ("2  weak", "25.0", "–"))


def test_csv_has_a_row_a_model() -> None:
    good, weak = csv.DictReader(io.StringIO(arena_to_csv(ARENA)))
    assert (good["model"], good["win_rate"], good["against weak"]) == ("good", "0.75", "0.75")
    assert (weak["model"], weak["lost"], weak["unanswered"]) == ("weak", "1", "1")


def test_the_screen_shows_both_tables() -> None:
    out = io.StringIO()
    Console(file=out, width=80).print(arena_to_screen(ARENA))
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    assert lines[0] == "Win rates"
    assert "Row against column" in lines


def test_files_hold_the_record_itself(tmp_path: Path) -> None:
    files = write_arena(ARENA, tmp_path)
    assert [file.name for file in files] == ["arena.md", "arena.csv", "arena.json"]
    assert Arena.model_validate_json(files[2].read_bytes()) == ARENA
