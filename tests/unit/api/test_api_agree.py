from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from episode_examples import make_outcome, make_paths, store_episodes

from teval import api
from teval.errors import ConfigError, DataError
from teval.report.arena import write_arena
from teval.run.store import RunFolder
from teval.schema import Outcome

PATHS = make_paths("a_1", "a_2", "b_1", "b_2")
WITHOUT = """
import sys
sys.modules["sklearn"] = None
from pathlib import Path
from teval import api
from teval.errors import MissingExtraError
steps, episodes = ([Path(folder)] for folder in sys.argv[1:])
try:
    api.agree(steps, episodes)
except MissingExtraError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A step run, of which half of the cases of retrieve are wrong."""
    place = tmp_path_factory.mktemp("steps")
    file = place / "paths.jsonl"
    file.write_text("".join(f"{p.model_dump_json()}\n" for p in PATHS), encoding="utf-8")
    degraded = ["engine.kind=degraded", "engine.ability=retrieve", "engine.rate=0.5"]
    settings = [f"data.paths={file}", f"out={place / 'run'}", "report.floors=false", *degraded]
    return api.run(api.load_config(["smoke"], settings)).folder


def model_of(steps: Path) -> str:
    return RunFolder(steps).summary().model


def outcomes() -> list[Outcome]:
    """Success at one path of two in each family."""
    return [make_outcome(path.id, success=path.id.endswith("1")) for path in PATHS]


def test_steps_and_episodes_of_a_model_meet(steps: Path, tmp_path: Path) -> None:
    played = store_episodes(tmp_path, outcomes(), PATHS, model=model_of(steps))
    found = api.agree([steps], [played])
    assert found.outcome == "success"
    assert [(model.name, model.outcome) for model in found.models] == [(model_of(steps), 0.5)]
    assert found.bottlenecks is not None
    rows = {row.ability: row for row in found.bottlenecks.models[model_of(steps)]}
    assert rows["retrieve"].lost > 0
    assert (rows["plan"].lost, rows["plan"].gain) == (0.0, 0.0)


def test_win_rates_come_from_a_file(steps: Path, tmp_path: Path) -> None:
    file = tmp_path / "wins.csv"
    file.write_text(f"model,win_rate\n{model_of(steps)},61.5\nother,3\n", encoding="utf-8")
    found = api.agree([steps], wins=file)
    assert found.outcome == "win rate"
    assert [model.outcome for model in found.models] == [0.615]
    assert found.bottlenecks is None
    (line,) = found.unmatched
    assert line.startswith("other has no step run")


def test_an_arena_s_file_is_one_of_win_rates(steps: Path, tmp_path: Path) -> None:
    played = [
        store_episodes(tmp_path / "one", outcomes(), PATHS, model=model_of(steps)),
        store_episodes(tmp_path / "two", outcomes()[:2], PATHS, model="org/other"),
    ]
    write_arena(api.arena(played), tmp_path / "arena")
    found = api.agree([steps], wins=tmp_path / "arena" / "arena.csv")
    assert [model.outcome for model in found.models] == [0.75], "two ties and two unanswered"


def test_what_is_not_given_or_given_twice_is_told(steps: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--steps"):
        api.agree([], [tmp_path])
    for episodes, wins in (([], None), ([tmp_path], tmp_path / "wins.csv")):
        with pytest.raises(ConfigError, match="either"):
            api.agree([steps], episodes, wins)
    with pytest.raises(DataError, match="outcomes"):
        api.agree([steps], [steps])


def test_without_scikit_learn_the_pip_command_is_told(steps: Path, tmp_path: Path) -> None:
    played = store_episodes(tmp_path, outcomes(), PATHS, model=model_of(steps))
    command = [sys.executable, "-c", WITHOUT, str(steps), str(played)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == ("scikit-learn is not installed; run: pip install 'teval[stats]'\n"), (
        done.stderr
    )
