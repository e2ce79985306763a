from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from episode_examples import make_outcome, make_paths, store_episodes
from rich.console import Console

from teval.errors import ConfigError, DataError
from teval.report.episodes import (
    EpisodeRun,
    attribution_table,
    load_episode_runs,
    outcome_table,
    outcomes_to_csv,
    outcomes_to_screen,
    write_outcomes,
)
from teval.report.grid import to_markdown

PATHS = make_paths("a_1", "a_2", "b_1", "b_2")


@pytest.fixture
def weak(tmp_path: Path) -> Path:
    """One solved, two failed, one that the engine broke off."""
    outcomes = [
        make_outcome("a_1", success=True),
        make_outcome("a_2", state=0.5, ability=None, mistakes={"refused": 2}),
        make_outcome("b_1", facts=1.0, end="out_of_steps"),
        make_outcome("b_2", end="engine_error"),
    ]
    return store_episodes(tmp_path / "weak", outcomes, PATHS, model="org/Small-1B")


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """All of two solved."""
    outcomes = [make_outcome("a_1", success=True), make_outcome("b_1", success=True)]
    return store_episodes(tmp_path / "other", outcomes, make_paths("a_1", "b_1"))


def load(folder: Path) -> EpisodeRun:
    (run,) = load_episode_runs([folder])
    return run


def test_outcomes_side_by_side(weak: Path, other: Path) -> None:
    grid = outcome_table(load_episode_runs([weak, other]))
    assert grid.header == ("measure", "weak (Small-1B)", "other")
    assert grid.rows == (
        ("success", "25.0 (0.0–50.0)", "100.0 (15.8–100.0)"),
        ("best floor", "–", "–"),
        ("state reached", "37.5", "100.0"),
        ("facts told", "50.0", "100.0"),
        ("nothing unwanted", "75.0", "100.0"),
        ("turns", "3.0", "3.0"),
        ("calls", "2.0", "2.0"),
        ("tokens", "330", "330"),
        ("mistakes: unreadable", "0", "0"),
        ("mistakes: unknown tool", "0", "0"),
        ("mistakes: invalid arguments", "0", "0"),
        ("mistakes: refused", "2", "0"),
        ("turns cut off", "0.0", "0.0"),
        ("ended: engine error", "1", "0"),
        ("ended: finished", "2", "2"),
        ("ended: out of steps", "1", "0"),
        ("unanswered", "1", "0"),
        ("planned", "4", "2"),
        ("families", "2", "2"),
        ("agent", "react", "react"),
    )
    assert any("can't be compared" in note for note in grid.notes)
    assert len(grid.proof) == 4


def test_the_same_tasks_can_be_compared(weak: Path, tmp_path: Path) -> None:
    again = store_episodes(tmp_path / "again", [], PATHS)
    notes = outcome_table(load_episode_runs([weak, again])).notes
    assert not any("can't be compared" in note for note in notes)
    twice = store_episodes(tmp_path / "twice", [], PATHS, trials=2)
    notes = outcome_table(load_episode_runs([weak, twice])).notes
    assert any("can't be compared" in note for note in notes)


def test_failed_episodes_by_ability_with_sentences(weak: Path) -> None:
    assert (
        to_markdown(attribution_table(load(weak)))
        == r"""## Failed episodes: weak (Small-1B)

| ability | episodes | share of failed |
| --- | ---: | ---: |
| instruct | 0 | 0.0 |
| plan | 0 | 0.0 |
| reason | 0 | 0.0 |
| retrieve | 1 | 50.0 |
| understand | 0 | 0.0 |
| review | 0 | 0.0 |
| answer | 1 | 50.0 |
| **all** | **2** | 100.0 |

2 of 4 planned episodes failed, each by the ability at which it left every accepted course; """
        + r"""answer: by none of them.

Broken off by the engine, and in no row: 1.

retrieve · b\_1 · Turn 2: went astray.

answer · a\_2 · Turn 2: went astray.
"""
    )


def test_three_examples_an_ability_are_enough(tmp_path: Path) -> None:
    outcomes = [make_outcome("a_1", trial=trial) for trial in range(5)]
    folder = store_episodes(tmp_path / "run", outcomes, make_paths("a_1"), trials=5)
    told = [line for line in attribution_table(load(folder)).notes if line.startswith("retrieve")]
    assert [line.split(" · ")[1] for line in told] == ["a_1", "a_1 #1", "a_1 #2"]


def test_where_nothing_failed_there_is_no_share(other: Path) -> None:
    grid = attribution_table(load(other))
    assert {row[1:] for row in grid.rows} == {("0", "–")}


def test_csv_holds_every_number_of_every_run(weak: Path, other: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(outcomes_to_csv(load_episode_runs([weak, other])))))
    assert [row["run"] for row in rows] == ["weak (Small-1B)", "other"]
    assert [row["success"] for row in rows] == ["0.25", "1.0"]
    assert [row["mistakes_refused"] for row in rows] == ["2", "0"]
    assert [row["deviations_answer"] for row in rows] == ["1", "0"]
    assert [row["ends_out_of_steps"] for row in rows] == ["1", "0"]


def test_the_screen_shows_all_tables_in_80_columns(weak: Path, other: Path) -> None:
    out = io.StringIO()
    Console(file=out, width=80).print(outcomes_to_screen(load_episode_runs([weak, other])))
    lines = out.getvalue().splitlines()
    assert lines[0].rstrip() == "Outcomes"
    assert sum(line.startswith("Failed episodes: ") for line in lines) == 2
    assert max(map(len, lines)) <= 80


def test_files_are_written_where_they_are_wanted(weak: Path, tmp_path: Path) -> None:
    files = write_outcomes([load(weak)], tmp_path / "new" / "folder")
    assert [file.name for file in files] == ["outcomes.md", "outcomes.csv"]
    assert files[0].read_text(encoding="utf-8").startswith("# Tasks end to end\n\n## Outcomes\n")
    with pytest.raises(ConfigError, match="is a file"):
        write_outcomes([load(weak)], files[0])
    with pytest.raises(ConfigError, match="at most 4"):
        write_outcomes([load(weak)] * 5, tmp_path)


def test_runs_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    folders = [store_episodes(tmp_path / n, [], PATHS, name="same") for n in ("x", "y")]
    assert [run.label for run in load_episode_runs(folders)] == [f"same [{f}]" for f in folders]


def test_folders_whose_files_do_not_fit_together_are_refused(weak: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"has no outcomes\.json"):
        load(tmp_path)
    outcomes = (weak / "outcomes.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (weak / "outcomes.jsonl").write_text("".join(outcomes[1:]), encoding="utf-8")
    with pytest.raises(DataError, match=r"sums up 4 outcomes, but .* holds 3"):
        load(weak)
    (weak / "outcomes.jsonl").write_text("".join(outcomes), encoding="utf-8")
    paths = (weak / "paths.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (weak / "paths.jsonl").write_text("".join(paths[1:]), encoding="utf-8")
    with pytest.raises(DataError, match=r"plans 4 episodes, .* the 3 paths"):
        load(weak)
