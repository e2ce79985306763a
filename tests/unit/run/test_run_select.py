from __future__ import annotations

from collections import Counter

import pytest

from teval.run.select import limit_cases
from teval.schema import Case, Format

FORMATS: tuple[Format, ...] = ("json", "string")


def make_cases(families: int = 3, paths: int = 4, steps: int = 5) -> list[Case]:
    """One plan a path, one retrieve and one reason a step, each in both formats."""
    cases = []
    for family in range(families):
        for path in range(paths):
            for form in FORMATS:
                spots = [("plan", None)] + [
                    (ability, step) for step in range(steps) for ability in ("reason", "retrieve")
                ]
                for ability, step in spots:
                    cases.append(make_case(f"f{family}", f"f{family}p{path}", ability, form, step))
    return cases


def make_case(family: str, path: str, ability: str, form: Format, step: int | None) -> Case:
    return Case(
        id=f"{path}:{step}:{ability}:{form}",
        ability=ability,
        format=form,
        language="en",
        family=family,
        path=path,
        step=step,
        messages=(),
        tools=(),
        gold={},
        prompt="",
    )


def strata(cases: list[Case]) -> Counter[tuple[str, str]]:
    return Counter((case.ability, case.format) for case in cases)


@pytest.mark.parametrize("limit", [6, 12, 36])
def test_every_ability_and_format_gets_its_even_share(limit: int) -> None:
    chosen = limit_cases(make_cases(), limit)
    assert len(chosen) == limit
    assert set(strata(chosen).values()) == {limit // 6}


@pytest.mark.parametrize("limit", [1, 5, 7, 100, 131])
def test_the_limit_is_met_where_it_does_not_divide(limit: int) -> None:
    chosen = limit_cases(make_cases(), limit)
    assert len(chosen) == limit
    counts = strata(chosen)
    short = {key: n for key, n in counts.items() if key[0] == "plan"}
    rest = [n for key, n in counts.items() if key[0] != "plan"]
    assert all(n <= 12 for n in short.values())
    assert max(rest, default=0) - min(rest, default=0) <= 1


def test_a_large_limit_takes_all() -> None:
    cases = make_cases()
    assert limit_cases(cases, 10_000) == cases


def test_the_order_is_kept_and_nothing_is_drawn_twice() -> None:
    cases = make_cases()
    chosen = limit_cases(cases, 50)
    assert chosen == [case for case in cases if case in chosen]
    assert len({case.id for case in chosen}) == 50


def test_few_paths_are_taken_from_all_families() -> None:
    chosen = limit_cases(make_cases(families=3, paths=4), 18)
    assert {case.path for case in chosen} == {"f0p0", "f1p0", "f2p0"}


def test_of_many_families_those_that_lie_evenly_are_taken() -> None:
    chosen = limit_cases(make_cases(families=9, paths=2), 18)
    assert {case.path for case in chosen} == {"f0p0", "f3p0", "f6p0"}


def test_abilities_of_one_path_are_asked_at_one_step_that_differs_from_path_to_path() -> None:
    chosen = [case for case in limit_cases(make_cases(), 18) if case.step is not None]
    steps = {path: {c.step for c in chosen if c.path == path} for path in {c.path for c in chosen}}
    assert all(len(found) == 1 for found in steps.values())
    assert len({step for found in steps.values() for step in found}) == 3


def test_a_path_without_the_wanted_step_gives_the_next_one() -> None:
    cases = [
        make_case("f", "p", "reason", "json", 0),
        make_case("f", "p", "reason", "json", 3),
        make_case("f", "p", "understand", "json", 3),
    ]
    assert [case.id for case in limit_cases(cases, 2)] == ["p:0:reason:json", "p:3:understand:json"]


def test_further_paths_fill_up_what_the_first_ones_lack() -> None:
    cases = [make_case("a", "a0", "plan", "json", None)]
    cases += [make_case("b", "b0", "review", "json", step) for step in range(3)]
    assert strata(limit_cases(cases, 3)) == {("plan", "json"): 1, ("review", "json"): 2}
