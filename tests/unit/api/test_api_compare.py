"""Two runs compared, on scores made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from scipy.stats import t

from teval import api
from teval.abilities import ABILITIES
from teval.errors import ConfigError, DataError
from teval.run.store import Manifest, RunFolder
from teval.run.summary import Origin, summarise
from teval.schema import Case, Comparison, Contrast, Format, Message, Score

SIGNATURE = "data:d-1|cases:c1|prompts:p1|model:m|sampling:greedy,max_tokens=9|embedder:e|scorer:s"
MULTIPLE = float(t.ppf(0.975, 7) + t.ppf(0.8, 7))
"""Of the standard error with 8 families."""


class Told(NamedTuple):
    """A case and what its answers scored."""

    values: Sequence[float]
    family: int
    ability: str = "review"
    form: Format = "json"
    prompt: str = "q"

    @property
    def id(self) -> str:
        return f"f{self.family}:{self.ability}:{self.form}"

    def case(self) -> Case:
        return Case(
            id=self.id,
            ability=self.ability,
            format=self.form,
            language="en",
            family=f"f{self.family}",
            path="p",
            messages=(Message(role="user", content=self.prompt),),
            tools=(),
            gold={},
            prompt=self.prompt,
        )

    def scores(self, *, published: bool) -> list[Score]:
        return [
            Score(
                case=self.id,
                ability=self.ability,
                format=self.form,
                family=f"f{self.family}",
                path="p",
                repeat=repeat,
                status="ok",
                parsed=True,
                well_formed=True,
                corrected={ABILITIES[self.ability].headline: value},
                published={"review_quality": 1 - value, "f1_score": 1.0} if published else None,
            )
            for repeat, value in enumerate(self.values)
        ]


def store(
    place: Path, told: Sequence[Told], signature: str = SIGNATURE, *, published: bool = True
) -> Path:
    folder = RunFolder(place)
    cases = [one.case() for one in told]
    folder.prepare(Manifest(answers={}, config={}, hashes={}), cases)
    scores = [score for one in told for score in one.scores(published=published)]
    folder.write_scores(scores)
    origin = Origin(place.name, "", signature, "mini")
    folder.write_summary(summarise(scores, {}, origin, resamples=100))
    return place


def plans(families: int = 8) -> list[Told]:
    return [Told([0.5], n, "plan") for n in range(families)]


def reviews(*values: float, form: Format = "json") -> list[Told]:
    return [Told([value], n, form=form) for n, value in enumerate(values)]


def row_of(found: Comparison, ability: str, form: str) -> Contrast:
    (row,) = (row for row in found.rows if (row.ability, row.format) == (ability, form))
    return row


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Eight families; in seven the second run is right where the first is wrong."""
    worse = store(tmp_path / "worse", [*reviews(0, 0, 0, 0, 0, 0, 0, 1), *plans()])
    return worse, store(tmp_path / "better", [*reviews(*[1] * 8), *plans()])


def test_rows_stand_in_the_order_of_the_abilities(pair: tuple[Path, Path]) -> None:
    found = api.compare(*pair)
    assert [(row.ability, row.format) for row in found.rows] == [
        ("plan", "json"),
        ("plan", "mean"),
        ("review", "json"),
        ("review", "mean"),
        ("overall", ""),
    ]
    assert (found.a.label, found.b.label) == ("worse", "better")
    assert (found.n, found.families, found.a.left_out, found.b.left_out) == (16, 8, 0, 0)
    assert found.warnings == ()


def test_a_difference_by_hand(pair: tuple[Path, Path]) -> None:
    row = row_of(api.compare(*pair), "review", "mean")
    assert (row.a, row.b, row.delta) == (0.125, 1, 0.875)
    # seven families whose signs may flip: 2 of 128 ways give a sum as great
    assert row.p == 2 / 128
    # gaps of 7 ones and a 0: the standard error of their mean is 1/8
    assert row.detectable == pytest.approx(MULTIPLE / 8)
    assert (row.n, row.families) == (8, 8)
    assert row.low is not None
    assert row.high is not None
    assert row.low < 0.875 < row.high <= 1


def test_holm_counts_the_abilities_alone(pair: tuple[Path, Path]) -> None:
    found = api.compare(*pair)
    corrected = {(row.ability, row.format): row.p_holm for row in found.rows}
    assert corrected.pop(("review", "mean")) == 2 * 2 / 128
    assert corrected.pop(("plan", "mean")) == 1
    assert set(corrected.values()) == {None}


def test_an_ability_on_which_all_families_agree(pair: tuple[Path, Path]) -> None:
    row = row_of(api.compare(*pair), "plan", "mean")
    assert (row.a, row.b, row.delta, row.p, row.detectable) == (0.5, 0.5, 0, 1, None)


def test_the_overall_difference_is_the_mean_over_abilities(pair: tuple[Path, Path]) -> None:
    row = row_of(api.compare(*pair), "overall", "")
    assert (row.a, row.b, row.delta) == (0.3125, 0.75, 0.4375)
    assert row.p == 2 / 128
    assert row.detectable == pytest.approx(MULTIPLE / 16)
    assert row.n == 16


def test_the_other_way_round_all_signs_turn(pair: tuple[Path, Path]) -> None:
    worse, better = pair
    there, back = api.compare(worse, better), api.compare(better, worse)
    for one, other in zip(there.rows, back.rows, strict=True):
        assert (one.a, one.b, one.delta) == (other.b, other.a, -other.delta)
        assert (one.p, one.p_holm, one.detectable) == (other.p, other.p_holm, other.detectable)


def test_abilities_are_means_of_formats(tmp_path: Path) -> None:
    a = store(tmp_path / "a", [*reviews(0, 0), *reviews(0.5, 0.5, form="string")])
    b = store(tmp_path / "b", [*reviews(1, 1), *reviews(0.5, 0.5, form="string")])
    found = api.compare(a, b)
    assert [(row.format, row.delta) for row in found.rows] == [
        ("json", 1),
        ("string", 0),
        ("mean", 0.5),
        ("", 0.5),
    ]
    assert all(row.detectable is None for row in found.rows), "too few families"


def test_only_cases_of_both_runs_count(tmp_path: Path) -> None:
    alone = [Told([1.0], 9), Told([1.0], 1, "plan")]
    a = store(tmp_path / "a", [*reviews(0, 1), Told([1.0], 2, prompt="old")])
    b = store(tmp_path / "b", [*reviews(1, 1), Told([0.0], 2, prompt="new"), *alone])
    found = api.compare(a, b)
    assert (found.n, found.families, found.a.left_out, found.b.left_out) == (2, 2, 1, 3)
    assert [(row.ability, row.format) for row in found.rows] == [
        ("review", "json"),
        ("review", "mean"),
        ("overall", ""),
    ]
    assert (row_of(found, "review", "mean").a, row_of(found, "review", "mean").b) == (0.5, 1)


def test_the_order_of_cases_makes_no_difference(pair: tuple[Path, Path], tmp_path: Path) -> None:
    turned = store(tmp_path / "turned", [*plans(), *reviews(*[1] * 8)][::-1])
    assert api.compare(pair[0], turned).rows == api.compare(*pair).rows


def test_of_repeats_the_mean_counts(tmp_path: Path) -> None:
    a = store(tmp_path / "a", [Told([0, 1, 1, 0], 0), Told([1], 1)])
    b = store(tmp_path / "b", [Told([1], 0), Told([1, 1], 1)])
    row = row_of(api.compare(a, b), "review", "json")
    assert (row.a, row.b, row.n) == (0.75, 1, 2)


def test_published_scores_are_compared_by_the_rules_of_the_release(tmp_path: Path) -> None:
    a = store(tmp_path / "a", [*reviews(0, 0), *reviews(0.5, 0.5, form="string")])
    b = store(tmp_path / "b", [*reviews(1, 1), *reviews(0.75, 0.75, form="string")])
    found = api.compare(a, b, "published")
    assert (found.scorer, found.mark) == ("published", "mini")
    assert [(row.format, row.a, row.b) for row in found.rows] == [
        ("json", 1, 0),
        ("string", 0.5, 0.25),
        ("mean", 0.5, 0.25),
        ("", 0.5, 0.25),
    ]
    assert api.compare(a, b).mark == ""


def test_what_makes_a_comparison_unfair_is_named(tmp_path: Path) -> None:
    other = SIGNATURE.replace("max_tokens=9", "max_tokens=9,plan=7").replace("model:m", "model:n")
    a = store(tmp_path / "a", reviews(1))
    b = store(tmp_path / "b", reviews(1), other.replace("embedder:e", "embedder:f"))
    (line,) = api.compare(a, b).warnings
    assert line == (
        "the runs differ in more than the model: sampling (none / plan=7), embedder (e / f); "
        "differences may come from that"
    )


@pytest.mark.parametrize("part", ["data:d", "cases:c", "prompts:p", "sampling:g", "embedder:e"])
def test_each_part_of_the_signature_that_must_agree(part: str, tmp_path: Path) -> None:
    a = store(tmp_path / "a", reviews(1))
    b = store(tmp_path / "b", reviews(1), SIGNATURE.replace(part, f"{part}x"))
    (line,) = api.compare(a, b).warnings
    assert f" {part.partition(':')[0]} (" in line


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ([Told([1.0], 1, prompt="new")], "1 case ids are the same, but the prompts of all differ"),
        ([Told([1.0], 7)], "no case id of one stands in the other"),
    ],
)
def test_runs_without_a_common_case_are_refused(told: list[Told], why: str, tmp_path: Path) -> None:
    a, b = store(tmp_path / "a", reviews(1, 1)), store(tmp_path / "b", told)
    with pytest.raises(DataError, match=why):
        api.compare(a, b)


def test_a_scorer_that_is_not_there_is_refused(pair: tuple[Path, Path]) -> None:
    with pytest.raises(ConfigError, match="no scorer 'paper'; give corrected or published"):
        api.compare(*pair, "paper")
    bare = store(pair[0].parent / "bare", reviews(1), published=False)
    with pytest.raises(DataError, match=f"no published scores; score it again: teval score {bare}"):
        api.compare(bare, bare, "published")


def test_a_run_held_against_itself_does_not_differ(pair: tuple[Path, Path]) -> None:
    found = api.compare(pair[0], pair[0])
    assert {row.delta for row in found.rows} == {0}
    assert {row.p for row in found.rows} == {1}
    assert found.a == found.b
