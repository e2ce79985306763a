"""``teval lint``: what it says, and how it ends."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from teval import api, assets
from teval.cli import main
from teval.schema import SolutionPath


def teval(*words: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command."""
    with (
        redirect_stdout(io.StringIO()) as out,
        redirect_stderr(io.StringIO()) as err,
        pytest.raises(SystemExit) as end,
    ):
        main(words)
    assert isinstance(end.value.code, int)
    return end.value.code, out.getvalue(), err.getvalue()


@pytest.fixture
def lines() -> list[str]:
    """Three good paths, which are too few to tell whether labels are balanced."""
    lite = assets.find("data", "lite", "paths.jsonl").read_text(encoding="utf-8")
    return lite.splitlines()[:3]


def write(file: Path, lines: list[str]) -> str:
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(file)


def test_the_committed_paths_have_no_error_and_replay() -> None:
    code, out, _ = teval("lint", "lite", "--json")
    found = json.loads(out)
    assert (code, found["errors"]) == (0, 0), out
    assert api.replay("lite") == found["paths"]


def test_good_paths_are_counted(lines: list[str], tmp_path: Path) -> None:
    file = write(tmp_path / "p.jsonl", lines)
    assert teval("lint", file) == (0, "3 paths: 0 errors, 0 warnings\n", "")


def test_warnings_alone_end_with_0(lines: list[str], tmp_path: Path) -> None:
    path = SolutionPath.model_validate_json(lines[1])
    step = path.steps[0].model_copy(update={"thoughts": (f"So: {path.steps[0].thought}",)})
    lines[1] = path.model_copy(update={"steps": (step, *path.steps[1:])}).model_dump_json()
    file = write(tmp_path / "p.jsonl", lines)
    code, out, _ = teval("lint", file)
    first, last = out.splitlines()
    assert (code, last) == (0, "3 paths: 0 errors, 1 warnings")
    assert first.startswith(f"{file}:2: warning: {path.id}, step 0: two phrasings of the thought")
    assert first.endswith("; write one of them anew, from the step alone [phrasing]")


def test_bad_records_are_one_line_each_and_the_rest_is_linted(
    lines: list[str], tmp_path: Path
) -> None:
    number = json.loads(lines[1])
    number["steps"][0]["call"]["args"] = {"name": float("nan")}
    bad = ["{", '{"id": 5}', "\x1b[31mred", json.dumps(number), lines[0]]
    file = write(tmp_path / "p.jsonl", [*lines, *bad])
    code, out, err = teval("lint", file)
    assert (code, err) == (1, "")
    told = out.splitlines()
    assert [line.split(": ")[:2] for line in told[:-1]] == [
        *([f"{file}:{n}", "error"] for n in (4, 5, 6, 7)),
        *[[f"{file}:8", "error"]] * 2,
    ]
    assert [line.rpartition(" ")[2] for line in told[:-1]] == [
        *["[record]"] * 4,
        *("[same_id]", "[same_query]"),
    ]
    assert told[-1] == "8 paths: 6 errors, 0 warnings"
    found = json.loads(teval("lint", file, "--json")[1])
    assert (found["paths"], found["errors"], found["warnings"]) == (8, 6, 0)
    assert found["problems"][0]["place"] == f"{file}:4"
    assert found["problems"][0]["remedy"] == "mend the line, or leave it out"


def test_an_encoder_is_asked_where_one_is_named(lines: list[str], tmp_path: Path) -> None:
    path = SolutionPath.model_validate_json(lines[0])
    said = "The city of Bastian Delmarsh is what I look up first, for it is asked"
    step = path.steps[0].model_copy(update={"thought": f"{said}.", "thoughts": (f"{said}!",)})
    lines[0] = path.model_copy(update={"steps": (step, *path.steps[1:])}).model_dump_json()
    file = write(tmp_path / "p.jsonl", lines)
    assert "[alike]" not in teval("lint", file)[1]
    code, out, _ = teval("lint", file, "-s", "embedder.kind=hashing")
    assert (code, out.count("[alike]")) == (0, 1)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["nowhere.jsonl"], "nowhere.jsonl"),
        (["lite", "-s", "engine.kind=silent"], "embedder.kind"),
        (["lite", "-s", "embedder.kind=hshing"], "hashing"),
    ],
)
def test_what_can_not_be_read_ends_with_2(words: list[str], part: str) -> None:
    code, out, err = teval("lint", *words)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert part in err
    assert err.count("\n") == 1
