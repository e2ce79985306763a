from __future__ import annotations

from pathlib import Path

import pytest
from agreement_examples import ended, model_run, played, step_score, with_scores
from episode_examples import make_outcome

from teval.errors import DataError
from teval.metrics.bottleneck import Episode
from teval.metrics.gap import Met
from teval.report.joined import Ended, Pair, episodes, join, measured, met
from teval.schema import Mark


def win(model: str, value: float = 0.5) -> Ended:
    return Ended(model, value, "wins.csv")


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("org/Small-1B", "org/Small-1B"),
        ("org/Small-1B", "ORG/small-1b"),
        ("org/Small-1B", "Small-1B"),
        ("/models/Small-1B", "org/Small-1B"),
        ("org/Small-1B", "e2e (Small-1B)"),
        ("degraded oracle (plan 0.3)", "degraded oracle (plan 0.3)"),
        ("degraded oracle (plan 0.3)", "e2e (degraded oracle (plan 0.3))"),
    ],
)
def test_names_of_the_same_model(model: str, name: str) -> None:
    other = model_run("org/Other-2B")
    joined = join([other, model_run(model)], [win(name)])
    assert [pair.run.summary.model for pair in joined.pairs] == [model]


def test_a_run_without_a_model_goes_by_its_own_name() -> None:
    (pair,) = join([model_run("")], [win("steps")]).pairs
    assert pair.name == "steps"


def test_names_are_short_unless_models_share_them() -> None:
    runs = [model_run(name) for name in ("a/x", "b/x", "b/y")]
    joined = join(runs, [win(name) for name in ("a/x", "b/x", "b/y")])
    assert [pair.name for pair in joined.pairs] == ["a/x", "b/x", "y"]


def test_what_has_no_counterpart_is_told_with_the_nearest_name() -> None:
    runs = [model_run("org/alpha"), model_run("org/beta")]
    joined = join(runs, [win("org/alpha"), win("org/betta")])
    assert [pair.name for pair in joined.pairs] == ["alpha"]
    assert joined.unmatched == (
        "org/beta has no outcome and is left out; the nearest name there is org/betta",
        "org/betta has no step run and is left out; the nearest name there is org/beta",
    )


@pytest.mark.parametrize(
    ("runs", "names", "parts"),
    [
        (["a"], ["b"], ["no model has both", "(a)", "(b)", "model's name"]),
        (["a", "a"], ["a"], ["'a'", "2 step runs"]),
        (["p/x", "q/x"], ["x"], ["'x'", "2 step runs"]),
        (["p/x"], ["p/x", "q/x"], ["wins.csv", "2 outcomes of model 'p/x'"]),
    ],
)
def test_models_that_can_not_be_told_apart_are_refused(
    runs: list[str], names: list[str], parts: list[str]
) -> None:
    with pytest.raises(DataError) as caught:
        join([model_run(name) for name in runs], [win(name) for name in names])
    for part in parts:
        assert part in str(caught.value)


def test_measured_holds_what_was_asked() -> None:
    whole = measured(Pair("m", model_run("m"), win("m", 0.3)))
    assert whole.scores == pytest.approx(
        {
            **dict(zip(("instruct", "plan", "reason"), (0.9, 0.8, 0.7), strict=True)),
            **dict(zip(("retrieve", "understand", "review"), (0.6, 0.5, 0.4), strict=True)),
            "overall": 0.65,
        }
    )
    assert whole.outcome == 0.3
    part = measured(Pair("m", model_run("m", (0.9, None, None, None, None, 0.4)), win("m")))
    assert part.scores == {"instruct": 0.9, "review": 0.4}


def test_episodes_stand_beside_the_scores_of_their_own_steps(tmp_path: Path) -> None:
    run = with_scores(
        model_run("m"),
        [
            step_score("a_1", 0, "retrieve", 1.0),
            step_score("a_1", 0, "retrieve", 0.5, "string"),
            step_score("a_1", 1, "retrieve", 0.25),
            step_score("a_1", None, "plan", 0.5),
            step_score("b_1", 0, "retrieve", 0.0),
            step_score("other_1", 0, "retrieve", 0.0),
        ],
    )
    outcomes = [
        make_outcome("a_1", success=True),
        make_outcome("a_1", trial=1),
        make_outcome("b_1"),
        make_outcome("b_1", trial=1, end="engine_error"),
        make_outcome("c_1", success=True),
        make_outcome("c_1", trial=1),
    ]
    pair = Pair("m", run, ended(played(tmp_path, outcomes, "m")))
    a = ({"plan": 0.5, "retrieve": 0.5}, {"plan": 1, "retrieve": 2})
    assert episodes(pair) == [
        Episode("a", *a, success=True),
        Episode("a", *a, success=False),
        Episode("b", {"retrieve": 0.0}, {"retrieve": 1}, success=False),
    ]


def test_steps_met_stand_beside_the_same_steps_asked_in_json(tmp_path: Path) -> None:
    run = with_scores(
        model_run("m"),
        [
            step_score("a_1", 0, "instruct", 0.5),
            step_score("a_1", 1, "instruct", 0.0, read=False),
            step_score("a_1", 1, "retrieve", 1.0),
            step_score("a_1", 1, "retrieve", 0.0, "string"),
            step_score("a_1", 2, "retrieve", 0.9),
            step_score("a_1", 2, "retrieve", 1.0),
        ],
    )
    marks = (
        Mark(step=0, ability="instruct", right=True),
        Mark(step=1, ability="instruct", right=True),
        Mark(step=1, ability="retrieve", right=False),
        Mark(step=2, ability="retrieve", right=True),
        Mark(step=3, ability="retrieve", right=True),
    )
    outcome = make_outcome("a_1").model_copy(update={"marks": marks})
    pair = Pair("m", run, ended(played(tmp_path, [outcome], "m")))
    assert list(met(pair)) == [
        Met("a", "instruct", 0, 1.0, free=True),
        Met("a", "instruct", 1, 0.0, free=True),
        Met("a", "retrieve", 1, 1.0, free=False),
        Met("a", "retrieve", 2, 0.5, free=True),
    ]


def test_win_rates_alone_have_neither_episodes_nor_steps() -> None:
    pair = Pair("m", model_run("m"), win("m"))
    assert episodes(pair) == []
    assert list(met(pair)) == []
