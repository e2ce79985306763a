"""The published scorer gives what the released code gave, case by case."""

from __future__ import annotations

import pytest
from golden_cases import ENCODERS, FILES, THRESHOLDS, Golden, Recorded, Value, cases

from teval.abilities.published import Published

CASES = list(cases())
RECORDED = {encoder: Recorded(encoder) for encoder in ENCODERS}
KEYS = [(case, key) for case in CASES for key in case.published]
SURE = [(case, key) for case, key in KEYS if not case.published[key].tie_sensitive]
TIED = [(case, key) for case, key in KEYS if case.published[key].tie_sensitive]


def published(case: Golden, key: str) -> Published:
    """What our scorer gives from the recorded cosines."""
    encoder, dot, end = key.partition(".")
    return case.scoring(THRESHOLDS[dot + end]).score(RECORDED[encoder])


def agrees(ours: Published, theirs: Value) -> bool:
    """Whether all metrics agree: thoughts to 0.0002, all else to 0.000001."""
    if ours.crash != theirs.crash:
        return False
    metrics = theirs.metrics or dict.fromkeys(ours.metrics, 0.0)
    return ours.metrics.keys() == metrics.keys() and all(
        abs(ours.metrics[key] - value) <= (2e-4 if key == "thought" else 1e-6)
        for key, value in metrics.items()
    )


def test_all_golden_cases_are_here() -> None:
    assert len({case.id for case in CASES}) == 726
    assert (len(SURE), len(TIED)) == (1868, 28)


@pytest.mark.parametrize("file", FILES)
def test_cases_score_what_the_release_gave(file: str) -> None:
    found = [
        (case.id, key, published(case, key), case.published[key])
        for case, key in SURE
        if case.file == file
    ]
    assert found
    assert [case for case in found if not agrees(*case[2:])] == []


def test_most_ties_are_decided_as_the_release_did() -> None:
    """The others hang on float noise: each encoder decided one of them in its own way."""
    unlike = {
        f"{case.id} {key}"
        for case, key in TIED
        if not agrees(published(case, key), case.published[key])
    }
    assert unlike == {
        "plan_json_068 minilm",
        "plan_json_068 minilm.t07",
        "plan_json_072 mpnet",
        "plan_json_072 mpnet.t07",
    }


def test_a_tie_never_beats_the_best_order() -> None:
    for case, key in TIED:
        best = case.published[key].order_optimal
        assert best is not None
        assert published(case, key).metrics["f1_score"] <= best["f1_score"] + 1e-9, (case.id, key)
