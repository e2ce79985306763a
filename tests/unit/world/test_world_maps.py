"""The maps toolkit."""

from __future__ import annotations

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
from world_cases import build, good, records, refused, text

from teval.schema import Call, Json, JsonObject
from teval.world import World
from teval.world.venues import Spot, kilometres, ride_minutes, trip_minutes

SEEDS = range(40)


def located(on: bool = True) -> World:
    """A world with or without the location service."""
    word = "on" if on else "off"
    for seed in SEEDS:
        world = build(seed)
        if part(good(world, "device.get_status"), "features")["location"] == word:
            return world
    raise AssertionError(f"location is {word} nowhere")


def places(world: World, **wanted: Json) -> list[JsonObject]:
    """The places that have those properties."""
    return [p for p in records(world, "places") if wanted.items() <= p.items()]


def home(world: World) -> str:
    return text(part(world.view(), "position"), "city")


FIRST = records(located(), "places")
PLAUSIBLE: dict[str, list[Json]] = {
    "city": ["Aldermoor", " juniper bay", "Atlantis"],
    "from_city": ["Aldermoor", "Marisol"],
    "to_city": ["Marisol", "Quillon"],
    "words": ["Mill", "heron", "?"],
    "open_at": ["08:15", "23:30"],
    "max_km": [0.5, 3, 15],
    "place_id": [p["place_id"] for p in FIRST[:9]],
    "origin": ["here", *(p["place_id"] for p in FIRST[:4])],
    "destination": [p["place_id"] for p in FIRST[:9]],
    "label": ["gym", "é" * 20, "x" * 41],
}


def test_ways_are_as_long_as_reckoned_by_hand() -> None:
    start, end = Spot("Ivyton", "1 Mill Lane", 0, 0), Spot("Ivyton", "2 Mill Lane", 30, 40)
    assert kilometres(start, end) == kilometres(end, start) == 6.5
    assert kilometres(start, start) == 0.1
    assert [ride_minutes(6.5, m) for m in ("walk", "bicycle", "bus", "car")] == [78, 28, 25, 18]
    assert [trip_minutes(230, m) for m in ("car", "train", "bus")] == [172, 145, 238]


@pytest.mark.parametrize("seed", range(6))
def test_every_city_has_places_that_can_be_mixed_up(seed: int) -> None:
    world = build(seed)
    every = places(world)
    assert len(every) == len({p["place_id"] for p in every}) == 20 * 16
    assert len(places(world, city="Ivyton", kind="pharmacy")) == 2
    assert len({p["name"] for p in every}) < len(every)
    for city in {p["city"] for p in every}:
        names = [p["name"] for p in places(world, city=city)]
        assert len(set(names)) == len(names)


def test_places_are_searched_by_kind_name_and_hours() -> None:
    world = build()
    found = good(world, "maps.search_places", city="marisol")
    assert (found["city"], found["total"]) == ("Marisol", 16)
    ratings = [p["rating"] for p in rows(found, "places")]
    assert ratings == sorted(ratings, key=lambda r: -float(str(r)))
    pools = rows(good(world, "maps.search_places", city="Marisol", kind="pool"), "places")
    assert [p["place_id"] for p in pools] == [
        p["place_id"] for p in places(world, city="Marisol", kind="pool")
    ]
    word = text(pools[0], "name").split()[0]
    named = good(world, "maps.search_places", city="Marisol", words=word.lower())
    assert pools[0]["place_id"] in [p["place_id"] for p in rows(named, "places")]
    late = rows(good(world, "maps.search_places", city="Marisol", open_at="23:45"), "places")
    assert {p["kind"] for p in late} == {"park", "station", "garage"}
    shut = good(world, "maps.search_places", city="Marisol", kind="museum", open_at="17:30")
    assert shut["total"] == 0


def test_nearby_places_are_those_of_the_users_city_by_distance() -> None:
    world = located()
    told = good(world, "maps.find_nearby", kind="clinic", max_km=15)
    found = rows(told, "places")
    here = part(world.view(), "position")
    assert told["city"] == here["city"] == good(world, "maps.get_position")["city"]
    assert {p["place_id"] for p in found} == {
        p["place_id"] for p in places(world, city=here["city"], kind="clinic")
    }
    ways = [p["km"] for p in found]
    assert ways == sorted(ways, key=lambda km: float(str(km)))
    near = good(world, "maps.find_nearby", kind="clinic", max_km=ways[0])
    assert [p["place_id"] for p in rows(near, "places")] == [found[0]["place_id"]]
    assert "above 0 up to 15, got 0" in refused(world, "maps.find_nearby", kind="pool", max_km=0)
    assert "got 15.1" in refused(world, "maps.find_nearby", kind="pool", max_km=15.1)


def test_what_starts_here_needs_the_location_service() -> None:
    world = located(on=False)
    goal = places(world, city=home(world))[0]["place_id"]
    for tool, args in (
        ("maps.get_position", {}),
        ("maps.find_nearby", {"kind": "pool"}),
        ("maps.get_route", {"origin": "here", "destination": goal}),
    ):
        message = refused(world, tool, **args)
        assert "location is off; device.turn_on switches it on" in message


def test_a_route_is_told_both_ways() -> None:
    world = located()
    one, two, *_ = places(world, city=home(world))
    there = good(
        world, "maps.get_route", origin=one["place_id"], destination=two["place_id"], mode="car"
    )
    back = good(
        world, "maps.get_route", origin=two["place_id"], destination=one["place_id"], mode="car"
    )
    assert (there["km"], there["minutes"]) == (back["km"], back["minutes"])
    assert (there["origin"], there["destination"]) == (one["name"], two["name"])
    here = good(world, "maps.get_route", origin=" Here", destination=one["place_id"])
    assert (here["origin"], here["mode"]) == ("here", "walk")


def test_routes_that_make_no_sense() -> None:
    world = located()
    near = places(world, city="Ivyton")[0]["place_id"]
    far = places(world, city="Marisol")[0]["place_id"]
    apart = refused(world, "maps.get_route", origin=near, destination=far)
    assert "in Ivyton" in apart
    assert "maps.get_city_distance tells the way between cities" in apart
    same = refused(world, "maps.get_route", origin=near, destination=near)
    assert "the same place" in same
    unknown = refused(world, "maps.get_route", origin="PLC-0", destination=near)
    assert "origin: no place 'PLC-0'; maps.search_places shows the ids" in unknown


def test_cities_lie_apart() -> None:
    world = build()
    there = good(world, "maps.get_city_distance", from_city="Ivyton", to_city="Marisol")
    back = good(world, "maps.get_city_distance", from_city="Marisol", to_city="Ivyton")
    assert there["km"] == back["km"]
    bus = good(world, "maps.get_city_distance", from_city="Ivyton", to_city="Marisol", mode="bus")
    assert float(str(bus["minutes"])) > float(str(there["minutes"]))
    args: JsonObject = {"from_city": "Ivyton", "to_city": "ivyton"}
    assert "are both Ivyton" in refused(world, "maps.get_city_distance", **args)


def test_places_are_saved_under_labels() -> None:
    world = build()
    place = places(world)[5]
    args: JsonObject = {"place_id": text(place, "place_id").lower(), "label": " gym "}
    told = good(world, "maps.save_place", **args)
    assert told == {"saved": place["place_id"], "name": place["name"], "label": "gym"}
    saved = rows(good(world, "maps.list_saved_places"), "places")
    assert [p["label"] for p in saved] == ["Saturday errands", "after work", "gym"]
    assert "already saved as 'gym'" in refused(world, "maps.save_place", **args)
    good(world, "maps.save_place", **{**args, "label": "club"})
    assert good(world, "maps.list_saved_places")["total"] == 3
    assert "1 to 40 bytes" in refused(world, "maps.save_place", **{**args, "label": " "})


def test_details_of_a_place() -> None:
    world = build()
    place = places(world)[5]
    told = good(world, "maps.get_place", place_id=place["place_id"])
    assert told.items() <= place.items()
    assert text(told, "phone").startswith("+44 20 7946 0")
    assert "place_id: no place 'x'" in refused(world, "maps.get_place", place_id="x")


def test_writes_descriptions_and_mix_ups() -> None:
    one, two = (p["place_id"] for p in places(build())[:2])
    holds_for_writes(
        "maps",
        build,
        {
            "maps.save_place": (
                {"place_id": one, "label": "gym"},
                {"place_id": two, "label": "club"},
            )
        },
    )
    holds_for_descriptions("maps")
    holds_for_mix_ups(
        "maps",
        {
            "maps.search_places": {"city": "Ivyton"},
            "maps.get_place": {"place_id": one},
            "maps.get_route": {"origin": one, "destination": two},
            "maps.get_city_distance": {"from_city": "Ivyton", "to_city": "Marisol"},
        },
    )


@settings(max_examples=10, deadline=None)
@given(st.booleans(), st.lists(calls("maps", PLAUSIBLE), min_size=1, max_size=8))
def test_any_calls_are_answered(on: bool, some: list[Call]) -> None:
    holds_for_calls(located(on), some)
