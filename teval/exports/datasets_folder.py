"""Cases as a folder that the ``datasets`` library loads: Parquet files and a data card.

``<out>/data/<ability>-<format>.parquet`` holds the cases of one kind, ``<out>/README.md`` names
the files in the front matter that hub and library read. ``load_dataset(out)`` gives all cases,
``load_dataset(out, "plan")`` those of one ability; :func:`case_of` makes a case of a row again.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import yaml

from teval.errors import DataError
from teval.schema import OWN_KEY, Case, Json, JsonObject

SPLIT = "test"
"""The one split: nobody is to train on it."""
ALL = "all"
"""The configuration that is loaded where none is named: every case."""
_AS_TEXT = ("functions", "constraint", "gold", "release")
"""Columns of JSON text, for the values' shape differs from case to case."""
_SIZES = (1_000, 10_000, 100_000, 1_000_000)
_COLUMNS: Mapping[str, str] = {
    "id": "the case's id",
    "ability": "instruct, plan, reason, retrieve, understand or review",
    "format": "`json`, `string` or `tools`: the form that the answer is asked for in",
    "language": "of query and prompt",
    "family": "what the path was made from; cases of one family are not independent",
    "path": "the gold path that the case was cut from",
    "step": "the path's step, from 0; null for a plan",
    "tags": "of the path",
    "messages": "the chat as the model sees it: `role`, `content`, `name` (or null)",
    "tools": "names of the tools that the messages list, or that are offered beside them",
    "functions": "tools offered for a call in the model's own syntax, as JSON text",
    "constraint": "JSON Schema that the answer is to be held to, as JSON text; or null",
    "gold": "what is right, as JSON text",
    "prompt": "hash of the messages; one request answers all cases that share it",
    "release": "the record of a published file that the case was read from, as JSON text; or null",
}


class Origin(NamedTuple):
    """Where the cases come from, for the card."""

    data: str
    """Name of the data."""
    version: str
    """Of teval."""
    hashes: Mapping[str, str]
    """Digests of data, prompts and cases."""


def write_folder(out: Path, cases: Sequence[Case], origin: Origin) -> list[Path]:
    """Write cases as a folder for ``datasets``, and return its files, the card last.

    Args:
        out: The folder to write into; others' files there are left alone.
        cases: At least one.
        origin: Where they come from.

    Raises:
        DataError: The folder is a file, or a message makes calls.
    """
    if out.exists() and not out.is_dir():
        raise DataError(f"{out} is a file; give a folder to write into")
    if any(message.calls for case in cases for message in case.messages):
        raise DataError("turns with calls have no column; export with -s prompts.history=log")
    shards: dict[tuple[str, str], list[Case]] = defaultdict(list)
    for case in cases:
        shards[case.ability, case.format].append(case)
    names = {kind: f"data/{kind[0]}-{kind[1]}.parquet" for kind in shards}
    (out / "data").mkdir(parents=True, exist_ok=True)
    with _quiet():
        for kind, shard in shards.items():
            _write_rows(out / names[kind], shard)
    card = out / "README.md"
    text = f"---\n{_front_matter(cases, names)}---\n\n{_card(shards, origin)}"
    card.write_text(text, encoding="utf-8", newline="\n")
    return [*(out / name for name in names.values()), card]


def case_of(row: Mapping[str, object]) -> Case:
    """Return the case that a row tells of.

    Args:
        row: A row of a dataset, as ``load_dataset`` gives it.

    Raises:
        ValueError: The row tells of no case.
    """
    texts = {name: row[name] for name in _AS_TEXT}
    values = {name: None if text is None else json.loads(str(text)) for name, text in texts.items()}
    return Case.model_validate({**row, **values})


@contextmanager
def _quiet() -> Iterator[None]:
    """No progress bars of the library, which would stand among the command's own words."""
    import datasets

    shown = datasets.is_progress_bar_enabled()
    datasets.disable_progress_bars()
    try:
        yield
    finally:
        if shown:
            datasets.enable_progress_bars()


def _write_rows(file: Path, cases: Iterable[Case]) -> None:
    from datasets import Dataset, Features, Value

    text = Value("string")
    lists: dict[str, object] = {
        "tags": [text],
        "messages": [{"role": text, "content": text, "name": text}],
        "tools": [text],
        "step": Value("int64"),
    }
    features = Features({name: lists.get(name, text) for name in _COLUMNS})
    Dataset.from_list([_row(case) for case in cases], features=features).to_parquet(file)


def _row(case: Case) -> JsonObject:
    row: JsonObject = case.model_dump(mode="json")
    texts: JsonObject = {
        # The order of keys is kept: arguments of a call stand in the order of its writer.
        name: None if row[name] is None else json.dumps(row[name], ensure_ascii=False)
        for name in _AS_TEXT
    }
    return {**row, **texts}


def _front_matter(cases: Sequence[Case], names: Mapping[tuple[str, str], str]) -> str:
    """The card's head as YAML: what hub and library read."""
    files = defaultdict(list)
    for (ability, _), name in names.items():
        files[ALL].append(name)
        files[ability].append(name)
    configs: list[Json] = [
        {
            "config_name": name,
            "data_files": [{"split": SPLIT, "path": list[Json](paths)}],
            **({"default": True} if name == ALL else {}),
        }
        for name, paths in files.items()
    ]
    head: JsonObject = {
        "license": "apache-2.0" if _own(cases) else "other",
        "language": list[Json](sorted({case.language for case in cases})),
        "pretty_name": "teval cases",
        "task_categories": ["text-generation"],
        "tags": ["tool-use", "function-calling", "agents", "evaluation"],
        "size_categories": [_size(len(cases))],
        "configs": configs,
    }
    return yaml.safe_dump(head, sort_keys=False, allow_unicode=True)


def _own(cases: Iterable[Case]) -> bool:
    """Whether no case was read from somebody else's file."""
    return all(case.release is None or OWN_KEY in case.release.more for case in cases)


def _size(number: int) -> str:
    """The hub's name of a size.

    >>> _size(2213), _size(999)
    ('1K<n<10K', 'n<1K')
    """
    names = ("1K", "10K", "100K", "1M")
    above = sum(number >= size for size in _SIZES)
    if above == 0:
        return f"n<{names[0]}"
    return f"{names[above - 1]}<n<{names[above]}" if above < len(names) else f"n>{names[-1]}"


def _card(shards: Mapping[tuple[str, str], Sequence[Case]], origin: Origin) -> str:
    """What a person should know before using the cases."""
    cases = [case for shard in shards.values() for case in shard]
    counts = [_counts(*kind, shard) for kind, shard in shards.items()]
    tags = Counter(tag for case in cases for tag in case.tags)
    told = ", ".join(f"{tag} {count}" for tag, count in sorted(tags.items()))
    licence = (
        "Apache-2.0, as teval itself."
        if _own(cases)
        else "That of the published files that the cases were read from."
    )
    return _CARD.format(
        data=origin.data,
        version=origin.version,
        hashes="\n".join(f"- {name}: `{value}`" for name, value in origin.hashes.items()),
        rows="\n".join([*counts, _counts("**all**", "", cases)]),
        tags=f"Cases by tag: {told}.\n" if told else "",
        columns="\n".join(f"| `{name}` | {text} |" for name, text in _COLUMNS.items()),
        licence=licence,
        all=ALL,
        split=SPLIT,
    )


def _counts(ability: str, form: str, cases: Sequence[Case]) -> str:
    facts = ({c.prompt for c in cases}, {c.path for c in cases}, {c.family for c in cases})
    return f"| {ability} | {form} | {len(cases)} | {' | '.join(str(len(f)) for f in facts)} |"


_CARD = """\
# teval cases: {data}

Test cases that tell which ability makes a language model fail at using tools. Each is one step of
a gold solution path, asked for one of six abilities in one of two formats; `messages` are all
that a model is shown.

```python
from datasets import load_dataset

cases = load_dataset("THIS_FOLDER", split="{split}")  # configuration "{all}"; or an ability's name
```

| ability | format | cases | requests | paths | families |
|---|---|---|---|---|---|
{rows}

{tags}
## How it was made

Gold paths are carried out in a seeded, executable world and verified by replay; teval {version}
sliced them into cases and rendered the messages. The same data, prompts and version give the same
cases. Hashes:

{hashes}

## Columns

| column | what it holds |
|---|---|
{columns}

`teval.exports.datasets_folder.case_of(row)` makes a `teval.schema.Case` of a row again.

## Use and limits

For evaluation only: do not train on it. Score answers with teval, since each ability has a metric
of its own; cases of one family are not independent, so draw families when you resample.

## Licence

{licence}
"""
