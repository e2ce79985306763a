from __future__ import annotations

from pathlib import Path

import pytest
from small_family import write_family

from teval.authoring import (
    build,
    compile_family,
    compile_path,
    lint,
    load_family,
)
from teval.errors import DataError
from teval.schema import ASK, FINISH, Fault, SolutionPath
from teval.world import replay


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[SolutionPath]:
    return compile_family(write_family(tmp_path_factory.mktemp("families")), seed=3, count=3)


def test_paths_are_clean_and_replay(paths: list[SolutionPath]) -> None:
    assert lint(paths) == []
    for path in paths:
        assert replay(path).state_hash() == path.state_hash


def test_variants_and_phrasings_take_turns(paths: list[SolutionPath]) -> None:
    assert [p.id for p in paths] == ["small-0", "small-1", "small-2"]
    assert [len(p.steps) for p in paths] == [5, 6, 5]
    starts = ("What will", "Mail the", "To ")
    assert all(p.query.startswith(s) for p, s in zip(paths, starts, strict=True))


def test_tools_are_sorted_with_finish_last(paths: list[SolutionPath]) -> None:
    names = [tool.name for tool in paths[0].tools]
    assert names == [*sorted(names[:-1]), FINISH]
    assert len(names) == 12
    assert ASK in names


def test_a_fault_is_retried(paths: list[SolutionPath]) -> None:
    first, second = paths[0].steps[:2]
    assert paths[0].world is not None
    slow = Fault(tool="weather.get_forecast", nth=0, kind="timeout", lost=("high",))
    assert paths[0].world.faults == (slow,)
    assert (first.review, first.sound, first.planned) == ("B", True, False)
    assert (second.review, second.sound, second.planned) == ("A", True, True)
    assert first.call == second.call
    assert first.observation is not None
    assert first.observation.status == "internal_error"


def test_a_call_that_does_not_fit_is_not_counted_towards_a_fault(
    paths: list[SolutionPath],
) -> None:
    typo, other, right = paths[1].steps[:3]
    assert paths[1].world is not None
    assert Fault(tool="weather.get_forecast", nth=0, kind="misrouted") in paths[1].world.faults
    assert (typo.review, typo.sound) == ("C", False)
    assert other.observation is not None
    assert right.observation is not None
    assert other.observation.content["city"] != other.call.args["city"]
    assert right.observation.content["city"] == right.call.args["city"]


def test_dependencies_follow_from_what_is_read(paths: list[SolutionPath]) -> None:
    _, _, look_up, write, finish = paths[0].steps
    assert look_up.needs == ()
    assert look_up.observed == ()
    assert write.needs == (1, 2)
    assert write.observed == ("to", "body")
    assert finish.needs == (0, 1, 2, 3)
    assert finish.observation is None


def test_values_are_filled_in(paths: list[SolutionPath]) -> None:
    _, forecast, look_up, write, _ = paths[0].steps
    assert forecast.observation is not None
    high = forecast.observation.content["high"]
    assert write.call.args["body"] == f"It will be {high} degrees."
    assert write.text["body"].facts == (str(high),)
    assert paths[0].answer.facts[0] == str(high)
    name = look_up.call.args["name"]
    assert isinstance(name, str)
    assert look_up.accepts == {"name": (name.split(" ")[1],)}


def test_the_seed_moves_the_draws(tmp_path: Path, paths: list[SolutionPath]) -> None:
    file = write_family(tmp_path)
    assert compile_family(file, seed=3, count=1) == paths[:1]
    assert compile_family(file, seed=4, count=1) != paths[:1]


def test_paths_are_spread_evenly_over_families(tmp_path: Path) -> None:
    write_family(tmp_path, "id: small", "id: one", name="one")
    write_family(tmp_path, "id: small", "id: two", name="two")
    assert [p.id for p in build(0, 3, tmp_path)] == ["one-0", "one-1", "two-0"]


def test_families_can_be_kept_to_some_toolkits(tmp_path: Path) -> None:
    write_family(tmp_path, "id: small", "id: one", name="one")
    kits = load_family(tmp_path / "one.yaml").toolkits
    assert kits == {"contacts", "mail", "weather"}
    assert [p.id for p in build(0, 1, tmp_path, toolkits=[*kits])] == ["one-0"]
    with pytest.raises(DataError, match="no family keeps to mail, weather; name more"):
        build(0, 1, tmp_path, toolkits=["mail", "weather"])
    with pytest.raises(DataError, match="no family calls a toolkit 'mial'; there are contacts, "):
        build(0, 1, tmp_path, toolkits=["mial"])


def test_a_step_that_calls_no_tool_of_the_world_is_told(tmp_path: Path) -> None:
    old = "call: weather.get_forecast\n    args: &forecast"
    write_family(tmp_path, old, old.replace("get_forecast", "get_tides"))
    with pytest.raises(DataError, match=r"family small, path 0: .*weather\.get_tides"):
        build(0, 1, tmp_path)


def test_a_draw_without_the_story_is_not_used(tmp_path: Path) -> None:
    (free,) = compile_family(write_family(tmp_path), count=1)
    assert str(free.steps[0].call.args["city"]) > "H"
    file = write_family(tmp_path, "forecast.high > 0", "city < 'H' and forecast.high > 0")
    (bound,) = compile_family(file, count=1)
    assert str(bound.steps[0].call.args["city"]) < "H"


# What is changed in the family, what it is changed to, what the message must say.
FAULTS = {
    "expect": ("forecast.high > 0", "forecast.high > 99", "step forecast: not so: forecast.high"),
    "review": ("review: D\n    fault: misrouted", "review: C", "step forecast_other: review C"),
    "no_list": ("cities[].name", "cities[0].name", "slots.city: cities[0].name finds no list"),
    "no_candidate": ("cities[].name", "towns[].name || `[]`", "slots.city: no candidate"),
    "nothing": ('["{{ email }}"]', '{from: look_up, path: "people"}', "people finds nothing in"),
    "not_told": ("told_by: look_up", "told_by: forecast", "step forecast does not tell"),
    "missing": ("{{ forecast.high }}.", "{{ forecast.warmth }}.", "has no attribute 'warmth'"),
    "fits": ("fits: false", "fits: true", "step forecast_typo: fits must be false"),
    "tool": ("  - weather.get_alerts", "  - weather.get_tides", "world has no weather.get_tides"),
    "unlisted": ("  - mail.send_mail", "  - mail.read_mail", "tools not listed: mail.send_mail"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), FAULTS.values(), ids=FAULTS.keys())
def test_a_story_that_does_not_hold_is_refused(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    family = load_family(write_family(tmp_path, old, new))
    with pytest.raises(DataError, match=r"^family small, path 1: ") as caught:
        compile_path(family, 1, draws=2)
    assert message in str(caught.value)


def test_the_user_answers_what_a_step_asks(tmp_path: Path) -> None:
    path = compile_family(write_family(tmp_path, "steps:\n", ASKING), seed=3, count=1)[0]
    step = path.steps[0]
    assert path.world is not None
    assert path.world.replies == (f"In {path.world.clock[:4]}.",)
    assert step.call.name == ASK
    assert step.observation is not None
    assert step.observation.content == {"answer": path.world.replies[0]}


ASKING = """\
user: ["In {{ today[:4] }}."]
steps:
  - id: which_year
    thought: "No year was given, so I ask for it."
    also: ["It is open which year is meant.", "First I want to hear the year."]
    call: ask_user
    args: {question: "In which year?"}
    text: {question: {facts: [year]}}
"""


@pytest.mark.parametrize("head", ['user: ["Yes."]\nsteps:\n', ASKING.partition("\n")[2]])
def test_replies_and_questions_come_together(tmp_path: Path, head: str) -> None:
    with pytest.raises(DataError, match="user: give it where a step calls ask_user, and only"):
        load_family(write_family(tmp_path, "steps:\n", head))
