"""Answers of the phone, office and account toolkits are short, however long what was written."""

from __future__ import annotations

import pytest
from new_world import MOST_BYTES, part
from world_cases import ask, build, good, records

from teval.schema import Json, JsonObject, Observation, Tool
from teval.world import World
from teval.world.values import size

KITS = ("account", "alarms", "clock", "device", "maps", "messaging", "rooms")
WIDE = "é" * 50
"""A hundred bytes."""
LONG_PHONE = f"5550101{'x' * 193}"


def _ready(world: World) -> bool:
    features = part(good(world, "device.get_status"), "features")
    return features["wifi"] == features["location"] == "on"


SEED = next(seed for seed in range(40) if _ready(build(seed)))
"""A world with wifi and location."""


def crowded() -> World:
    """A world with the longest records that tools take."""
    world = build(SEED)
    name, address = WIDE * 2, f"{'x' * 47}1@example.net"
    good(world, "contacts.add_contact", name=name, email=address, phone=LONG_PHONE)
    good(world, "account.change_display_name", name="é" * 30)
    for n in range(8):
        good(world, "messaging.send_message", phone=LONG_PHONE, text=f"{'x' * 590}{n}")
        good(world, "alarms.set_alarm", time=f"1{n}:30", label="é" * 29)
        good(world, "alarms.add_reminder", text=WIDE, due=f"2031-05-10T1{n}:00")
        start = f"2031-05-10T1{n}:00"
        args: JsonObject = {"room": "Cedar", "start": start, "duration_minutes": 60}
        good(world, "rooms.book_room", **args, title=WIDE)
    for place in records(world, "places")[:12]:
        good(world, "maps.save_place", place_id=place["place_id"], label="é" * 20)
    return world


VALUES: dict[str, list[Json]] = {
    "phone": [LONG_PHONE, "+44 20 7946 0105"],
    "words": ["x", "e", WIDE * 3],
    "city": ["Marisol", "Minaru"],
    "place_id": [records(build(SEED), "places")[7]["place_id"]],
    "origin": [records(build(SEED), "places")[0]["place_id"]],
    "destination": [records(build(SEED), "places")[1]["place_id"]],
    "from_city": ["Juniper Bay"],
    "to_city": ["Kestrel Point"],
    "time": ["2031-05-10T10:00"],
    "start_date": ["2031-05-10"],
    "end_date": ["2031-05-12"],
    "date": ["2031-05-10", "2031-05-06"],
    "amount": [7],
    "value": [1e9],
    "start": ["2031-05-11T10:00"],
    "duration_minutes": [60],
    "room": ["Cedar"],
}


def longest(world: World, tool: Tool) -> list[Observation]:
    """Answers of a read with its needed arguments, and with each of the others besides."""
    needed: JsonObject = {
        a.name: (list(a.enum) or VALUES[a.name])[0] for a in tool.arguments if a.required
    }
    changes: list[JsonObject] = [
        {a.name: value} for a in tool.arguments for value in a.enum or VALUES.get(a.name, [])
    ]
    return [ask(world, tool.name, **{**needed, **change}) for change in [{}, *changes]]


@pytest.mark.parametrize("toolkit", KITS)
def test_the_longest_answers_are_short_enough(toolkit: str) -> None:
    world = crowded()
    reads = [t for t in world.tools if t.toolkit == toolkit and t.effect == "read"]
    for tool in reads:
        answers = longest(world, tool)
        assert any(seen.status == "ok" for seen in answers), tool.name
        assert max(size(seen.content) for seen in answers) <= MOST_BYTES, tool.name


def test_long_listings_say_how_much_they_leave_out() -> None:
    world = crowded()
    for tool in ("messaging.list_conversations", "alarms.list_alarms", "rooms.list_bookings"):
        told = good(world, tool)
        assert int(str(told["shown"])) < int(str(told["total"])), tool
