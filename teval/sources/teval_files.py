"""Published T-Eval files: records with their prompts, what is right, and maybe an answer.

One JSON object a file, id to record; or one record a line, each with an ``id``; or one record
alone, as a run of the released code leaves them. The layout was inferred from the released code.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from teval.errors import DataError
from teval.schema import OWN_KEY, Json, Message, PublishedRecord, Release, Tool
from teval.sources.teval_facts import Facts, facts_of
from teval.sources.tool_list import tools_in

HUB = "hub:"
"""Begins the name of a set on the Hugging Face hub: ``hub:lovesnowbest/T-Eval``."""
RESULTS = "_-1.json"
"""Ends the name of the release's file of results, which holds no records."""

_STEP = re.compile(r"(?P<path>(?P<family>[A-Za-z]+_\d+)_\d+)_(?P<step>\d+)")
"""An id that tells which query and step a record is about: ``query_0_1_0``."""
_KNOWN = ("id", "origin_prompt", "prediction", "ground_truth", "template")

Raw = Mapping[str, Json]


class PublishedFile(NamedTuple):
    """One file, read."""

    name: str
    records: tuple[PublishedRecord, ...]
    facts: str
    """What the records are about and where that was read, for people."""


def read_files(place: str) -> list[PublishedFile]:
    """Return all published files of a place, in the order of their names.

    Args:
        place: A file, a folder of files, or ``hub:OWNER/NAME`` for a set on the hub.

    Raises:
        DataError: The place is missing or empty, or a record can't be used.
    """
    if place.startswith(HUB):
        return [_published(raws) for raws in _from_hub(place.removeprefix(HUB))]
    found = Path(place).expanduser()
    if found.is_dir():
        files = sorted(f for f in found.iterdir() if f.suffix in {".json", ".jsonl"})
        files = [f for f in files if not f.name.endswith(RESULTS)]
        if not files:
            raise DataError(f"{found}: no .json or .jsonl file in this folder")
    elif found.is_file():
        files = [found]
    else:
        raise DataError(f"{found}: no such file or folder")
    sets: dict[str, _Raws] = {}
    for file in files:
        raws = _read(file)
        before = sets.get(raws.where)
        sets[raws.where] = raws if before is None else before.joined(raws)
    return [_published(raws) for raws in sets.values()]


def read_records(place: str) -> list[PublishedRecord]:
    """Return all records of a place; see :func:`read_files`."""
    return [record for file in read_files(place) for record in file.records]


class _Raws(NamedTuple):
    """Records as they stand in a file, with their ids."""

    where: str
    """The file; the folder where each record has a file of its own."""
    records: list[tuple[str, Raw]]

    def joined(self, more: _Raws) -> _Raws:
        """Return these records and more of the same place."""
        return self._replace(records=[*self.records, *more.records])


def _read(file: Path) -> _Raws:
    if file.suffix == ".jsonl":
        return _Raws(str(file), list(_lines(file)))
    whole = _parsed(str(file), file.read_bytes())
    if "ground_truth" in whole:
        return _Raws(str(file.absolute().parent), [(file.stem, whole)])
    records = [(id_, _mapping(f"{file}: record {id_}", raw)) for id_, raw in whole.items()]
    return _Raws(str(file), records)


def _lines(file: Path) -> Iterator[tuple[str, Raw]]:
    for number, line in enumerate(file.read_bytes().splitlines(), start=1):
        if line.strip():
            raw = _parsed(f"{file}:{number}", line)
            if not isinstance(raw.get("id"), str):
                raise DataError(f"{file}:{number}: a record of a .jsonl file needs an 'id'")
            yield str(raw["id"]), raw


def _parsed(where: str, text: bytes) -> Raw:
    def unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        twice = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
        if twice:
            raise DataError(f"{where}: {twice[0]!r} stands twice in one object")
        return dict(pairs)

    def finite(constant: str) -> float:
        raise ValueError(f"{constant} is no JSON value")

    try:
        value = json.loads(text, object_pairs_hook=unique, parse_constant=finite)
        return _mapping(where, value)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where}: not JSON ({error})") from error


def _mapping(where: str, value: Json) -> Raw:
    if not isinstance(value, dict):
        raise DataError(f"{where}: must be a JSON object, not a {type(value).__name__}")
    return value


def _from_hub(name: str) -> Iterator[_Raws]:
    """Yield the splits of a set on the hub.

    Not tried: the hub could not be reached where this was written. Each row is taken for a
    record with its ``id``, and keys that a row leaves empty are dropped.
    """
    from datasets import load_dataset

    for split, rows in load_dataset(name).items():
        raws: list[Raw] = [{k: v for k, v in row.items() if v is not None} for row in rows]
        ids = [str(raw.get("id", f"{split}_{n}")) for n, raw in enumerate(raws)]
        yield _Raws(split, list(zip(ids, raws, strict=True)))


def _published(raws: _Raws) -> PublishedFile:
    name = raws.where
    if not raws.records:
        raise DataError(f"{name}: no record in it")
    read = [_record(name, id_, raw) for id_, raw in raws.records]
    records = tuple(record for record, _ in read)
    twice = [i for i, n in Counter(record.release.id for record in records).items() if n > 1]
    if twice:
        raise DataError(f"{name}: record {twice[0]} stands twice in it")
    return PublishedFile(name, records, _told(records, [facts for _, facts in read]))


def _record(name: str, id_: str, raw: Raw) -> tuple[PublishedRecord, Facts]:
    where = f"{name}: record {id_}"
    if "ground_truth" not in raw:
        raise DataError(f"{where}: has no 'ground_truth'; is it a file of T-Eval records?")
    messages = _messages(where, raw.get("origin_prompt"))
    stem = Path(name).name.removesuffix(".json").removesuffix(".jsonl")
    facts = facts_of(raw, messages, stem)
    if isinstance(facts, str):
        raise DataError(
            f"{where}: neither it nor the file's name tells its {facts}; name the file like "
            "plan_json_v2.json"
        )
    place = _place(id_, raw, of_a_step="plan" not in facts.abilities)
    try:
        release = Release.model_validate(
            {
                "set": stem,
                "id": id_,
                "ground_truth": raw["ground_truth"],
                "template": raw.get("template") or {},
                "names": _names(raw),
                "more": {key: value for key, value in raw.items() if key not in _KNOWN},
            }
        )
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        raise DataError(f"{where}: {'.'.join(map(str, fault['loc']))}: {fault['msg']}") from error
    record = PublishedRecord(
        release=release,
        abilities=facts.abilities,
        format=facts.format,
        language=facts.language,
        family=place.family,
        path=place.path,
        step=place.step,
        messages=messages,
        tools=_tools(raw, messages),
        answered="prediction" in raw,
        prediction=raw.get("prediction"),
    )
    return record, facts


class _Place(NamedTuple):
    """Where a record belongs."""

    family: str
    path: str
    step: int | None


def _place(id_: str, raw: Raw, *, of_a_step: bool) -> _Place:
    """Return where a record belongs: as records of ours tell, else as the id does."""
    match raw.get(OWN_KEY):
        case {"family": str(family), "path": str(path), "step": int() | None as step}:
            return _Place(family, path, step)
    found = _STEP.fullmatch(id_)
    if found is None:
        return _Place(id_, id_, None)
    return _Place(found["family"], found["path"], int(found["step"]) if of_a_step else None)


def _names(raw: Raw) -> Json:
    meta = raw.get("meta")
    return meta.get("API_list") if isinstance(meta, dict) else None


def _tools(raw: Raw, messages: Sequence[Message]) -> tuple[Tool, ...]:
    """Return the tools of the system turn; for records of ours the names that they tell."""
    own = raw.get(OWN_KEY)
    if isinstance(own, dict):
        names = own.get("tools")
        listed = names if isinstance(names, list) else []
        return tuple(Tool(name=name, description="") for name in listed if isinstance(name, str))
    return tools_in(next((m.content for m in messages if m.role == "system"), ""))


def _messages(where: str, prompt: Json) -> tuple[Message, ...]:
    """Return the turns of a prompt as they stand, several of one role in a row included."""
    if isinstance(prompt, str):
        try:
            prompt = json.loads(prompt)
        except ValueError as error:
            raise DataError(f"{where}: origin_prompt is no JSON list of turns ({error})") from error
    if not isinstance(prompt, list | None):
        raise DataError(f"{where}: origin_prompt must be a list of turns")
    turns = []
    for number, turn in enumerate(prompt or []):
        given = turn if isinstance(turn, dict) else {}
        try:
            said = {key: given[key] for key in Message.model_fields if key in given}
            turns.append(Message.model_validate(said))
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]
            key = ".".join(map(str, fault["loc"]))
            raise DataError(f"{where}: origin_prompt[{number}].{key}: {fault['msg']}") from error
    return tuple(turns)


def _told(records: Sequence[PublishedRecord], facts: Sequence[Facts]) -> str:
    """Return one line on what a file holds: ``3 records, 3 answered; ability plan (record); …``."""
    columns: dict[str, list[tuple[str, str]]] = {
        "ability": [("_".join(f.abilities), f.origins[0]) for f in facts],
        "format": [(f.format, f.origins[1]) for f in facts],
        "language": [(f.language, f.origins[2]) for f in facts],
    }
    told = [
        f"{fact} " + ", ".join(f"{value} ({origin})" for value, origin in sorted(set(found)))
        for fact, found in columns.items()
    ]
    answered = sum(record.answered for record in records)
    return "; ".join([f"{len(records)} records, {answered} answered", *told])
