from __future__ import annotations

import pytest
from numpy.testing import assert_array_equal

from teval.abilities import ABILITIES
from teval.run.cells import SCORERS, Key, by_cell, count_up, groups_of, only
from teval.run.record_file import Spooled
from teval.schema import Score


def make_score(case: str, value: float, family: str, ability: str, repeat: int = 0) -> Score:
    return Score(
        case=case,
        ability=ability,
        format="json",
        family=family,
        path="p",
        repeat=repeat,
        status="ok",
        parsed=True,
        well_formed=True,
        corrected={ABILITIES[ability].headline: value},
        published={"json_format_metric": 1.0, "json_args_em_metric": value},
    )


SCORES = [
    make_score("a", 1.0, "f2", "plan"),
    make_score("b", 0.0, "f1", "plan"),
    make_score("b", 1.0, "f1", "plan", repeat=1),
    make_score("c", 0.0, "f1", "plan"),
    make_score("d", 1.0, "f3", "instruct"),
]


def test_cells_of_some_formats_alone() -> None:
    groups = by_cell([*SCORES, SCORES[0].model_copy(update={"format": "tools"})])
    found = only(groups, ("tools",))
    assert dict(found) == {("plan", "tools"): groups["plan", "tools"]}
    assert len(found) == 1
    assert ("plan", "json") not in found


def test_cases_are_counted_by_cell_and_family() -> None:
    cells = count_up(by_cell(SCORES), SCORERS["corrected"])
    assert cells.keys == [("plan", "json"), ("instruct", "json")]
    assert_array_equal(cells.sums, [[0.5, 1, 0], [0, 0, 1]])
    assert_array_equal(cells.counts, [[2, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("groups", "score"),
    [
        ([[("plan", "json")]], 0.5),
        ([[("plan", "json")], [("instruct", "json")]], 0.75),
    ],
)
def test_the_score_of_groups_of_cells(groups: list[list[Key]], score: float) -> None:
    assert count_up(by_cell(SCORES), SCORERS["corrected"]).score(groups) == score


def test_a_published_score_is_made_as_the_release_makes_it() -> None:
    score = make_score("a", 0.5, "f", "instruct")
    assert SCORERS["published"].by_case([score]) == {"a": 0.75}


@pytest.mark.parametrize(
    ("scorer", "review"),
    [
        ("corrected", [("review", "json"), ("review", "string")]),
        ("published", [("review", "string")]),
    ],
)
def test_cells_make_abilities_in_their_order(scorer: str, review: list[Key]) -> None:
    keys = [("review", "string"), ("plan", "string"), ("review", "json")]
    groups = groups_of(keys, SCORERS[scorer])
    assert groups == {"plan": [("plan", "string")], "review": review}
    assert list(groups) == ["plan", "review"]


@pytest.mark.parametrize("few", [0, 100])
def test_scores_on_disk_are_grouped_like_those_in_memory(few: int) -> None:
    stored = by_cell(Spooled(SCORES, Score), few)
    assert list(stored.items()) == list(by_cell(SCORES).items())
