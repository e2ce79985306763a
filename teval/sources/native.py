"""Solution paths in this project's own form: one JSON record a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from teval import assets
from teval.errors import DataError
from teval.schema import SolutionPath, canonical

SHIPPED = ("lite", "full")
"""Stand for the paths that ship: a small set that a laptop answers, and some of every family."""


class Record(NamedTuple):
    """One line of a file."""

    place: str
    """``file:line``."""
    path: SolutionPath | None
    """None where the line is no solution path."""
    fault: str = ""
    """Why it is none."""


def read_paths(place: str) -> Iterator[SolutionPath]:
    """Yield all solution paths of a place, in the order of its files and lines.

    Args:
        place: ``lite`` or ``full`` for paths that ship, a JSONL file, or a folder of such files.

    Raises:
        DataError: The place is missing or empty, a record is broken, or two share an id.
    """
    seen: dict[str, str] = {}
    for where, path, fault in read_records(place):
        if path is None:
            raise DataError(f"{where}: {fault}")
        if path.id in seen:
            raise DataError(f"{where}: id {path.id!r} stands already at {seen[path.id]}")
        seen[path.id] = where
        yield path


def read_records(place: str) -> Iterator[Record]:
    """Yield all lines of a place, those that are no solution path with the reason why.

    Args:
        place: As :func:`read_paths` takes it.

    Raises:
        DataError: The place is missing or empty.
    """
    empty = True
    for file in _files(place):
        for number, line in enumerate(_read(file), start=1):
            if line.strip():
                empty = False
                yield _record(f"{file}:{number}", line)
    if empty:
        raise DataError(f"{place}: no solution path in it")


def _files(place: str) -> list[Path]:
    found = assets.folder("data") / place if place in SHIPPED else Path(place).expanduser()
    if found.is_dir():
        files = sorted(found.glob("*.jsonl"))
        if not files:
            raise DataError(f"{found}: no .jsonl file in this folder")
        return files
    if not found.is_file():
        raise DataError(f"{found}: no such file or folder; 'lite' and 'full' are shipped")
    return [found]


def _read(file: Path) -> Iterator[bytes]:
    try:
        with file.open("rb") as lines:
            yield from lines
    except OSError as error:
        raise DataError(f"{file}: can't be read: {error.strerror}") from error


def _record(where: str, line: bytes) -> Record:
    try:
        path = SolutionPath.model_validate_json(line)
        canonical(path.model_dump())  # Refuses numbers that JSON can't hold: NaN, infinities.
    except ValidationError as error:
        return Record(where, None, _fault(error))
    except ValueError as error:
        return Record(where, None, str(error))
    return Record(where, path)


def _fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in fault["loc"])
    return f"{key}: {fault['msg']}" if key else fault["msg"]
