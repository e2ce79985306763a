from __future__ import annotations

import json
from pathlib import Path

import pytest

from teval.errors import DataError
from teval.schema import Answer, Call, JsonObject, SolutionPath, Step, Tool
from teval.sources.native import read_paths, read_records


def make_path(name: str) -> SolutionPath:
    return SolutionPath(
        id=name,
        family="f",
        query="Q",
        tools=(Tool(name="a.b", description="d"),),
        steps=(Step(id=0, thought="t", call=Call(name="FinishAction")),),
        answer=Answer(text="done"),
    )


def write(place: Path, *records: SolutionPath | JsonObject | str) -> Path:
    lines = [
        r.model_dump_json()
        if isinstance(r, SolutionPath)
        else r
        if isinstance(r, str)
        else json.dumps(r)
        for r in records
    ]
    place.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return place


def test_a_file_gives_its_paths_in_order(tmp_path: Path) -> None:
    file = write(tmp_path / "p.jsonl", make_path("b"), "", make_path("a"))
    assert [p.id for p in read_paths(str(file))] == ["b", "a"]


def test_a_folder_gives_the_paths_of_its_files_by_name(tmp_path: Path) -> None:
    write(tmp_path / "2.jsonl", make_path("a"))
    write(tmp_path / "1.jsonl", make_path("b"))
    (tmp_path / "readme.md").write_text("x")
    assert [p.id for p in read_paths(str(tmp_path))] == ["b", "a"]


@pytest.mark.parametrize(
    ("record", "parts"),
    [
        ("{", ["p.jsonl:2", "JSON"]),
        ({"id": "x"}, ["p.jsonl:2", "family: Field required"]),
        ({**make_path("x").model_dump(mode="json"), "query": 3}, ["p.jsonl:2", "query", "string"]),
        ({**make_path("x").model_dump(mode="json"), "extra": 3}, ["p.jsonl:2", "extra"]),
        (make_path("a"), ["p.jsonl:2", "'a'", "p.jsonl:1"]),
    ],
)
def test_a_bad_record_is_named(
    tmp_path: Path, record: SolutionPath | JsonObject | str, parts: list[str]
) -> None:
    file = write(tmp_path / "p.jsonl", make_path("a"), record)
    with pytest.raises(DataError) as caught:
        list(read_paths(str(file)))
    for part in parts:
        assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_records_tell_what_is_wrong_with_them(tmp_path: Path) -> None:
    infinite = json.loads(make_path("b").model_dump_json())
    infinite["steps"][0]["call"]["args"] = {"n": float("inf")}
    file = write(tmp_path / "p.jsonl", make_path("a"), "{", "", infinite, make_path("a"))
    found = list(read_records(str(file)))
    assert [record.place for record in found] == [f"{file}:{n}" for n in (1, 2, 4, 5)]
    assert [record.path and record.path.id for record in found] == ["a", None, None, "a"]
    assert [bool(record.fault) for record in found] == [False, True, True, False]


def test_empty_and_missing_places_are_named(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n")
    with pytest.raises(DataError, match="no solution path"):
        list(read_paths(str(empty)))
    with pytest.raises(DataError, match="no such file"):
        list(read_paths(str(tmp_path / "nowhere.jsonl")))
    (tmp_path / "folder").mkdir()
    with pytest.raises(DataError, match=r"no \.jsonl file"):
        list(read_paths(str(tmp_path / "folder")))
