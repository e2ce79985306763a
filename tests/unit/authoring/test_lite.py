from __future__ import annotations

from collections import Counter

import pytest

from teval.assets import find
from teval.authoring import build, compile_path, lint, load_families, spread
from teval.errors import DataError
from teval.schema import SolutionPath
from teval.slicing import review_steps
from teval.sources.native import read_paths
from teval.world import replay

PATHS = 32


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return find("data", "lite", "paths.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def paths(lines: list[str]) -> list[SolutionPath]:
    return [SolutionPath.model_validate_json(line) for line in lines]


def test_the_lite_set_is_drawn_from_the_full_one(paths: list[SolutionPath]) -> None:
    assert spread(list(read_paths("full")), PATHS) == paths


def test_the_paths_are_what_their_families_give(
    lines: list[str], paths: list[SolutionPath]
) -> None:
    families = {family.id: family for family in load_families()}
    numbers = [int(path.id.removeprefix(f"{path.family}-")) for path in paths]
    made = [compile_path(families[p.family], n) for p, n in zip(paths, numbers, strict=True)]
    assert lines == [path.model_dump_json() for path in made]


def test_a_family_that_is_not_there_is_told() -> None:
    with pytest.raises(DataError, match="no family 'nobody'"):
        build(names=["retreat", "nobody"])


def test_every_path_replays(paths: list[SolutionPath]) -> None:
    assert all(replay(path).state_hash() == path.state_hash for path in paths)


def test_lint_finds_what_the_readme_explains(paths: list[SolutionPath]) -> None:
    found = [(problem.level, problem.path, problem.rule) for problem in lint(paths)]
    readme = find("data", "README.md").read_text(encoding="utf-8")
    assert {level for level, _, _ in found} <= {"warning"}
    assert [path for _, path, rule in found if f"| `{rule}` | {path} |" not in readme] == []


def test_each_path_is_of_another_family(paths: list[SolutionPath]) -> None:
    assert len({path.family for path in paths}) == PATHS


def test_reviews_are_balanced(paths: list[SolutionPath]) -> None:
    labels = Counter(step.review for path in paths for step in review_steps(path))
    assert labels.keys() == set("ABCDE")
    assert all(0.12 <= count / labels.total() <= 0.3 for count in labels.values())


def test_tool_lists_are_shared() -> None:
    """So that prompts of many paths share a beginning."""
    lists = {tuple(tool.name for tool in path.tools) for path in read_paths("full")}
    assert len(lists) <= 60


def test_every_thought_has_another_phrasing(paths: list[SolutionPath]) -> None:
    assert all(step.thoughts for path in paths for step in path.steps)


def test_the_readme_counts_right(paths: list[SolutionPath]) -> None:
    readme = find("data", "README.md").read_text(encoding="utf-8")
    for some in (paths, list(read_paths("full"))):
        calls = sum(len(path.steps) - 1 for path in some)
        assert f"| {len(some)} | {len({p.family for p in some})} | {calls:,} |" in readme
        labels = Counter(step.review for path in some for step in review_steps(path))
        told = ", ".join(f"{x} {n / labels.total():.0%}" for x, n in sorted(labels.items()))
        assert f"| {told} |" in readme
