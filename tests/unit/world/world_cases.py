"""Worlds and calls that the tests of the world share."""

from __future__ import annotations

from functools import cache

from teval.schema import Call, Fault, Json, JsonObject, Observation, Tool, WorldRef
from teval.world import World

CLOCK = "2031-05-05T09:00:00"
"""A Monday."""
KITS = ("calendar", "contacts", "flights", "mail", "weather")
"""The toolkits that these tests are about; all others have files of their own."""
TWO = ("Ilse Varnholt", "Robin Vale")


def build(seed: int = 7, *faults: Fault) -> World:
    """A world under the usual clock."""
    return World.build(WorldRef(seed=seed, clock=CLOCK, faults=faults))


def own_tools() -> list[Tool]:
    """The tools of those toolkits."""
    return [tool for tool in build().tools if tool.toolkit in KITS]


def ask(world: World, tool: str, /, **args: Json) -> Observation:
    """Call a tool."""
    return world.call(Call(name=tool, args=args))


def good(world: World, tool: str, /, **args: Json) -> JsonObject:
    """Call a tool that must succeed."""
    seen = ask(world, tool, **args)
    assert seen.status == "ok", seen.content
    return seen.content


def refused(world: World, tool: str, /, **args: Json) -> str:
    """Call a tool that must refuse, and return its message."""
    before = world.state_hash()
    seen = ask(world, tool, **args)
    assert seen.status == "input_error", seen.content
    assert world.state_hash() == before
    return str(seen.content["error"])


def records(world: World, table: str) -> list[JsonObject]:
    """The records of a table, or a list of the fixed facts."""
    rows = world.view()[table]
    assert isinstance(rows, list)
    return [row for row in rows if isinstance(row, dict)]


def text(record: JsonObject, key: str) -> str:
    """A field that is text."""
    value = record[key]
    assert isinstance(value, str)
    return value


def emails(world: World) -> list[Json]:
    """The mail addresses of all contacts."""
    return [contact["id"] for contact in records(world, "contacts")]


def roomy_flights(world: World, seats: int = 4) -> list[JsonObject]:
    """Flights after today with open seats in both cabins."""

    def fits(flight: JsonObject) -> bool:
        cabins = flight["open_seats"]
        assert isinstance(cabins, dict)
        return all(isinstance(free, list) and len(free) >= seats for free in cabins.values())

    return [
        f
        for f in records(world, "flights")
        if text(f, "date") > CLOCK[:10] and f["status"] == "scheduled" and fits(f)
    ]


def economy(flight: JsonObject) -> list[str]:
    """The open economy seats of a flight."""
    cabins = flight["open_seats"]
    assert isinstance(cabins, dict)
    seats = cabins["economy"]
    assert isinstance(seats, list)
    return [str(seat) for seat in seats]


def booked(world: World, flight: JsonObject, *passengers: str) -> str:
    """Book economy seats and return the booking's id."""
    content = good(
        world,
        "flights.book_flight",
        flight_number=flight["number"],
        date=flight["date"],
        passengers=list(passengers),
    )
    ticket = content["booked"]
    assert isinstance(ticket, dict)
    return text(ticket, "booking_id")


Writes = dict[str, tuple[JsonObject, JsonObject]]


def prepared() -> World:
    """A world in which each call of :func:`writes` succeeds: two bookings for two are made."""
    world = build()
    left, right = _alike()
    booked(world, left, *TWO)
    booked(world, right, *TWO)
    return world


@cache
def writes() -> Writes:
    """By write tool: arguments of a call that succeeds, and another good value of each.

    An argument that is only in the second mapping is an optional one.
    """
    world = prepared()
    return {**_calendar_writes(world), **_flight_writes(world), **_mail_writes(world)}


@cache
def _alike() -> tuple[JsonObject, JsonObject]:
    """Two flights that still have two open seats in common after two were taken in each."""
    roomy = roomy_flights(build())
    return next((a, b) for a in roomy for b in roomy if a != b and len(_shared(a, b)) > 1)


def _shared(a: JsonObject, b: JsonObject) -> list[str]:
    return sorted(set(economy(a)[2:]) & set(economy(b)[2:]))


def _calendar_writes(world: World) -> Writes:
    first, second, *_ = emails(world)
    coming = [e for e in records(world, "events") if text(e, "start") > CLOCK]
    one, two, *_ = (e["id"] for e in coming if not e["attendees"])
    start, later = "2031-05-10T10:00", "2031-05-10T11:00"
    return {
        "calendar.create_event": (
            {"title": "Chat", "start": start, "duration_minutes": 30},
            {
                "title": "Talk",
                "start": later,
                "duration_minutes": 35,
                "location": "Room Cedar",
                "attendees": [first],
            },
        ),
        "calendar.move_event": (
            {"event_id": one, "start": start},
            {"event_id": two, "start": later, "duration_minutes": 77},
        ),
        "calendar.delete_event": ({"event_id": one}, {"event_id": two}),
        "calendar.invite_people": (
            {"event_id": one, "emails": [first]},
            {"event_id": two, "emails": [first, second]},
        ),
    }


def _flight_writes(world: World) -> Writes:
    roomy = roomy_flights(world)
    flight, other, again = next(
        (a, b, c)
        for a in roomy
        for b in roomy
        for c in roomy
        if a["date"] == b["date"] and a["number"] == c["number"] and b != a != c
    )
    seats = _shared(*_alike())
    two, one = (booking["id"] for booking in records(world, "bookings")[-2:])
    return {
        "flights.book_flight": (
            {
                "flight_number": flight["number"],
                "date": flight["date"],
                "passengers": ["Robin Vale"],
            },
            {
                "flight_number": other["number"],
                "date": again["date"],
                "passengers": ["Robin Vale", "Ilse Varnholt"],
                "cabin": "business",
            },
        ),
        "flights.cancel_booking": (
            {"booking_id": one},
            {"booking_id": two, "reason": "illness"},
        ),
        "flights.change_seat": (
            {"booking_id": one, "passenger": "Robin Vale", "seat": seats[0]},
            {"booking_id": two, "passenger": "Ilse Varnholt", "seat": seats[1]},
        ),
    }


def _mail_writes(world: World) -> Writes:
    first, second, third, *_ = emails(world)
    mails = [m for m in records(world, "mails") if m["to"] != ["robin.vale@example.org"]]
    one, two = (m["id"] for m in mails[:2])
    return {
        "contacts.add_contact": (
            {"name": "Ilse Varnholt", "email": "ilse@example.net"},
            {
                "name": "Else Varnholt",
                "email": "else@example.net",
                "phone": "555-0101",
                "company": "Norwind Labs",
            },
        ),
        "mail.send_mail": (
            {"to": [first], "subject": "News", "body": "At 5 pm."},
            {"to": [first, third], "subject": "Old news", "body": "At 3 pm."},
        ),
        "mail.reply_mail": (
            {"mail_id": one, "body": "Yes."},
            {"mail_id": two, "body": "No.", "to_all": True},
        ),
        "mail.forward_mail": (
            {"mail_id": one, "to": [first]},
            {"mail_id": two, "to": [second], "note": "See below."},
        ),
        "mail.move_mail": (
            {"mail_id": one, "folder": "trash"},
            {"mail_id": two, "folder": "travel"},
        ),
    }
