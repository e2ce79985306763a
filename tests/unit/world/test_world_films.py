"""The films toolkit."""

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
    small,
)
from world_cases import good, records, refused, text

from teval.schema import Fault, Json, JsonObject
from teval.world import World
from teval.world.toolkits.films import Films

KITS = {"films": Films}
TOOLS = own_tools(KITS)
DAY = "2031-05-06"


def build(*faults: Fault) -> World:
    return small(KITS, 7, *faults)


def seats(world: World, show: Json) -> list[Json]:
    """The free seats of a show, front to back."""
    rows = good(world, "films.get_seats", show_id=show)["free_seats"]
    assert isinstance(rows, dict)
    return [f"{row}{n}" for row, some in rows.items() if isinstance(some, list) for n in some]


@cache
def roomy() -> tuple[str, str, Json, Json]:
    """Two shows of tomorrow and two seats that are free in both."""
    world = build()
    shows = [text(s, "id") for s in records(world, "shows") if s["date"] == DAY]
    free = {show: set(seats(world, show)) for show in shows[:40]}
    first, second = next((a, b) for a in free for b in free if a < b and len(free[a] & free[b]) > 1)
    seat, other, *_ = sorted(free[first] & free[second], key=str)
    return first, second, seat, other


def wishes(world: World) -> list[Json]:
    return [f["film_id"] for f in listed(good(world, "films.list_watchlist"), "films")]


def test_writes_land_in_the_state() -> None:
    first, second, seat, other = roomy()
    world = build()
    listed_films = wishes(world)
    one, two = [f["id"] for f in records(world, "films") if f["id"] not in listed_films][:2]
    check_writes(
        build,
        TOOLS,
        {
            "films.book_tickets": (
                {"show_id": first, "seats": [seat]},
                {"show_id": second, "seats": [other, seat]},
            ),
            "films.add_to_watchlist": ({"film_id": one}, {"film_id": two, "note": "With Ilse"}),
            "films.remove_from_watchlist": (
                {"film_id": listed_films[0]},
                {"film_id": listed_films[1]},
            ),
        },
    )


def test_reads_are_described_and_can_be_misrouted() -> None:
    film = records(build(), "films")[4]
    reads: dict[str, JsonObject] = {
        "films.search_films": {"words": film["title"]},
        "films.get_film": {"film_id": film["id"]},
        "films.find_showtimes": {"city": "Larkspur", "date": DAY},
        "films.get_seats": {"show_id": roomy()[0]},
    }
    check_described(TOOLS, reads, {"films.list_watchlist"})
    check_misrouted(build, reads)


@cache
def values() -> Values:
    world, (first, second, seat, other) = build(), roomy()
    films = records(world, "films")[:8]
    return {
        "words": [*(f["title"] for f in films), "the", "é" * 90],
        "director": ["Kellmond", "ivo", films[0]["director"]],
        "year_from": [2010, 2030.0],
        "year_to": [2031, 2015],
        "film_id": [*(f["id"] for f in films), *wishes(world)],
        "city": ["Larkspur", "Greyport"],
        "date": [DAY, "2031-05-05"],
        "earliest": ["17:00"],
        "show_id": [first, second],
        "seats": [[seat], [seat, other], [other], ["Z9"]],
        "note": ["Again", "\x01" * 20, "é" * 60],
    }


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_calls_are_answered(data: st.DataObject) -> None:
    check_answers(build(), data.draw(st.lists(calls(TOOLS, values()), min_size=1, max_size=8)))


@pytest.mark.parametrize("seed", range(4))
def test_titles_and_names_are_easily_mixed_up(seed: int) -> None:
    world = small(KITS, seed)
    films, shows = records(world, "films"), records(world, "shows")
    assert len({f["title"] for f in films}) == len({f["id"] for f in films}) == len(films) == 64
    names = {text(f, "director") for f in films}
    assert len({name.split()[-1] for name in names}) < len(names)
    shown = {f["id"] for f in films if f["in_cinemas"]}
    assert len(shown) == 16
    assert {s["film"] for s in shows} == shown
    assert len({s["id"] for s in shows}) == len(shows) == 40 * 7 * 6
    assert {s["date"] for s in shows} == {f"2031-05-{n:02d}" for n in range(5, 12)}
    wanted = [f["in_cinemas"] for f in films if f["id"] in wishes(world)]
    assert sorted(map(str, wanted)) == ["False", "False", "True"]


def test_a_title_finds_its_film_alone_and_a_word_of_it_more() -> None:
    world = build()
    for film in records(world, "films"):
        found = listed(good(world, "films.search_films", words=film["title"]), "films")
        assert film["id"] in {f["film_id"] for f in found}
    word = text(records(world, "films")[0], "title").split()[-1]
    assert good(world, "films.search_films", words=word)["total"] in range(1, 9)


@pytest.mark.parametrize(
    "wanted",
    [
        {"genre": "drama"},
        {"director": "ostrovane"},
        {"year_from": 2030},
        {"year_to": 2012},
        {"in_cinemas_only": True},
        {"year_from": 2005, "year_to": 2020, "genre": "comedy"},
    ],
)
def test_a_search_keeps_to_what_was_asked(wanted: JsonObject) -> None:
    world = build()
    fitting = [f for f in records(world, "films") if _fits(f, **wanted)]
    found = good(world, "films.search_films", **wanted)
    best = sorted(fitting, key=lambda f: (-number(f, "score"), text(f, "title")))
    rows = listed(found, "films")
    assert found["total"] == len(fitting) > 0
    assert [f["film_id"] for f in rows] == [f["id"] for f in best][: len(rows)]


def _fits(film: JsonObject, **wanted: Json) -> bool:
    surname = str(wanted.get("director", ""))
    return (
        wanted.get("genre") in (None, film["genre"])
        and surname in text(film, "director").casefold()
        and number({"y": 0, "year": wanted.get("year_from", 0)}, "year") <= number(film, "year")
        and number({"year": wanted.get("year_to", 9999)}, "year") >= number(film, "year")
        and (film["in_cinemas"] is True or "in_cinemas_only" not in wanted)
    )


def test_showtimes_are_those_of_city_day_film_and_hour() -> None:
    world = build()
    every = [s for s in records(world, "shows") if s["city"] == "Ravensea" and s["date"] == DAY]
    told = good(world, "films.find_showtimes", city="ravensea", date=DAY)
    assert told["total"] == len(every) == 12
    starts = [text(s, "starts") for s in listed(told, "shows")]
    assert starts == sorted(starts)
    film = every[0]["film"]
    one: JsonObject = {"city": "Ravensea", "date": DAY, "film_id": film}
    found = listed(good(world, "films.find_showtimes", **one), "shows")
    assert {s["show_id"] for s in found} == {s["id"] for s in every if s["film"] == film}
    late = listed(good(world, "films.find_showtimes", **one, earliest="19:30"), "shows")
    assert late == [s for s in found if text(s, "starts") >= "19:30"]
    assert {text(s, "title") for s in found} == {every[0]["title"]}


def test_booked_seats_are_taken() -> None:
    world, (show, _, seat, other) = build(), roomy()
    before = seats(world, show)
    told = good(world, "films.book_tickets", show_id=show.lower(), seats=[str(seat).lower(), other])
    assert told["total"] == 2 * number(told, "price")
    assert told["seats"] == sorted([seat, other], key=str)
    assert seats(world, show) == [s for s in before if s not in (seat, other)]
    message = refused(world, "films.book_tickets", show_id=show, seats=[seat])
    assert f"seat '{seat}' is taken or unknown; films.get_seats" in message


@pytest.mark.parametrize(
    ("tool", "args", "message"),
    [
        ("search_films", {}, "give words, genre, director, a year or in_cinemas_only"),
        ("search_films", {"words": " - "}, "words must hold at least one word"),
        ("search_films", {"year_from": 2020, "year_to": 2019}, "2020 must not be after 2019"),
        ("search_films", {"year_from": 2040}, "year_from 2040 must not be after 2031"),
        ("get_film", {"film_id": "The Coral Tideline"}, "ids begin with FLM-"),
        ("find_showtimes", {"city": "Nowhere", "date": DAY}, "unknown city"),
        ("find_showtimes", {"city": "Ivyton", "date": "2031-05-12"}, "2031-05-05 to 2031-05-11"),
        ("find_showtimes", {"city": "Ivyton", "date": DAY, "earliest": "7"}, "a time as HH:MM"),
        ("find_showtimes", {"city": "Ivyton", "date": DAY, "film_id": "x"}, "no film 'x'"),
        ("get_seats", {"show_id": "SHW-0000"}, "no show 'SHW-0000'"),
        ("book_tickets", {"seats": []}, "seats must hold at least one value"),
        ("book_tickets", {"seats": ["A1", "a1"]}, "seats names 'A1' twice"),
        ("book_tickets", {"seats": [f"A{n}" for n in range(7)]}, "at most 6 values"),
        ("book_tickets", {"seats": ["J1"]}, "seat 'J1' is taken or unknown"),
    ],
)
def test_calls_that_make_no_sense(tool: str, args: JsonObject, message: str) -> None:
    needed: JsonObject = {"show_id": roomy()[0]} if tool == "book_tickets" else {}
    assert message in refused(build(), f"films.{tool}", **{**needed, **args})


def test_a_show_that_has_begun_is_not_sold() -> None:
    """All shows begin after the clock of the tests, so a later clock is needed."""
    world = small(KITS, 7, clock="2031-05-05T16:00:00")
    gone = next(s for s in records(world, "shows") if text(s, "starts") < "16:00")
    args: JsonObject = {"show_id": gone["id"], "seats": ["A1"]}
    assert f"began at {gone['starts']}" in refused(world, "films.book_tickets", **args)


def test_the_watchlist_is_kept() -> None:
    world = build()
    before = wishes(world)
    film = next(f for f in records(world, "films") if f["id"] not in before)
    good(world, "films.add_to_watchlist", film_id=film["id"], note="Ask Ilse")
    rows = listed(good(world, "films.list_watchlist"), "films")
    assert (rows[-1]["film_id"], rows[-1]["note"]) == (film["id"], "Ask Ilse")
    again = refused(world, "films.add_to_watchlist", film_id=film["id"])
    assert "is already on the watchlist" in again
    good(world, "films.remove_from_watchlist", film_id=film["id"])
    assert wishes(world) == before
    gone = refused(world, "films.remove_from_watchlist", film_id=film["id"])
    assert "is not on the watchlist; films.list_watchlist shows what is" in gone
    good(world, "films.add_to_watchlist", film_id=film["id"])
    assert wishes(world) == [*before, film["id"]]
