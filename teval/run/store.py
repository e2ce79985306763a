"""A run's folder: what it holds, written so that it survives being stopped anywhere."""

from __future__ import annotations

import fcntl
import json
import logging
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from teval.errors import ConfigError, DataError
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
_log = logging.getLogger(__name__)


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

    def prepare(self, manifest: Manifest, cases: Sequence[Case]) -> None:
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
        elif self.completions():
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
        if manifest.engine and self.completions():
            _refuse_differences(self.path, {"engine": manifest.engine}, {"engine": description})
        self.write_manifest(manifest.model_copy(update={"engine": description}))

    def cases(self) -> list[Case]:
        """Return the planned cases in their order.

        Raises:
            DataError: The file is missing or broken.
        """
        return list(self._read_lines("cases.jsonl", Case))

    def scores(self) -> list[Score]:
        """Return the scores in the order of the cases.

        Raises:
            DataError: The file is missing or broken.
        """
        return list(self._read_lines("scores.jsonl", Score))

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
        return list(self._read_lines("paths.jsonl", SolutionPath))

    def write_paths(self, paths: Iterable[SolutionPath]) -> None:
        """Replace the paths."""
        self._write_lines("paths.jsonl", paths)

    def episodes(self) -> list[Episode]:
        """Return the played episodes; DataError as with the scores."""
        return list(self._read_lines("episodes.jsonl", Episode))

    def write_episodes(self, episodes: Iterable[Episode]) -> None:
        """Replace the episodes."""
        self._write_lines("episodes.jsonl", episodes)

    def outcomes(self) -> list[Outcome]:
        """Return what came of the episodes; DataError as with the scores."""
        return list(self._read_lines("outcomes.jsonl", Outcome))

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

        A last line that was cut off by a kill is left out and logged.

        Raises:
            DataError: Any other line is broken.
        """
        path = self.path / "completions.jsonl"
        if not path.exists():
            return {}
        whole, torn = _whole_lines(path)
        if torn:
            _log.warning("%s: left out the last line, it was cut off", path)
        records = _parse_lines(path, whole, Completion)
        return {record.request: record for record in records}

    @contextmanager
    def appending(self) -> Iterator[Appender]:
        """Give a writer at the end of the completions."""
        path = self.path / "completions.jsonl"
        if path.exists():
            _end_cleanly(path)
        with Appender(path) as appender:
            yield appender

    def _make(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise ConfigError(f"{self.path} is a file; give a folder with -s out=DIR")
        self.path.mkdir(parents=True, exist_ok=True)

    def _write_lines(self, name: str, records: Iterable[Frozen]) -> None:
        self._write(name, "".join(_line(record) for record in records))

    def _write(self, name: str, text: str) -> None:
        """Write a file whole or not at all."""
        fresh = self.path / f".{name}.new"
        with fresh.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path / name)

    def _read_lines(self, name: str, model: type[_Record]) -> Iterator[_Record]:
        path = self._existing(name)
        return _parse_lines(path, path.read_bytes().splitlines(), model)

    def _read_one(self, name: str, model: type[_Record]) -> _Record:
        path = self._existing(name)
        try:
            return model.model_validate_json(path.read_bytes())
        except ValidationError as error:
            raise DataError(f"{path}: {_fault(error)}") from error

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


def _pretty(record: Frozen) -> str:
    return json.dumps(record.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"


def _whole_lines(path: Path) -> tuple[list[bytes], bytes]:
    """Return the lines that are whole, and what a kill left of a last one.

    A last line without its line feed is whole if it reads as a record.
    """
    *lines, rest = path.read_bytes().split(b"\n")
    if rest and _reads(rest):
        return [*lines, rest], b""
    return lines, rest


def _reads(line: bytes) -> bool:
    try:
        Completion.model_validate_json(line)
    except ValidationError:
        return False
    return True


def _end_cleanly(path: Path) -> None:
    """Make the file end with a line feed; half a record at its end is cut away."""
    _, torn = _whole_lines(path)
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        if torn:
            file.truncate(size - len(torn))
        elif size:
            file.seek(size - 1)
            if file.read(1) != b"\n":
                file.write(b"\n")


def _parse_lines(path: Path, lines: Iterable[bytes], model: type[_Record]) -> Iterator[_Record]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield model.model_validate_json(line)
        except ValidationError as error:
            raise DataError(f"{path}:{number}: {_fault(error)}") from error


def _fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in fault["loc"])
    return f"{place}: {fault['msg']}" if place else fault["msg"]


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
