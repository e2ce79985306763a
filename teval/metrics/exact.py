"""Whether two plain values are the same, by each of the comparators but text."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence

SLACK = 1e-9
"""What floating-point arithmetic may add to a difference that is just within tolerance."""


def is_number(value: object) -> bool:
    """Whether a value is a number; booleans are not.

    >>> is_number(2.0), is_number(True), is_number("2")
    (True, False, False)
    """
    return isinstance(value, int | float) and not isinstance(value, bool)


def equal(a: object, b: object) -> bool:
    """Whether two JSON values are equal: integers and equal floats agree, nothing else mixes.

    >>> equal(5, 5.0), equal(5, "5"), equal(1, True), equal({"a": 1, "b": 2}, {"b": 2, "a": 1})
    (True, False, False, True)
    """
    if is_number(a) and is_number(b):
        return a == b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    return type(a) is type(b) and a == b


def close(a: object, b: object, tolerance: float) -> bool:
    """Whether two numbers differ by no more than the tolerance, in their own unit.

    >>> close(9.99, 10, 0.01), close(9.98, 10, 0.01), close("10", 10, 1)
    (True, False, False)
    """
    if not (isinstance(a, int | float) and isinstance(b, int | float)):
        return False
    if isinstance(a, bool) or isinstance(b, bool):
        return False
    try:
        return equal(a, b) or math.isclose(a, b, rel_tol=SLACK, abs_tol=tolerance * (1 + SLACK))
    except OverflowError:
        return False


def same_moment(a: object, b: object) -> bool:
    """Whether two texts name one date, time or moment in ISO 8601, however spelled.

    A date is not its midnight, and a moment with a zone is not one without.

    >>> same_moment("2031-05-04 09:00", "2031-05-04T09:00:00"), same_moment("9:00", "09:00")
    (True, True)
    >>> same_moment("2031-05-04", "2031-05-04T00:00")
    False
    """
    if not (isinstance(a, str) and isinstance(b, str)):
        return False
    first, second = _moment(a), _moment(b)
    if first is None or second is None:
        return a.strip() == b.strip()
    return type(first) is type(second) and first == second


def _moment(text: str) -> datetime.date | datetime.time | datetime.datetime | None:
    text = text.strip()
    padded = f"0{text}" if text[1:2] == ":" else text
    readers = (
        datetime.date.fromisoformat,
        datetime.time.fromisoformat,
        datetime.datetime.fromisoformat,
    )
    for read in readers if ":" not in text else readers[1:]:
        try:
            return read(padded)
        except ValueError:
            continue
    return None


def same_set(a: object, b: object) -> bool:
    """Whether two lists hold the same values, whatever their order and number.

    >>> same_set([1, "a"], ["a", 1.0, 1]), same_set([1], [1, 2])
    (True, False)
    """
    if not (isinstance(a, list) and isinstance(b, list)):
        return False
    return _within(a, b) and _within(b, a)


def _within(inner: Sequence[object], outer: Sequence[object]) -> bool:
    return all(any(equal(item, other) for other in outer) for item in inner)


def json_type(value: object) -> str:
    """Return the JSON type of a value; integers and floats are both ``number``.

    >>> json_type(2.5), json_type(True), json_type(None), json_type([])
    ('number', 'boolean', 'null', 'array')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "object" if isinstance(value, Mapping) else "array"
