"""Records that stay on disk."""

from __future__ import annotations

import gc
import json
from pathlib import Path

import pytest
from run_cases import review_case

from teval.errors import DataError
from teval.run.record_file import ListDigest, RecordFile, Spooled, needing_room
from teval.schema import Case, JsonObject, digest

CASES = [review_case(name) for name in ("a", "bé", "c")]


def test_records_are_read_any_number_of_times_and_one_by_one() -> None:
    spooled = Spooled(iter(CASES), Case)
    assert len(spooled) == 3
    assert list(spooled) == list(spooled) == CASES
    places = [place for place, _ in spooled.placed()]
    assert [spooled.at(place) for place in reversed(places)] == CASES[::-1]


def test_a_record_may_be_read_while_others_are_being_read() -> None:
    spooled = Spooled(CASES, Case)
    first = next(place for place, _ in spooled.placed())
    assert [(case, spooled.at(first)) for case in spooled] == [(case, CASES[0]) for case in CASES]


def test_the_file_is_closed_with_its_records_even_in_a_cycle(tmp_path: Path) -> None:
    file = (tmp_path / "cases.jsonl").open("w+b")
    cycle: list[object] = [RecordFile(file, "cases", Case)]
    cycle.append(cycle)
    del cycle
    gc.collect()
    assert file.closed


def test_names_keep_their_order() -> None:
    schema: JsonObject = {"thought": {"type": "string"}, "args": {"z": 1, "a": 2}}
    (case,) = Spooled([CASES[0].model_copy(update={"constraint": schema})], Case)
    assert json.dumps(case.constraint) == json.dumps(schema)


def test_the_digest_is_that_of_the_list() -> None:
    spooled = Spooled(CASES, Case)
    dumped = [case.model_dump(mode="json") for case in CASES]
    assert spooled.digests == {"": digest(dumped)}
    told = [{name: d[name] for name in d if name != "functions"} for d in dumped]
    assert Spooled(CASES, Case, unhashed=("functions",)).digests == {"": digest(told)}
    assert Spooled([], Case).digests == {}
    assert ListDigest().digest == digest([])
    by_id = Spooled(CASES, Case, kind=lambda case: case.id).digests
    assert by_id == {case.id: digest([one]) for case, one in zip(CASES, dumped, strict=True)}


@pytest.mark.parametrize(("tail", "torn"), [(b'{"id":', True), (b"", False)])
def test_a_broken_line_is_named_and_a_torn_end_left_out_where_it_may_be(
    tmp_path: Path, tail: bytes, torn: bool
) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_bytes(b"".join(Spooled(CASES, Case).lines()) + tail)
    assert list(RecordFile(file.open("rb"), "cases", Case, torn=True)) == CASES
    whole = RecordFile(file.open("rb"), "cases", Case)
    if torn:
        with pytest.raises(DataError, match="cases:4: "):
            list(whole)
    file.write_bytes(b"{}\n" + file.read_bytes())
    with pytest.raises(DataError, match="cases:1: id: Field required"):
        list(RecordFile(file.open("rb"), "cases", Case, torn=True))


def test_a_full_disk_is_one_clear_line() -> None:
    with pytest.raises(DataError, match=r"No space left on device.*TMPDIR"), needing_room():
        raise OSError(28, "No space left on device")
