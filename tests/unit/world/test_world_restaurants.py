"""The restaurants toolkit."""

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
from teval.world.toolkits.restaurants import Restaurants

KITS = {"restaurants": Restaurants}
TOOLS = own_tools(KITS)
DAY, NEXT = "2031-05-10", "2031-05-11"


def build(*faults: Fault) -> World:
    return small(KITS, 7, *faults)


def tables(world: World, place: Json, day: str, guests: int = 2) -> dict[str, list[Json]]:
    """Where a party can sit, by time."""
    args: JsonObject = {"restaurant_id": place, "date": day, "guests": guests}
    found = listed(good(world, "restaurants.find_tables", **args), "tables")
    return {text(row, "time"): list(_seatings(row)) for row in found}


def _seatings(row: JsonObject) -> list[Json]:
    where = row["seating"]
    assert isinstance(where, list)
    return where


@cache
def roomy() -> tuple[str, str, str, str]:
    """Two restaurants and two times at which both have all tables for four free on both days."""
    world = build()
    open_ = {}
    for place in (text(r, "id") for r in records(world, "restaurants") if r["terrace"]):
        days = [tables(world, place, day, 4) for day in (DAY, NEXT)]
        open_[place] = {
            time for time in days[0] if all(len(day.get(time, [])) == 2 for day in days)
        }
    first, second = next(
        (a, b) for a in open_ for b in open_ if a < b and len(open_[a] & open_[b]) > 1
    )
    time, other, *_ = sorted(open_[first] & open_[second])
    return first, second, time, other


def reserve(world: World, place: str, time: str, **more: Json) -> JsonObject:
    args: JsonObject = {"restaurant_id": place, "date": DAY, "time": time, "guests": 2, **more}
    return part(good(world, "restaurants.reserve_table", **args), "reserved")


def test_writes_land_in_the_state() -> None:
    first, second, time, other = roomy()
    one, two = (r["id"] for r in records(build(), "table_reservations"))
    check_writes(
        build,
        TOOLS,
        {
            "restaurants.reserve_table": (
                {"restaurant_id": first, "date": DAY, "time": time, "guests": 2},
                {
                    "restaurant_id": second,
                    "date": NEXT,
                    "time": other,
                    "guests": 3,
                    "seating": "terrace",
                    "note": "By the window.",
                },
            ),
            "restaurants.cancel_reservation": ({"reservation_id": one}, {"reservation_id": two}),
        },
    )


def test_reads_are_described_and_can_be_misrouted() -> None:
    first, *_ = roomy()
    reads: dict[str, JsonObject] = {
        "restaurants.search_restaurants": {"city": "Larkspur", "cuisine": "thai"},
        "restaurants.get_menu": {"restaurant_id": first},
        "restaurants.get_opening_hours": {"restaurant_id": first, "date": DAY},
        "restaurants.find_tables": {"restaurant_id": first, "date": DAY, "guests": 2},
    }
    check_described(TOOLS, reads, {"restaurants.list_reservations"})
    check_misrouted(build, reads)


@cache
def values() -> Values:
    world, (first, second, time, other) = build(), roomy()
    return {
        "city": ["Larkspur", "Greyport"],
        "district": ["Old Town", "Riverside"],
        "restaurant_id": [first, second, records(world, "restaurants")[0]["id"]],
        "date": [DAY, NEXT, "2031-05-05"],
        "time": [time, other],
        "guests": [2, 4.0],
        "earliest": ["17:00"],
        "latest": ["21:00"],
        "note": ["High chair, please.", "\x01" * 20, "é" * 60, "x" * 121],
        "reservation_id": [r["id"] for r in records(world, "table_reservations")],
    }


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_calls_are_answered(data: st.DataObject) -> None:
    check_answers(build(), data.draw(st.lists(calls(TOOLS, values()), min_size=1, max_size=8)))


@pytest.mark.parametrize("seed", range(4))
def test_a_city_has_one_cuisine_in_two_districts(seed: int) -> None:
    world = small(KITS, seed)
    every = records(world, "restaurants")
    assert len({r["id"] for r in every}) == len(every) == 160
    for city in {r["city"] for r in every}:
        here = [r for r in every if r["city"] == city]
        assert len({r["name"] for r in here}) == 8
        twice = [r for r in here if [o["cuisine"] for o in here].count(r["cuisine"]) == 2]
        assert len(twice) == len({r["district"] for r in twice}) == 2
    assert [r["guests"] in (2, 3, 4) for r in records(world, "table_reservations")] == [True] * 2


def test_every_menu_has_all_courses_and_fits_an_answer() -> None:
    world = build()
    for place in records(world, "restaurants"):
        told = good(world, "restaurants.get_menu", restaurant_id=place["id"])
        dishes = listed(told, "dishes")
        assert told["total"] == len(dishes) in (7, 8)
        assert {d["course"] for d in dishes} == {"starter", "main", "dessert"}
        assert all(number(d, "price") > 2 for d in dishes)


def test_a_menu_is_told_by_course_and_diet() -> None:
    world, (place, *_) = build(), roomy()
    every = listed(good(world, "restaurants.get_menu", restaurant_id=place), "dishes")
    mains = good(world, "restaurants.get_menu", restaurant_id=place, course="main")
    assert listed(mains, "dishes") == [d for d in every if d["course"] == "main"]
    diet: JsonObject = {"restaurant_id": place.lower(), "diet": "vegetarian"}
    green = listed(good(world, "restaurants.get_menu", **diet), "dishes")
    assert green == [d for d in every if "vegetarian" in str(d["diets"])]
    assert 0 < len(green) < len(every)


@pytest.mark.parametrize(
    "more", [{"cuisine": "thai"}, {"price": "medium"}, {"district": "old town"}, {"diet": "vegan"}]
)
def test_a_search_keeps_to_what_was_asked(more: JsonObject) -> None:
    world = build()
    plain: JsonObject = {"city": "Aldermoor", "sort_by": "name"}
    every = [r for r in records(world, "restaurants") if r["city"] == "Aldermoor"]
    assert good(world, "restaurants.search_restaurants", **plain)["total"] == 8
    found = good(world, "restaurants.search_restaurants", **plain, **more)
    ids = {r["restaurant_id"] for r in listed(found, "restaurants")}
    assert ids == {r["id"] for r in every if _fits(r, more)}
    assert 0 < len(ids) < 8


def _fits(place: JsonObject, more: JsonObject) -> bool:
    if "diet" in more:
        menu = place["menu"]
        assert isinstance(menu, list)
        dishes = [d for d in menu if isinstance(d, dict) and d["course"] == "main"]
        return any(str(more["diet"]) in str(d["diets"]) for d in dishes)
    return all(str(place[key]).lower() == value for key, value in more.items())


def test_the_best_rated_come_first() -> None:
    found = good(build(), "restaurants.search_restaurants", city="Aldermoor")
    marks = [number(r, "rating") for r in listed(found, "restaurants")]
    assert marks == sorted(marks, reverse=True)


@pytest.mark.parametrize(
    ("tool", "args", "message"),
    [
        ("search_restaurants", {"city": "Nowhere"}, "unknown city 'Nowhere'"),
        ("search_restaurants", {"city": "Ivyton", "cuisine": "dutch"}, "must be one of italian"),
        ("search_restaurants", {"city": "Ivyton", "district": "Moon"}, "a district of Ivyton: "),
        ("get_menu", {"restaurant_id": "The Ferry Table"}, "ids begin with RST-"),
        ("get_opening_hours", {"date": "2031-06-04"}, "a day from 2031-05-05 to 2031-06-03"),
        ("find_tables", {"date": DAY, "guests": 9}, "guests must be 1 to 8, got 9"),
        ("find_tables", {"date": DAY, "guests": 2, "latest": "9 pm"}, "latest must be a time"),
        (
            "find_tables",
            {"date": DAY, "guests": 2, "earliest": "20:00", "latest": "19:00"},
            "earliest 20:00 must not be after latest 19:00",
        ),
        ("reserve_table", {"date": DAY, "time": "03:00", "guests": 2}, "table for 2 at 03:00"),
        ("reserve_table", {"date": DAY, "time": "7 pm", "guests": 2}, "time must be a time as"),
        (
            "reserve_table",
            {"date": DAY, "time": "19:00", "guests": 2, "note": " "},
            "note must have 1 to 120 bytes",
        ),
        ("cancel_reservation", {"reservation_id": "TBL-0000"}, "ids begin with TBL-"),
    ],
)
def test_calls_that_make_no_sense(tool: str, args: JsonObject, message: str) -> None:
    needed: JsonObject = {"restaurant_id": roomy()[0]} if "date" in args else {}
    assert message in refused(build(), f"restaurants.{tool}", **{**needed, **args})


def test_a_reserved_table_is_taken_until_it_is_given_back() -> None:
    world, (place, _, time, _) = build(), roomy()
    before = tables(world, place, DAY)
    assert before[time] == ["indoor", "terrace"]
    reserved = reserve(world, place, time, note="Quiet corner")
    assert tables(world, place, DAY) == {**before, time: ["terrace"]}
    again: JsonObject = {"restaurant_id": place, "date": DAY, "time": time, "guests": 2}
    message = refused(world, "restaurants.reserve_table", **again)
    free = ", ".join(t for t, where in before.items() if "indoor" in where and t != time)
    assert f"no indoor table for 2 at {time} on {DAY}; free times: {free}" in message
    newest = listed(good(world, "restaurants.list_reservations"), "reservations")[0]
    assert newest == reserved
    args: JsonObject = {"reservation_id": reserved["reservation_id"]}
    assert good(world, "restaurants.cancel_reservation", **args)["status"] == "cancelled"
    assert tables(world, place, DAY) == before
    assert "already cancelled" in refused(world, "restaurants.cancel_reservation", **args)
    gone = good(world, "restaurants.list_reservations", status="cancelled")
    assert [r["note"] for r in listed(gone, "reservations")] == ["Quiet corner"]


def test_a_day_of_rest() -> None:
    world = build()
    place = next(r for r in records(world, "restaurants") if r["closed_on"] == 5)
    args: JsonObject = {"restaurant_id": place["id"], "date": DAY}
    told = good(world, "restaurants.get_opening_hours", **args)
    assert (told["open"], told["opens"], told["last_seating"]) == (False, None, None)
    assert good(world, "restaurants.find_tables", **args, guests=2)["tables"] == []
    message = refused(world, "restaurants.reserve_table", **args, time="19:00", guests=2)
    assert f"is closed on {DAY}, a Saturday" in message
    sunday = good(world, "restaurants.get_opening_hours", restaurant_id=place["id"], date=NEXT)
    assert (sunday["open"], sunday["opens"]) == (True, place["opens"])
    assert text(sunday, "opens") < text(sunday, "last_seating") < text(sunday, "closes")


def test_larger_parties_find_fewer_tables() -> None:
    world, (place, *_) = build(), roomy()
    some = [tables(world, place, DAY, guests) for guests in (1, 4, 8)]
    assert some[0].keys() > some[1].keys() > some[2].keys()
