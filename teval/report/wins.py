"""Win rates that someone else measured, from a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from teval.errors import DataError

MODEL, RATE = "model", "win_rate"
"""The columns that count; others are left aside."""


class Win(NamedTuple):
    """One line of the file."""

    model: str
    rate: float
    """In [0, 1]."""


class _Line(NamedTuple):
    place: str
    """File and line, for messages."""
    model: str
    rate: str


def read_wins(file: Path) -> tuple[Win, ...]:
    """Return the win rates in the file's order.

    The columns ``model`` and ``win_rate`` are found whatever their case, spaces or unit
    (``Win rate (%)``). Rates are percents where one of them has a percent sign or is above 1, else
    shares.

    Args:
        file: A CSV file with a header.

    Raises:
        DataError: The file can't be read, lacks a column, names a model twice, or a rate is no
            number from 0 to 100.
    """
    lines = [line for line in _lines(file) if line.model or line.rate]
    if not lines:
        raise DataError(f"{file} holds no win rates; give one line a model below the header")
    seen: dict[str, str] = {}
    for line in lines:
        if not line.model:
            raise DataError(f"{line.place}: the column {MODEL} is empty; name the model")
        if line.model.casefold() in seen:
            first = seen[line.model.casefold()]
            raise DataError(f"{line.place}: model {line.model!r} stands at {first} already")
        seen[line.model.casefold()] = line.place
    numbers = [_number(line) for line in lines]
    percents = max(numbers) > 1 or any("%" in line.rate for line in lines)
    return tuple(
        Win(line.model, number / 100 if percents else number)
        for line, number in zip(lines, numbers, strict=True)
    )


def _lines(file: Path) -> Iterator[_Line]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{file} can't be read as a text file: {error}") from error
    rows = csv.reader(io.StringIO(text, newline=""))
    try:
        columns = {_bare(name): place for place, name in enumerate(next(rows, []))}
        _check(file, columns)
        for row in rows:
            model, rate = (_cell(row, columns[_bare(name)]) for name in (MODEL, RATE))
            yield _Line(f"{file}:{rows.line_num}", model, rate)
    except csv.Error as error:
        raise DataError(f"{file}:{rows.line_num}: {error}") from error


def _bare(name: str) -> str:
    """Return a column's name by its letters alone."""
    return "".join(sign for sign in name.casefold() if sign.isalpha())


def _check(file: Path, columns: Mapping[str, int]) -> None:
    missing = [name for name in (MODEL, RATE) if _bare(name) not in columns]
    if missing:
        raise DataError(
            f"{file}:1: no column {' and no column '.join(missing)}; the first line must name the "
            f"columns, {MODEL} and {RATE} among them"
        )


def _cell(row: list[str], place: int) -> str:
    return row[place].strip() if place < len(row) else ""


def _number(line: _Line) -> float:
    try:
        number = float(line.rate.removesuffix("%"))
    except ValueError:
        number = float("nan")
    if not isfinite(number) or not 0 <= number <= 100:
        raise DataError(
            f"{line.place}: {line.rate!r} is no win rate of {line.model!r}; write a number from 0 "
            "to 100, or from 0 to 1"
        )
    return number
