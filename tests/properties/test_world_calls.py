"""Whatever is called, a world answers, briefly, and a failed call changes nothing."""

from __future__ import annotations

import json
from functools import cache

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from teval.schema import Call, Json, JsonObject, Tool, WorldRef, canonical
from teval.world import World

REF = WorldRef(seed=7, clock="2031-05-05T09:00:00")
MOST_BYTES = 1500
ODD: list[Json] = [
    None, True, -1, 0, 10**400, 1e308, float("nan"), float("inf"), "", " ", "x" * 5000, "\ud800",
    "\x00" * 90, "2031-05-07", "2031-05-07T10:00", "9999-12-31T23:59", "0001-01-01", "23:59",
    "٣", "😀" * 40, [], {}, [[]], {"a": {"b": [1]}}, ["x"] * 9, [""], ["a", "a"], 30, 480,
]  # fmt: skip


@cache
def tools() -> tuple[Tool, ...]:
    return World.build(REF).tools


@cache
def plausible() -> dict[str, list[Json]]:
    """Values by argument name that are likely to be right, some as long as may be."""
    view = World.build(REF).view()

    def column(table: str, key: str, most: int = 4) -> list[Json]:
        rows = view[table]
        assert isinstance(rows, list)
        return [row[key] for row in rows[-most:] if isinstance(row, dict)]

    people = column("contacts", "id", 6)
    moments: list[Json] = [f"2031-05-10T{hour:02d}:00" for hour in range(8, 19)]
    long: list[Json] = ["Nine o'clock?", "é" * 50, "\x01" * 16, "a" * 100, "b" * 600, "😀" * 150]
    return {
        "city": column("cities", "name"),
        "month": [1, 7.0],
        "date": ["2031-05-10", "2031-05-18", *column("flights", "date", 1)],
        "start_date": ["2031-05-05", "2031-05-10"],
        "end_date": ["2031-05-10", "2031-05-11"],
        "start": moments,
        "duration_minutes": [30, 60],
        "latest": ["17:00"],
        "earliest": ["08:00"],
        "event_id": column("events", "id", 9),
        "mail_id": column("mails", "id", 9),
        "booking_id": column("bookings", "id", 3),
        "flight_number": column("flights", "number", 9),
        "origin": column("flights", "origin"),
        "destination": column("flights", "destination"),
        "passenger": ["Robin Vale"],
        "passengers": [["Robin Vale"], ["x" * 60, "y" * 60, "é" * 30, "\x01" * 9 + "z"]],
        "seat": ["4A", "4B", "7D", "10C", "12F", "20E"],
        "max_price": [99.5, 400],
        "email": ["new@example.net", "x" * 48 + "@example.net", *people[:1]],
        "sender": people,
        "since": ["2031-04-01"],
        "to": [people, people[:1]],
        "emails": [people[:2], people[2:3]],
        "attendees": [people, people[:1]],
        "name": [*column("contacts", "name"), "e", "é" * 100],
        "words": ["Robin", "e", "room", *long],
        "location": ["Room Cedar", "b" * 200],
        **dict.fromkeys(("title", "subject", "body", "note", "phone", "company"), long),
    }


def odd() -> st.SearchStrategy[Json]:
    anything = (st.integers(), st.floats(), st.text(max_size=700), st.booleans())
    return st.one_of(st.sampled_from(ODD), *anything)


@st.composite
def calls(draw: st.DrawFn) -> Call:
    """A call of a tool, mostly a plausible one."""
    tool = draw(st.sampled_from(tools()))
    wild = draw(st.integers(0, 3)) == 3
    args: JsonObject = {}
    for a in tool.arguments:
        usual = st.sampled_from(list(a.enum) or plausible().get(a.name, [True, False]))
        if a.required or draw(st.booleans()):
            args[a.name] = draw(st.one_of(usual, odd()) if wild else usual)
    if wild and draw(st.booleans()):
        args[draw(st.text(max_size=99))] = draw(odd())
    name = draw(st.text(max_size=99)) if wild and draw(st.booleans()) else tool.name
    return Call.model_construct(name=name, args=args)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(calls(), min_size=1, max_size=12))
def test_any_calls_are_answered(some: list[Call]) -> None:
    world = World.build(REF)
    writes = {tool.name for tool in tools() if tool.effect == "write"}
    for call in some:
        before = world.state_hash()
        seen = world.call(call)
        told = canonical(seen.content)
        assert len(told.encode("utf-8", "surrogatepass")) <= MOST_BYTES, call
        assert json.loads(told) == seen.content
        changed = world.state_hash() != before
        assert changed == (seen.status == "ok" and call.name in writes), call
        if seen.status != "ok":
            assert isinstance(seen.content["error"], str)
