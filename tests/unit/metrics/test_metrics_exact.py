"""Comparators of plain values."""

from __future__ import annotations

import pytest

from teval.metrics.exact import close, equal, is_number, json_type, same_moment, same_set


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (5, 5, True),
        (5, 5.0, True),
        (5, "5", False),
        (1, True, False),
        (0, False, False),
        (True, True, True),
        (None, None, True),
        (None, "", False),
        ("a", "A", False),
        ("Oslo", "in Oslo"[3:], True),
        ("a", "a ", False),
        ([1, 2], [1.0, 2], True),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ([1], [True], False),
        ({"a": 1, "b": [2]}, {"b": [2.0], "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ([], {}, False),
        (10**400, 1e300, False),
        ([0] * 300, [0] * 300, True),
    ],
)
def test_equal(a: object, b: object, same: bool) -> None:
    assert equal(a, b) is same
    assert equal(b, a) is same


@pytest.mark.parametrize(
    ("a", "b", "tolerance", "near"),
    [
        (10, 10, 0, True),
        (0.1 + 0.2, 0.3, 0, True),
        (10.01, 10, 0.01, True),
        (10.02, 10, 0.01, False),
        (9.5, 10, 0.5, True),
        (12, 10, 2, True),
        (12.5, 10, 2, False),
        ("10", 10, 5, False),
        (True, 1, 5, False),
        (None, 0, 5, False),
        (10**400, 10**400, 0, True),
        (10**400, 1.0, 1, False),
    ],
)
def test_close(a: object, b: object, tolerance: float, near: bool) -> None:
    assert close(a, b, tolerance) is near
    assert close(b, a, tolerance) is near


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("2031-05-04", "2031-05-04", True),
        ("2031-05-04", "20310504", True),
        ("2031-05-04", "2031-05-05", False),
        ("2031-05-04T09:00", "2031-05-04 09:00:00", True),
        ("2031-05-04T09:00", "2031-05-04T09:00:01", False),
        ("2031-05-04T09:00Z", "2031-05-04T11:00+02:00", True),
        ("2031-05-04T09:00Z", "2031-05-04T09:00", False),
        ("2031-05-04", "2031-05-04T00:00", False),
        ("09:00", "9:00", True),
        ("09:00", "09:00:00", True),
        ("09:00", "21:00", False),
        ("tomorrow", "tomorrow ", True),
        ("tomorrow", "2031-05-04", False),
        ("2031-02-30", "2031-03-02", False),
        (20310504, "2031-05-04", False),
    ],
)
def test_same_moment(a: object, b: object, same: bool) -> None:
    assert same_moment(a, b) is same
    assert same_moment(b, a) is same


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ([1, 2], [2, 1], True),
        ([1, 1, 2], [2, 1], True),
        ([1], [1, 2], False),
        ([], [], True),
        ([], [1], False),
        (["a"], ["A"], False),
        ([[1, 2]], [[2, 1]], False),
        ("ab", ["a", "b"], False),
    ],
)
def test_same_set(a: object, b: object, same: bool) -> None:
    assert same_set(a, b) is same
    assert same_set(b, a) is same


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "null"),
        (True, "boolean"),
        (1, "number"),
        (1.5, "number"),
        ("", "string"),
        ([], "array"),
        ({}, "object"),
    ],
)
def test_json_type(value: object, name: str) -> None:
    assert json_type(value) == name
    assert is_number(value) == (name == "number")
