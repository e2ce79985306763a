from __future__ import annotations

import pytest
from scipy.stats import t

from teval.abilities import ABILITIES
from teval.run.summary import Origin, summarise
from teval.schema import Cell, Score, Status, Summary

ORIGIN = Origin("name", "model", "data:x|teval:0")


def make_score(
    value: float,
    *,
    case: str = "",
    ability: str = "review",
    form: str = "json",
    family: str = "f1",
    repeat: int = 0,
    status: Status = "ok",
    flags: tuple[str, ...] = (),
    cause: str | None = None,
) -> Score:
    return Score(
        case=case or f"{ability}{form}{family}{value}{status}",
        ability=ability,
        format=form,
        family=family,
        path="p",
        repeat=repeat,
        status=status,
        parsed=status == "ok",
        well_formed=status == "ok",
        flags=flags,
        corrected={ABILITIES[ability].headline: value},
        cause=cause,
    )


def summary_of(*scores: Score) -> Summary:
    return summarise(scores, {}, ORIGIN, resamples=200)


def cell_of(summary: Summary, ability: str = "review", form: str = "json") -> Cell:
    found = summary.corrected.abilities[ability]
    assert found is not None
    return found.formats[form]


def test_one_cell_by_hand() -> None:
    cell = cell_of(
        summary_of(
            make_score(1.0),
            make_score(1.0, family="f2", flags=("hit_limit",)),
            make_score(0.0, family="f2", cause="wrong_label"),
            make_score(0.0, status="unparsed", cause="unparsed"),
            make_score(0.0, status="truncated", cause="truncated"),
            make_score(0.0, status="truncated_in_reasoning", cause="truncated_in_reasoning"),
            make_score(0.0, status="context_overflow", cause="context_overflow"),
            make_score(0.0, status="engine_error", cause="engine_error"),
        )
    )
    assert (cell.score, cell.n, cell.families) == (0.25, 8, 2)
    assert (cell.parse_rate, cell.well_formed) == (3 / 8, 3 / 8)
    assert cell.given_parsed == pytest.approx(2 / 3)
    assert (cell.coverage, cell.truncated, cell.hit_limit) == (0.75, 0.25, 0.125)
    assert cell.statuses == {
        "ok": 3,
        "unparsed": 1,
        "truncated": 1,
        "truncated_in_reasoning": 1,
        "context_overflow": 1,
        "engine_error": 1,
    }
    assert cell.causes["wrong_label"] == 1
    assert cell.metrics == {"accuracy": 0.25}
    assert 0 <= cell.low <= cell.score <= cell.high <= 1


def test_abilities_are_means_of_formats_and_overall_is_the_mean_of_abilities() -> None:
    total = summary_of(
        make_score(1.0, ability="review", form="json", case="a"),
        make_score(0.0, ability="review", form="json", case="b"),
        make_score(0.0, ability="review", form="json", case="c"),
        make_score(0.0, ability="review", form="json", case="d"),
        make_score(1.0, ability="review", form="string", case="e"),
        make_score(0.5, ability="plan", form="json", case="f"),
    ).corrected
    review, plan = total.abilities["review"], total.abilities["plan"]
    assert review is not None
    assert plan is not None
    assert review.score == pytest.approx((0.25 + 1) / 2)
    assert plan.score == 0.5
    assert total.overall == pytest.approx((0.625 + 0.5) / 2)
    assert total.micro == pytest.approx(2.5 / 6)
    assert (total.n, total.families) == (6, 1)


def test_abilities_not_asked_are_none_and_make_the_run_incomplete() -> None:
    summary = summary_of(make_score(1.0))
    assert list(summary.corrected.abilities) == list(ABILITIES)
    assert summary.corrected.abilities["plan"] is None
    assert not summary.corrected.complete
    assert any("not every ability" in line for line in summary.warnings)


def test_a_run_of_all_abilities_in_both_formats_is_complete() -> None:
    scores = [make_score(1.0, ability=a, form=f) for a in ABILITIES for f in ("json", "string")]
    summary = summary_of(*scores)
    assert summary.corrected.complete
    assert summary.corrected.overall == summary.corrected.micro == 1.0
    assert summary.warnings == ()
    without_one = summary_of(*scores[1:])
    assert not without_one.corrected.complete


@pytest.mark.parametrize(("value", "bounds"), [(1.0, (0.2924, 1.0)), (0.0, (0.0, 0.7076))])
def test_cells_without_variation_get_exact_bounds_by_families(
    value: float, bounds: tuple[float, float]
) -> None:
    scores = [
        make_score(value, family=f"f{n % 3}", case=f"c{n}", cause=None if value else "wrong_label")
        for n in range(30)
    ]
    cell = cell_of(summary_of(*scores))
    assert (round(cell.low, 4), round(cell.high, 4)) == bounds


def test_intervals_are_over_families_not_cases() -> None:
    one_each = [make_score(n % 2, family=f"f{n}", case=f"c{n}") for n in range(40)]
    in_two = [make_score(n % 2, family=f"f{n % 2}", case=f"c{n}") for n in range(40)]
    narrow, wide = cell_of(summary_of(*one_each)), cell_of(summary_of(*in_two))
    assert narrow.score == wide.score == 0.5
    assert (wide.low, wide.high) == (0.0, 1.0)
    assert 0.3 < narrow.low < narrow.high < 0.7


def test_intervals_hang_on_the_seed_alone() -> None:
    scores = [make_score(n % 2, family=f"f{n % 5}", case=f"c{n}") for n in range(20)]
    assert summary_of(*scores) == summary_of(*scores)
    other = summarise(scores, {}, ORIGIN, resamples=200, seed=1)
    assert other.corrected.overall == summary_of(*scores).corrected.overall


def test_repeats_count_as_one_case_with_their_mean() -> None:
    cell = cell_of(
        summary_of(
            make_score(1.0, case="a"),
            make_score(0.0, case="a", repeat=1),
            make_score(1.0, case="b"),
            make_score(1.0, case="b", repeat=1),
        )
    )
    assert (cell.score, cell.n, cell.statuses) == (0.75, 2, {"ok": 4})


def test_floors_stand_beside_scores() -> None:
    scores = [make_score(0.6, case="a"), make_score(1.0, form="string", case="b")]
    floors = {("review", "json"): 0.2, ("review", "string"): 0.4}
    summary = summarise(scores, floors, ORIGIN, resamples=200)
    cell, ability = cell_of(summary), summary.corrected.abilities["review"]
    assert ability is not None
    assert cell.floor == 0.2
    assert cell.above_floor == pytest.approx(0.5)
    assert ability.floor == pytest.approx(0.3)
    assert ability.above_floor == pytest.approx(0.5 / 0.7)
    assert summary.corrected.floor == pytest.approx(0.3)


def test_an_unknown_or_full_floor_leaves_nothing_to_rise_above() -> None:
    scores = [make_score(1.0), make_score(1.0, form="string")]
    summary = summarise(scores, {("review", "json"): 1.0}, ORIGIN, resamples=200)
    ability = summary.corrected.abilities["review"]
    assert ability is not None
    assert cell_of(summary).above_floor is None
    assert ability.floor is None


def test_alarms_stand_before_what_the_summary_itself_warns_of() -> None:
    summary = summarise([make_score(1.0)], {}, ORIGIN, alarms=("odd",), resamples=200)
    assert summary.warnings[0] == "odd"
    assert "not every ability" in summary.warnings[1]


def test_the_smallest_difference_that_could_be_seen_by_hand() -> None:
    values = [0.0, 1.0] * 4
    scores = [make_score(v, family=f"f{n}", case=f"r{n}") for n, v in enumerate(values)]
    scores += [make_score(1.0, ability="plan", family=f"f{n}", case=f"p{n}") for n in range(8)]
    corrected = summary_of(*scores).corrected
    review, plan = corrected.abilities["review"], corrected.abilities["plan"]
    assert review is not None
    assert plan is not None
    # the mean of 8 halves spread by 0.5 has a standard error of sqrt(8/7 * 8 * (0.5 / 8) ** 2)
    error = 0.5 / 7**0.5
    multiple = t.ppf(0.975, 7) + t.ppf(0.8, 7)
    expected = 2**0.5 * error * multiple
    assert review.detectable == pytest.approx(expected)
    assert plan.detectable is None, "nothing varies"
    assert corrected.detectable == pytest.approx(expected / 2)


def test_too_few_families_can_show_no_difference() -> None:
    scores = [make_score(n % 2, family=f"f{n}", case=f"c{n}") for n in range(5)]
    review = summary_of(*scores).corrected.abilities["review"]
    assert review is not None
    assert review.detectable is None


def test_who_it_is_stands_in_the_summary() -> None:
    summary = summary_of(make_score(1.0))
    assert (summary.name, summary.model, summary.signature) == ORIGIN[:3]
    assert summary.published is None


def test_how_many_answers_held_a_thought_is_summed_up() -> None:
    cell = cell_of(
        summary_of(
            make_score(1.0, flags=("reasoning_cut", "hit_limit")),
            make_score(0.0, status="unparsed", flags=("reasoning_unclosed",)),
            make_score(0.5),
            make_score(0.25),
        )
    )
    assert cell.reasoned == 0.5
