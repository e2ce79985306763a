"""The calendar toolkit."""

from __future__ import annotations

import pytest
from world_cases import CLOCK, build, emails, good, records, refused, text

from teval.schema import JsonObject
from teval.world import World

SATURDAY = "2031-05-10"


def events(content: JsonObject) -> list[JsonObject]:
    rows = content["events"]
    assert isinstance(rows, list)
    return [row for row in rows if isinstance(row, dict)]


def make(world: World, start: str = f"{SATURDAY}T10:00", minutes: int = 60) -> str:
    told = good(world, "calendar.create_event", title="Run", start=start, duration_minutes=minutes)[
        "created"
    ]
    assert isinstance(told, dict)
    return text(told, "event_id")


def test_days_are_listed_by_time() -> None:
    world = build()
    week = events(
        good(world, "calendar.list_events", start_date="2031-05-05", end_date="2031-05-07")
    )
    every = [e for e in records(world, "events") if CLOCK[:10] <= text(e, "start") < "2031-05-08"]
    assert [e["event_id"] for e in week] == [e["id"] for e in every][: len(week)]
    assert len(week) > 2
    day = events(good(world, "calendar.list_events", start_date="2031-05-05"))
    assert {text(e, "start")[:10] for e in day} == {"2031-05-05"}


@pytest.mark.parametrize("end", ["2031-05-04", "2031-05-12"])
def test_spans_have_one_to_seven_days(end: str) -> None:
    args: JsonObject = {"start_date": "2031-05-05", "end_date": end}
    assert "ask for 1 to 7 days" in refused(build(), "calendar.list_events", **args)


def test_events_are_found_by_words_of_title_and_place() -> None:
    world = build()
    past = next(e for e in records(world, "events") if text(e, "start") < CLOCK[:10])
    title = text(past, "title").upper()
    assert events(good(world, "calendar.find_events", words=title)) == []
    found = events(good(world, "calendar.find_events", words=title, include_past=True))
    assert [e["event_id"] for e in found] == [past["id"]]
    everywhere = events(good(world, "calendar.find_events", words="room birch"))
    assert {e["location"] for e in everywhere} == {"Room Birch"}
    assert "at least one word" in refused(world, "calendar.find_events", words=" - ")


def test_free_slots_lie_between_the_events() -> None:
    world = build()
    assert good(world, "calendar.find_free_slots", date=SATURDAY, duration_minutes=30)["slots"] == [
        {"start": f"{SATURDAY}T09:00", "end": f"{SATURDAY}T18:00"}
    ]
    make(world)
    make(world, f"{SATURDAY}T11:20", 30)
    args: JsonObject = {"date": SATURDAY, "duration_minutes": 60, "latest": "12:00"}
    assert good(world, "calendar.find_free_slots", **args)["slots"] == [
        {"start": f"{SATURDAY}T09:00", "end": f"{SATURDAY}T10:00"}
    ]
    short: JsonObject = {**args, "duration_minutes": 15, "earliest": "10:30"}
    assert good(world, "calendar.find_free_slots", **short)["slots"] == [
        {"start": f"{SATURDAY}T11:00", "end": f"{SATURDAY}T11:20"}
    ]


def test_today_has_free_slots_from_now_on() -> None:
    slots = good(
        build(), "calendar.find_free_slots", date=CLOCK[:10], duration_minutes=5, earliest="06:00"
    )["slots"]
    assert isinstance(slots, list)
    assert all(isinstance(s, dict) and str(s["start"]) >= CLOCK[:16] for s in slots)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"date": "2031-05-04"}, "lies in the past"),
        ({"duration_minutes": 4}, "duration_minutes must be 5 to 480, got 4"),
        ({"duration_minutes": 481}, "duration_minutes must be 5 to 480"),
        ({"earliest": "9:00"}, "earliest must be a time as HH:MM, got '9:00'"),
        ({"latest": "24:00"}, "latest must be a time as HH:MM"),
        ({"latest": "10:60"}, "latest must be a time as HH:MM"),
        ({"earliest": "15:00", "latest": "15:00"}, "earliest 15:00 must be before latest 15:00"),
    ],
)
def test_free_slots_that_make_no_sense(change: JsonObject, message: str) -> None:
    args: JsonObject = {"date": SATURDAY, "duration_minutes": 30, **change}
    assert message in refused(build(), "calendar.find_free_slots", **args)


def test_an_event_is_created_moved_and_deleted() -> None:
    world = build()
    number = make(world)
    good(world, "calendar.move_event", event_id=number.lower(), start=f"{SATURDAY} 12:00:00")
    (event,) = events(good(world, "calendar.list_events", start_date=SATURDAY))
    assert (event["start"], event["end"]) == (f"{SATURDAY}T12:00", f"{SATURDAY}T13:00")
    good(world, "calendar.delete_event", event_id=number)
    assert events(good(world, "calendar.list_events", start_date=SATURDAY)) == []
    assert f"no event '{number}'" in refused(world, "calendar.delete_event", event_id=number)
    assert make(world) != number


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"title": " "}, "title must have 1 to 100 bytes"),
        ({"title": "x" * 101}, "title must have 1 to 100 bytes"),
        ({"start": "2031-05-05T08:59"}, "lies in the past; it is 2031-05-05T09:00"),
        ({"start": "10 am"}, "start must be YYYY-MM-DDTHH:MM, got '10 am'"),
        ({"start": "2031-05-10T10:00:30"}, "start must be YYYY-MM-DDTHH:MM"),
        ({"duration_minutes": 0}, "duration_minutes must be 5 to 480"),
        ({"start": f"{SATURDAY}T10:59"}, "overlaps EVT-"),
        ({"attendees": ["nobody@example.org"]}, "no contact has the address"),
        ({"attendees": ["nobody"]}, "attendees must be a mail address, got 'nobody'"),
    ],
)
def test_events_that_make_no_sense(change: JsonObject, message: str) -> None:
    world = build()
    make(world)
    args: JsonObject = {
        "title": "Swim",
        "start": f"{SATURDAY}T11:00",
        "duration_minutes": 30,
        **change,
    }
    assert message in refused(world, "calendar.create_event", **args)


def test_moves_that_make_no_sense() -> None:
    world = build()
    make(world)
    late = make(world, f"{SATURDAY}T12:00")
    clash: JsonObject = {"event_id": late, "start": f"{SATURDAY}T10:30"}
    assert "overlaps EVT-" in refused(world, "calendar.move_event", **clash)
    same: JsonObject = {"event_id": late, "start": f"{SATURDAY}T12:00", "duration_minutes": 60}
    assert "already stands at" in refused(world, "calendar.move_event", **same)


def test_people_are_invited_once() -> None:
    world = build()
    number, everybody = make(world), emails(world)
    good(world, "calendar.invite_people", event_id=number, emails=everybody[1:3])
    told = good(
        world, "calendar.invite_people", event_id=number, emails=[str(everybody[0]).upper()]
    )
    event = told["event"]
    assert isinstance(event, dict)
    assert event["attendees"] == sorted(map(str, everybody[:3]))
    args: JsonObject = {"event_id": number, "emails": everybody[2:4]}
    assert "already attends" in refused(world, "calendar.invite_people", **args)
    many: JsonObject = {"event_id": number, "emails": everybody[3:7]}
    assert "at most 6 attendees" in refused(world, "calendar.invite_people", **many)
    none: JsonObject = {"event_id": number, "emails": []}
    assert "at least one address" in refused(world, "calendar.invite_people", **none)


def test_an_event_starts_with_at_most_six_people() -> None:
    world = build()
    args: JsonObject = {"title": "Run", "start": f"{SATURDAY}T10:00", "duration_minutes": 30}
    seven: JsonObject = {**args, "attendees": emails(world)[:7]}
    assert "at most 6 attendees" in refused(world, "calendar.create_event", **seven)
    good(world, "calendar.create_event", **args, attendees=emails(world)[:6])
