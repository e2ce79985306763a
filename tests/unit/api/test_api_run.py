from __future__ import annotations

import json
from pathlib import Path

import pytest
from factories import make_path

from teval import api
from teval.errors import ConfigError, DataError, UnknownNameError
from teval.run.store import RunFolder
from teval.schema import SolutionPath


def write(place: Path, paths: list[SolutionPath]) -> str:
    place.write_text("".join(f"{path.model_dump_json()}\n" for path in paths), encoding="utf-8")
    return f"data.paths={place}"


@pytest.fixture
def settings(tmp_path: Path) -> list[str]:
    paths = [make_path(f"{family}_0", family) for family in ("trip", "walk")]
    return [write(tmp_path / "paths.jsonl", paths), f"out={tmp_path / 'run'}"]


def config_of(settings: list[str], *more: str) -> api.RunConfig:
    return api.load_config(["smoke"], [*settings, *more])


def test_a_run_in_python(settings: list[str], tmp_path: Path) -> None:
    done = api.run(config_of(settings))
    assert done.folder == tmp_path / "run"
    assert done.summary.corrected.overall == 1.0
    assert done.summary.corrected.complete
    assert done.summary == RunFolder(done.folder).summary()
    assert done.counts.answered == done.counts.requests > 0


def test_filters_leave_what_they_name(settings: list[str]) -> None:
    config = config_of(settings, "cases.abilities=[plan, review]", "cases.formats=[json]")
    cases = api.slice_cases(config)
    assert {(c.ability, c.format) for c in cases} == {("plan", "json"), ("review", "json")}
    one = config_of(settings, "cases.paths=[walk_0]")
    assert {c.path for c in api.slice_cases(one)} == {"walk_0"}


@pytest.mark.parametrize(
    ("setting", "kind", "match"),
    [
        ("cases.paths=[walk_1]", UnknownNameError, "walk_0"),
        ("cases.abilities=[walk]", UnknownNameError, "ability 'walk'"),
        ("max_tokens.walk=3", UnknownNameError, "ability 'walk'"),
        ("data.language=fr", ConfigError, "'fr'"),
        ("cases.formats=[]", ConfigError, "no case"),
        ("data.source=nativ", UnknownNameError, "native"),
        ("embedder.kind=sbrt", UnknownNameError, "sbert"),
    ],
)
def test_settings_that_lead_nowhere_are_refused_before_anything_is_asked(
    settings: list[str], setting: str, kind: type[Exception], match: str, tmp_path: Path
) -> None:
    with pytest.raises(kind, match=match):
        api.run(config_of(settings, setting))
    assert not (tmp_path / "run").exists()


def test_the_signature_names_all_that_could_move_a_number(settings: list[str]) -> None:
    summary = api.run(config_of(settings, "sampling.temperature=0.5", "max_tokens.plan=9")).summary
    parts = dict(part.split(":", 1) for part in summary.signature.split("|"))
    assert list(parts) == [
        *("data", "cases", "prompts", "model", "engine", "sampling", "embedder"),
        *("scorer", "teval"),
    ]
    assert parts["data"].startswith("paths.jsonl-")
    assert parts["model"] == "oracle"
    assert parts["sampling"] == "temperature=0.5,max_tokens=256,plan=9,seed=0,repeats=1"
    assert parts["scorer"] == "corrected-1"


def test_another_embedder_scores_again_without_asking(settings: list[str]) -> None:
    done = api.run(config_of(settings, "engine.kind=degraded", "engine.ability=reason"))
    answers = (done.folder / "completions.jsonl").read_bytes()
    other = api.stored_config(done.folder, settings=["embedder.options.dimensions=16"])
    summary = api.score(done.folder, other)
    assert summary.signature != done.summary.signature
    assert summary.corrected.overall != done.summary.corrected.overall
    assert (done.folder / "completions.jsonl").read_bytes() == answers
    assert RunFolder(done.folder).manifest().embedder["dimensions"] == 16
    assert api.score(done.folder) == summary


def test_scoring_takes_no_other_answers_than_the_runs_own(settings: list[str]) -> None:
    done = api.run(config_of(settings))
    other = api.stored_config(done.folder, settings=["engine.kind=silent", "max_tokens.plan=3"])
    assert api.score(done.folder, other).corrected.overall == 1.0


def test_a_run_that_stands_in_the_folder_with_other_settings_is_refused(
    settings: list[str],
) -> None:
    api.run(config_of(settings))
    for more in ("engine.kind=silent", "cases.limit=12", "max_tokens.plan=8", "sampling.top_p=0.9"):
        with pytest.raises(ConfigError, match="-s out=DIR"):
            api.run(config_of(settings, more))


def test_repeats_of_a_case_are_asked_and_scored(settings: list[str]) -> None:
    done = api.run(config_of(settings, "repeats=2", "cases.abilities=[review]"))
    scores = RunFolder(done.folder).scores()
    assert {score.repeat for score in scores} == {0, 1}
    assert done.summary.corrected.n == len(scores) / 2
    assert done.counts.requests == 2 * len({c.prompt for c in RunFolder(done.folder).cases()})


def test_floors_can_be_left_out(settings: list[str]) -> None:
    done = api.run(config_of(settings, "report.floors=false"))
    assert done.summary.corrected.floor is None


def test_a_degraded_oracle_is_weak_in_its_own_ability_alone(
    settings: list[str], tmp_path: Path
) -> None:
    more = [f"out={tmp_path / 'weak'}", "engine.kind=degraded", "engine.ability=understand"]
    summary = api.run(config_of(settings, *more, "engine.rate=1")).summary
    for name, ability in summary.corrected.abilities.items():
        assert ability is not None
        if name == "understand":
            assert ability.score < 1
        else:
            assert ability.score >= 0.98, name


def test_a_report_of_several_runs(settings: list[str], tmp_path: Path) -> None:
    first = api.run(config_of(settings)).folder
    second = api.run(config_of(settings, f"out={tmp_path / 'b'}", "engine.kind=silent")).folder
    files = api.report([first, second], tmp_path / "both")
    assert tmp_path / "both" / "radar.png" in files


def test_a_folder_without_a_run_can_not_be_scored(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"manifest\.json"):
        api.score(tmp_path)


def test_built_paths_replay(tmp_path: Path) -> None:
    file = tmp_path / "new" / "paths.jsonl"
    made = api.build(file, seed=3, count=2)
    assert len(made) == api.replay(str(file)) == 2


def test_a_path_that_the_world_does_not_bear_out_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "paths.jsonl"
    api.build(file, count=1)
    record = json.loads(file.read_text(encoding="utf-8"))
    record["state_hash"] = "0" * len(record["state_hash"])
    file.write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(DataError, match=record["id"]):
        api.replay(str(file))


def test_a_history_of_turns_is_asked_and_scored(settings: list[str]) -> None:
    config = config_of(settings, "prompts.history=turns")
    assert any(message.calls for case in api.slice_cases(config) for message in case.messages)
    done = api.run(config)
    assert done.summary.corrected.overall == 1.0
    with pytest.raises(ConfigError, match="a run with other settings"):
        api.run(config_of(settings))


def test_turns_with_calls_have_no_place_in_a_data_set(settings: list[str], tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"prompts\.history=log"):
        api.export_datasets(config_of(settings, "prompts.history=turns"), tmp_path / "set")


def test_published_files_bring_their_own_prompts(settings: list[str]) -> None:
    config = config_of(settings, "data.source=teval", "prompts.history=turns")
    with pytest.raises(ConfigError, match=r"prompts\.history"):
        api.slice_cases(config)
