"""Answers of which a part failed, that stand for refused ones, and notices beside them."""

from __future__ import annotations

import json
from itertools import count
from random import Random

import pytest
from world_cases import CLOCK, ask, build, refused

from teval.errors import DataError
from teval.schema import Fault, JsonObject, Observation, WorldRef, canonical
from teval.world import World
from teval.world.faults import BODIES, WORDINGS, failure, without
from teval.world.notices import ASIDES, MOST_BYTES, with_notices
from teval.world.toolkits import TOOLKITS

FORECAST = "weather.get_forecast"
ARGS: JsonObject = {"city": "Larkspur", "date": "2031-05-09"}


def notices(seen: Observation) -> list[str]:
    told = seen.content["notices"]
    assert isinstance(told, list)
    return [str(notice) for notice in told]


def bare(seen: Observation) -> JsonObject:
    return {key: part for key, part in seen.content.items() if key != "notices"}


@pytest.mark.parametrize("kind", sorted(BODIES))
def test_a_failed_part_is_lost_and_told(kind: str) -> None:
    planned = {"tool": FORECAST, "nth": 0, "kind": kind, "lost": ("high", "low")}
    world = build(7, Fault.model_validate(planned))
    lacking, whole = ask(world, FORECAST, **ARGS), ask(world, FORECAST, **ARGS)
    assert lacking.status == "internal_error"
    assert bare(lacking) == without(whole.content, ["high", "low"])
    (told,) = [notice for notice in notices(lacking) if notice.startswith("high, low: ")]
    forms = [form.format(n=n) for form in WORDINGS[kind] for n in (5, 10, 20, 30, 60)]
    assert told.removeprefix("high, low: ") in forms


def test_a_call_that_is_refused_anyway_fails_as_a_whole() -> None:
    fault = Fault(tool=FORECAST, nth=0, kind="timeout", lost=("high",))
    seen = ask(build(7, fault), FORECAST, city="Nowhere", date="2031-05-09")
    assert (seen.status, seen.content) == ("internal_error", BODIES["timeout"])


def test_what_is_without_a_key_lacks_it_at_every_depth() -> None:
    rows: JsonObject = {"rows": [{"a": 1, "b": {"a": 2}}, {"b": []}], "a": {}, "c": None}
    assert without(rows, ["a"]) == {"rows": [{"b": []}], "c": None}
    assert without(rows, []) == rows
    assert without(rows, ["a", "b"]) == {"c": None}


@pytest.mark.parametrize(
    ("args", "key", "refusal"),
    [
        ({**ARGS, "city": "Nowhere"}, "city", "unknown city 'Nowhere'"),
        ({**ARGS, "date": "9 May 2031"}, "date", "got '9 May 2031'"),
        ({**ARGS, "unit": "Celsius"}, "unit", "got 'Celsius'"),
        ({"city": "Larkspur"}, "date", "date"),
    ],
)
def test_a_refused_call_is_answered_with_another_value(
    args: JsonObject, key: str, refusal: str
) -> None:
    world = build(7, Fault(tool=FORECAST, nth=0, kind="substituted"))
    before = world.state_hash()
    seen = ask(world, FORECAST, **args)
    assert seen.status == "input_error"
    assert world.state_hash() == before
    (told,) = [n for n in notices(seen) if refusal in n and n.endswith(" taken instead")]
    taken = told.removesuffix(" taken instead").rpartition("; ")[2]
    changed: JsonObject = {**args, key: taken}
    if taken == "none":
        del changed[key]
    assert bare(seen) == ask(build(), FORECAST, **changed).content
    assert refusal in refused(world, FORECAST, **args), "only the one that was planned"


def test_refused_calls_are_counted_among_themselves() -> None:
    world = build(7, Fault(tool=FORECAST, nth=1, kind="substituted"))
    ask(world, FORECAST, **ARGS)
    assert "unknown city" in refused(world, FORECAST, **{**ARGS, "city": "Nowhere"})
    ask(world, FORECAST, **ARGS)
    assert "notices" in ask(world, FORECAST, **{**ARGS, "city": "Nowhere"}).content


def test_a_refusal_stands_where_no_other_call_is_answered() -> None:
    world = build(7, Fault(tool=FORECAST, nth=0, kind="substituted"))
    assert "unknown argument" in refused(world, FORECAST, **ARGS, day=3)


def test_notices_of_no_matter_leave_the_answer_as_it_is() -> None:
    noise = Fault(tool=FORECAST, nth=1, kind="noise")
    world, plain = build(7, noise), build()
    first, second = ask(world, FORECAST, **ARGS), ask(world, FORECAST, **ARGS)
    assert "notices" not in first.content
    assert second.status == "ok"
    assert bare(second) == first.content == ask(plain, FORECAST, **ARGS).content
    for notice in notices(second):
        part = notice.partition(":")[0]
        assert part in ASIDES or notice.endswith(" taken instead")
        assert "date" not in part.split()[:1], "the call has a date of its own"
    assert ask(build(7, noise), FORECAST, **ARGS) == first


def test_notices_stand_beside_an_irrelevant_answer_as_well() -> None:
    plans = (
        Fault(tool=FORECAST, nth=0, kind="misrouted"),
        Fault(tool=FORECAST, nth=0, kind="noise"),
    )
    seen = ask(build(7, *plans), FORECAST, **ARGS)
    alone = ask(build(7, plans[0]), FORECAST, **ARGS)
    assert bare(seen) == alone.content
    assert notices(seen)


def test_no_notice_of_a_refusal_names_an_argument_of_the_call() -> None:
    for seed in range(20):
        seen = ask(build(seed, Fault(tool=FORECAST, nth=0, kind="noise")), FORECAST, **ARGS)
        refusals = [n for n in notices(seen) if n.endswith(" taken instead")]
        assert not any(n.startswith(("city ", "date ", "unknown city")) for n in refusals)


def test_notices_keep_an_answer_short() -> None:
    rng, saved = Random(0), (f"refusal {n}" for n in count())
    long: JsonObject = {"text": "x" * (MOST_BYTES - 30)}
    assert with_notices(long, rng, saved)["notices"] == []
    for _ in range(200):
        whole = with_notices({"text": "x" * rng.randint(0, MOST_BYTES - 30)}, rng, saved)
        assert len(canonical(whole).encode()) <= MOST_BYTES


def test_there_are_one_or_two_notices_of_each_kind() -> None:
    rng, saved = Random(0), (f"saved {n}" for n in count())
    for _ in range(100):
        content = with_notices({}, rng, saved, ["lost: timed out"])
        told = json.loads(canonical(content))["notices"]
        refusals = [n for n in told if n.startswith("saved")]
        assert "lost: timed out" in told
        assert 1 <= len(refusals) <= 2
        assert 1 <= len(told) - len(refusals) <= 2


def test_failures_are_worded_by_their_kind() -> None:
    for kind, forms in WORDINGS.items():
        heads = tuple(f"pages: {form.partition('{')[0]}" for form in forms)
        assert all(failure("pages", kind, Random(n)).startswith(heads) for n in range(30))


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (Fault(tool="mail.send_mail", nth=0, kind="noise"), "changes something"),
        (Fault(tool="mail.send_mail", nth=0, kind="substituted"), "changes something"),
        (Fault(tool="mail.send_mail", nth=0, kind="timeout", lost=("to",)), "changes something"),
        (Fault(tool=FORECAST, nth=0, kind="misrouted", lost=("high",)), "loses no part"),
    ],
)
def test_plans_that_can_not_be_are_refused(fault: Fault, message: str) -> None:
    with pytest.raises(DataError, match=message):
        World.build(WorldRef(seed=7, clock=CLOCK, faults=(fault,)))


def test_two_plans_of_a_kind_for_one_call_are_refused() -> None:
    noise = Fault(tool=FORECAST, nth=0, kind="noise")
    with pytest.raises(DataError, match="has two faults"):
        build(7, noise, noise)


def test_toolkits_know_no_values_of_other_arguments() -> None:
    world = build()
    assert len(TOOLKITS) >= 16
    for kit in world._toolkits.values():
        assert list(kit.others("shoe_size")) == []
