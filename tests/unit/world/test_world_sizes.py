"""No answer is longer than 1.5 kB, however long what was written before."""

from __future__ import annotations

import pytest
from world_cases import ask, build, good, records, roomy_flights

from teval.schema import Json, Observation
from teval.world import World
from teval.world.values import page, size

MOST_BYTES = 1500
GUESTS: list[Json] = [f"{n}{'x' * 47}@example.net" for n in range(6)]
WIDE = "é" * 50
"""A hundred bytes."""


def crowded() -> World:
    """A world with the longest records that tools take."""
    world = build()
    for address in GUESTS:
        good(
            world,
            "contacts.add_contact",
            name=WIDE * 2,
            email=address,
            phone=WIDE * 2,
            company=WIDE * 2,
        )
    for hour in range(8, 16):
        good(
            world,
            "calendar.create_event",
            title=WIDE,
            start=f"2031-05-10T{hour:02d}:00",
            duration_minutes=60,
            location=WIDE * 2,
            attendees=GUESTS,
        )
    return world


def longest() -> list[Observation]:
    """Answers that tell those records."""
    world = crowded()
    sent = ask(world, "mail.send_mail", to=GUESTS, subject=WIDE, body="x" * 600)
    mail = sent.content["sent"]
    passed = ask(world, "mail.forward_mail", mail_id=mail, to=GUESTS, note="x" * 600)
    flight = roomy_flights(world)[0]
    names: list[Json] = [f"{'é' * 29}{n}" for n in range(4)]
    booking = ask(
        world,
        "flights.book_flight",
        flight_number=flight["number"],
        date=flight["date"],
        passengers=names,
    )
    new = ask(
        world,
        "calendar.create_event",
        title=WIDE,
        start="2031-05-11T10:00",
        duration_minutes=60,
        location=WIDE * 2,
        attendees=GUESTS,
    )
    return [
        sent,
        passed,
        booking,
        new,
        ask(world, "mail.read_mail", mail_id=mail),
        ask(world, "mail.read_mail", mail_id=passed.content["sent"]),
        ask(world, "mail.search_mail", words="xx"),
        ask(world, "mail.search_mail", since="2031-01-01"),
        ask(world, "calendar.list_events", start_date="2031-05-10"),
        ask(world, "calendar.find_events", words=WIDE),
        ask(world, "calendar.find_free_slots", date="2031-05-08", duration_minutes=5),
        ask(world, "contacts.find_contact", name=WIDE),
        ask(world, "flights.list_bookings"),
        *(ask(world, "mail.read_mail", mail_id=m["id"]) for m in records(world, "mails")),
        *(
            ask(world, "flights.get_flight", flight_number=f["number"], date=f["date"])
            for f in records(world, "flights")
        ),
    ]


def test_the_longest_answers_are_short_enough() -> None:
    answers = longest()
    assert all(seen.status == "ok" for seen in answers)
    sizes = [size(seen.content) for seen in answers]
    assert 1000 < max(sizes) <= MOST_BYTES


@pytest.mark.parametrize("name", ["x" * 10**6, "\x00" * 10**5, "\ud800", "é" * 999])
def test_refusals_are_short(name: str) -> None:
    world = build()
    assert size(ask(world, name).content) < 600
    assert size(ask(world, "weather.get_current", **{name: 1}).content) < 600
    assert size(ask(world, "weather.get_current", city=name).content) < 600


def test_a_page_tells_how_many_there_are() -> None:
    items: list[dict[str, Json]] = [{"text": "x" * 400}] * 5
    told = page("items", items)
    assert (told["total"], told["shown"], told["items"]) == (5, 2, items[:2])
    assert page("items", items[:1]) == {"items": items[:1], "total": 1}
