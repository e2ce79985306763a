"""The hotels toolkit."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from more_world import (
    Values,
    calls,
    check_answers,
    check_described,
    check_misrouted,
    check_writes,
    listed,
    number,
    own_tools,
    part,
    small,
)
from world_cases import good, records, refused, text

from teval.schema import Fault, Json, JsonObject
from teval.world import World
from teval.world.toolkits.hotels import Hotels

KITS = {"hotels": Hotels}
TOOLS = own_tools(KITS)
STAY: JsonObject = {"check_in": "2031-05-10", "check_out": "2031-05-12"}


def build(*faults: Fault) -> World:
    return small(KITS, 7, *faults)


def rooms(world: World, hotel: Json, check_in: str, check_out: str) -> dict[str, JsonObject]:
    """What is left of each kind of room."""
    args: JsonObject = {"hotel_id": hotel, "check_in": check_in, "check_out": check_out}
    found = listed(good(world, "hotels.check_availability", **args), "rooms")
    return {text(room, "room"): room for room in found}


@cache
def roomy() -> tuple[str, str]:
    """Ids of two hotels with two rooms of each kind left around the days of the tests."""
    world = build()
    spans = (("2031-05-10", "2031-05-13"), ("2031-05-20", "2031-05-22"))
    first, second, *_ = (
        text(hotel, "id")
        for hotel in records(world, "hotels")
        if all(
            number(room, "rooms_free") > 1
            for days in spans
            for room in rooms(world, hotel["id"], *days).values()
        )
    )
    return first, second


def book(world: World, hotel: str, **more: str | int | bool) -> JsonObject:
    args: JsonObject = {"hotel_id": hotel, **STAY, **more}
    return part(good(world, "hotels.book_room", **args), "booked")


def prepared() -> World:
    world = build()
    for hotel in roomy():
        book(world, hotel)
    return world


def test_writes_land_in_the_state() -> None:
    first, second = roomy()
    one, two = (b["id"] for b in records(prepared(), "hotel_bookings")[-2:])
    other: JsonObject = {"room": "suite", "guest_name": "Ilse Varnholt", "breakfast": True}
    days: JsonObject = {"check_in": "2031-05-11", "check_out": "2031-05-13"}
    check_writes(
        prepared,
        TOOLS,
        {
            "hotels.book_room": (
                {"hotel_id": first, **STAY},
                {"hotel_id": second, **days, **other, "guests": 2},
            ),
            "hotels.change_dates": (
                {"booking_id": one, "check_in": "2031-05-20", "check_out": "2031-05-22"},
                {"booking_id": two, "check_in": "2031-05-21", "check_out": "2031-05-21"},
            ),
            "hotels.cancel_booking": (
                {"booking_id": one},
                {"booking_id": two, "reason": "illness"},
            ),
        },
    )


def test_reads_are_described_and_can_be_misrouted() -> None:
    reads: dict[str, JsonObject] = {
        "hotels.search_hotels": {"city": "Larkspur", **STAY, "sort_by": "rating"},
        "hotels.get_hotel": {"hotel_id": roomy()[0]},
        "hotels.check_availability": {"hotel_id": roomy()[0], **STAY},
    }
    check_described(TOOLS, reads, {"hotels.list_bookings"})
    check_misrouted(build, reads)


@cache
def values() -> Values:
    world = prepared()
    ids = [b["id"] for b in records(world, "hotel_bookings")]
    return {
        "city": ["Larkspur", "Greyport"],
        "check_in": ["2031-05-05", "2031-05-10", "2031-05-20"],
        "check_out": ["2031-05-06", "2031-05-12", "2031-05-24"],
        "max_price": [120, 99.5],
        "min_stars": [2, 4],
        "district": ["Old Town", "Harbour Quarter"],
        "hotel_id": [h["id"] for h in records(world, "hotels")[:9]],
        "booking_id": [*ids],
        "guests": [1, 2],
        "guest_name": ["Ilse Varnholt", "\x01" * 10, "é" * 30],
    }


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_calls_are_answered(data: st.DataObject) -> None:
    check_answers(prepared(), data.draw(st.lists(calls(TOOLS, values()), min_size=1, max_size=8)))


@pytest.mark.parametrize("seed", range(4))
def test_a_city_has_hotels_of_nearly_the_same_name(seed: int) -> None:
    world = small(KITS, seed)
    hotels = records(world, "hotels")
    assert len(hotels) == len({h["id"] for h in hotels}) == 120
    by_city = {
        city: [h for h in hotels if h["city"] == city] for city in {h["city"] for h in hotels}
    }
    assert all(len({h["name"] for h in some}) == len(some) == 6 for some in by_city.values())
    assert len({h["name"] for h in hotels}) < 120
    assert {h["stars"] for h in hotels} == {2, 3, 4, 5}
    bookings = records(world, "hotel_bookings")
    assert [b["guest_name"] for b in bookings] == ["Robin Vale"] * 2
    assert all("2031-05-08" < text(b, "check_in") < text(b, "check_out") for b in bookings)


def test_a_search_keeps_to_what_was_asked() -> None:
    world = build()
    args: JsonObject = {"city": "brightwater", **STAY}
    every = listed(good(world, "hotels.search_hotels", **args), "hotels")
    assert len(every) > 3
    totals = [number(h, "total") for h in every]
    assert totals == sorted(totals)
    assert [number(h, "per_night") for h in every] == [total / 2 for total in totals]
    half = totals[1] / 2
    cheap = listed(good(world, "hotels.search_hotels", **args, max_price=half), "hotels")
    assert cheap == every[: len(cheap)]
    assert [number(h, "total") for h in cheap] == [t for t in totals if t <= totals[1]]
    rated = listed(good(world, "hotels.search_hotels", **args, sort_by="rating"), "hotels")
    marks = [number(h, "rating") for h in rated]
    assert marks == sorted(marks, reverse=True)
    fixed = {h["id"]: h for h in records(world, "hotels")}
    for more in ({"min_stars": 4}, {"amenity": "wifi"}, {"district": text(every[0], "district")}):
        narrow: JsonObject = {**args, **more}
        found = listed(good(world, "hotels.search_hotels", **narrow), "hotels")
        kept = [h for h in every if _fits(fixed[text(h, "hotel_id")], narrow)]
        assert found == kept
        assert len(kept) < len(every)


def _fits(hotel: JsonObject, wanted: JsonObject) -> bool:
    amenities = hotel["amenities"]
    assert isinstance(amenities, list)
    return (
        number(hotel, "stars") >= number({"min_stars": 1, **wanted}, "min_stars")
        and wanted.get("amenity", "wifi")
        in [*amenities, *([] if "amenity" in wanted else ["wifi"])]
        and wanted.get("district", hotel["district"]) == hotel["district"]
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"city": "Nowhere"}, "unknown city 'Nowhere'"),
        ({"check_in": "2031-05-04"}, "check_in must be a day from 2031-05-05 to 2031-08-02"),
        ({"check_in": "10 May"}, "check_in must be a date as YYYY-MM-DD, got '10 May'"),
        ({"check_out": "2031-05-10"}, "check_out must be 1 to 14 nights after check_in"),
        ({"check_out": "2031-05-25"}, "check_out must be 1 to 14 nights after"),
        ({"min_stars": 6}, "min_stars must be 1 to 5, got 6"),
        ({"room": "twin"}, "room must be one of single, double, suite"),
        ({"amenity": "sauna"}, "amenity must be one of wifi"),
        ({"district": "Moon"}, "district must be a district of Larkspur: "),
    ],
)
def test_searches_that_make_no_sense(change: JsonObject, message: str) -> None:
    args: JsonObject = {"city": "Larkspur", **STAY, **change}
    assert message in refused(build(), "hotels.search_hotels", **args)


def test_the_price_is_that_of_the_nights() -> None:
    world, (hotel, _) = build(), roomy()
    total = rooms(world, hotel.lower(), "2031-05-10", "2031-05-12")["double"]["total"]
    nights = (("2031-05-10", "2031-05-11"), ("2031-05-11", "2031-05-12"))
    assert sum(number(rooms(world, hotel, *n)["double"], "total") for n in nights) == total
    assert book(world, hotel, guests=2)["price"] == total
    meal = number(good(world, "hotels.get_hotel", hotel_id=hotel), "breakfast_price")
    with_meals = number(book(world, hotel, guests=2, breakfast=True), "price")
    assert with_meals - 4 * meal == total


def test_a_hotel_fills_up() -> None:
    world, (hotel, _) = build(), roomy()
    seen = rooms(world, hotel, "2031-05-10", "2031-05-12")
    for _ in range(int(number(seen["single"], "rooms_free"))):
        book(world, hotel, room="single")
    args: JsonObject = {"hotel_id": hotel, **STAY, "room": "single"}
    assert "has no single room free from 2031-05-10" in refused(world, "hotels.book_room", **args)
    left = rooms(world, hotel, "2031-05-10", "2031-05-12")
    assert left["single"]["rooms_free"] == 0
    assert (left["double"], left["suite"]) == (seen["double"], seen["suite"])
    last = records(world, "hotel_bookings")[-1]["id"]
    good(world, "hotels.cancel_booking", booking_id=last)
    good(world, "hotels.book_room", **args)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hotel_id": "HTL-0000"}, "no hotel 'HTL-0000'; ids begin with HTL-"),
        ({"guests": 3}, "guests must be 1 to 2 in a double room, got 3"),
        ({"guests": 0}, "guests must be 1 to 2"),
        ({"guest_name": " "}, "guest_name must have 1 to 60 bytes"),
    ],
)
def test_bookings_that_make_no_sense(change: JsonObject, message: str) -> None:
    args: JsonObject = {"hotel_id": roomy()[0], **STAY, **change}
    assert message in refused(build(), "hotels.book_room", **args)


def test_moving_a_stay_is_paid_by_the_new_nights() -> None:
    world, (hotel, _) = build(), roomy()
    booked = book(world, hotel, breakfast=True)
    args: JsonObject = {"booking_id": booked["booking_id"], "check_in": "2031-05-11"}
    told = good(world, "hotels.change_dates", **args, check_out="2031-05-12")
    now = part(told, "changed")
    assert (now["check_in"], now["check_out"]) == ("2031-05-11", "2031-05-12")
    assert number(now, "price") == number(booked, "price") + number(told, "price_difference")
    assert number(told, "price_difference") < 0
    again = refused(world, "hotels.change_dates", **args, check_out="2031-05-12")
    assert "is already from 2031-05-11 to 2031-05-12" in again


def test_cancelling_late_costs_a_night() -> None:
    world, (hotel, _) = build(), roomy()
    booked = book(world, hotel)
    days = number(good(world, "hotels.get_hotel", hotel_id=hotel), "free_cancellation_days")
    told = good(world, "hotels.cancel_booking", booking_id=booked["booking_id"])
    price = int(number(booked, "price"))
    assert told["refund"] == (price if days <= 5 else price - price // 2)
    again = refused(world, "hotels.cancel_booking", booking_id=booked["booking_id"])
    assert "is already cancelled" in again
    listing = listed(good(world, "hotels.list_bookings", status="cancelled"), "bookings")
    assert [b["booking_id"] for b in listing] == [booked["booking_id"]]


def test_a_stay_from_today_on_costs_a_night_to_cancel() -> None:
    world, days = build(), ("2031-05-05", "2031-05-07")
    hotel = next(
        h["id"]
        for h in records(world, "hotels")
        if number(rooms(world, h["id"], *days)["double"], "rooms_free")
    )
    args: JsonObject = {"hotel_id": hotel, "check_in": days[0], "check_out": days[1]}
    booked = part(good(world, "hotels.book_room", **args), "booked")
    price = int(number(booked, "price"))
    told = good(world, "hotels.cancel_booking", booking_id=booked["booking_id"])
    assert told["refund"] == price - price // 2
