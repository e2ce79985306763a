from __future__ import annotations

import json
from pathlib import Path

import pytest
from episode_examples import make_outcome, make_paths, store_episodes
from test_cli_verbs import teval

PATHS = make_paths("a_1", "b_1")


@pytest.fixture
def good(tmp_path: Path) -> Path:
    outcomes = [make_outcome("a_1", success=True), make_outcome("b_1", success=True)]
    return store_episodes(tmp_path / "good", outcomes, PATHS)


@pytest.fixture
def weak(tmp_path: Path) -> Path:
    outcomes = [make_outcome("a_1", success=True), make_outcome("b_1")]
    return store_episodes(tmp_path / "weak", outcomes, PATHS)


def test_arena_prints_tables_and_writes_files(good: Path, weak: Path, tmp_path: Path) -> None:
    out = tmp_path / "arena"
    done = teval("arena", str(weak), str(good), "--out", str(out))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "Win rates"
    assert [line.split()[:2] for line in lines[3:5]] == [["good", "75.0"], ["weak", "25.0"]]
    assert lines[-3:] == [str(out / f"arena.{kind}") for kind in ("md", "csv", "json")]
    assert all(Path(line).is_file() for line in lines[-3:])


def test_arena_as_json_is_all_that_stands_on_stdout(good: Path, weak: Path) -> None:
    done = teval("arena", str(weak), str(good), "--reference", "good", "--json")
    found = json.loads(done.stdout)
    assert found["reference"] == "good"
    assert found["matrix"]["weak"]["good"] == 0.25
    assert found["files"] == []


def test_arena_says_how_many_tasks_are_left_out(good: Path, tmp_path: Path) -> None:
    other = store_episodes(tmp_path / "other", [], make_paths("b_1"))
    done = teval("arena", str(good), str(other))
    assert done.returncode == 0
    assert "not every model was to try them: 1." in done.stdout


def test_transcript_shows_what_is_asked_for(good: Path, weak: Path) -> None:
    done = teval("transcript", str(weak), "--failed")
    assert done.returncode == 0, done.stderr
    heads = [line for line in done.stdout.splitlines() if " · trial " in line]
    assert heads == ["b_1 · trial 0 · react · FAILED at retrieve"]
    assert ">>>      left the course here (retrieve): went astray." in done.stdout
    assert teval("transcript", str(weak), "--path", "a_1").stdout.startswith("a_1 · trial 0")
    assert teval("transcript", str(weak), "--limit", "1").stdout.count(" · trial ") == 1
    assert teval("transcript", str(good), "--failed").stdout == "no such episode\n"
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["arena", "{weak}"], ["two or more"]),
        (["arena", "{weak}", "nowhere"], ["nowhere", "outcomes.json"]),
        (["arena", "{weak}", "{good}", "--reference", "god"], ["'god'", "good"]),
        (["transcript", "nowhere"], ["nowhere", "paths.jsonl"]),
        (["transcript", "{weak}", "--path", "a_2"], ["'a_2'", "a_1"]),
    ],
)
def test_what_a_person_can_mend_is_one_line_and_exit_code_2(
    good: Path, weak: Path, words: list[str], parts: list[str]
) -> None:
    done = teval(*(word.format(good=good, weak=weak) for word in words))
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    for part in parts:
        assert part in line
