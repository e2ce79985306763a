"""Solution paths in this project's own form: one JSON record a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from teval import assets
from teval.errors import DataError
from teval.schema import SolutionPath

SAMPLE = "sample"
"""Stands for the paths that ship."""


def read_paths(place: str) -> list[SolutionPath]:
    """Return all solution paths of a place, in the order of its files and lines.

    Args:
        place: ``sample`` for the paths that ship, a JSONL file, or a folder of such files.

    Raises:
        DataError: The place is missing or empty, a record is broken, or two share an id.
    """
    paths: list[SolutionPath] = []
    seen: dict[str, str] = {}
    for file in _files(place):
        for where, path in _records(file):
            if path.id in seen:
                raise DataError(f"{where}: id {path.id!r} stands already at {seen[path.id]}")
            seen[path.id] = where
            paths.append(path)
    if not paths:
        raise DataError(f"{place}: no solution path in it")
    return paths


def _files(place: str) -> list[Path]:
    found = assets.folder("data") / SAMPLE if place == SAMPLE else Path(place).expanduser()
    if found.is_dir():
        files = sorted(found.glob("*.jsonl"))
        if not files:
            raise DataError(f"{found}: no .jsonl file in this folder")
        return files
    if not found.is_file():
        raise DataError(f"{found}: no such file or folder; 'sample' stands for the shipped paths")
    return [found]


def _records(file: Path) -> Iterator[tuple[str, SolutionPath]]:
    """Yield ``file:line`` and record."""
    for number, line in enumerate(file.read_bytes().splitlines(), start=1):
        if line.strip():
            where = f"{file}:{number}"
            try:
                yield where, SolutionPath.model_validate_json(line)
            except ValidationError as error:
                raise DataError(f"{where}: {_fault(error)}") from error


def _fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in fault["loc"])
    return f"{key}: {fault['msg']}" if key else fault["msg"]
