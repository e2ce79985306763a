"""Texts of any size and kind: nothing raises, and the work they cause is bounded."""

from __future__ import annotations

import pytest
from factories import make_path
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from teval.abilities import ABILITIES, slice_path
from teval.formats.json_values import MAX_DEPTH, MAX_STARTS, find
from teval.metrics.facts_tokens import tokens
from teval.metrics.text_facts import Facts, says
from teval.prompting import Prompts
from teval.schema import Case, Json

LOADED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A busy machine fails no test."""

LONGEST = 100_000
CASES = tuple(slice_path(make_path(), Prompts.load("en"), native=True))
KINDS = {(case.ability, case.format): case for case in CASES}

UNITS = (
    *("[", "{", '{"a":', "[1,", '["', "{'a': -", "[[],", "[]", "{}\n", "[\n", '{"name": "a"}\n'),
    *('"', "'", "\\", "\n", " ", "\t", "\x00", "\x1b[0m", "\x85", "\u2028", "\ud800", "\udfff"),
    *("9", "9,", "-", "1e999 ", "NaN", "-Infinity,", "0.", "1:2:", "4 may ", "half past ", "a "),
    *("<think>", "</think>", "Thought: ", "\nAction:", "Args: {", "Observation:\n", "```json\n"),
    *("maps.find ", "FinishAction\n", "a.b.", "A", "A or B ", "The answer is B. ", "答案是", "ﷺ"),
    *("<tool_call>", '<tool_call>{"name": "', "[TOOL_CALLS]", "<function=f><parameter=a>", "</s>"),
    *("<arg_key>", "<|python_tag|>", "a(b=", "<｜tool▁call▁begin｜>a", "<|a|>", "\nf(-"),
    *("1. ", "é", "\u0301", "한", "杭州", "'t", "$", "n't ", "one hundred and "),
)
units = st.sampled_from(UNITS) | st.text(st.characters(exclude_categories=()), max_size=6)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Short pieces, each repeated so often that all together have up to 100,000 characters."""
    pieces = draw(st.lists(units, min_size=1, max_size=4))
    size = draw(st.sampled_from([10, 1_000, LONGEST])) // len(pieces)
    text = "".join(piece * (size // max(1, len(piece))) for piece in pieces)
    return (text + draw(units))[:LONGEST]


def equal(a: str, b: str) -> float:
    """A likeness for which only the same text is alike."""
    return float(a.strip() == b.strip())


@pytest.mark.parametrize("case", KINDS.values(), ids=lambda case: f"{case.ability} {case.format}")
@given(text=texts())
@settings(LOADED, max_examples=25)
def test_every_ability_takes_every_text(case: Case, text: str) -> None:
    card = ABILITIES[case.ability]
    reply = card.read(text, case)
    if reply.parsed:
        assert all(isinstance(pair, tuple) for pair in card.texts(reply, case))
        scores = card.score(reply, case, equal)
        assert all(0 <= value <= 1 for value in scores.values())
        card.explain(reply, case, scores)
    if case.functions:
        return
    released = card.published_score(text, case).score(equal)
    assert all(0 <= value <= 1 for value in released.metrics.values())


def depth(value: Json) -> int:
    """How deeply a value is nested, a bare list or object being 1 deep."""
    if not isinstance(value, dict | list):
        return 0
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max(map(depth, inner), default=0)


@given(texts())
@settings(LOADED, max_examples=150)
def test_values_are_few_shallow_and_apart(text: str) -> None:
    found = find(text, lambda _: True)
    assert len(found) <= MAX_STARTS
    assert all(depth(value.value) <= MAX_DEPTH + 1 for value in found)
    ends = [0, *(value.end for value in found)]
    assert all(end <= value.start < value.end for end, value in zip(ends, found, strict=False))
    assert ends[-1] <= len(text)


@pytest.mark.parametrize("bad", ["{]", "{ is open", '{"a": nothing'])
def test_only_so_many_starts_are_tried(bad: str) -> None:
    good = '{"a": 1}'

    def last(fails: int) -> int:
        return len([v for v in find(f"{bad}\n" * fails + good, lambda _: False) if v.value])

    assert (last(MAX_STARTS - 1), last(MAX_STARTS)) == (1, 0)


@given(texts(), st.sampled_from(["5 pm", "4 May", "not", "EUR 40", "杭州"]))
@settings(LOADED, max_examples=30)
def test_any_text_has_tokens(text: str, fact: str) -> None:
    assert all(tokens(text))
    told = says(f"{text}\n{fact}", "Gold", Facts((fact,)), lambda _a, _b: 1.0)
    assert told or tokens(f"{text}\n{fact}") != [*tokens(text), *tokens(fact)]
    assert says(text, text, Facts(), equal)
