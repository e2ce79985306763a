"""A run's answers in the layout of the T-Eval release's own output.

``<out>/<model>/<set>_<model>/<id>.json`` is one record with its answer,
``<out>/<model>/<set>_<model>.json`` all of a set, ``<out>/<model>/<model>_-1.json`` the results.
The layout was inferred from the released code.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from teval.errors import DataError
from teval.schema import OWN_KEY, Case, Json, JsonObject, Release

JOINT = ("reason", "retrieve", "understand")
SETS: Mapping[str, Mapping[str, str]] = {
    "instruct": {"json": "instruct", "string": "instruct"},
    "plan": {"json": "plan_json", "string": "plan_str"},
    "review": {"json": "review_json", "string": "review_str"},
    **{
        name: {"json": "reason_retrieve_understand_json", "string": f"{name}_str"} for name in JOINT
    },
}
"""Name of the set by ability and format, for cases of ours."""
RESULTS: Mapping[str, Mapping[str, str]] = {
    "instruct": {"json": "instruct_json", "string": "instruct_json"},
    "plan": {"json": "plan_json", "string": "plan_str"},
    "review": {"string": "review_str"},
    **{name: {"json": "rru_json", "string": f"{name}_str"} for name in JOINT},
}
"""Key of the results by ability and format; the release has none for review in JSON."""

_SAFE = re.compile(r"[A-Za-z0-9_\-][A-Za-z0-9_.\-]{0,150}")


class Answered(NamedTuple):
    """One case and what is told of it in the release's layout."""

    case: Case
    release: Release
    """The case as a record; its own where it was read from one."""
    answer: str | None
    """None where nobody answered."""


class _Entry(NamedTuple):
    """One record of a set."""

    set: str
    id: str
    record: JsonObject


def write_layout(
    out: Path, model: str, answers: Iterable[Answered], results: Mapping[str, Json]
) -> list[Path]:
    """Write answers and results in the release's layout, and return the files of the sets.

    Args:
        out: The folder to write into; others' files there are left alone.
        model: Names folder and files; what no file name should hold becomes ``_``.
        answers: The cases; those of one joint reply become one record.
        results: Metrics by set, as the release names both.

    Raises:
        DataError: A set or an id can't be a file's name.
    """
    slug = re.sub(r"[^A-Za-z0-9_.\-]+", "_", Path(model).name or model).strip("._") or "model"
    sets: dict[str, dict[str, JsonObject]] = defaultdict(dict)
    for entry in _entries(answers):
        sets[_checked(entry.set)].setdefault(_checked(entry.id), entry.record)
    place = out / slug
    written = []
    for name, records in sets.items():
        for id_, record in records.items():
            _write(place / f"{name}_{slug}" / f"{id_}.json", record)
        written.append(place / f"{name}_{slug}.json")
        _write(written[-1], records)
    _write(place / f"{slug}_-1.json", dict(results))
    return [*written, place / f"{slug}_-1.json"]


def results_of(metrics: Mapping[tuple[str, str], Mapping[str, float]]) -> JsonObject:
    """Return the release's results from its metrics' means by ability and format."""
    results: dict[str, dict[str, Json]] = defaultdict(dict)
    for (ability, form), values in metrics.items():
        key = RESULTS[ability].get(form)
        if key is not None:
            results[key].update(values)
    return dict(results)


def _entries(answers: Iterable[Answered]) -> Iterator[_Entry]:
    for case, release, answer in answers:
        own = case.release is None
        record: JsonObject = {
            "origin_prompt": [m.model_dump(mode="json", exclude_none=True) for m in case.messages],
            "ground_truth": release.ground_truth,
            **({"template": dict(release.template)} if release.template else {}),
            **(_facts(case, release) if own else release.more),
            **({} if answer is None else {"prediction": answer}),
        }
        if own:
            yield _Entry(SETS[case.ability][case.format], _own_id(case), record)
        else:
            yield _Entry(release.set, release.id, record)


def _own_id(case: Case) -> str:
    """Return an id that is unique in the case's set, where instruct has both formats."""
    parts = [case.path, "" if case.step is None else str(case.step)]
    form = case.format if case.ability == "instruct" else ""
    return "_".join(part for part in (*parts, form) if part)


def _facts(case: Case, release: Release) -> JsonObject:
    """Return what our own cases tell besides; the release has no place for most of it."""
    short = "json" if case.format == "json" else "str"
    own: JsonObject = {
        "family": case.family,
        "path": case.path,
        "step": case.step,
        "language": case.language,
        "tools": list(case.tools),
        "gold": case.gold,
    }
    if release.names is not None:
        meta: JsonObject = {"API_list": list(release.names), "prompt_type": short}
        return {"meta": meta, OWN_KEY: own}
    told: JsonObject = {"response_format": case.format if case.ability == "instruct" else short}
    return {"meta_data": told, OWN_KEY: own}


def _checked(name: str) -> str:
    if not _SAFE.fullmatch(name):
        raise DataError(
            f"{name!r} can't be a file's name; only letters, digits, '_', '-' and '.' can stand "
            "in the ids of an exported run"
        )
    return name


def _write(path: Path, value: JsonObject | dict[str, JsonObject]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(value, ensure_ascii=False, indent=2)
    path.write_text(f"{text}\n", encoding="utf-8", newline="\n")
