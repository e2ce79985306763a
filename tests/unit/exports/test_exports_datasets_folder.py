from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
import yaml
from factories import make_path

from teval import api
from teval.abilities import ABILITIES, slice_path
from teval.cli import main
from teval.errors import DataError
from teval.exports.datasets_folder import Origin, case_of, write_folder
from teval.prompting import Prompts
from teval.schema import Case, Message, Release

ORIGIN = Origin("some_paths", "1.2.3", {"data": "d1", "cases": "c1"})


def own_cases() -> list[Case]:
    prompts = Prompts.load("en")
    paths = [make_path("trip_01"), make_path("trip_02"), make_path("walk_01", "walk")]
    return [case for path in paths for case in slice_path(path, prompts)]


def load(folder: Path, cache: Path, config: str | None = None) -> list[Case]:
    from datasets import load_dataset

    found = load_dataset(str(folder), config, cache_dir=str(cache))
    assert list(found) == ["test"]
    return [case_of(row) for row in found["test"]]


def front_matter(folder: Path) -> dict[str, object]:
    _, head, _ = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    found: dict[str, object] = yaml.safe_load(head)
    return found


def by_id(cases: list[Case]) -> list[Case]:
    return sorted(cases, key=lambda case: case.id)


def test_what_is_loaded_is_what_was_written(tmp_path: Path) -> None:
    cases = own_cases()
    files = write_folder(tmp_path / "out", cases, ORIGIN)
    assert len(files) == 2 * len(ABILITIES) + 1
    assert all(file.is_file() for file in files)
    found = load(tmp_path / "out", tmp_path / "cache")
    assert by_id(found) == by_id(cases)
    assert [c.id for c in found if (c.ability, c.format) == ("reason", "json")] == [
        c.id for c in cases if (c.ability, c.format) == ("reason", "json")
    ]
    golds = {case.id: json.dumps(case.gold) for case in found}
    assert golds == {case.id: json.dumps(case.gold) for case in cases}, "keys keep their order"


@pytest.mark.parametrize("ability", sorted(ABILITIES))
def test_an_ability_can_be_loaded_alone(ability: str, tmp_path: Path) -> None:
    cases = [case for case in own_cases() if case.ability in {ability, "plan"}]
    write_folder(tmp_path / "out", cases, ORIGIN)
    found = load(tmp_path / "out", tmp_path / "cache", ability)
    assert by_id(found) == by_id([case for case in cases if case.ability == ability])


def test_what_a_case_may_hold_comes_back(tmp_path: Path) -> None:
    base = own_cases()[0]
    release = Release(set="plan", id="q", ground_truth=[{"a": None}, 1.5], more={"k": ["é", {}]})
    odd: dict[str, dict[str, object]] = {
        "nothing": {"tags": (), "tools": (), "messages": ()},
        "text": {"messages": (Message(role="tool", content="\n\t\"é😀'", name="t"),)},
        "release": {"release": release},
        "gold": {"gold": {"z": [], "a": {"n": 10**20, "f": 0.1, "none": None}}},
        "no step": {"step": None},
    }
    cases = [base.model_copy(update={**fields, "id": name}) for name, fields in odd.items()]
    write_folder(tmp_path / "out", cases, ORIGIN)
    assert load(tmp_path / "out", tmp_path / "cache") == cases


def test_the_card_counts_and_names_what_it_holds(tmp_path: Path) -> None:
    cases = own_cases()
    write_folder(tmp_path, cases, ORIGIN)
    head = front_matter(tmp_path)
    assert (head["license"], head["language"]) == ("apache-2.0", ["en"])
    assert head["size_categories"] == ["n<1K"]
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    plans = [case for case in cases if (case.ability, case.format) == ("plan", "json")]
    assert f"| plan | json | {len(plans)} | 1 | 3 | 2 |" in card
    requests = len({case.prompt for case in cases})
    assert f"| **all** |  | {len(cases)} | {requests} | 3 | 2 |" in card
    for part in ("some_paths", "teval 1.2.3", "- data: `d1`", "- cases: `c1`", "Apache-2.0"):
        assert part in card
    for name in Case.model_fields:
        assert f"| `{name}` |" in card


def test_somebody_elses_cases_are_not_put_under_our_licence(tmp_path: Path) -> None:
    release = Release(set="plan", id="q", ground_truth=[])
    ours = release.model_copy(update={"more": {"teval": {}}})
    base = own_cases()[0]
    write_folder(tmp_path / "a", [base.model_copy(update={"release": release})], ORIGIN)
    write_folder(tmp_path / "b", [base.model_copy(update={"release": ours})], ORIGIN)
    assert front_matter(tmp_path / "a")["license"] == "other"
    assert front_matter(tmp_path / "b")["license"] == "apache-2.0"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    file = tmp_path / "out"
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(DataError, match="is a file"):
        write_folder(file, own_cases(), ORIGIN)
    assert file.read_text(encoding="utf-8") == "mine"


def teval(*words: str) -> tuple[int, str, str]:
    with (
        redirect_stdout(io.StringIO()) as out,
        redirect_stderr(io.StringIO()) as err,
        pytest.raises(SystemExit) as end,
    ):
        main(words)
    assert isinstance(end.value.code, int)
    return end.value.code, out.getvalue(), err.getvalue()


def test_settings_and_the_run_made_with_them_export_alike(tmp_path: Path) -> None:
    data = tmp_path / "paths.jsonl"
    data.write_text(f"{make_path().model_dump_json()}\n", encoding="utf-8")
    settings = ("-s", f"data.paths={data}", "-s", f"out={tmp_path / 'run'}")
    out = tmp_path / "out"
    code, told, err = teval("export", "--to", "datasets", *settings, "-o", str(out), "--json")
    assert (code, err) == (0, "")
    assert json.loads(told)["files"][-1] == str(out / "README.md")
    assert not (tmp_path / "run").exists(), "nothing was run for it"
    job = api.prepare(api.load_config((), [word for word in settings if word != "-s"]))
    assert by_id(load(out, tmp_path / "cache")) == by_id(list(job.cases))
    again = tmp_path / "again"
    assert teval("export", str(tmp_path / "run"), "--to", "datasets", "-o", str(again))[0] == 0
    assert (again / "README.md").read_bytes() == (out / "README.md").read_bytes()
    assert load(again, tmp_path / "cache") == load(out, tmp_path / "cache")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ([], "--to datasets"),
        (["--to", "datasets"], "no settings given"),
        (["run", "-c", "smoke", "--to", "datasets"], "either a run's folder, or settings"),
        (["nowhere", "--to", "datasets"], "nowhere"),
    ],
)
def test_what_is_missing_is_one_line(words: list[str], part: str, tmp_path: Path) -> None:
    code, out, err = teval("export", *words, "-o", str(tmp_path / "out"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert part in err
