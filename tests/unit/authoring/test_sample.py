from __future__ import annotations

from collections import Counter

import pytest

from teval.assets import find
from teval.authoring import build, lint
from teval.errors import DataError
from teval.schema import SolutionPath
from teval.world import replay

KITS = ("calendar", "contacts", "flights", "mail", "weather")
"""The toolkits that the sample keeps to."""


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return find("data", "sample", "paths.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def paths(lines: list[str]) -> list[SolutionPath]:
    return [SolutionPath.model_validate_json(line) for line in lines]


def test_the_sample_is_what_its_families_give(lines: list[str], paths: list[SolutionPath]) -> None:
    names = {path.family for path in paths}
    assert lines == [path.model_dump_json() for path in build(count=40, names=names)]


def test_a_family_that_is_not_there_is_told() -> None:
    with pytest.raises(DataError, match="no family 'nobody'"):
        build(names=["retreat", "nobody"])


def test_every_path_replays(paths: list[SolutionPath]) -> None:
    assert all(replay(path).state_hash() == path.state_hash for path in paths)


def test_the_sample_is_clean_but_for_what_the_readme_explains(paths: list[SolutionPath]) -> None:
    found = [(problem.level, problem.path, problem.rule) for problem in lint(paths)]
    assert found == [("warning", "outdoor_day-0", "phrasing")]
    readme = find("data", "README.md").read_text(encoding="utf-8")
    for _, path, rule in found:
        assert f"| `{rule}` | {path} |" in readme


def test_families_are_many_and_even(paths: list[SolutionPath]) -> None:
    families = Counter(path.family for path in paths)
    assert len(paths) == 40
    assert len(families) == 18
    assert set(families.values()) == {2, 3}


def test_paths_of_all_lengths_are_there(paths: list[SolutionPath]) -> None:
    assert {len(path.steps[:-1]) for path in paths} == set(range(3, 9))


def test_toolkits_combine(paths: list[SolutionPath]) -> None:
    used = {
        path.family: {step.call.name.split(".")[0] for step in path.steps[:-1]} for path in paths
    }
    assert set().union(*used.values()) == set(KITS)
    assert sum(len(kits) > 1 for kits in used.values()) >= 6


def test_reviews_are_balanced(paths: list[SolutionPath]) -> None:
    labels = Counter(step.review for path in paths for step in path.steps[:-1])
    shares = {label: count / labels.total() for label, count in labels.items()}
    assert shares["A"] <= 0.55
    assert all(shares[label] >= 0.08 for label in ("B", "C", "D", "E"))


def test_tool_lists_are_shared(paths: list[SolutionPath]) -> None:
    assert len({tuple(tool.name for tool in path.tools) for path in paths}) <= 4


def test_every_thought_has_another_phrasing(paths: list[SolutionPath]) -> None:
    assert all(step.thoughts for path in paths for step in path.steps)


def test_the_readme_counts_right(paths: list[SolutionPath]) -> None:
    rows = find("data", "README.md").read_text(encoding="utf-8").splitlines()
    calls = [step for path in paths for step in path.steps[:-1]]
    assert any(r.startswith(f"{len(paths)} paths with {len(calls)} calls, ") for r in rows)
    labels = Counter(step.review for step in calls)
    for label, count in labels.items():
        assert any(r.startswith(f"| {label} |") and f"| {count} |" in r for r in rows), label
    for family, count in Counter(path.family for path in paths).items():
        assert any(row.startswith(f"| {family} | {count} |") for row in rows), family
