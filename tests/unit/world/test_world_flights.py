"""The flights toolkit."""

from __future__ import annotations

import pytest
from world_cases import CLOCK, booked, build, economy, good, records, refused, roomy_flights, text

from teval.schema import Json, JsonObject, WorldRef
from teval.world import World


def key(flight: JsonObject) -> dict[str, Json]:
    return {"flight_number": flight["number"], "date": flight["date"]}


def listed(content: JsonObject, name: str) -> list[JsonObject]:
    rows = content[name]
    assert isinstance(rows, list)
    return [row for row in rows if isinstance(row, dict)]


def test_a_city_has_airports_or_none() -> None:
    world = build()
    assert listed(good(world, "flights.find_airports", city="greyport"), "airports") == [
        {"code": "GRP", "name": "Greyport Central"},
        {"code": "GYN", "name": "Greyport Nordkai"},
    ]
    assert listed(good(world, "flights.find_airports", city="Fallowick"), "airports") == []


def test_a_search_finds_the_flights_of_its_route_and_day() -> None:
    world = build()
    flight = records(world, "flights")[60]
    route: JsonObject = {k: flight[k] for k in ("origin", "destination", "date")}
    fitting = [f for f in records(world, "flights") if all(f[k] == v for k, v in route.items())]
    found = listed(good(world, "flights.search_flights", **route), "flights")
    assert [f["flight_number"] for f in found] == [f["number"] for f in fitting]
    by_price = listed(good(world, "flights.search_flights", **route, sort_by="price"), "flights")
    prices = [f["price"] for f in by_price if isinstance(f["price"], int)]
    assert prices == sorted(prices)
    cheap = listed(
        good(world, "flights.search_flights", **route, max_price=prices[0] + 0.5), "flights"
    )
    assert [f["price"] for f in cheap] == [p for p in prices if p == prices[0]]
    business = listed(good(world, "flights.search_flights", **route, cabin="business"), "flights")
    assert {f["price"] for f in business}.isdisjoint(prices)
    none = good(world, "flights.search_flights", **{**route, "destination": "TMD"}, max_price=1)
    assert (none["flights"], none["total"]) == ([], 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"origin": "Aldermoor"}, "origin must be an airport code such as ALM"),
        ({"destination": "ZZZ"}, "destination must be an airport code"),
        ({"date": "2031-05-04"}, "the timetable runs from 2031-05-05 to 2031-05-18"),
        ({"date": "2031-05-19"}, "no flights on 2031-05-19"),
    ],
)
def test_searches_that_make_no_sense(change: JsonObject, message: str) -> None:
    args: JsonObject = {"origin": "ALM", "destination": "TMD", "date": "2031-05-06", **change}
    assert message in refused(build(), "flights.search_flights", **args)


def test_booking_takes_the_front_seats_and_sends_a_confirmation() -> None:
    world = build()
    flight = roomy_flights(world)[0]
    number = booked(world, flight, "Robin Vale", "Ilse Varnholt")
    ticket = records(world, "bookings")[-1]
    free = economy(flight)
    assert ticket["seats"] == {"Ilse Varnholt": free[0], "Robin Vale": free[1]}
    prices = flight["prices"]
    assert isinstance(prices, dict)
    assert isinstance(prices["economy"], int)
    assert ticket["price"] == 2 * prices["economy"]
    told = good(world, "flights.get_flight", **key(flight))["open_seats"]
    assert isinstance(told, dict)
    assert told["economy"] == list(free[2:])
    newest = listed(good(world, "mail.search_mail", words=number), "mails")
    assert [m["subject"] for m in newest] == [records(world, "mails")[-1]["subject"]]
    assert number in text(records(world, "mails")[-1], "body")
    newest_booking = listed(good(world, "flights.list_bookings"), "bookings")[0]
    assert newest_booking["booking_id"] == number


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"flight_number": "AQ1"}, "no flight 'AQ1' on"),
        ({"date": "2031-06-01"}, "the timetable runs"),
        ({"passengers": []}, "passengers must hold at least one value"),
        ({"passengers": ["Robin Vale", " "]}, "and no empty one"),
        ({"passengers": ["Robin Vale", "Robin Vale "]}, "names 'Robin Vale' twice"),
        ({"passengers": list("abcde")}, "at most 4 values, got 5"),
        ({"passengers": ["x" * 61]}, "a passenger's name must have 1 to 60 bytes"),
    ],
)
def test_bookings_that_make_no_sense(change: JsonObject, message: str) -> None:
    world = build()
    args: JsonObject = {**key(roomy_flights(world)[0]), "passengers": ["Robin Vale"], **change}
    assert message in refused(world, "flights.book_flight", **args)


def test_flights_that_can_not_be_booked() -> None:
    world = World.build(WorldRef(seed=7, clock="2031-05-05T12:00:00"))
    flights = records(world, "flights")
    gone = next(f for f in flights if text(f, "departs") <= "12:00")
    later = [f for f in flights if text(f, "date") > CLOCK[:10]]
    off = next(f for f in later if f["status"] == "cancelled")
    full = next(f for f in later if len(economy(f)) == 1 and f["status"] == "scheduled")
    for flight, message in ((gone, "departed"), (off, "is cancelled"), (full, "has 1 economy")):
        args: JsonObject = {**key(flight), "passengers": ["Robin Vale", "Ilse Varnholt"]}
        assert message in refused(world, "flights.book_flight", **args)


def test_a_flight_number_on_another_day_is_told() -> None:
    world = build()
    flight = roomy_flights(world)[0]
    days = {text(f, "date") for f in records(world, "flights") if f["number"] == flight["number"]}
    other = next(d for d in (f"2031-05-{n:02d}" for n in range(5, 19)) if d not in days)
    args: JsonObject = {"flight_number": flight["number"], "date": other}
    assert f"it flies on {min(days)}" in refused(world, "flights.get_flight", **args)


def test_cancelling_gives_seats_and_money_back() -> None:
    world = build()
    bookings = records(world, "bookings")
    for booking in bookings:
        days = int(text(booking, "flight")[-2:]) - 5
        price = booking["price"]
        assert isinstance(price, int)
        told = good(world, "flights.cancel_booking", booking_id=booking["id"])
        assert told["refund"] == (price if days > 3 else price // 2 if days < 3 else told["refund"])
        assert "already cancelled" in refused(
            world, "flights.cancel_booking", booking_id=booking["id"]
        )
    assert listed(good(world, "flights.list_bookings"), "bookings") == []
    assert len(listed(good(world, "flights.list_bookings", status="all"), "bookings")) == 3
    flight = next(f for f in records(world, "flights") if f["id"] == bookings[0]["flight"])
    seats = bookings[0]["seats"]
    assert isinstance(seats, dict)
    assert set(seats.values()) <= set(economy(flight))


def test_a_late_cancellation_costs_half() -> None:
    world = build()
    soon = next(f for f in roomy_flights(world) if f["date"] == "2031-05-06")
    number = booked(world, soon, "Robin Vale")
    price = records(world, "bookings")[-1]["price"]
    assert isinstance(price, int)
    told = good(world, "flights.cancel_booking", booking_id=number.lower())
    assert told["refund"] == price // 2


def test_changing_seats() -> None:
    world = build()
    flight = roomy_flights(world)[0]
    number = booked(world, flight, "Robin Vale")
    first, _, third, *_ = economy(flight)
    args: JsonObject = {"booking_id": number, "passenger": "Robin Vale"}
    told = good(world, "flights.change_seat", **args, seat=third.lower())
    assert (told["from"], told["to"]) == (first, third)
    good(world, "flights.change_seat", **args, seat=first)
    refusals = {
        first: f"seat {first} is taken",
        "1A": "'1A' is no economy seat",
        "99Z": "is no economy seat",
        "²A": "is no economy seat",
        "": "is no economy seat",
    }
    for seat, message in refusals.items():
        assert message in refused(world, "flights.change_seat", **args, seat=seat)
    stranger: JsonObject = {**args, "passenger": "Ilse", "seat": third}
    assert "'Ilse' is not on booking" in refused(world, "flights.change_seat", **stranger)
    unknown: JsonObject = {**args, "booking_id": "BKG-0000", "seat": third}
    assert "no booking 'BKG-0000'" in refused(world, "flights.change_seat", **unknown)
