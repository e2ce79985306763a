"""What can be had without any ability: the best of a few plain answerers, cell by cell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from teval.abilities import ABILITIES
from teval.run.score import Reading, read_answer, score_readings
from teval.schema import Case, Completion, Likeness

CellKey = tuple[str, str]
"""Ability and format."""


def floors(cases: Sequence[Case], similarity: Likeness) -> dict[CellKey, float]:
    """Return the floor of each ability and format, in [0, 1].

    It is the mean score of the best answerer over the planned cases; an answerer that has
    nothing to say to a case gets 0 for it. Answers go the same way as a model's. A cell whose
    cases are all of one family has no floor, for some answerers borrow from another family.
    """
    cells: dict[CellKey, list[Case]] = defaultdict(list)
    for case in cases:
        cells[case.ability, case.format].append(case)
    guessed = [
        (cell, answerer, reading)
        for cell, members in cells.items()
        for case, other in _pairs(members)
        for answerer, reading in _guesses(case, other).items()
    ]
    scores = score_readings([reading for *_, reading in guessed], similarity, published=False)
    totals: dict[CellKey, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for (cell, answerer, _), score in zip(guessed, scores, strict=True):
        totals[cell][answerer] += score.corrected[ABILITIES[cell[0]].headline]
    return {cell: max(sums.values()) / len(cells[cell]) for cell, sums in totals.items()}


def _pairs(members: Sequence[Case]) -> list[tuple[Case, Case]]:
    """Each case with the next one of another family, the list taken as a ring."""
    pairs = []
    for place, case in enumerate(members):
        ring = [*members[place + 1 :], *members[:place]]
        other = next((c for c in ring if c.family != case.family), None)
        if other is not None:
            pairs.append((case, other))
    return pairs


def _guesses(case: Case, other: Case) -> Mapping[str, Reading]:
    texts = ABILITIES[case.ability].guesses(case, other)
    return {
        answerer: read_answer(
            case, Completion(request="", prompt=case.prompt, text=text, finish="stop")
        )
        for answerer, text in texts.items()
    }
