"""The comparator of free texts on pairs that were written before it was seen."""

from __future__ import annotations

import pytest
from golden_cases import ENCODERS, Recorded, TextPair, text_pairs

from teval.metrics.text_facts import Facts, says

PAIRS = text_pairs()
RECORDED = {encoder: Recorded(encoder) for encoder in ENCODERS}


def accepted(pair: TextPair, encoder: str) -> bool:
    """Whether the comparator takes a pair's answer for right."""
    facts = Facts(pair.facts, pair.contradictions)
    return says(pair.answer, pair.gold, facts, RECORDED[encoder].likeness)


def test_half_of_the_pairs_are_right() -> None:
    assert [sum(pair.right is right for pair in PAIRS) for right in (True, False)] == [60, 60]


@pytest.mark.parametrize("encoder", ENCODERS)
def test_wrong_texts_are_refused(encoder: str) -> None:
    """At least 95 %."""
    wrong = [pair for pair in PAIRS if not pair.right]
    through = [f"{pair.id} ({pair.why})" for pair in wrong if accepted(pair, encoder)]
    assert len(through) <= 0.05 * len(wrong), through


@pytest.mark.parametrize("encoder", ENCODERS)
def test_right_texts_are_accepted(encoder: str) -> None:
    """At least 85 %."""
    right = [pair for pair in PAIRS if pair.right]
    refused = [f"{pair.id} ({pair.why})" for pair in right if not accepted(pair, encoder)]
    assert len(refused) <= 0.15 * len(right), refused
