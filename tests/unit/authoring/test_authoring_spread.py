from __future__ import annotations

import pytest

from teval.authoring import spread
from teval.errors import DataError
from teval.schema import SolutionPath
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
    kinds = {tag for path in paths for tag in path.tags}
    assert kinds == {tag for path in found for tag in path.tags}
    first = paths[:: len(paths) // 20][:20]
    assert len(toolkits(first)) < len(toolkits(found)), "which is not so by chance"


def test_a_smaller_set_is_part_of_a_bigger_one(paths: list[SolutionPath]) -> None:
    assert spread(paths, 8) == [path for path in spread(paths, 20) if path in spread(paths, 8)]


def test_more_paths_than_families_are_refused(paths: list[SolutionPath]) -> None:
    families = len({path.family for path in paths})
    with pytest.raises(DataError, match=f"of {families} families"):
        spread(paths, families + 1)
