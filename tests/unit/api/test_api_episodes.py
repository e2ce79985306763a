from __future__ import annotations

from pathlib import Path

import pytest
from episode_examples import make_outcome, make_paths, store_episodes

from teval import api
from teval.errors import ConfigError, DataError, UnknownNameError

PATHS = make_paths("a_1", "b_1")
OUTCOMES = [
    make_outcome("a_1", success=True),
    make_outcome("a_1", trial=1),
    make_outcome("b_1"),
    make_outcome("b_1", trial=1, success=True),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return store_episodes(tmp_path / "run", OUTCOMES, PATHS, trials=2, model="org/Small-1B")


def test_episodes_come_with_path_and_outcome_in_their_order(folder: Path) -> None:
    shown = api.show_episodes(folder)
    assert [outcome for _, _, outcome in shown] == OUTCOMES
    assert all(path.id == episode.path for path, episode, _ in shown)


def test_filters_narrow_what_is_shown(folder: Path) -> None:
    def found(**filters: object) -> list[tuple[str, int]]:
        shown = api.show_episodes(folder, **filters)  # type: ignore[arg-type]
        return [(episode.path, episode.trial) for _, episode, _ in shown]

    assert found(path="a_1") == [("a_1", 0), ("a_1", 1)]
    assert found(trial=1) == [("a_1", 1), ("b_1", 1)]
    assert found(failed=True) == [("a_1", 1), ("b_1", 0)]
    assert found(failed=True, limit=1) == [("a_1", 1)]
    assert found(trial=7) == []


def test_an_episode_that_was_not_scored_counts_as_failed(folder: Path) -> None:
    (folder / "outcomes.jsonl").write_text("", encoding="utf-8")
    assert [shown.outcome for shown in api.show_episodes(folder, failed=True)] == [None] * 4


def test_what_is_not_there_is_told(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean a_1"):
        api.show_episodes(folder, path="a_2")
    with pytest.raises(DataError, match=r"no paths\.jsonl"):
        api.show_episodes(tmp_path)
    store_episodes(tmp_path / "other", [], make_paths("c_1"))
    (tmp_path / "other" / "paths.jsonl").replace(folder / "paths.jsonl")
    with pytest.raises(DataError, match="path 'a_1' is not in"):
        api.show_episodes(folder)


def test_only_tasks_that_all_were_given_are_judged(folder: Path, tmp_path: Path) -> None:
    other = store_episodes(tmp_path / "x", [make_outcome("a_1")], make_paths("a_1", "c_1"))
    arena = api.arena([folder, other])
    assert (arena.planned, arena.left_out) == (1, 4)
    assert [(rate.name, rate.rate) for rate in arena.rates] == [("run (Small-1B)", 1), ("x", 0)]


def test_a_path_that_only_bears_the_same_name_is_another_task(folder: Path, tmp_path: Path) -> None:
    paths = [PATHS[0], PATHS[1].model_copy(update={"query": "Something else."})]
    other = store_episodes(tmp_path / "other", [], paths, trials=2)
    arena = api.arena([folder, other])
    assert (arena.planned, arena.left_out) == (2, 4)
    assert {rate.unanswered for rate in arena.rates} == {0, 2}


def test_runs_of_one_name_are_told_apart(tmp_path: Path) -> None:
    folders = [store_episodes(tmp_path / n, OUTCOMES, PATHS, trials=2, name="m") for n in "ab"]
    arena = api.arena(folders, reference=str(folders[1]))
    assert [rate.name for rate in arena.rates] == [f"m [{folder}]" for folder in folders]
    assert arena.reference == f"m [{folders[1]}]"
    with pytest.raises(UnknownNameError, match="reference 'm'"):
        api.arena(folders, reference="m")


@pytest.mark.parametrize("name", ["run (Small-1B)", "run", "org/Small-1B", "Small-1B"])
def test_the_reference_goes_by_any_of_its_names(folder: Path, tmp_path: Path, name: str) -> None:
    other = store_episodes(tmp_path / "other", [], PATHS, trials=2)
    assert api.arena([folder, other], reference=name).reference == "run (Small-1B)"


def test_an_arena_that_cannot_be_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="two or more"):
        api.arena([folder])
    with pytest.raises(ConfigError, match="each once"):
        api.arena([folder, folder / ".." / "run"])
    other = store_episodes(tmp_path / "other", [], make_paths("c_1"))
    with pytest.raises(DataError, match="no path and trial in common"):
        api.arena([folder, other])
    with pytest.raises(DataError, match=r"has no outcomes\.json"):
        api.arena([folder, tmp_path])
