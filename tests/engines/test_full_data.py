"""The paths of all families: long to replay, and longer to build."""

from __future__ import annotations

from collections import Counter

import pytest

from teval.assets import find
from teval.authoring import compile_path, lint
from teval.authoring.load import load_families
from teval.schema import SolutionPath
from teval.world import replay

pytestmark = pytest.mark.engine

PER_FAMILY = 4


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return find("data", "full", "paths.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def paths(lines: list[str]) -> list[SolutionPath]:
    return [SolutionPath.model_validate_json(line) for line in lines]


def test_every_family_has_its_paths(paths: list[SolutionPath]) -> None:
    families = [family.id for family in load_families()]
    assert Counter(path.family for path in paths) == dict.fromkeys(families, PER_FAMILY)


def test_the_paths_are_what_the_families_give(lines: list[str]) -> None:
    """One path of every eighth family; of all others one is replayed."""
    made = [compile_path(family, 0).model_dump_json() for family in load_families()[::8]]
    assert made == lines[:: 8 * PER_FAMILY]


def test_a_path_of_every_family_replays(paths: list[SolutionPath]) -> None:
    assert all(replay(p).state_hash() == p.state_hash for p in paths[1::PER_FAMILY])


def test_lint_finds_no_error_and_no_warning_but_what_the_readme_explains(
    paths: list[SolutionPath],
) -> None:
    found = lint(paths)
    assert {problem.level for problem in found} == {"warning"}
    readme = find("data", "README.md").read_text(encoding="utf-8")
    rows = [f"| `{problem.rule}` | {problem.path or 'all'} |" for problem in found]
    assert [row for row in rows if row not in readme] == []


def test_no_sequence_of_calls_is_common(paths: list[SolutionPath]) -> None:
    courses = Counter(tuple(step.call.name for step in path.steps) for path in paths)
    assert max(courses.values()) <= PER_FAMILY
    assert len(courses) >= 350
