from __future__ import annotations

from run_cases import review_case

from teval.engines.hashing import HashingEmbedder
from teval.run.floors import floors
from teval.run.record_file import Spooled
from teval.run.similarity import CachedSimilarity
from teval.schema import Case


def floors_of(cases: list[Case]) -> dict[tuple[str, str], float]:
    return floors(Spooled(cases, Case), CachedSimilarity(HashingEmbedder()))


def test_the_floor_of_labels_is_the_share_of_the_most_frequent_one() -> None:
    golds = ["B", "B", "A", "C", "B"]
    cases = [
        review_case(f"c{n}", gold=gold, family=f"f{n % 2}")  # type: ignore[arg-type]
        for n, gold in enumerate(golds)
    ]
    assert floors_of(cases) == {("review", "string"): 0.6}


def test_each_format_has_a_floor_of_its_own() -> None:
    cases = [
        review_case("a", "A", "string", "f1"),
        review_case("b", "B", "string", "f2"),
        review_case("c", "C", "json", "f1"),
        review_case("d", "C", "json", "f2"),
    ]
    assert floors_of(cases) == {("review", "string"): 0.5, ("review", "json"): 1.0}


def test_cases_of_one_family_alone_have_no_floor() -> None:
    assert floors_of([review_case("a"), review_case("b")]) == {}
