from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from report_examples import make_run, make_scores, make_summary, store_run

from teval.errors import ConfigError
from teval.report import to_report, write_report

NAMES = ["report.md", "report.csv", "radar.png", "radar.svg", "dots.png", "dots.svg"]
IMPORTS = """
import sys
from pathlib import Path
import teval.report
assert "matplotlib" not in sys.modules, "matplotlib is imported before it is needed"
teval.report.write_report(teval.report.load_runs([Path(sys.argv[1])]), Path(sys.argv[2]))
assert "matplotlib.pyplot" not in sys.modules, "pyplot keeps figures in global state"
"""


def test_all_files_are_written_and_named(tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    paths = write_report([make_run("one"), make_run("two")], out)
    assert [path.relative_to(out).as_posix() for path in paths] == NAMES
    assert (out / "radar.png").read_bytes().startswith(b"\x89PNG")
    assert (out / "report.csv").read_text(encoding="utf-8").count("\n") == 41
    assert "## Comparison" in (out / "report.md").read_text(encoding="utf-8")


def test_the_same_runs_give_the_same_files(tmp_path: Path) -> None:
    first = write_report([make_run("one"), make_run("two")], tmp_path / "a")
    second = write_report([make_run("one"), make_run("two")], tmp_path / "b")
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name
    assert b"dc:date" not in (tmp_path / "a" / "radar.svg").read_bytes()


def test_the_report_shows_pictures_tables_and_causes() -> None:
    text = to_report([make_run("weak | one", lost={"plan": ["order"]})])
    heads = [line for line in text.splitlines() if line.startswith("#")]
    assert heads == ["# Tool use by ability", "## weak \\| one", "## Lost points: weak \\| one"]
    assert "](radar.svg)" in text
    assert "](dots.svg)" in text
    assert "| plan | order | model | p0/plan/json | 1 | 25.0 |" in text


def test_five_runs_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="at most 4 run folders"):
        write_report([make_run(str(i)) for i in range(5)], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "report"
    place.write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigError, match="is a file"):
        write_report([make_run()], place)
    assert place.read_text(encoding="utf-8") == "mine"


def test_matplotlib_is_imported_late_and_pyplot_never(tmp_path: Path) -> None:
    scores = make_scores()
    summary = make_summary((0.9, 0.8, 0.7, 0.6, 0.5, 0.4), scores)
    folder = store_run(tmp_path / "run", summary, scores)
    command = [sys.executable, "-W", "error", "-c", IMPORTS, str(folder), str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
