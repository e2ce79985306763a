"""The published scorer on any answer at all."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from teval.abilities import published
from teval.abilities.published import Scoring
from teval.metrics.published import matched, plan, rising, weights
from teval.schema import Json

KEYS = st.sampled_from(["name", "id", "args", "thought", "action", "is_finished", "x"]) | st.text()
TEXTS = st.text(st.characters(), max_size=30)
ANY: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
PIECES = (
    '[{"name": "a.b", "id": 0, "args": {}}]',
    '{"thought": "t", "name": "a.b", "args": {"x": 1}}',
    *("goal: ", "name: ", "args: ", "```json", "\n", ". ", ": ", "a.b", "FinishAction", "A"),
    *(
        '{"is_finished": ',
        "true}",
        "None}",
        "[",
        "]",
        "{",
        "}",
        "'",
        '"',
        "\\ud83c",
        "\ud83c",
        "0x",
    ),
)
LIKE_AN_ANSWER = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
ANSWERS = ANY | LIKE_AN_ANSWER

KEYED = {"thought": "thought", "action": "name", "args": "args"}
LABELLED = {
    "thought_start": "goal: ",
    "thought_end": "\n",
    "action_start": "name: ",
    "action_end": "\n",
    "args_start": "args: ",
    "args_end": "",
}
CALL: Json = {"action": "a.b", "args": {"x": 1}}
STEP: Json = {"thought": "t", "name": "a.b", "args": {"x": 1}}
PLAN: Json = [
    {"name": "a.b", "id": 0, "args": {"x": 1}},
    {"name": "FinishAction", "id": 1, "args": {}},
]


def scorings(answer: Json, call: Json, step: Json, plan: Json) -> list[Scoring]:
    """What every ability makes of one answer."""
    return [
        published.instruct_json(answer, call, KEYED),
        published.instruct_string(answer, call, LABELLED),
        published.plan_json(answer, plan),
        published.plan_string(answer, plan, ["a.b", "FinishAction"]),
        published.joint(answer, step),
        published.reason_string(answer, step),
        published.retrieve_string(answer, step),
        published.understand_string(answer, step),
        published.review_string(answer, {"answer": "A"}),
        published.review_json(answer, {"answer": True}),
    ]


def check(scoring: Scoring) -> None:
    """All metrics lie in [0, 1], and no cosine is asked for that was not announced."""
    announced = {*scoring.pairs, *scoring.more(lambda _a, _b: 1.0)}

    def cosine(a: str, b: str) -> float:
        assert (a, b) in announced
        return 1.0 if a == b else random.Random(a + b).uniform(-1, 1)

    metrics, crash = scoring.score(cosine)
    assert all(0 <= value <= 1 for value in metrics.values())
    assert not crash or not any(metrics.values())


@given(ANSWERS)
def test_no_answer_raises(answer: Json) -> None:
    for scoring in scorings(answer, CALL, STEP, PLAN):
        check(scoring)


@given(ANSWERS, ANSWERS)
def test_no_gold_raises(answer: Json, gold: Json) -> None:
    for scoring in scorings(answer, gold, gold, gold):
        check(scoring)


@given(st.dictionaries(st.tuples(st.integers(0, 5), st.integers(0, 5)), st.integers(801, 1000)))
def test_matchings_of_both_solvers_weigh_the_same(links: dict[tuple[int, int], int]) -> None:
    """A small shift of every weight makes all of them differ, so that the other solver is asked."""
    tied = {place: weight / 1000 for place, weight in links.items()}
    apart = {place: weight + k * 1e-9 for k, (place, weight) in enumerate(tied.items())}
    for found in (matched(tied), matched(apart)):
        assert len(set(found.values())) == len(found)
    total, other = (
        sum(tied[pair] for pair in found.items()) for found in (matched(tied), matched(apart))
    )
    assert abs(total - other) < 1e-6


STEPS = st.lists(
    st.tuples(st.sampled_from(["a.b", "a.c", "x"]), st.sampled_from(["1", "2", "3", "!", "?"])),
    min_size=1,
    max_size=5,
)


@given(STEPS, STEPS, st.randoms(use_true_random=False))
def test_what_is_not_asked_changes_nothing(
    answer: list[tuple[str, str]], gold: list[tuple[str, str]], draws: random.Random
) -> None:
    """Noise may lift the cosine of texts that differ in punctuation alone over 1."""
    values = [0.0, 0.2, 0.5, 0.74, 0.8, 0.95, 0.9998]
    known: dict[tuple[str, str], float] = {}

    def cosine(a: str, b: str) -> float:
        if a == b:
            return 1.0
        more = [1.0, 1.00001] if {a, b} == {"!", "?"} else []
        return known.setdefault((a, b), draws.choice(values + more))

    links = matched(weights(answer, gold, cosine))
    count = max(1, rising([links[i] for i in sorted(links)]))
    assert plan(answer, gold, cosine)["precision"] == count / len(answer)


@given(st.lists(st.integers(0, 9), max_size=9))
def test_the_longest_rising_run_is_that_of_a_table(places: list[int]) -> None:
    best = [1] * len(places)
    for i, place in enumerate(places):
        best[i] += max((best[j] for j in range(i) if places[j] < place), default=0)
    assert rising(places) == max(best, default=0)
