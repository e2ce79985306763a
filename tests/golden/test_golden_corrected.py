"""The corrected readers and metrics give what a sound scorer gives, case by case."""

from __future__ import annotations

import pytest
from golden_cases import ENCODERS, Golden, Recorded, cases
from golden_corrected import corrected

CASES = list(cases())
RECORDED = {encoder: Recorded(encoder) for encoder in ENCODERS}
FAULTY = [case for case in CASES if case.corrected is not None]
PLANS = [case for case in CASES if case.file in {"plan_json", "plan_str"} and not case.corrected]


def holds(value: float, expected: float | str, like: float) -> bool:
    """Whether a value is the expected one, or within an expected bound."""
    match expected:
        case "=any":
            return 0 <= value <= 1
        case str(bound):
            number = float(bound[1:])
            return value > number if bound[0] == ">" else value < number
        case _:
            return abs(value - expected) <= like


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize("case", FAULTY, ids=lambda case: case.id)
def test_a_case_scores_what_a_sound_scorer_gives(case: Golden, encoder: str) -> None:
    ours = corrected(case, RECORDED[encoder].likeness)
    for metric, expected in (case.corrected or {}).items():
        assert holds(ours[metric], expected, 1e-4), (metric, expected, ours)


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize("case", PLANS, ids=lambda case: case.id)
def test_other_plans_score_as_released_with_the_threshold_of_the_paper(
    case: Golden, encoder: str
) -> None:
    released = case.published[f"{encoder}.t07"]
    expected = released.order_optimal or released.metrics or {}
    ours = corrected(case, RECORDED[encoder].likeness)
    for metric, value in expected.items():
        assert holds(ours[metric], value, 1e-6), (metric, expected, ours)
