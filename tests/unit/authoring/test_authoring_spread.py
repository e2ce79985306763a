from __future__ import annotations

import pytest

from teval.authoring import spread
from teval.errors import DataError
from teval.schema import ASK, FINISH, SolutionPath
from teval.sources.native import read_paths


@pytest.fixture(scope="module")
def paths() -> list[SolutionPath]:
    return list(read_paths("full"))


def toolkits(paths: list[SolutionPath]) -> set[str]:
    return {step.call.name.partition(".")[0] for path in paths for step in path.steps}


def test_each_path_is_of_another_family_and_stays_in_its_place(paths: list[SolutionPath]) -> None:
    found = spread(paths, 20)
    assert len({path.family for path in found}) == 20
    assert [path for path in paths if path in found] == found


def test_few_paths_reach_what_many_hold(paths: list[SolutionPath]) -> None:
    found = spread(paths, 20)
    assert toolkits(found) == toolkits(paths)
    kinds = {tag for path in paths for tag in path.tags} - toolkits(paths)
    assert kinds <= {tag for path in found for tag in path.tags}
    first = paths[:: len(paths) // 20][:20]
    assert len(toolkits(first)) < len(toolkits(found)), "which is not so by chance"


def test_what_is_frequent_stays_so_and_what_is_rare_too(paths: list[SolutionPath]) -> None:
    """Of every kind and toolkit as many as its share asks for, one more or less."""
    found, part = spread(paths, 32), 32 / len(paths)
    kinds = {tag for path in paths for tag in path.tags if tag not in toolkits(paths)}
    for kind in kinds:
        wanted = sum(kind in path.tags for path in paths) * part
        assert abs(sum(kind in path.tags for path in found) - wanted) <= 1.5, kind
    for toolkit in toolkits(paths) - {ASK, FINISH}:
        wanted = sum(toolkit in toolkits([path]) for path in paths) * part
        assert abs(sum(toolkit in toolkits([path]) for path in found) - wanted) <= 1.5, toolkit
    lengths = [sum(len(path.steps) for path in some) / len(some) for some in (found, paths)]
    assert abs(lengths[0] - lengths[1]) < 0.3


def test_more_paths_than_families_are_refused(paths: list[SolutionPath]) -> None:
    families = len({path.family for path in paths})
    with pytest.raises(DataError, match=f"of {families} families"):
        spread(paths, families + 1)
