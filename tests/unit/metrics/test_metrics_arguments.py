"""Arguments, key by key."""

from __future__ import annotations

import pytest

from teval.metrics.arguments import (
    Rule,
    argument_score,
    instruct_score,
    same,
    share,
    verdicts,
)
from teval.metrics.text_facts import Facts

NOTE_HAS_DEFAULT = {"note": Rule(has_default=True, default="")}
GOLD = {"city": "Rome", "count": 5, "ratio": 2, "note": ""}


def unlike(a: str, b: str) -> float:
    return 0.0


@pytest.mark.parametrize(
    ("answered", "found"),
    [
        (GOLD, {"city": "right", "count": "right", "ratio": "right", "note": "right"}),
        (
            {"note": "", "ratio": 2.0, "count": 5, "city": "Rome"},
            {"city": "right", "count": "right", "ratio": "right", "note": "right"},
        ),
        (
            {**GOLD, "count": "5"},
            {"city": "right", "count": "mistyped", "ratio": "right", "note": "right"},
        ),
        (
            {"city": "Rome", "count": 5, "ratio": 2},
            {"city": "right", "count": "right", "ratio": "right"},
        ),
        (
            {**GOLD, "seat": "7A"},
            {"city": "right", "count": "right", "ratio": "right", "note": "right", "seat": "extra"},
        ),
        (
            {"count": 5, "ratio": 2, "note": ""},
            {"city": "missing", "count": "right", "ratio": "right", "note": "right"},
        ),
        (
            {**GOLD, "city": "rome"},
            {"city": "wrong", "count": "right", "ratio": "right", "note": "right"},
        ),
        (
            {**GOLD, "count": True},
            {"city": "right", "count": "mistyped", "ratio": "right", "note": "right"},
        ),
        ({}, {"city": "missing", "count": "missing", "ratio": "missing"}),
        ("none", {"city": "missing", "count": "missing", "ratio": "missing"}),
    ],
)
def test_verdicts(answered: object, found: dict[str, str]) -> None:
    assert verdicts(answered, GOLD, NOTE_HAS_DEFAULT, unlike) == found


def test_an_argument_that_is_left_out_is_missing_unless_it_has_a_default() -> None:
    assert verdicts({}, {"note": ""}, {}, unlike) == {"note": "missing"}
    assert verdicts({}, {"note": ""}, NOTE_HAS_DEFAULT, unlike) == {}
    assert verdicts({}, {"note": "x"}, NOTE_HAS_DEFAULT, unlike) == {"note": "missing"}


def test_an_argument_that_is_added_is_extra_unless_it_is_the_default() -> None:
    assert verdicts({"note": ""}, {}, {}, unlike) == {"note": "extra"}
    assert verdicts({"note": ""}, {}, NOTE_HAS_DEFAULT, unlike) == {}
    assert verdicts({"note": "x"}, {}, NOTE_HAS_DEFAULT, unlike) == {"note": "extra"}


@pytest.mark.parametrize(
    ("answered", "gold", "score"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "b": 2}, 1.0),
        ({"a": 1}, {"a": 1, "b": 2}, 0.5),
        ({"a": 1, "b": 2, "c": 3, "d": 4}, {"a": 1, "b": 2}, 0.5),
        ({"c": 3}, {"a": 1}, 0.0),
        ({}, {"a": 1}, 0.0),
        ({"a": 1}, {}, 0.0),
        ({}, {}, 1.0),
        (None, {}, 0.0),
        ([], {"a": 1}, 0.0),
    ],
)
def test_argument_score(answered: object, gold: dict[str, object], score: float) -> None:
    assert argument_score(answered, gold, {}, unlike) == score


@pytest.mark.parametrize(
    ("name_right", "answered", "score"),
    [
        (True, {"month": "2031-04", "include_tax": True}, 1.0),
        (True, {"month": "2031-04", "include_tax": 1}, 2 / 3),
        (True, {}, 1 / 3),
        (False, {"month": "2031-04", "include_tax": True}, 2 / 3),
        (False, {}, 0.0),
        (True, {"month": "2031-04", "include_tax": True, "lang": "fr"}, 3 / 4),
    ],
)
def test_instruct_score(name_right: bool, answered: object, score: float) -> None:
    gold = {"month": "2031-04", "include_tax": True}
    assert instruct_score(name_right, verdicts(answered, gold, {}, unlike)) == score


def test_a_call_without_arguments_has_its_name_right() -> None:
    assert instruct_score(True, {}) == 1.0


def test_share_of_nothing_is_all() -> None:
    assert share([]) == 1.0


@pytest.mark.parametrize(
    ("answered", "gold", "rule", "right"),
    [
        ("Lyon", "Lyon", Rule(), True),
        ("Nice", "Lyon", Rule(accepted=("Nice",)), True),
        (9.995, 10, Rule("number", 0.01), True),
        (9.9, 10, Rule("number", 0.01), False),
        ("2031-05-04 09:00", "2031-05-04T09:00:00", Rule("datetime"), True),
        (["b", "a"], ["a", "b"], Rule("set"), True),
        (["b", "a"], ["a", "b"], Rule(), False),
        ("At 5 p.m.", "Come at 17:00", Rule("text", facts=Facts(("5 pm",))), True),
        ("At 3 p.m.", "Come at 17:00", Rule("text", facts=Facts(("5 pm",))), False),
        ("come at 17:00!", "Come at 17:00", Rule("text"), True),
        (5, "5", Rule("text"), False),
        (5, 5, Rule("text"), True),
    ],
)
def test_each_comparator(answered: object, gold: object, rule: Rule, right: bool) -> None:
    assert same(answered, gold, rule, lambda a, b: 0.9) is right


def test_only_free_text_asks_for_likeness() -> None:
    def refuse(a: str, b: str) -> float:
        raise AssertionError((a, b))

    for kind in ("exact", "number", "datetime", "set"):
        assert not same("a", "b", Rule(kind), refuse)
    assert not same("no", "yes", Rule("text", facts=Facts(("yes",))), refuse)


def test_without_a_rule_there_is_no_default() -> None:
    assert verdicts({"a": None}, {}, {}, unlike) == {"a": "extra"}
    assert verdicts({"a": None}, {}, {"a": Rule()}, unlike) == {"a": "extra"}
    assert verdicts({}, {"a": None}, {}, unlike) == {"a": "missing"}
