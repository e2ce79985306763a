"""The command line in this process: every verb, its exit code, its one line of error."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest
from factories import make_path

from teval.cli import main


class Ended(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def teval(*words: str) -> Ended:
    with (
        redirect_stdout(io.StringIO()) as out,
        redirect_stderr(io.StringIO()) as err,
        pytest.raises(SystemExit) as end,
    ):
        main(words)
    assert isinstance(end.value.code, int)
    return Ended(end.value.code, out.getvalue(), err.getvalue())


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file of four small paths of two families."""
    file = tmp_path_factory.mktemp("data") / "paths.jsonl"
    paths = [make_path(f"{family}_{n}", family) for family in ("trip", "walk") for n in range(2)]
    file.write_text("".join(f"{path.model_dump_json()}\n" for path in paths), encoding="utf-8")
    return f"data.paths={file}"


@pytest.fixture(scope="module")
def finished(data: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run of the oracle."""
    out = tmp_path_factory.mktemp("runs") / "oracle"
    done = teval("run", "-c", "smoke", "-s", data, "-s", f"out={out}")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == f"engine oracle → {out}"
    assert lines[-1] == f"radar: {out / 'radar.png'}"
    assert "cases" in done.stderr
    assert "requests" in done.stderr
    return out


def summary_of(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    return found


def test_a_run_leaves_all_its_records_and_charts(finished: Path) -> None:
    names = {file.name for file in finished.iterdir()}
    assert names >= {
        *("manifest.json", "cases.jsonl", "completions.jsonl", "scores.jsonl", "summary.json"),
        *("report.md", "report.csv", "radar.png", "radar.svg", "dots.png", "dots.svg"),
    }


def test_the_second_run_asks_nothing_and_changes_no_record(finished: Path, data: str) -> None:
    names = ("cases.jsonl", "completions.jsonl", "scores.jsonl", "summary.json", "manifest.json")
    before = [(finished / name).read_bytes() for name in names]
    done = teval("run", "-c", "smoke", "-s", data, "-s", f"out={finished}")
    assert done.returncode == 0
    assert [(finished / name).read_bytes() for name in names] == before


def test_json_is_all_that_stands_on_stdout(finished: Path, data: str) -> None:
    done = teval("run", "-c", "smoke", "-s", data, "-s", f"out={finished}", "--json")
    found = json.loads(done.stdout)
    assert found["corrected"] == summary_of(finished)["corrected"]
    assert str(finished / "radar.png") in found["files"]


def test_step_by_step_is_the_same_as_all_in_one(finished: Path, data: str, tmp_path: Path) -> None:
    settings = ("-c", "smoke", "-s", data, "-s", f"out={tmp_path}")
    sliced = json.loads(teval("slice", *settings, "--json").stdout)
    assert sliced["file"] == str(tmp_path / "cases.jsonl")
    assert not (tmp_path / "completions.jsonl").exists()
    counts = json.loads(teval("generate", *settings, "--json").stdout)
    assert counts["answered"] == counts["requests"] == sliced["requests"]
    scored = json.loads(teval("score", str(tmp_path), "--json").stdout)
    assert scored == summary_of(finished)
    reported = json.loads(teval("report", str(tmp_path), "--json").stdout)
    assert str(tmp_path / "report.md") in reported["files"]


def test_two_runs_on_one_chart(finished: Path, data: str, tmp_path: Path) -> None:
    other, out = tmp_path / "silent", tmp_path / "both"
    run = ("-c", "smoke", "-s", data, "-s", "engine.kind=silent", "-s", f"out={other}")
    assert teval("run", *run).returncode == 0
    assert summary_of(other)["corrected"]["overall"] == 0.0  # type: ignore[index]
    done = teval("report", str(finished), str(other), "-o", str(out))
    assert done.returncode == 0, done.stderr
    assert str(out / "radar.png") in done.stdout


def test_limit_takes_as_many_cases_of_each_kind(data: str, tmp_path: Path) -> None:
    done = teval("slice", "-c", "smoke", "-s", data, "-s", f"out={tmp_path}", "--limit", "24")
    assert done.returncode == 0
    lines = (tmp_path / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    kinds = [(case["ability"], case["format"]) for case in map(json.loads, lines)]
    assert len(kinds) == 24
    assert all(kinds.count(kind) == 2 for kind in kinds)


def test_other_settings_on_one_folder_are_refused(finished: Path, data: str) -> None:
    done = teval("run", "-c", "smoke", "-s", data, "-s", f"out={finished}", "-s", "repeats=2")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    assert "repeats: 1 there, 2 now" in line


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["run"], ["-c smoke"]),
        (["run", "-c", "nowhere"], ["nowhere", "smoke.yaml"]),
        (["run", "-c", "smoke", "-s", "engine.knd=x"], ["engine.knd", "engine.kind"]),
        (["run", "-c", "smoke", "-s", "engine.kind=orcle"], ["'orcle'", "oracle"]),
        (["run", "-c", "smoke", "-s", "cases.abilities=[pln]"], ["'pln'", "plan"]),
        (["run", "-c", "smoke", "-s", "data.paths=nowhere.jsonl"], ["nowhere.jsonl"]),
        (["score", "nowhere"], ["nowhere", "manifest.json"]),
        (["report", "nowhere"], ["nowhere"]),
        (["replay", "nowhere.jsonl"], ["nowhere.jsonl"]),
        (["model", "get", "smollm"], ["'smollm'", "smollm2-135m-instruct"]),
    ],
)
def test_what_a_person_can_mend_is_one_line_and_exit_code_2(
    words: list[str], parts: list[str]
) -> None:
    done = teval(*words)
    assert done.returncode == 2
    (line,) = [found for found in done.stderr.splitlines() if not found.startswith("engine ")]
    assert line.startswith("error: ")
    for part in parts:
        assert part in line


def test_requests_left_over_are_exit_code_1(finished: Path, data: str, tmp_path: Path) -> None:
    recording = tmp_path / "short.jsonl"
    lines = (finished / "completions.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    recording.write_text("".join(lines[:-3]), encoding="utf-8")
    settings = ("-s", "engine.kind=recorded", "-s", f"engine.file={recording}")
    out = tmp_path / "run"
    done = teval("run", "-c", "smoke", "-s", data, *settings, "-s", f"out={out}")
    assert done.returncode == 1
    assert f"3 of {len(lines)} requests are left over" in done.stderr
    assert (out / "radar.png").exists()


def test_built_paths_replay(tmp_path: Path) -> None:
    file = tmp_path / "paths.jsonl"
    done = teval("build", "--seed", "3", "--paths", "2", "-o", str(file), "--json")
    assert json.loads(done.stdout) == {"paths": 2, "families": 2, "file": str(file)}
    assert teval("replay", str(file)).stdout == "2 paths replay as they say\n"
