"""A run's folder: what it holds, written so that it survives being stopped anywhere."""

from __future__ import annotations

import fcntl
import io
import json
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from teval.errors import ConfigError, DataError
from teval.run.record_file import RecordFile, fault_of
from teval.schema import (
    Case,
    Completion,
    Episode,
    Frozen,
    Json,
    JsonObject,
    Outcome,
    OutcomeSummary,
    Score,
    SolutionPath,
    Summary,
    canonical,
)

FORMAT = 1
"""Version of the folder's layout."""

_SYNC_SECONDS = 1.0
"""Longest time that answers stay only in the system's memory."""

_Record = TypeVar("_Record", bound=Frozen)


class Manifest(Frozen):
    """What a run is made of: enough to say whether two runs may be compared or joined."""

    format: int = FORMAT
    answers: JsonObject
    """All that can move an answer: cases, engine settings, sampling. A folder holds one such."""
    config: JsonObject
    """The resolved settings."""
    signature: str = ""
    """The summary's; empty before the answers were scored."""
    hashes: dict[str, str]
    """Digests of the data, of the prompts and of all cases."""
    engine: JsonObject = {}
    """The engine's own description: versions, template hash, how roles were rendered. Empty
    before an engine was started."""
    embedder: JsonObject = {}
    """The embedder's own description; empty before the answers were scored."""
    packages: dict[str, str] = {}
    """Versions of the installed packages that matter."""


class RunFolder:
    """The records of one run."""

    def __init__(self, path: Path) -> None:
        """Name the folder; nothing is read or made yet."""
        self.path = path

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep every other run out of the folder for as long as the context lasts.

        The lock is the operating system's, so that it ends with the process however that dies.

        Raises:
            ConfigError: Another run works in the folder.
        """
        self._make()
        with (self.path / ".lock").open("a+", encoding="ascii") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                file.seek(0)
                raise ConfigError(
                    f"{self.path} is in use by process {file.read().strip() or '?'}; "
                    "wait for it, or give another folder with -s out=DIR"
                ) from error
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
            yield

    def prepare(self, manifest: Manifest, cases: Iterable[Case]) -> None:
        """Write manifest and cases, or check that those already there allow to go on.

        What an earlier start found out about its engine and embedder is kept.

        Raises:
            ConfigError: The folder holds a run whose answers came about differently.
            DataError: The folder's manifest can't be read.
        """
        self._make()
        if (self.path / "manifest.json").exists():
            old = self.manifest()
            _refuse_differences(self.path, old.answers, manifest.answers)
            kept = {"engine": old.engine, "embedder": old.embedder, "signature": old.signature}
            manifest = manifest.model_copy(update=kept)
        elif self._has_answers():
            raise ConfigError(
                f"{self.path} holds answers but no manifest.json, so nobody knows what they "
                "answer; give another folder with -s out=DIR"
            )
        self._write_lines("cases.jsonl", cases)
        self.write_manifest(manifest)

    def manifest(self) -> Manifest:
        """Return the stored manifest.

        Raises:
            DataError: There is none, it is broken, or another version wrote it.
        """
        found = self._read_one("manifest.json", Manifest)
        if found.format != FORMAT:
            raise DataError(
                f"{self.path / 'manifest.json'}: format {found.format}, but this version of teval "
                f"reads format {FORMAT}; run again into another folder"
            )
        return found

    def write_manifest(self, manifest: Manifest) -> None:
        """Replace the manifest."""
        self._write("manifest.json", _pretty(manifest))

    def note_engine(self, description: JsonObject) -> None:
        """Put the started engine's own description into the manifest.

        Raises:
            ConfigError: Answers are there already, and another engine gave them.
        """
        manifest = self.manifest()
        if manifest.engine and self._has_answers():
            _refuse_differences(self.path, {"engine": manifest.engine}, {"engine": description})
        self.write_manifest(manifest.model_copy(update={"engine": description}))

    def case_file(self) -> RecordFile[Case]:
        """Return the planned cases in their order, to be read one by one.

        Raises:
            DataError: The file is missing; broken lines show when they are read.
        """
        return self._records("cases.jsonl", Case)

    def cases(self) -> list[Case]:
        """Return all planned cases; DataError where the file is missing or broken."""
        return list(self.case_file())

    def score_file(self) -> RecordFile[Score]:
        """Return the scores in the order of the cases, to be read one by one."""
        return self._records("scores.jsonl", Score)

    def scores(self) -> list[Score]:
        """Return all scores; DataError where the file is missing or broken."""
        return list(self.score_file())

    def write_scores(self, scores: Iterable[Score]) -> None:
        """Replace the scores."""
        self._write_lines("scores.jsonl", scores)

    def summary(self) -> Summary:
        """Return the stored summary.

        Raises:
            DataError: There is none, or it is broken.
        """
        return self._read_one("summary.json", Summary)

    def write_summary(self, summary: Summary) -> None:
        """Replace the summary."""
        self._write("summary.json", _pretty(summary))

    def paths(self) -> list[SolutionPath]:
        """Return the paths that episodes are played on; DataError as with the scores."""
        return list(self._records("paths.jsonl", SolutionPath))

    def write_paths(self, paths: Iterable[SolutionPath]) -> None:
        """Replace the paths."""
        self._write_lines("paths.jsonl", paths)

    def episodes(self) -> list[Episode]:
        """Return the played episodes; DataError as with the scores."""
        return list(self._records("episodes.jsonl", Episode))

    def write_episodes(self, episodes: Iterable[Episode]) -> None:
        """Replace the episodes."""
        self._write_lines("episodes.jsonl", episodes)

    def outcomes(self) -> list[Outcome]:
        """Return what came of the episodes; DataError as with the scores."""
        return list(self._records("outcomes.jsonl", Outcome))

    def write_outcomes(self, outcomes: Iterable[Outcome]) -> None:
        """Replace the outcomes."""
        self._write_lines("outcomes.jsonl", outcomes)

    def outcome_summary(self) -> OutcomeSummary:
        """Return the stored summary of the outcomes; DataError as with the other summary."""
        return self._read_one("outcomes.json", OutcomeSummary)

    def write_outcome_summary(self, summary: OutcomeSummary) -> None:
        """Replace the summary of the outcomes."""
        self._write("outcomes.json", _pretty(summary))

    def completions(self) -> dict[str, Completion]:
        """Return the latest completion of each request, by the request's key.

        Raises:
            DataError: A line is broken.
        """
        return {completion.request: completion for completion in self.completion_file()}

    def completion_file(self) -> RecordFile[Completion]:
        """Return all completions in the order in which they came, to be read one by one.

        A last line that was cut off by a kill is left out and logged; any other broken line is a
        DataError when it is read.
        """
        path = self.path / "completions.jsonl"
        file = path.open("rb") if path.exists() else io.BytesIO()
        return RecordFile(file, str(path), Completion, torn=True)

    @contextmanager
    def appending(self) -> Iterator[Appender]:
        """Give a writer at the end of the completions."""
        path = self.path / "completions.jsonl"
        if path.exists():
            _end_cleanly(path)
        with Appender(path) as appender:
            yield appender

    def _has_answers(self) -> bool:
        return next(iter(self.completion_file()), None) is not None

    def _make(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise ConfigError(f"{self.path} is a file; give a folder with -s out=DIR")
        self.path.mkdir(parents=True, exist_ok=True)

    def _write_lines(self, name: str, records: Iterable[Frozen]) -> None:
        self._write(name, _lines(records))

    def _write(self, name: str, parts: Iterable[bytes]) -> None:
        """Write a file whole or not at all."""
        fresh = self.path / f".{name}.new"
        with fresh.open("wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path / name)

    def _records(self, name: str, model: type[_Record]) -> RecordFile[_Record]:
        path = self._existing(name)
        return RecordFile(path.open("rb"), str(path), model)

    def _read_one(self, name: str, model: type[_Record]) -> _Record:
        path = self._existing(name)
        try:
            return model.model_validate_json(path.read_bytes())
        except ValidationError as error:
            raise DataError(f"{path}: {fault_of(error)}") from error

    def _existing(self, name: str) -> Path:
        path = self.path / name
        if not path.is_file():
            raise DataError(f"{self.path} has no {name}; is it the folder of a finished run?")
        return path


class Appender:
    """Writes completions to the end of a file and makes sure that they arrive on the disk."""

    def __init__(self, path: Path) -> None:
        """Open the file."""
        self._file = path.open("a", encoding="utf-8", newline="\n")
        self._synced = time.monotonic()

    def __enter__(self) -> Appender:
        """Return the writer itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Bring all to the disk and close."""
        self._sync()
        self._file.close()

    def add(self, completion: Completion) -> None:
        """Write one completion; it survives the end of the process from here on."""
        self._file.write(_line(completion))
        self._file.flush()
        if time.monotonic() - self._synced >= _SYNC_SECONDS:
            self._sync()

    def _sync(self) -> None:
        os.fsync(self._file.fileno())
        self._synced = time.monotonic()


def _line(record: Frozen) -> str:
    return canonical(record.model_dump(mode="json")) + "\n"


def _lines(records: Iterable[Frozen]) -> Iterator[bytes]:
    return (_line(record).encode("utf-8") for record in records)


def _pretty(record: Frozen) -> list[bytes]:
    text = json.dumps(record.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"
    return [text.encode("utf-8")]


def _reads(line: bytes) -> bool:
    try:
        Completion.model_validate_json(line)
    except ValidationError:
        return False
    return True


def _end_cleanly(path: Path) -> None:
    """Make the file end with a line feed; half a record at its end is cut away."""
    with path.open("r+b") as file:
        last = b"\n"
        for line in file:
            last = line
        if last.endswith(b"\n"):
            return
        if _reads(last):
            file.write(b"\n")
        else:
            file.truncate(file.tell() - len(last))


def _refuse_differences(path: Path, old: JsonObject, new: JsonObject) -> None:
    differing = sorted(_differences(old, new))
    if differing:
        raise ConfigError(
            f"{path} holds a run with other settings ({'; '.join(differing)}); "
            "give another folder with -s out=DIR"
        )


def _differences(old: Json, new: Json, at: str = "") -> Iterator[str]:
    """Yield ``key: old → new`` for each leaf that differs."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from _differences(old.get(key), new.get(key), f"{at}.{key}".lstrip("."))
    elif old != new:
        yield f"{at}: {canonical(old)} there, {canonical(new)} now"
