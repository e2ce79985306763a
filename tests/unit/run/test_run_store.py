from __future__ import annotations

import json
import logging
import subprocess
import sys
from pathlib import Path

import pytest
from episode_examples import make_episode, make_outcome, make_paths, store_episodes

from teval.errors import ConfigError, DataError
from teval.run.store import Manifest, RunFolder
from teval.schema import Case, Completion, JsonObject, Message, Score


def make_manifest(**answers: str) -> Manifest:
    return Manifest(answers=dict(answers), config={"name": "x"}, hashes={"data": "d"})


def make_case(name: str = "c1") -> Case:
    return Case(
        id=name,
        ability="review",
        format="json",
        language="en",
        family="f",
        path="p",
        step=0,
        messages=(Message(role="user", content="Wie?  "),),
        tools=("a.b",),
        gold={"review": "A"},
        prompt="h",
    )


def done(key: str, text: str = "Grüße  ") -> Completion:
    return Completion(request=key, prompt="h", text=text, finish="stop")


def append(folder: RunFolder, *completions: Completion) -> None:
    with folder.appending() as out:
        for completion in completions:
            out.add(completion)


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    place = RunFolder(tmp_path / "run")
    place.prepare(make_manifest(model="m"), [make_case()])
    return place


def lines_of(folder: RunFolder) -> list[str]:
    return (folder.path / "completions.jsonl").read_text(encoding="utf-8").split("\n")


def test_all_records_come_back_as_they_were(folder: RunFolder) -> None:
    score = Score(
        case="c1",
        ability="review",
        format="json",
        family="f",
        path="p",
        status="ok",
        parsed=True,
        well_formed=True,
        corrected={"accuracy": 1.0},
    )
    append(folder, done("k1"), done("k2"))
    folder.write_scores([score])
    assert folder.cases() == [make_case()]
    assert folder.completions() == {"k1": done("k1"), "k2": done("k2")}
    assert folder.scores() == [score]
    assert folder.manifest() == make_manifest(model="m")


def test_the_records_of_episodes_come_back_as_they_were(tmp_path: Path) -> None:
    paths = make_paths("trip_01", "walk_01")
    outcomes = [make_outcome("trip_01"), make_outcome("walk_01", success=True)]
    place = RunFolder(store_episodes(tmp_path / "run", outcomes, paths))
    assert place.paths() == paths
    assert place.episodes() == [make_episode(path) for path in paths]
    assert place.outcomes() == outcomes
    assert place.outcome_summary().success == 0.5
    lines = (place.path / "outcomes.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["path"] for line in lines] == ["trip_01", "walk_01"]


def test_the_latest_completion_of_a_request_counts(folder: RunFolder) -> None:
    append(folder, done("k", "first"))
    append(folder, done("k", "second"))
    assert folder.completions()["k"].text == "second"


@pytest.mark.parametrize("cut", [1, 10, 30])
def test_a_torn_last_line_is_left_out_and_cut_away_by_the_next_append(
    folder: RunFolder, cut: int, caplog: pytest.LogCaptureFixture
) -> None:
    append(folder, done("k1"), done("k2"))
    file = folder.path / "completions.jsonl"
    file.write_bytes(file.read_bytes()[: -1 - cut])
    with caplog.at_level(logging.WARNING):
        assert list(folder.completions()) == ["k1"]
    assert "completions.jsonl" in caplog.text
    append(folder, done("k3"))
    assert list(folder.completions()) == ["k1", "k3"]
    assert len(lines_of(folder)) == 3


def test_a_last_line_without_its_line_feed_is_kept(folder: RunFolder) -> None:
    append(folder, done("k1"))
    file = folder.path / "completions.jsonl"
    file.write_bytes(file.read_bytes()[:-1])
    assert list(folder.completions()) == ["k1"]
    append(folder, done("k2"))
    assert list(folder.completions()) == ["k1", "k2"]


def test_any_other_broken_line_is_refused_with_its_place(folder: RunFolder) -> None:
    append(folder, done("k1"), done("k2"))
    file = folder.path / "completions.jsonl"
    first, *rest = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([first, '{"request": 3', *rest, ""]), encoding="utf-8")
    with pytest.raises(DataError, match=r"completions\.jsonl:2: "):
        folder.completions()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("manifest.json", "{", r"manifest\.json: "),
        ("manifest.json", '{"format": 1}', r"manifest\.json: answers: Field required"),
        ("cases.jsonl", '{"id": 1}\n', r"cases\.jsonl:1: id: "),
        ("summary.json", "{}", r"summary\.json: name: "),
        ("scores.jsonl", "\n\nnull\n", r"scores\.jsonl:3: "),
    ],
)
def test_broken_files_are_named(folder: RunFolder, name: str, text: str, message: str) -> None:
    (folder.path / name).write_text(text, encoding="utf-8")
    readers = {
        "manifest.json": folder.manifest,
        "cases.jsonl": folder.cases,
        "summary.json": folder.summary,
        "scores.jsonl": folder.scores,
    }
    with pytest.raises(DataError, match=message):
        readers[name]()


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"has no manifest\.json"):
        RunFolder(tmp_path / "nowhere").manifest()
    assert RunFolder(tmp_path / "nowhere").completions() == {}


def test_another_layout_is_refused(folder: RunFolder) -> None:
    stored = json.loads((folder.path / "manifest.json").read_text(encoding="utf-8"))
    (folder.path / "manifest.json").write_text(json.dumps({**stored, "format": 99}))
    with pytest.raises(DataError, match="format 99"):
        folder.manifest()


def test_the_same_answers_may_go_on_under_other_settings(folder: RunFolder) -> None:
    folder.note_engine({"kind": "x"})
    again = make_manifest(model="m").model_copy(update={"config": {"name": "y"}})
    folder.prepare(again, [make_case()])
    assert folder.manifest().config == {"name": "y"}
    assert folder.manifest().engine == {"kind": "x"}


def test_other_answers_are_refused_with_the_difference(folder: RunFolder) -> None:
    with pytest.raises(ConfigError) as caught:
        folder.prepare(make_manifest(model="n", extra="e"), [make_case()])
    message = str(caught.value)
    for part in (str(folder.path), 'model: "m" there, "n" now', "extra: null there", "-s out="):
        assert part in message
    assert folder.manifest() == make_manifest(model="m")


def test_another_engine_is_refused_once_there_are_answers(folder: RunFolder) -> None:
    folder.note_engine({"versions": {"torch": "1"}, "kind": "x"})
    folder.note_engine({"versions": {"torch": "2"}, "kind": "x"})
    append(folder, done("k"))
    with pytest.raises(ConfigError, match=r'engine\.versions\.torch: "2" there, "3" now'):
        folder.note_engine({"versions": {"torch": "3"}, "kind": "x"})


def test_answers_without_a_manifest_are_refused(folder: RunFolder) -> None:
    append(folder, done("k"))
    (folder.path / "manifest.json").unlink()
    with pytest.raises(ConfigError, match=r"no manifest\.json"):
        folder.prepare(make_manifest(model="m"), [make_case()])


def test_unknown_files_are_left_alone(folder: RunFolder) -> None:
    (folder.path / "notes.txt").write_text("mine")
    append(folder, done("k"))
    folder.prepare(make_manifest(model="m"), [make_case()])
    assert (folder.path / "notes.txt").read_text() == "mine"
    assert sorted(p.name for p in folder.path.iterdir()) == [
        "cases.jsonl",
        "completions.jsonl",
        "manifest.json",
        "notes.txt",
    ]


def test_a_file_in_the_folders_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x")
    with pytest.raises(ConfigError, match="is a file"):
        RunFolder(tmp_path / "f").prepare(make_manifest(), [])


def test_a_second_run_is_kept_out_and_told_whom_to_wait_for(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    program = (
        "import sys\nfrom pathlib import Path\nfrom teval.run.store import RunFolder\n"
        "with RunFolder(Path(sys.argv[1])).lock():\n print('in', flush=True)\n input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(ConfigError, match=f"in use by process {other.pid}"), folder.lock():
            pass
        other.kill()
    with folder.lock():
        pass


def test_the_lock_ends_with_its_context(tmp_path: Path) -> None:
    for _ in range(2):
        with RunFolder(tmp_path).lock():
            pass


def test_descriptions_nest(folder: RunFolder) -> None:
    deep: JsonObject = {"a": {"b": [1, {"c": None}]}}
    folder.note_engine(deep)
    assert folder.manifest().engine == deep
