"""Published files on the command line: scored, asked, exported, imported, and shown."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest
from teval_examples import MOVES, joint, sets, write

from teval.cli import main

HASHING = ("-s", "embedder.kind=hashing")


class Ended(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def teval(*words: str | Path) -> Ended:
    with (
        redirect_stdout(io.StringIO()) as out,
        redirect_stderr(io.StringIO()) as err,
        pytest.raises(SystemExit) as end,
    ):
        main([str(word) for word in words])
    assert isinstance(end.value.code, int)
    return Ended(end.value.code, out.getvalue(), err.getvalue())


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with published files, a run over them, and that run in the release's layout."""
    place = tmp_path_factory.mktemp("published")
    data = write(place / "data", sets())
    words = ("-s", "data.source=teval", "-s", f"data.paths={data}", "-s", f"out={place / 'run'}")
    done = teval("run", *words, "-s", "engine.kind=oracle", "-s", "report.floors=false")
    assert done.returncode == 0, done.stderr
    done = teval("export", place / "run", "-o", place / "out")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == str(place / "out" / "oracle" / "oracle_-1.json")
    return place


def test_answers_in_files_are_scored_by_both_scorers(asked: Path, tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    place = asked / "out" / "oracle"
    done = teval("score", "--from-teval", place, "--per-case", lines, *HASHING)
    assert done.returncode == 0, done.stderr
    assert "plan_str_v1_oracle.json: 1 records, 1 answered; ability plan (record)" in done.stdout
    (overall,) = [line for line in done.stdout.splitlines() if "overall" in line]
    assert overall.count(" 100.0 ") == 2
    assert "not comparable with public numbers (hashing)" in done.stdout
    found = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    assert len(found) == 11
    assert {line["status"] for line in found} == {"ok"}


def test_numbers_for_programs_go_alone_to_stdout(asked: Path) -> None:
    done = teval("score", "--from-teval", asked / "out" / "oracle", "--json", *HASHING)
    summary = json.loads(done.stdout)
    assert summary["corrected"]["overall"] == 1.0
    assert summary["published"]["mark"] == "hashing"
    assert "review_str_oracle.json" in done.stderr


def test_one_file_is_enough(tmp_path: Path) -> None:
    answered = {i: {**r, "prediction": json.dumps(MOVES[0])} for i, r in joint().items()}
    write(tmp_path, {"mine": answered})
    done = teval("score", "--from-teval", tmp_path / "mine.json", *HASHING)
    assert done.returncode == 0, done.stderr
    assert "retrieve" in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["score"], "give either a run's folder or --from-teval"),
        (["score", "run", "--from-teval", "x"], "give either a run's folder or --from-teval"),
        (["score", "run", "--per-case", "x"], "--per-case goes with --from-teval"),
        (["score", "--from-teval", "nowhere", *HASHING], "no such file or folder"),
        (["import", "nowhere", "-o", "x"], "no such file or folder"),
        (["export", "nowhere", "-o", "x"], "nowhere has no manifest.json"),
        (["show", "nowhere"], "nowhere has no"),
    ],
)
def test_a_mistake_is_one_line(words: list[str], told: str) -> None:
    done = teval(*words)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert told in line


def test_paths_are_imported_and_run(asked: Path, tmp_path: Path) -> None:
    out = tmp_path / "paths.jsonl"
    done = teval("import", asked / "data", "-o", out)
    assert (done.returncode, done.stdout) == (0, f"1 paths rebuilt, 0 not → {out}\n")
    words = ("-s", f"data.paths={out}", "-s", f"out={tmp_path / 'run'}")
    done = teval("run", "-c", "smoke", *words, "-s", "report.floors=false")
    assert done.returncode == 0, done.stderr


def test_failed_cases_are_shown_with_the_reason(tmp_path: Path) -> None:
    data = write(tmp_path / "data", sets())
    words = ("-s", "data.source=teval", "-s", f"data.paths={data}", "-s", f"out={tmp_path / 'run'}")
    teval("run", *words, "-s", "engine.kind=silent", "-s", "report.floors=false")
    done = teval("show", tmp_path / "run", "--failed", "--why", "--ability", "review")
    assert done.stdout.splitlines() == [
        "review_str:query_0_1_0:review:string  0.00  unparsed",
        "  why:    What was asked for could not be read from the answer.",
        "  gold:   A",
        "  answer: ",
        "",
    ]
    done = teval("show", tmp_path / "run", "--failed", "--json", "--limit", "2")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["status"] for record in records] == ["unparsed", "unparsed"]
    assert (
        "no such case"
        in teval(
            "show", tmp_path / "run", "--format", "json", "--limit", "1", "--ability", "review"
        ).stdout
    )
