"""Finished runs as reports read them: a label, the summary, the scores of all cases."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from teval.abilities import ABILITIES
from teval.errors import DataError
from teval.run.store import Manifest, RunFolder
from teval.schema import Cell, Score, Summary


class Value(NamedTuple):
    """A corrected score with its 95 % interval and its floor, all in [0, 1]."""

    score: float
    low: float | None
    high: float | None
    floor: float | None


@dataclass(frozen=True)
class LoadedRun:
    """One finished run."""

    label: str
    """Name in tables and legends; no two runs of one report share it."""
    summary: Summary
    scores: Iterable[Score]
    """Of all planned cases, in their order; read anew each time, so that memory stays small."""
    sha256: str
    """Hash of the ``summary.json`` that the report is made from."""
    data: str
    """Names the data, for captions."""
    cases: str
    """Hash of all cases; runs that share it were asked the same."""

    def value(self, ability: str) -> Value | None:
        """Return an ability's score, or None where the run did not ask for it."""
        found = self.summary.corrected.abilities.get(ability)
        if found is None:
            return None
        return Value(found.score, found.low, found.high, found.floor)

    @property
    def beside(self) -> dict[str, Value]:
        """Scores that enter no mean, by name."""
        return {
            name: Value(cell.score, cell.low, cell.high, cell.floor)
            for name, cell in beside_cells(self.summary).items()
        }

    @property
    def overall(self) -> Value | None:
        """The overall score, or None where the run did not ask for all that it is made of."""
        found = self.summary.corrected
        if found.overall is None or not found.complete:
            return None
        return Value(found.overall, found.low, found.high, found.floor)


def load_runs(folders: Sequence[Path]) -> tuple[LoadedRun, ...]:
    """Return the runs in the order given; where two would share a label, it names the folder too.

    Args:
        folders: Run folders, each with manifest, scores and summary.

    Raises:
        DataError: A folder holds no finished run, or one of another version.
    """
    runs = [_load(RunFolder(folder)) for folder in folders]
    labels = told_apart([run.label for run in runs], folders)
    return tuple(replace(run, label=label) for run, label in zip(runs, labels, strict=True))


def cells(summary: Summary) -> Iterator[Cell]:
    """Yield every cell of the corrected scores."""
    for ability in summary.corrected.abilities.values():
        if ability is not None:
            yield from ability.formats.values()
    for found in summary.corrected.beside.values():
        yield from found.values()


def beside_label(ability: str, form: str) -> str:
    """Return the name of a score that enters no mean."""
    return f"{ability} ({form})"


def beside_cells(summary: Summary) -> dict[str, Cell]:
    """Return the corrected scores that enter no mean, by name."""
    return {
        beside_label(name, form): cell
        for name, found in summary.corrected.beside.items()
        for form, cell in found.items()
    }


def beside_names(summaries: Iterable[Summary]) -> list[str]:
    """Return the names of all scores that enter no mean, in the abilities' order."""
    asked = [summary.corrected.beside for summary in summaries]
    forms = {name: [form for found in asked for form in found.get(name, ())] for name in ABILITIES}
    return [beside_label(name, form) for name in forms for form in dict.fromkeys(forms[name])]


def caption(runs: Sequence[LoadedRun]) -> str:
    """Return one line that says what the numbers are, over how many cases of which data."""
    totals = [run.summary.corrected for run in runs]
    cases = _distinct(str(total.n) for total in totals)
    families = _distinct(str(total.families) for total in totals)
    data = _distinct(run.data for run in runs)
    return f"Corrected scores, 0–100; n = {cases} cases of {families} families; data: {data}."


def label_of(name: str, model: str) -> str:
    """Return the run's name, and the model's by its last part, on one line."""
    model = Path(model).name
    return " ".join((f"{name} ({model})" if model and model not in name else name).split())


def told_apart(labels: Sequence[str], folders: Sequence[Path]) -> list[str]:
    """Return the labels, with the folder added to those that several runs share."""
    shared = Counter(labels)
    return [
        f"{label} [{folder}]" if shared[label] > 1 else label
        for label, folder in zip(labels, folders, strict=True)
    ]


def _load(folder: RunFolder) -> LoadedRun:
    summary, manifest = folder.summary(), folder.manifest()
    scores = folder.score_file()
    _check(folder, summary, scores)
    return LoadedRun(
        label=label_of(summary.name, summary.model),
        summary=summary,
        scores=scores,
        sha256=hashlib.sha256((folder.path / "summary.json").read_bytes()).hexdigest(),
        data=_data(manifest),
        cases=manifest.hashes.get("cases", ""),
    )


def _check(folder: RunFolder, summary: Summary, scores: Iterable[Score]) -> None:
    place = folder.path / "summary.json"
    unknown = sorted(summary.corrected.abilities.keys() - ABILITIES.keys())
    if unknown:
        raise DataError(f"{place}: ability {unknown[0]!r} is none of {', '.join(ABILITIES)}")
    planned = sum(sum(cell.statuses.values()) for cell in cells(summary))
    held = sum(1 for _ in scores)
    if planned != held:
        raise DataError(
            f"{place} sums up {planned} scores, but scores.jsonl beside it holds {held}; "
            f"score the run again: teval score {folder.path}"
        )


def _data(manifest: Manifest) -> str:
    """Name the data as configured, with the start of its hash."""
    config = manifest.config.get("data")
    paths = str(config.get("paths", "")) if isinstance(config, dict) else ""
    parts = [Path(paths).name, manifest.hashes.get("data", "")[:8]]
    return " ".join(part for part in parts if part) or "unnamed"


def _distinct(texts: Iterable[str]) -> str:
    return " / ".join(dict.fromkeys(texts))
