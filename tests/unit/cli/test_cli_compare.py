"""``teval compare`` on scripted runs, each weak in one ability."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from factories import make_path

from teval.cli import main

FAMILIES = 10


def teval(*words: str) -> tuple[int, str, str]:
    """The exit code, stdout and stderr of a command."""
    with (
        redirect_stdout(io.StringIO()) as out,
        redirect_stderr(io.StringIO()) as err,
        pytest.raises(SystemExit) as end,
    ):
        main(words)
    assert isinstance(end.value.code, int)
    return end.value.code, out.getvalue(), err.getvalue()


@pytest.fixture(scope="module")
def weak(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Folders of runs by the ability that they are weak in."""
    place = tmp_path_factory.mktemp("weak")
    paths = [make_path(f"f{n}_0", f"f{n}") for n in range(FAMILIES)]
    data = place / "paths.jsonl"
    data.write_text("".join(f"{path.model_dump_json()}\n" for path in paths), encoding="utf-8")
    folders = {}
    for ability in ("plan", "understand"):
        folders[ability] = str(place / ability)
        engine = ("engine.kind=degraded", f"engine.ability={ability}", "engine.rate=0.8")
        settings = (f"data.paths={data}", *engine, f"out={folders[ability]}")
        words = [word for setting in settings for word in ("-s", setting)]
        code, _, errors = teval("run", "-c", "smoke", *words)
        assert code == 0, errors
    return folders


def test_exactly_the_two_weak_abilities_differ(weak: dict[str, str]) -> None:
    code, out, _ = teval("compare", weak["plan"], weak["understand"])
    assert code == 0
    lines = [line for line in out.splitlines() if " points better " in line]
    assert len(lines) == 2
    assert lines[0].startswith("plan: B is ")
    assert lines[1].startswith("understand: A is ")
    assert "Alike in every family: instruct, reason, retrieve, review." in out
    assert "Warning" not in out


def test_json_and_files(weak: dict[str, str], tmp_path: Path) -> None:
    code, out, _ = teval(
        *("compare", weak["plan"], weak["understand"], "--json", "--out", str(tmp_path / "new"))
    )
    found = json.loads(out)
    assert code == 0
    assert [Path(file).name for file in found["files"]] == ["compare.md", "compare.csv"]
    assert all(Path(file).is_file() for file in found["files"])
    sure = {row["ability"] for row in found["rows"] if (row["p_holm"] or 1) <= 0.05}
    assert sure == {"plan", "understand"}
    assert (found["n"], found["families"]) == (found["rows"][-1]["n"], FAMILIES)


def test_published_scores(weak: dict[str, str]) -> None:
    code, out, _ = teval("compare", weak["plan"], weak["understand"], "--scorer", "published")
    assert code == 0
    assert out.startswith("Published scores (hashing, paths.jsonl; not comparable")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--scorer", "paper"], "no scorer 'paper'; give corrected or published"),
        (["nowhere"], "nowhere has no summary.json"),
    ],
)
def test_what_can_not_be_compared_is_one_line(
    weak: dict[str, str], words: list[str], part: str
) -> None:
    folders = [weak["plan"]] if words == ["nowhere"] else list(weak.values())
    code, out, errors = teval("compare", *folders, *words)
    assert (code, out) == (2, "")
    (line,) = errors.splitlines()
    assert line.startswith("error: ")
    assert part in line
