from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from teval.metrics.bottleneck import PRIOR, STEPS_PRIOR, Bottleneck, Episode, bottlenecks

ABILITIES = ("instruct", "plan")
FEW = 60
"""Resamples."""


def episode(family: int, instruct: float, plan: float, success: bool, steps: int = 4) -> Episode:
    scores = {"instruct": instruct, "plan": plan}
    return Episode(str(family), scores, {"instruct": steps, "plan": 1}, success)


def linked(n: int = 40) -> list[Episode]:
    """Success where nothing was lost: instruct is in each second task, plan in each fifth."""
    return [
        episode(i, 0.75 if i % 2 else 1.0, float(i % 5 > 0), i % 2 == 0 and i % 5 > 0)
        for i in range(n)
    ]


def found(episodes: list[Episode], seed: int = 0) -> dict[str, Bottleneck]:
    rows = bottlenecks({"m": episodes}, ABILITIES, draws=FEW, seed=seed).models["m"]
    assert tuple(row.ability for row in rows) == ABILITIES
    return {row.ability: row for row in rows}


def gain(row: Bottleneck) -> float:
    assert row.gain is not None
    return row.gain


def test_gains_near_those_that_are_true() -> None:
    """Of 400 tasks 40 % fail by instruct alone, 10 % by plan alone, 10 % by both."""
    rows = found(linked(400))
    assert rows["instruct"].lost == 0.5
    assert rows["plan"].lost == 0.2
    assert gain(rows["instruct"]) == pytest.approx(0.4, abs=0.02)
    assert gain(rows["plan"]) == pytest.approx(0.1, abs=0.02)
    for row in rows.values():
        assert row.low is not None
        assert row.high is not None
        assert 0 < row.low < gain(row) < row.high
        assert row.odds is not None
        assert row.odds < 0.1


def test_with_few_tasks_gains_are_small_and_their_order_is_right() -> None:
    rows = found(linked(20))
    assert 0.4 > gain(rows["instruct"]) > gain(rows["plan"]) > 0


def test_the_fit_is_that_of_the_prior_and_the_data() -> None:
    """With one ability and equal steps, the slope solves the score equation with the prior."""
    tasks = [episode(i, 1.0, float(i % 3 > 0), i % 4 == 0) for i in range(12)]
    odds = found(tasks)["plan"].odds
    assert odds is not None
    slope = math.log(odds)
    lost = np.array([1 - task.scores["plan"] for task in tasks])
    won = np.array([task.success for task in tasks])

    def share(logit: float) -> float:
        return 1 / (1 + math.exp(-logit))

    intercepts = np.linspace(-4, 4, 80001)
    chances = 1 / (1 + np.exp(-(intercepts[:, None] + slope * lost)))
    best = int(np.abs(chances.sum(axis=1) - won.sum()).argmin())
    surplus = (lost * (won - chances[best])).sum() + PRIOR * (1 / 2 - share(slope))
    assert surplus == pytest.approx(0, abs=1e-3)


def test_a_long_path_is_no_fault_of_an_ability() -> None:
    """Long paths fail and lose more steps, but among paths of one length nothing is linked."""
    short = [episode(i, 1 - i % 2 / 2, 1.0, i // 2 % 4 > 0, 2) for i in range(80)]
    long = [episode(i, 0.75 - i % 2 / 4, 1.0, i // 2 % 4 == 0, 12) for i in range(80)]
    row = found(short + long)["instruct"]
    assert row.low is not None
    assert row.high is not None
    assert row.low < 0 < row.high
    assert gain(row) == pytest.approx(0, abs=0.02)


def test_an_ability_that_lost_nothing_has_nothing_to_gain() -> None:
    tasks = [episode(i, 1.0, float(i % 2), i % 2 == 1) for i in range(20)]
    assert found(tasks)["instruct"] == Bottleneck("instruct", lost=0.0, gain=0.0)


def test_a_score_that_never_varies_tells_nothing() -> None:
    tasks = [episode(i, 0.5, float(i % 2), i % 2 == 1, steps=2 + i % 3) for i in range(20)]
    row = found(tasks)["instruct"]
    assert row.lost > 0
    assert row[2:] == (None,) * 6


@pytest.mark.parametrize("success", [True, False])
def test_outcomes_that_never_vary_tell_nothing(success: bool) -> None:
    tasks = [task._replace(success=success) for task in linked()]
    assert all(row[2:] == (None,) * 6 for row in found(tasks).values())


def test_an_ability_that_no_task_asks_for_loses_nothing() -> None:
    tasks = [
        task._replace(scores={"plan": 0.5}, steps={"plan": 1 + i})
        for i, task in enumerate(linked())
    ]
    assert found(tasks)["instruct"] == Bottleneck("instruct", lost=0.0, gain=0.0)


def test_a_handful_of_lost_steps_makes_nothing_certain() -> None:
    """Plan is lost in two tasks of forty, both failed, as are half of the others."""
    tasks = [episode(i, 1 - i % 3 / 4, float(i not in {1, 3}), i % 2 == 0) for i in range(40)]
    row = found(tasks)["plan"]
    assert row.low is not None
    assert row.low < 0 < gain(row)


def test_one_family_gives_no_interval() -> None:
    tasks = [task._replace(family="only") for task in linked()]
    rows = found(tasks)
    assert gain(rows["instruct"]) > 0
    assert all((row.low, row.high, row.odds_low) == (None, None, None) for row in rows.values())


def test_families_and_not_tasks_are_independent() -> None:
    """The same tasks eight times over are no more than once, if they are of one family."""
    once = [episode(i, 1 - i % 3 / 4, 1.0, i % 2 == 0) for i in range(12)]
    tasks = once * 8
    one = found(tasks)["instruct"]
    other = found([t._replace(family=str(i)) for i, t in enumerate(tasks)])["instruct"]
    assert one.high is not None
    assert one.low is not None
    assert other.high is not None
    assert other.low is not None
    assert one.gain == other.gain
    assert one.high - one.low > 1.5 * (other.high - other.low)


def test_the_same_seed_gives_the_same_numbers() -> None:
    assert found(linked()) == found(linked())
    unsaid = bottlenecks({"m": linked()}, ABILITIES, draws=FEW)
    assert {row.ability: row for row in unsaid.models["m"]} == found(linked())
    assert found(linked())["plan"].low != found(linked(), seed=1)["plan"].low


def test_the_mean_is_over_models_with_outcomes_of_both_kinds() -> None:
    plan_only = [episode(i, 1.0, float(i % 2), i % 2 == 1) for i in range(40)]
    failing = [task._replace(success=False) for task in linked()]
    models = {"a": linked(), "b": plan_only, "c": failing}
    both = bottlenecks(models, ABILITIES, draws=FEW)
    for place, row in enumerate(both.mean):
        gains = [gain(both.models[name][place]) for name in "ab"]
        assert row.gain == pytest.approx(sum(gains) / 2)
        assert row.lost == pytest.approx(sum(both.models[n][place].lost for n in "abc") / 3)
    instruct, plan = both.mean
    odds = [both.models[name][1].odds for name in "ab"]
    assert plan.odds == pytest.approx(math.sqrt(math.prod(o for o in odds if o is not None)))
    assert instruct.odds == pytest.approx(both.models["a"][0].odds)


def test_a_model_s_numbers_do_not_hang_on_the_others_but_for_chance() -> None:
    alone = bottlenecks({"a": linked()}, ABILITIES, draws=FEW)
    beside = bottlenecks({"a": linked(), "b": linked()[::-1]}, ABILITIES, draws=FEW)
    assert beside.models["a"] == alone.models["a"]
    assert beside.models["b"][0].gain == pytest.approx(alone.models["a"][0].gain, abs=1e-6)


def test_where_no_outcome_varies_there_is_no_mean() -> None:
    failing = [task._replace(success=False) for task in linked()]
    mean = bottlenecks({"m": failing}, ABILITIES, draws=FEW).mean
    assert [(row.lost, row.gain) for row in mean] == [(0.5, None), (0.2, None)]


@pytest.mark.parametrize("seed", range(3))
def test_two_tasks_are_answered_too(seed: int) -> None:
    rows = found([episode(0, 1.0, 1.0, True), episode(1, 0.5, 1.0, False)], seed)
    assert 0 < gain(rows["instruct"]) < 0.5
    assert rows["instruct"].low is not None
    assert rows["instruct"].low < 0


def test_tasks_that_do_not_ask_for_an_ability_do_not_make_it_vary() -> None:
    tasks = [
        task._replace(scores={"plan": task.scores["plan"]}, steps={"plan": 1})
        if i % 2
        else task._replace(scores={**task.scores, "instruct": 0.5})
        for i, task in enumerate(linked())
    ]
    row = found(tasks)["instruct"]
    assert row.lost > 0
    assert row[2:] == (None,) * 6


def test_the_fit_with_paths_of_several_lengths_is_that_of_another_solver() -> None:
    tasks = [
        episode(i, 1.0, float(i % 3 > 0), i * 7 % 5 < 3, steps=2 + i * i % 7) for i in range(30)
    ]
    lost = np.array([1 - task.scores["plan"] for task in tasks])
    longest = np.array([task.steps["instruct"] for task in tasks], dtype=np.float64)
    won = np.array([task.success for task in tasks])
    x = np.column_stack([np.ones(len(tasks)), lost, longest - longest.mean()])

    def loss(at: np.ndarray) -> float:
        logits = x @ at
        data = np.logaddexp(0, logits).sum() - logits[won].sum()
        priors = np.array([PRIOR, STEPS_PRIOR]) * (np.logaddexp(0, at[1:]) - at[1:] / 2)
        return float(data + priors.sum())

    best = minimize(loss, np.zeros(3), tol=1e-9).x
    odds = found(tasks)["plan"].odds
    assert odds is not None
    assert math.log(odds) == pytest.approx(best[1], abs=2e-4)
