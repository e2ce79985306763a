"""The rooms toolkit."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from new_world import (
    calls,
    holds_for_calls,
    holds_for_descriptions,
    holds_for_mix_ups,
    holds_for_writes,
    part,
    rows,
)
from world_cases import CLOCK, build, good, records, refused, text

from teval.schema import Call, Json, JsonObject
from teval.world import World

SATURDAY = "2031-05-10T10:00"
"""A day on which nobody has booked anything."""


def found(world: World, **args: Json) -> list[str]:
    """The rooms that are free."""
    usual: JsonObject = {"start": SATURDAY, "duration_minutes": 60}
    told = good(world, "rooms.find_rooms", **{**usual, **args})
    return [text(room, "room") for room in rows(told, "rooms")]


def booked(world: World, room: str = "Room Cedar", start: str = SATURDAY) -> str:
    args: JsonObject = {"room": room, "start": start, "duration_minutes": 60, "title": "Choir"}
    return text(part(good(world, "rooms.book_room", **args), "booked"), "booking_id")


def mine(world: World) -> list[JsonObject]:
    return rows(good(world, "rooms.list_bookings"), "bookings")


PLAUSIBLE: dict[str, list[Json]] = {
    "start": [SATURDAY, "2031-05-06T10:00", "2031-05-10T20:30", "2031-05-05T08:00"],
    "date": ["2031-05-06", "2031-05-10"],
    "duration_minutes": [15, 60, 480],
    "seats": [4, 12, 99],
    "equipment": [["screen"], ["video", "projector"], ["piano"]],
    "room": ["Room Cedar", "birch", "Room 101"],
    "title": ["Choir", "é" * 50, "x" * 101],
    "booking_id": [b["id"] for b in records(build(), "room_bookings")[::9]]
    + [b["booking_id"] for b in mine(build())],
}


@pytest.mark.parametrize("seed", range(6))
def test_bookings_of_a_room_do_not_overlap(seed: int) -> None:
    bookings = records(build(seed), "room_bookings")
    assert len({b["id"] for b in bookings}) == len(bookings) > 100
    for room in {text(b, "room") for b in bookings}:
        spans = sorted((text(b, "start"), b["minutes"]) for b in bookings if b["room"] == room)
        for (start, minutes), (following, _) in pairwise(spans):
            assert isinstance(minutes, int)
            assert start[:10] < following[:10] or _clock(start) + minutes <= _clock(following)


def _clock(moment: str) -> int:
    return 60 * int(moment[11:13]) + int(moment[14:16])


@pytest.mark.parametrize("seed", range(6))
def test_the_users_events_have_their_rooms(seed: int) -> None:
    world = build(seed)
    events = {
        (e["title"], e["location"], e["start"], e["minutes"])
        for e in records(world, "events")
        if text(e, "location").startswith("Room ")
    }
    own = [b for b in records(world, "room_bookings") if b["mine"]]
    assert {(b["title"], b["room"], b["start"], b["minutes"]) for b in own} == events
    assert all(text(b, "end") > CLOCK for b in mine(world))


def test_rooms_are_found_by_size_and_equipment() -> None:
    world = build()
    every = records(world, "rooms")
    assert len(every) == len(found(world)) == 10
    large = {r["room"] for r in every if int(str(r["seats"])) >= 10}
    assert set(found(world, seats=10)) == large
    with_both = {
        r["room"] for r in every if {"video", "screen"} <= set(map(str, _list(r["equipment"])))
    }
    assert set(found(world, equipment=["Video", "screen"])) == with_both
    assert found(world, seats=25) == []
    sizes = {text(r, "room"): int(str(r["seats"])) for r in every}
    order = [sizes[name] for name in found(world)]
    assert order == sorted(order)


def _list(value: Json) -> list[Json]:
    assert isinstance(value, list)
    return value


def test_a_taken_room_is_not_found() -> None:
    world = build()
    booked(world)
    assert "Room Cedar" not in found(world)
    assert "Room Cedar" not in found(world, start="2031-05-10T10:59")
    assert "Room Cedar" in found(world, start="2031-05-10T11:00")
    assert "Room Cedar" in found(world, start="2031-05-10T09:00")
    schedule = good(world, "rooms.get_schedule", room="cedar", date="2031-05-10")
    assert schedule["bookings"] == [
        {"start": SATURDAY, "end": "2031-05-10T11:00", "title": "Choir", "mine": True}
    ]


def test_a_booking_is_moved_and_cancelled() -> None:
    world = build()
    number = booked(world)
    args: JsonObject = {"booking_id": number.lower(), "start": "2031-05-10T10:30"}
    moved = part(good(world, "rooms.move_booking", **args), "moved")
    assert (moved["room"], moved["end"]) == ("Room Cedar", "2031-05-10T11:30")
    assert "is already Room Cedar at" in refused(world, "rooms.move_booking", **args)
    moved = part(good(world, "rooms.move_booking", **args, room="Birch"), "moved")
    assert (moved["room"], moved["booking_id"]) == ("Room Birch", number)
    assert number in [b["booking_id"] for b in mine(world)]
    day = rows(good(world, "rooms.list_bookings", date="2031-05-10"), "bookings")
    assert [b["booking_id"] for b in day] == [number]
    told = good(world, "rooms.cancel_booking", booking_id=number)
    assert (told["cancelled"], told["room"]) == (number, "Room Birch")
    assert f"no booking '{number}'" in refused(world, "rooms.cancel_booking", booking_id=number)
    assert "Room Birch" in found(world)


def test_others_bookings_and_past_ones_stay() -> None:
    world = build()
    every = records(world, "room_bookings")
    other = next(b["id"] for b in every if not b["mine"])
    assert "is someone else's" in refused(world, "rooms.cancel_booking", booking_id=other)
    past = next(b["id"] for b in every if b["mine"] and text(b, "start") < CLOCK[:10])
    args: JsonObject = {"booking_id": past, "start": SATURDAY}
    assert "was over at" in refused(world, "rooms.move_booking", **args)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"room": "Room 101"}, "no room 'Room 101'; known: Room Alder, Room Aspen"),
        ({"start": "2031-05-10T10:59"}, "Room Cedar is taken from 2031-05-10T10:00"),
        ({"start": "2031-05-05T08:59"}, "lies in the past; it is 2031-05-05T09:00"),
        ({"start": "2031-05-10T06:59"}, "rooms are open 07:00 to 21:00"),
        ({"start": "2031-05-10T20:31"}, "asked for 2031-05-10T20:31 to 2031-05-10T21:01"),
        ({"start": "10:00"}, "start must be YYYY-MM-DDTHH:MM"),
        ({"duration_minutes": 14}, "duration_minutes must be 15 to 480, got 14"),
        ({"duration_minutes": 481}, "duration_minutes must be 15 to 480, got 481"),
        ({"title": " "}, "title must have 1 to 100 bytes"),
    ],
)
def test_bookings_that_make_no_sense(change: JsonObject, message: str) -> None:
    world = build()
    booked(world)
    args: JsonObject = {
        "room": "Room Cedar",
        "start": "2031-05-10T11:00",
        "duration_minutes": 30,
        "title": "Band",
        **change,
    }
    assert message in refused(world, "rooms.book_room", **args)


def test_unknown_equipment_is_refused() -> None:
    args: JsonObject = {"start": SATURDAY, "duration_minutes": 60}
    message = refused(build(), "rooms.find_rooms", **args, equipment=["piano"])
    assert "equipment may hold projector, whiteboard" in message
    twice = refused(build(), "rooms.find_rooms", **args, equipment=["video", "Video"])
    assert "names 'video' twice" in twice


def test_writes_descriptions_and_mix_ups() -> None:
    one, two = (b["booking_id"] for b in mine(build())[:2])
    later = "2031-05-10T12:30"
    holds_for_writes(
        "rooms",
        build,
        {
            "rooms.book_room": (
                {"room": "Cedar", "start": SATURDAY, "duration_minutes": 60, "title": "Choir"},
                {"room": "Birch", "start": later, "duration_minutes": 45, "title": "Band"},
            ),
            "rooms.move_booking": (
                {"booking_id": one, "start": SATURDAY},
                {"booking_id": two, "start": later, "duration_minutes": 77, "room": "Larch"},
            ),
            "rooms.cancel_booking": ({"booking_id": one}, {"booking_id": two}),
        },
    )
    holds_for_descriptions("rooms")
    holds_for_mix_ups(
        "rooms",
        {
            "rooms.find_rooms": {"start": "2031-05-06T10:00", "duration_minutes": 60},
            "rooms.get_schedule": {"room": "Cedar", "date": "2031-05-06"},
            "rooms.list_bookings": {"date": text(mine(build())[0], "start")[:10]},
        },
    )


@settings(max_examples=10, deadline=None)
@given(st.lists(calls("rooms", PLAUSIBLE), min_size=1, max_size=8))
def test_any_calls_are_answered(some: list[Call]) -> None:
    holds_for_calls(build(), some)
