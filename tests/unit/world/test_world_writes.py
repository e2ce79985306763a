"""Every argument of every write lands in the state."""

from __future__ import annotations

from itertools import permutations

import pytest
from world_cases import build, good, own_tools, prepared, records, writes

from teval.schema import Call, JsonObject, WorldRef
from teval.world import World

WRITES = sorted(tool.name for tool in own_tools() if tool.effect == "write")


def hash_after(tool: str, args: JsonObject) -> str:
    world = prepared()
    good(world, tool, **args)
    return world.state_hash()


@pytest.mark.parametrize("tool", WRITES)
def test_a_write_changes_the_state(tool: str) -> None:
    world = prepared()
    args, _ = writes()[tool]
    before = world.state_hash()
    good(world, tool, **args)
    assert world.state_hash() != before


@pytest.mark.parametrize("tool", WRITES)
def test_every_argument_of_a_write_moves_the_state_hash(tool: str) -> None:
    args, others = writes()[tool]
    listed = next(t for t in build().tools if t.name == tool)
    assert others.keys() == {a.name for a in listed.arguments}
    plain = hash_after(tool, args)
    assert plain == hash_after(tool, args)
    for name, other in others.items():
        assert hash_after(tool, {**args, name: other}) != plain, name


@pytest.mark.parametrize("tool", WRITES)
def test_a_default_given_in_words_is_the_default(tool: str) -> None:
    args, _ = writes()[tool]
    listed = next(t for t in build().tools if t.name == tool)
    defaults = {a.name: a.default for a in listed.arguments if a.has_default}
    assert hash_after(tool, {**args, **defaults}) == hash_after(tool, args)


@pytest.mark.parametrize(
    ("tool", "name"),
    [
        ("flights.book_flight", "passengers"),
        ("calendar.invite_people", "emails"),
        ("mail.send_mail", "to"),
    ],
)
def test_the_order_of_a_set_means_nothing(tool: str, name: str) -> None:
    args, others = writes()[tool]
    several = others[name]
    assert isinstance(several, list)
    turned = list(reversed(several))
    assert hash_after(tool, {**args, name: several}) == hash_after(tool, {**args, name: turned})


def test_reads_leave_the_state_alone() -> None:
    world = build()
    before = world.state_hash()
    good(world, "mail.search_mail", words="booking")
    good(world, "calendar.list_events", start_date="2031-05-06")
    good(world, "flights.list_bookings")
    assert world.state_hash() == before


def test_order_of_independent_writes_leaves_no_trace() -> None:
    """Two mails and an event written in any order give one state."""
    ref = WorldRef(seed=3, clock="2031-05-05T08:00:00")
    contact = records(World.build(ref), "contacts")[0]["id"]
    calls = [
        Call(name="mail.send_mail", args={"to": [contact], "subject": "One", "body": "First"}),
        Call(name="mail.send_mail", args={"to": [contact], "subject": "Two", "body": "Second"}),
        Call(
            name="calendar.create_event",
            args={"title": "Walk", "start": "2031-05-15T20:30", "duration_minutes": 15},
        ),
    ]
    hashes = set()
    for order in permutations(calls):
        world = World.build(ref)
        assert [world.call(call).status for call in order] == ["ok"] * 3
        hashes.add(world.state_hash())
    assert len(hashes) == 1


def test_same_mail_twice_is_two_mails() -> None:
    """Equal records are kept apart."""
    world = World.build(WorldRef(seed=3, clock="2031-05-05T08:00:00"))
    contact = records(world, "contacts")[0]["id"]
    call = Call(name="mail.send_mail", args={"to": [contact], "subject": "One", "body": "First"})
    before = len(records(world, "mails"))
    assert [world.call(call).status for _ in range(2)] == ["ok", "ok"]
    assert len(records(world, "mails")) == before + 2
