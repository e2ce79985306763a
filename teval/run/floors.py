"""What can be had without any ability: the best of a few plain answerers, cell by cell."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from teval.abilities import ABILITIES
from teval.run.errata import Overlay
from teval.run.record_file import RecordFile
from teval.run.score import AT_ONCE, Reading, read_answer, score_readings
from teval.run.similarity import CachedSimilarity
from teval.schema import Case, Completion

CellKey = tuple[str, str]
"""Ability and format."""


def floors(
    cases: RecordFile[Case], similarity: CachedSimilarity, errata: Overlay | None = None
) -> dict[CellKey, float]:
    """Return the floor of each ability and format, in [0, 1].

    It is the mean score of the best answerer over the planned cases; an answerer that has
    nothing to say to a case gets 0 for it. Answers go the same way as a model's. A cell whose
    cases are all of one family has no floor, for some answerers borrow from another family.
    """
    planned = _Planned(cases, errata or Overlay())
    totals: dict[CellKey, dict[str, float]] = {cell: defaultdict(float) for cell in planned.cells}
    for cell, sums in totals.items():
        guessed = iter(planned.guesses(cell))
        while some := list(islice(guessed, AT_ONCE)):
            scores = score_readings([g.reading for g in some], similarity, published=False)
            for guess, score in zip(some, scores, strict=True):
                sums[guess.answerer] += score.corrected[ABILITIES[cell[0]].headline]
            similarity.keep_small()
    sizes = {cell: len(members.places) for cell, members in planned.cells.items()}
    return {cell: max(sums.values()) / sizes[cell] for cell, sums in totals.items() if sums}


class _Guess(NamedTuple):
    """What one answerer says to one case."""

    answerer: str
    reading: Reading


class _Members:
    """The cases of one cell: where they stand, and the numbers of their families."""

    def __init__(self) -> None:
        self.places = array("q")
        self.families = array("q")


class _Planned:
    """The planned cases by cell, of which only the places are kept."""

    def __init__(self, cases: RecordFile[Case], errata: Overlay) -> None:
        self._cases, self._errata = cases, errata
        self.cells: dict[CellKey, _Members] = defaultdict(_Members)
        numbers: dict[str, int] = {}
        for place, case in cases.placed():
            for scored in errata.mend([case]):
                members = self.cells[scored.ability, scored.format]
                members.places.append(place)
                members.families.append(numbers.setdefault(scored.family, len(numbers)))

    def guesses(self, cell: CellKey) -> Iterator[_Guess]:
        """Yield what the answerers say to each case, beside the next one of another family."""
        places = self.cells[cell].places
        other: Case | None = None
        last = -1
        for place, partner in zip(places, _partners(self.cells[cell].families), strict=True):
            if partner < 0:
                continue
            if other is None or partner != last:
                other, last = self._at(places[partner]), partner
            yield from _guesses(self._at(place), other)

    def _at(self, place: int) -> Case:
        (case,) = self._errata.mend([self._cases.at(place)])
        return case


def _partners(families: Sequence[int]) -> list[int]:
    """Return for each member the next one of another family, the list taken as a ring.

    >>> _partners([0, 0, 1, 0]), _partners([5, 5])
    ([2, 2, 3, 2], [-1, -1])
    """
    found = [-1] * len(families)
    # Twice around, backwards: the second time each one knows what comes after the end.
    for place in [*reversed(range(len(families)))] * 2:
        after = (place + 1) % len(families)
        found[place] = after if families[after] != families[place] else found[after]
    return found


def _guesses(case: Case, other: Case) -> Iterator[_Guess]:
    for answerer, text in ABILITIES[case.ability].guesses(case, other).items():
        said = Completion(request="", prompt=case.prompt, text=text, finish="stop")
        yield _Guess(answerer, read_answer(case, said))
