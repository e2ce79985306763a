"""Arguments: shares, identity, mutations."""

from __future__ import annotations

import datetime

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from teval.metrics.arguments import (
    Kind,
    Rule,
    argument_score,
    instruct_score,
    same,
    verdicts,
)
from teval.metrics.exact import equal
from teval.metrics.facts_tokens import tokens
from teval.metrics.similarity import clipped
from teval.metrics.text_facts import Facts, says

LOADED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A busy machine fails no test."""

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=5)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
arguments = st.dictionaries(st.sampled_from("abcdef"), values, max_size=4)
kinds: list[Kind] = ["exact", "number", "datetime", "set", "text"]
rules = st.dictionaries(
    st.sampled_from("abcdef"),
    st.builds(Rule, st.sampled_from(kinds), has_default=st.booleans(), default=scalars),
    max_size=3,
)


def half(a: str, b: str) -> float:
    return 0.5


@given(arguments, arguments, rules)
@settings(LOADED)
def test_scores_are_shares(
    answered: dict[str, object], gold: dict[str, object], how: dict[str, Rule]
) -> None:
    assert 0 <= argument_score(answered, gold, how, half) <= 1
    found = verdicts(answered, gold, how, half)
    assert 0 <= instruct_score(False, found) < 1
    assert 0 < instruct_score(True, found) <= 1


@given(st.floats())
@settings(LOADED)
def test_likenesses_are_shares(cosine: float) -> None:
    assert 0 <= clipped(cosine) <= 1


@given(arguments)
@settings(LOADED)
def test_the_gold_arguments_are_right(gold: dict[str, object]) -> None:
    assert argument_score(gold, gold, {}, half) == 1


@given(st.sampled_from(kinds), st.text())
@settings(LOADED)
def test_a_text_is_itself_by_every_comparator_for_texts(kind: Kind, text: str) -> None:
    if kind not in {"number", "set"}:
        assert same(text, text, Rule(kind), half)


@given(arguments.filter(bool), st.data())
@settings(LOADED)
def test_a_changed_dropped_or_added_argument_costs(
    gold: dict[str, object], data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(sorted(gold)))
    other = data.draw(values.filter(lambda value: not equal(value, gold[name])))
    dropped = {key: value for key, value in gold.items() if key != name}
    for mutant in ({**gold, name: other}, dropped, {**gold, "more": other}):
        assert argument_score(mutant, gold, {}, half) < 1


@given(arguments.filter(bool), arguments.filter(bool))
@settings(LOADED)
def test_disjoint_arguments_score_nothing(
    gold: dict[str, object], others: dict[str, object]
) -> None:
    """Other names, or other values under the same names."""
    renamed = {f"{name}_2": value for name, value in gold.items()}
    wrong = {name: [value, "x"] for name, value in gold.items()}
    unlike = {name: value for name, value in others.items() if name not in gold}
    for answered in (renamed, wrong, unlike):
        assert argument_score(answered, gold, {}, half) == 0
        assert instruct_score(False, verdicts(answered, gold, {}, half)) == 0
    assert argument_score([*gold], gold, {}, half) == 0


@given(values, values)
@settings(LOADED)
def test_equality_is_symmetric(a: object, b: object) -> None:
    assert equal(a, b) == equal(b, a)
    assert equal(a, a)


@given(st.text(st.characters(exclude_categories=())))
@settings(LOADED, max_examples=300)
def test_any_text_has_tokens_that_stay_as_they_are(text: str) -> None:
    found = tokens(text)
    assert all(token and not token.isspace() for token in found)
    assert says(text, text, Facts(), half)


@given(st.integers(0, 23), st.integers(0, 59))
@settings(LOADED)
def test_times_of_day_are_one_however_written(hour: int, minute: int) -> None:
    half_day = f"{hour % 12 or 12}:{minute:02d} {'pm' if hour >= 12 else 'am'}"
    assert tokens(f"at {half_day}") == tokens(f"at {hour:02d}:{minute:02d}")


@given(st.dates(min_value=datetime.date(1000, 1, 1)))
@settings(LOADED)
def test_dates_are_one_however_written(date: datetime.date) -> None:
    month = date.strftime("%B")
    written = (f"{date.day} {month} {date.year}", f"{month} {date.day}, {date.year}")
    assert {tuple(tokens(text)) for text in written} == {tuple(tokens(date.isoformat()))}
