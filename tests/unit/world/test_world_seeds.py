"""What worlds begin with, whatever the seed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import pairwise

import pytest
from world_cases import CLOCK, build, records, text

from teval.schema import WorldRef, digest
from teval.world import World

SEEDS = range(6)
PRINT_HASHES = f"""
from teval.schema import WorldRef, digest
from teval.world import World
world = World.build(WorldRef(seed=7, clock={CLOCK!r}))
print(world.state_hash(), digest(world.view()), digest([t.model_dump() for t in world.tools]))
"""


@pytest.mark.parametrize("hash_seed", ["0", "1", "4242"])
def test_a_world_is_the_same_in_every_process(hash_seed: str) -> None:
    world = build()
    here = [world.state_hash(), digest(world.view()), digest([t.model_dump() for t in world.tools])]
    there = subprocess.run(
        [sys.executable, "-c", PRINT_HASHES],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert there.stdout.split() == here


def test_another_seed_or_day_is_another_world() -> None:
    other_day = World.build(WorldRef(seed=7, clock="2031-05-06T09:00:00"))
    hashes = {build().state_hash(), build(8).state_hash(), other_day.state_hash()}
    assert len(hashes) == 3
    assert len(build().state_hash()) == 64


def test_the_view_tells_the_present() -> None:
    world = build()
    assert world.view()["now"] == world.now.isoformat() == CLOCK


@pytest.mark.parametrize("seed", SEEDS)
def test_people_are_nobody(seed: int) -> None:
    people = records(build(seed), "contacts")
    assert len(people) == 15
    assert len({p["name"] for p in people}) == len({p["id"] for p in people}) == 15
    assert len({text(p, "name").split()[0] for p in people}) < 15
    for person in people:
        assert re.fullmatch(r"[a-z.-]+@example\.(org|com|net)", text(person, "id"))
        assert re.fullmatch(r"555-01\d\d", text(person, "phone"))


@pytest.mark.parametrize("seed", SEEDS)
def test_events_do_not_overlap(seed: int) -> None:
    events = records(build(seed), "events")
    spans = sorted((text(e, "start"), e["minutes"]) for e in events)
    assert 20 <= len(events) <= 26
    assert len({e["title"] for e in events}) == len(events)
    for (start, minutes), (following, _) in pairwise(spans):
        assert isinstance(minutes, int)
        assert start[:10] < following[:10] or _clock(start) + minutes <= _clock(following)


def _clock(moment: str) -> int:
    return 60 * int(moment[11:13]) + int(moment[14:16])


@pytest.mark.parametrize("seed", SEEDS)
def test_mails_tell_their_facts(seed: int) -> None:
    mails = records(build(seed), "mails")
    topics = [m["topic"] for m in mails if m["topic"]]
    assert len(topics) == len(set(topics)) == 24
    assert len(mails) == 27
    for mail in mails:
        facts = mail["facts"]
        assert isinstance(facts, dict)
        assert all(str(fact) in text(mail, "body") for fact in facts.values())
        assert "{" not in text(mail, "subject") + text(mail, "body")
        assert text(mail, "sent") < CLOCK
        assert text(mail, "body").isascii()


@pytest.mark.parametrize("seed", SEEDS)
def test_flights_leave_choices(seed: int) -> None:
    world = build(seed)
    flights = records(world, "flights")
    assert all("2031-05-05" <= text(f, "date") <= "2031-05-18" for f in flights)
    assert all(text(f, "departs") < text(f, "arrives") for f in flights)
    days = {(f["origin"], f["destination"], f["date"]) for f in flights}
    assert len(flights) >= 2 * len(days) >= 100
    assert {f["status"] for f in flights} == {"scheduled", "delayed", "cancelled"}
    bookings = records(world, "bookings")
    assert len(bookings) == 3
    assert all(text(b, "flight") in {f["id"] for f in flights} for b in bookings)


def test_all_ids_of_a_world_are_distinct() -> None:
    for seed in SEEDS:
        world = build(seed)
        ids = [r["id"] for table in ("events", "mails", "bookings") for r in records(world, table)]
        assert len(ids) == len(set(ids))
        assert all(re.fullmatch(r"(EVT|MSG|BKG)-[2-9A-Z]{4}", str(i)) for i in ids)


def test_weather_is_of_many_kinds() -> None:
    weather = records(build(), "weather")
    assert len(weather) == 20 * 14
    kinds = {w["condition"] for w in weather}
    assert {"sunny", "partly cloudy", "cloudy", "showers", "heavy rain"} <= kinds
