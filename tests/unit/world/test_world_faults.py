"""Planned failures."""

from __future__ import annotations

import pytest
from world_cases import CLOCK, ask, build, emails, good, own_tools, records, refused, text

from teval.errors import DataError
from teval.schema import Fault, JsonObject, WorldRef
from teval.world import World
from teval.world.faults import BODIES


@pytest.mark.parametrize("kind", sorted(BODIES))
def test_a_fault_hits_the_nth_call_of_its_tool_alone(kind: str) -> None:
    fault = Fault.model_validate({"tool": "weather.get_alerts", "nth": 1, "kind": kind})
    world = build(7, fault)
    before = world.state_hash()
    plain = ask(world, "weather.get_alerts", city="Ravensea")
    ask(world, "weather.get_current", city="Ravensea")
    hit = ask(world, "weather.get_alerts", city="Ravensea")
    after = ask(world, "weather.get_alerts", city="Ravensea")
    assert plain == after
    assert plain.status == "ok"
    assert (hit.status, hit.content) == ("internal_error", BODIES[kind])
    assert isinstance(hit.content["error"], str)
    assert world.state_hash() == before


def test_bodies_differ() -> None:
    assert len({str(body["error"]) for body in BODIES.values()}) == len(BODIES) == 4


def test_only_calls_that_fit_the_description_count() -> None:
    world = build(7, Fault(tool="weather.get_current", nth=1, kind="timeout"))
    ask(world, "weather.get_current")
    ask(world, "weather.get_current", city=3)
    assert "unknown city" in refused(world, "weather.get_current", city="Nowhere")
    assert ask(world, "weather.get_current", city="Ivyton").status == "internal_error"


def test_a_failed_write_has_no_effect_and_can_be_tried_again() -> None:
    world = build(7, Fault(tool="mail.send_mail", nth=0, kind="rate_limit"))
    args: JsonObject = {"to": [emails(world)[0]], "subject": "Hi", "body": "At noon."}
    before = world.state_hash()
    assert ask(world, "mail.send_mail", **args).status == "internal_error"
    assert world.state_hash() == before
    good(world, "mail.send_mail", **args)
    assert world.state_hash() != before


def reads(world: World) -> dict[str, JsonObject]:
    """A call of every read tool that can be misrouted."""
    flight = records(world, "flights")[40]
    route: JsonObject = {k: flight[k] for k in ("origin", "destination", "date")}
    return {
        "calendar.find_events": {"words": text(records(world, "events")[9], "title")},
        "calendar.find_free_slots": {"date": "2031-05-06", "duration_minutes": 30},
        "calendar.list_events": {"start_date": "2031-05-06"},
        "contacts.find_contact": {"name": text(records(world, "contacts")[2], "name")},
        "flights.find_airports": {"city": "Larkspur"},
        "flights.get_flight": {"flight_number": flight["number"], "date": flight["date"]},
        "flights.search_flights": {**route, "sort_by": "price"},
        "mail.read_mail": {"mail_id": records(world, "mails")[5]["id"]},
        "mail.search_mail": {"sender": emails(world)[0]},
        "weather.get_alerts": {"city": "Larkspur"},
        "weather.get_climate": {"city": "Larkspur", "month": 5},
        "weather.get_current": {"city": "Larkspur", "unit": "fahrenheit"},
        "weather.get_forecast": {"city": "Larkspur", "date": "2031-05-09"},
    }


def test_every_read_but_the_list_of_bookings_can_be_misrouted() -> None:
    every = {tool.name for tool in own_tools() if tool.effect == "read"}
    assert every - reads(build()).keys() == {"flights.list_bookings"}


@pytest.mark.parametrize("tool", sorted(reads(build())))
def test_a_misrouted_answer_is_a_good_one_about_another_entity(tool: str) -> None:
    world = build(7, Fault(tool=tool, nth=0, kind="misrouted"))
    args = reads(world)[tool]
    before = world.state_hash()
    wrong = ask(world, tool, **args)
    right = ask(world, tool, **args)
    assert wrong.status == right.status == "ok"
    assert wrong.content != right.content
    assert wrong.content.keys() == right.content.keys()
    assert world.state_hash() == before
    again = build(7, Fault(tool=tool, nth=0, kind="misrouted"))
    assert ask(again, tool, **args) == wrong


def test_a_misrouted_call_without_any_good_answer_is_a_malformed_one() -> None:
    world = build(7, Fault(tool="flights.get_flight", nth=0, kind="misrouted"))
    seen = ask(world, "flights.get_flight", flight_number="AQ1", date="2031-09-01")
    assert (seen.status, seen.content) == ("internal_error", BODIES["malformed"])


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        ((Fault(tool="weather.get", nth=0, kind="timeout"),), "unknown tool 'weather.get'"),
        ((Fault(tool="mail.send_mail", nth=0, kind="misrouted"),), "can't be misrouted"),
        ((Fault(tool="flights.list_bookings", nth=0, kind="misrouted"),), "can't be misrouted"),
        ((Fault(tool="mail.send_mail", nth=-1, kind="timeout"),), "below 0"),
        (
            (
                Fault(tool="mail.send_mail", nth=0, kind="timeout"),
                Fault(tool="mail.send_mail", nth=0, kind="unavailable"),
            ),
            "two faults",
        ),
    ],
)
def test_faults_that_can_not_happen_are_refused(faults: tuple[Fault, ...], message: str) -> None:
    with pytest.raises(DataError, match=message):
        World.build(WorldRef(seed=7, clock=CLOCK, faults=faults))


@pytest.mark.parametrize("clock", ["", "noon", "2031-05-05T09:00:00+02:00", "2031-13-01T09:00:00"])
def test_a_clock_that_is_no_local_time_is_refused(clock: str) -> None:
    with pytest.raises(DataError, match="must be ISO 8601 without zone"):
        World.build(WorldRef(seed=7, clock=clock))
