from __future__ import annotations

import json
from pathlib import Path

import pytest
from episode_examples import make_outcome, make_paths, store_episodes
from test_cli_verbs import teval

from teval.run.store import RunFolder

PATHS = make_paths("a_1", "b_1")
RATES = ("0.2", "0.5", "0.9")


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Step runs of three models, the later the worse at retrieving."""
    place = tmp_path_factory.mktemp("runs")
    file = place / "paths.jsonl"
    file.write_text("".join(f"{p.model_dump_json()}\n" for p in PATHS), encoding="utf-8")
    folders = [place / rate for rate in RATES]
    for rate, folder in zip(RATES, folders, strict=True):
        words = ["engine.kind=degraded", "engine.ability=retrieve", f"engine.rate={rate}"]
        settings = [f"data.paths={file}", f"out={folder}", "report.floors=false", *words]
        done = teval("run", "-c", "smoke", *(word for s in settings for word in ("-s", s)))
        assert done.returncode == 0, done.stderr
    return folders


def model_of(folder: Path) -> str:
    return RunFolder(folder).summary().model


def each(option: str, folders: list[Path]) -> list[str]:
    return [word for folder in folders for word in (option, str(folder))]


@pytest.fixture
def wins(steps: list[Path], tmp_path: Path) -> Path:
    file = tmp_path / "wins.csv"
    rates = zip(steps, ("71%", "50%", "12%"), strict=True)
    lines = ["Model,Judge,Win Rate", *(f"{model_of(f)},me,{rate}" for f, rate in rates), "x,me,1%"]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def test_three_models_of_a_file_are_warned_of_and_still_answered(
    steps: list[Path], wins: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = teval("agree", *each("--steps", steps), "--wins", str(wins), "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert "Warning: only 3 models: too few" in done.stdout
    lines = done.stdout.splitlines()
    (retrieve,) = [line.split() for line in lines if line.startswith("retrieve")]
    assert retrieve[1] == "3"
    assert retrieve[3:] == ["1.00", "1.00"]
    names = [out / f"agreement.{kind}" for kind in ("md", "csv", "png", "svg")]
    assert lines[-4:] == [str(name) for name in names]
    assert all(name.is_file() for name in names)
    assert done.stderr.startswith("warning: x has no step run and is left out; the nearest name ")


def test_json_is_all_that_stands_on_stdout(steps: list[Path], wins: Path) -> None:
    done = teval("agree", *each("--steps", steps), "--wins", str(wins), "--json")
    found = json.loads(done.stdout)
    assert set(found) == {"numbers", "warnings", "files"}
    (row,) = [
        row
        for row in found["numbers"]
        if (row["part"], row["ability"], row["measure"]) == ("agreement", "retrieve", "spearman")
    ]
    assert (row["value"], row["n"], row["low"]) == (pytest.approx(1.0), 3, None)
    assert found["files"] == []
    assert len(found["warnings"]) == 1
    assert done.stderr.count("warning: ") == 2


def test_episodes_tell_bottlenecks_and_gaps(steps: list[Path], tmp_path: Path) -> None:
    played = [
        store_episodes(
            tmp_path / folder.name,
            [make_outcome("a_1", success=True), make_outcome("b_1")],
            PATHS,
            model=model_of(folder),
        )
        for folder in steps[:2]
    ]
    done = teval("agree", *each("--steps", steps[:2]), *each("--episodes", played))
    assert done.returncode == 0, done.stderr
    titles = [line for line in done.stdout.splitlines() if line.startswith("Bottlenecks: ")]
    assert len(titles) == 3
    assert "1 of 2 episodes succeeded" in done.stdout


def test_what_a_person_can_mend_is_one_line(steps: list[Path], tmp_path: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text("model,win_rate\nm,much\n", encoding="utf-8")
    for words, part in (
        (["--wins", str(bad)], "bad.csv:2: 'much' is no win rate of 'm'"),
        (["--wins", str(tmp_path / "none.csv")], "none.csv can't be read"),
        ([], "give either"),
        (["--episodes", str(tmp_path / "nowhere")], "nowhere"),
    ):
        done = teval("agree", *each("--steps", steps), *words)
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert line.startswith("error: ")
        assert part in line
