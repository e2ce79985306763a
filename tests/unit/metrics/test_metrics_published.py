"""The release's numbers, computed by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from teval.metrics import published
from teval.metrics.published import Step


def same(a: str, b: str) -> float:
    """Cosine of an encoder that knows equal texts only."""
    return float(a == b)


A, B, C = ("a", "1"), ("b", "2"), ("c", "3")


@pytest.mark.parametrize(
    ("answer", "gold", "precision", "recall", "f1"),
    [
        ([A, B, C], [A, B, C], 1, 1, 1),
        ([A, C], [A, B, C], 1, 2 / 3, 0.8),
        ([B, A], [A, B], 0.5, 0.5, 0.5),
        ([C, B, A], [A, B, C], 1 / 3, 1 / 3, 1 / 3),
        ([B], [A], 1, 1, 1),  # one step counts where none is right
        ([B, C], [A], 0.5, 1, 2 / 3),
        ([A, A], [A, A], 0.5, 0.5, 0.5),  # equal calls are linked in reverse
    ],
)
def test_plans(
    answer: Sequence[Step], gold: Sequence[Step], precision: float, recall: float, f1: float
) -> None:
    metrics = published.plan(answer, gold, same)
    assert metrics == pytest.approx({"precision": precision, "recall": recall, "f1_score": f1})


@pytest.mark.parametrize(
    ("names", "args", "threshold", "weight"),
    [
        (1.0, 1.0, 0.8, 1.0),
        (1.0, 0.21, 0.8, 0.8025),
        (1.0, 0.19, 0.8, None),
        (1.0, -0.5, 0.8, None),  # clipped below: 0.75
        (1.0, -0.5, 0.7, 0.75),
        (0.74, 1.0, 0.8, 0.805),
        (0.72, 1.0, 0.8, None),
        (-0.5, 1.0, 0.125, 0.25),
        (1.0, 0.5, 0.875, None),  # a link must exceed the threshold
        (1.0, 0.5, 0.874, 0.875),
    ],
)
def test_weights(names: float, args: float, threshold: float, weight: float | None) -> None:
    cosines = {("a", "b"): names, ("1", "2"): args}
    links = published.weights([A], [B], lambda *pair: cosines[pair], threshold)
    assert links == ({} if weight is None else {(0, 0): pytest.approx(weight, abs=1e-6)})


def test_arguments_that_cannot_matter_are_not_asked_for() -> None:
    cosines = {("a", "a"): 1.0, ("a", "b"): 0.735, ("b", "a"): 0.73, ("b", "b"): 0.9}
    pairs = published.args_pairs([A, B], [("a", "3"), ("b", "4")], lambda *pair: cosines[pair])
    assert pairs == [("1", "3"), ("1", "4"), ("2", "4")]
    pairs = published.args_pairs([A, B], [A, B], lambda *pair: cosines[pair])
    assert pairs == [("1", "1"), ("2", "2")]
    pairs = published.args_pairs([A, ("b", "3")], [A, B], lambda *pair: cosines[pair])
    assert pairs == [("1", "1"), ("3", "2")]
    near = [A, ("b", "1!")]
    pairs = published.args_pairs(near, near, lambda *pair: cosines[pair])
    assert pairs == [("1", "1"), ("1!", "1!")]
    pairs = published.args_pairs([A], [("a", "1!"), ("b", "1")], lambda *pair: cosines[pair])
    assert pairs == [("1", "1!"), ("1", "1")]
    cosines["a", "c"] = 0.97
    pairs = published.args_pairs([A], [("a", "3"), ("c", "1")], lambda *pair: cosines[pair])
    assert pairs == [("1", "3"), ("1", "1")]


def test_arguments_that_pass_1_by_noise_can_lift_a_weight_over_the_threshold() -> None:
    cosines = {("a", "b"): 0.733332, ("1", "2"): 1.00001}
    assert published.weights([A], [B], lambda *pair: cosines[pair]) == {(0, 0): 0.800002}


def test_weights_that_differ_by_noise_tie() -> None:
    cosines = {("a", "a"): 1.0000001, ("1", "1"): 0.9999999}
    links = published.weights([A, A], [A], lambda *pair: cosines[pair])
    assert links == {(0, 0): 1.0, (1, 0): 1.0}


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ({}, {}),
        ({(0, 0): 0.9}, {0: 0}),
        ({(0, 0): 0.81, (0, 1): 0.99, (1, 1): 0.82}, {0: 0, 1: 1}),
        ({(0, 0): 0.99, (0, 1): 0.81, (1, 0): 0.82}, {0: 1, 1: 0}),
        ({(0, 3): 0.9, (2, 1): 0.95}, {0: 3, 2: 1}),
        ({(0, 0): 0.901, (0, 1): 0.9007, (1, 0): 0.9007, (1, 1): 0.9}, {0: 1, 1: 0}),
        ({(0, 0): 0.899, (1, 1): 0.899, (0, 1): 0.901, (1, 0): 0.82}, {0: 0, 1: 1}),
        (
            {(i, i): 0.81 for i in range(6)} | {(i + 1, i): 1.0 for i in range(5)},
            {i + 1: i for i in range(5)},
        ),
    ],
)
def test_matchings(links: Mapping[tuple[int, int], float], expected: dict[int, int]) -> None:
    assert published.matched(links) == expected


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ([], []),
        ([A], [A]),
        ([("Alarm.set", "1")], [("Alarm.set", "1")]),
        ([A, ("FinishAction", "{}")], [A]),
        ([("FinishAction", "{}"), A], [("FinishAction", "{}"), A]),
        ([A, ("FinishAction", "{}"), ("FinishAction", "{}")], [A, ("FinishAction", "{}")]),
    ],
)
def test_one_final_finish_is_dropped(answer: list[Step], left: list[Step]) -> None:
    assert published.without_finish(answer) == left


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("f", {"x": 1, "y": "b"}, 1.0),
        ("g", {"x": 1, "y": "b"}, 2 / 3),
        ("f", {"x": 1.0, "y": "B"}, 2 / 3),
        ("f", {"x": "1"}, 1 / 3),
        (["f"], {}, 0.0),
        ("f", {"x": True, "y": "b", "z": 5}, 1.0),
    ],
)
def test_instruct(name: object, args: Mapping[object, object], expected: float) -> None:
    assert published.instruct(name, args, "f", {"x": 1, "y": "b"}) == pytest.approx(expected)


def test_a_missing_argument_counts_as_the_empty_text() -> None:
    assert published.instruct("f", {}, "f", {"x": ""}) == 1.0
    assert published.instruct("f", {}, "f", {"x": None}) == 0.5


@pytest.mark.parametrize(
    ("args", "gold", "expected"),
    [
        ({"x": 1}, {"x": 1}, 1 / 1.00001),
        ({"x": "1"}, {"x": 1}, 1 / 1.00001),
        ({"x": 1.0}, {"x": 1}, 0.0),
        ({"x": 1, "y": 2}, {"x": 1, "z": 3}, 1 / 2.00001),
        ({}, {"x": None}, 0.0),
        ({}, {}, 1.0),
        ({"x": 1}, {}, 0.0),
    ],
)
def test_joint_arguments(
    args: Mapping[object, object], gold: Mapping[object, object], expected: float
) -> None:
    assert published.joint_args(args, gold) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "gold", "expected"),
    [
        ("a.b", "a.b", 1),
        ("Use a.b, then a.b.", "a.b", 1),
        ("a.b or c.d", "a.b", 0),
        ("a.b at 3.5 km", "a.b", 0),
        ("a.bc", "a.b", 0),
        ("a.b.c", "a.b", 1),
        ("x.a.b", "a.b", 0),
        ("a.b or FinishAction", "a.b", 0),
        ("FinishActions", "FinishAction", 1),
        ("no tool", "a.b", 0),
        ("anything", "", 1),
    ],
)
def test_retrieve(text: str, gold: str, expected: float) -> None:
    assert published.retrieve(text, gold) == expected


@pytest.mark.parametrize(
    ("text", "gold", "expected"),
    [
        ("Lyon", "Lyon", 1),
        ("'\"Lyon\"'", "Lyon", 1),
        ("\"'Lyon'\"", "Lyon", 0),
        ("Lyon ", "Lyon", 0),
        ("3", 3, 1),
        ("3", 3.0, 0),
        ("None", None, 1),
        ("['a', 'b']", ["a", "b"], 1),
    ],
)
def test_understand(text: str, gold: object, expected: float) -> None:
    assert published.understand(text, gold) == expected


def test_a_thought_is_clipped_below_only() -> None:
    assert [published.thought(x) for x in (-0.2, 0.0, 0.4, 1.0000002)] == [0, 0, 0.4, 1.0000002]


@pytest.mark.parametrize(
    ("ability", "expected"),
    [("instruct", 0.6667), ("review", 0.6667), ("plan", 2 / 3), ("reason", 2 / 3)],
)
def test_means_are_rounded_as_the_release_does(ability: str, expected: float) -> None:
    assert published.mean([1.0, 1.0, 0.0], ability) == expected


@pytest.mark.parametrize(
    ("ability", "metrics", "expected"),
    [
        ("instruct", {"string_format_metric": 1.0, "string_args_em_metric": 0.2}, 0.6),
        ("plan", {"precision": 0.1, "recall": 0.2, "f1_score": 0.3, "parse_rate": 1.0}, 0.3),
        ("reason", {"thought": 0.4, "name": 0.1}, 0.4),
        ("retrieve", {"thought": 0.4, "name": 0.1}, 0.1),
        ("understand", {"name": 0.1, "args": 0.7}, 0.7),
        ("review", {"review_quality": 0.8, "parse_rate": 0.9}, 0.8),
    ],
)
def test_headlines(ability: str, metrics: Mapping[str, float], expected: float) -> None:
    assert published.headline(ability, "string", metrics) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("abilities", "expected"),
    [
        ((96.6, 86.6, 67.8, 92.2, 85.5, 75.6), 84.0),
        ((96.3, 87.8, 65.3, 88.9, 85.8, 94.5), 86.4),
        ((34.5, 28.1, 22.1, 16.9, 24.4, 38.6), 27.4),
    ],
)
def test_the_overall_is_that_of_published_rows(abilities: Sequence[float], expected: float) -> None:
    names = ("instruct", "plan", "reason", "retrieve", "understand", "review")
    scores = {
        name: {"json": x - 5, "string": x + 5} for name, x in zip(names, abilities, strict=True)
    }
    scores["review"] = {"json": 0.0, "string": abilities[-1]}
    assert published.overall(scores) == pytest.approx(expected, abs=0.06)


@pytest.mark.parametrize(
    ("places", "length"),
    [([], 0), ([2], 1), ([1, 3, 2], 2), ([0, 2, 4, 1, 3], 3), ([1, 1], 1), ([2, 3, 1], 2)],
)
def test_the_longest_rising_run(places: list[int], length: int) -> None:
    assert published.rising(places) == length
