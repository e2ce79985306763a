from __future__ import annotations

from pathlib import Path

import pytest
from agreement_examples import ended, linked, many_runs, model_run, played
from episode_examples import make_outcome

from teval.abilities import ABILITIES
from teval.report.agreement import Agreed, compare_outcomes
from teval.report.joined import Ended


def wins(number: int) -> Agreed:
    return compare_outcomes(*many_runs(number), "win rate")


def test_scores_are_held_against_outcomes() -> None:
    found = wins(9)
    assert [one.score for one in found.scores] == [*ABILITIES, "overall"]
    assert {one.n for one in found.scores} == {9}
    assert found.scores[0].spearman.value == pytest.approx(1.0)
    assert found.scores[5].spearman.value is None, "all models review alike"
    assert (found.bottlenecks, found.gaps, found.warnings) == (None, {}, ())


def test_the_most_successful_comes_first() -> None:
    outcomes = [model.outcome for model in wins(4).models]
    assert outcomes == sorted(outcomes, reverse=True)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, "only 1 model: too few"),
        (3, "only 3 models: too few to say whether a score goes with the outcome"),
        (3, "in perfect order in 33% of all cases"),
        (7, "give 8 or more"),
    ],
)
def test_few_models_are_warned_of_and_still_answered(number: int, words: str) -> None:
    found = wins(number)
    (warning,) = found.warnings
    assert words in warning
    assert len(found.scores) == 7
    assert len(found.models) == number


def test_scores_that_no_model_was_asked_for_are_left_out() -> None:
    runs = [model_run(f"m{i}", (i / 4, None, None, None, None, 0.5)) for i in range(4)]
    found = compare_outcomes(runs, [Ended(f"m{i}", i / 4, "x") for i in range(4)], "win rate")
    assert [one.score for one in found.scores] == ["instruct", "review"]


def test_what_is_linked_within_a_model_is_found(tmp_path: Path) -> None:
    run, end = linked(tmp_path, "m")
    found = compare_outcomes([run], [end], "success", draws=100)
    assert found.bottlenecks is not None
    rows = {row.ability: row for row in found.bottlenecks.models["m"]}
    assert list(rows) == ["instruct", "reason", "retrieve"]
    assert rows["retrieve"].gain == pytest.approx(0.45, abs=0.1)
    assert rows["retrieve"].low is not None
    assert rows["retrieve"].low > 0
    assert rows["reason"].low is not None
    assert rows["reason"].high is not None
    assert rows["reason"].low < 0 < rows["reason"].high
    assert (rows["instruct"].lost, rows["instruct"].gain) == (0.5, None)


def test_steps_are_held_against_the_free_run(tmp_path: Path) -> None:
    run, end = linked(tmp_path, "m")
    (whole, first, second) = compare_outcomes([run], [end], "success", draws=100).gaps["m"]
    assert (whole.ability, whole.n, whole.gap) == ("retrieve", 72, 0.0)
    assert (first.forced, first.free, second.forced, second.free) == (1.0, 1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("solved", "words"),
    [
        (0, "none of its 12 episodes succeeded"),
        (12, "all of its 12 episodes succeeded"),
        (3, "3 of 12 episodes succeeded"),
    ],
)
def test_models_with_few_outcomes_of_a_kind_are_warned_of(
    solved: int, words: str, tmp_path: Path
) -> None:
    run, _ = linked(tmp_path / "linked", "m")
    outcomes = [make_outcome(f"f{i}_{i}", success=i < solved) for i in range(12)]
    end = ended(played(tmp_path / "played", outcomes, "m"))
    found = compare_outcomes([run], [end], "success", draws=20)
    assert any(warning.startswith(f"m: {words}") for warning in found.warnings)


def test_other_tasks_than_the_steps_are_warned_of(tmp_path: Path) -> None:
    run, _ = linked(tmp_path / "linked", "m")
    end = ended(played(tmp_path / "played", [make_outcome("other_1")], "m"))
    found = compare_outcomes([run], [end], "success", draws=100)
    assert found.bottlenecks is None
    assert found.gaps == {}
    assert any("no task in common" in warning for warning in found.warnings)
