"""The messaging toolkit."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from new_world import (
    calls,
    holds_for_calls,
    holds_for_descriptions,
    holds_for_mix_ups,
    holds_for_writes,
    rows,
)
from world_cases import CLOCK, build, good, records, refused, text

from teval.schema import Call, Json, JsonObject
from teval.world import World

SEEDS = range(6)


def connected(seed: int = 0) -> World:
    """A world with a connection."""
    for candidate in range(seed, seed + 40):
        world = build(candidate)
        if good(world, "device.get_status")["connection"] != "none":
            return world
    raise AssertionError("no world is connected")


def messages(world: World) -> list[JsonObject]:
    return records(world, "messages")


def numbers(world: World) -> list[str]:
    """The phone numbers of contacts."""
    return [text(c, "phone") for c in records(world, "contacts")]


@cache
def plausible() -> dict[str, list[Json]]:
    world = connected()
    long: list[Json] = ["Six o'clock?", "b" * 600, "😀" * 150, "\x01" * 16]
    return {
        "phone": [*numbers(world)[:6], "+44 20 7946 0117", "555 0199", "not a number"],
        "since": ["2031-05-01", "2031-05-04"],
        "words": ["the", "a", "i", *long],
        "text": long,
        "message_id": [m["id"] for m in messages(world)[:9]],
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_messages_tell_their_facts(seed: int) -> None:
    world = build(seed)
    told = [m for m in messages(world) if m["topic"]]
    assert len({m["topic"] for m in told}) == len(told) == 25
    for message in told:
        facts = message["facts"]
        assert isinstance(facts, dict)
        assert all(str(fact) in text(message, "text") for fact in facts.values())
    for message in messages(world):
        assert "{" not in text(message, "text")
        assert "2031-04-27" <= text(message, "sent") < CLOCK
    assert sum(m["unread"] is True for m in messages(world)) >= 5
    assert {m["phone"] for m in messages(world)} > set(numbers(world))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_weekday_is_named_only_days_before(seed: int) -> None:
    for message in messages(build(seed)):
        facts = message["facts"]
        if isinstance(facts, dict) and "weekday" in facts:
            assert text(message, "sent") >= "2031-05-02"
            assert facts["weekday"] in {"Tuesday", "Wednesday", "Thursday"}


def test_conversations_are_listed_newest_first() -> None:
    world = build()
    listed = rows(good(world, "messaging.list_conversations"), "conversations")
    times = [text(line, "last") for line in listed]
    assert times == sorted(times, reverse=True)
    fresh = rows(good(world, "messaging.list_conversations", unread_only=True), "conversations")
    assert fresh
    assert all(line["unread"] == 1 for line in fresh)


def test_a_conversation_is_read_in_full() -> None:
    world = build()
    phone = next(m["phone"] for m in messages(world) if m["direction"] == "sent")
    told = rows(
        good(world, "messaging.read_conversation", phone=str(phone).replace("-", " ")), "messages"
    )
    mine = [m for m in messages(world) if m["phone"] == phone]
    assert [m["message_id"] for m in told] == [m["id"] for m in reversed(mine)]
    assert {text(m, "text") for m in told} == {text(m, "text") for m in mine}
    late = good(world, "messaging.read_conversation", phone=phone, since=CLOCK[:10])
    assert late["messages"] == []


def test_numbers_that_nobody_has_are_refused() -> None:
    world = connected()
    unknown = next(n for n in (f"555-01{i:02d}" for i in range(99)) if n not in numbers(world))
    message = refused(world, "messaging.read_conversation", phone=unknown)
    assert "no contact and no conversation" in message
    args: JsonObject = {"phone": unknown, "text": "Hi"}
    assert "no contact has the number" in refused(world, "messaging.send_message", **args)
    service: JsonObject = {"phone": "+44 20 7946 0117", "text": "Hi"}
    assert "no contact has the number" in refused(world, "messaging.send_message", **service)
    assert "such as 555-0142" in refused(world, "messaging.read_conversation", phone="Celia")
    assert "nothing unread" in refused(world, "messaging.mark_read", phone=unknown)


def test_messages_are_searched_by_words_number_and_day() -> None:
    world = build()
    parcel = next(m for m in messages(world) if m["topic"] == "pick_up")
    found = rows(good(world, "messaging.search_messages", words="PARCEL box"), "messages")
    assert [(m["message_id"], m["phone"]) for m in found] == [(parcel["id"], parcel["phone"])]
    with_all = good(world, "messaging.search_messages", words="parcel", phone=parcel["phone"])
    assert with_all["total"] == 1
    none = good(world, "messaging.search_messages", words="parcel", since=CLOCK[:10])
    assert none["messages"] == []
    assert "at least one word" in refused(world, "messaging.search_messages", words="?!")


def test_sending_needs_a_connection() -> None:
    world = next(
        w for w in map(build, range(40)) if good(w, "device.get_status")["connection"] == "none"
    )
    args: JsonObject = {"phone": numbers(world)[0], "text": "On my way."}
    assert "device.turn_on switches wifi on" in refused(world, "messaging.send_message", **args)
    for mode in ("low_battery_mode", "airplane_mode"):
        world.call(Call(name="device.turn_off", args={"feature": mode}))
    good(world, "device.turn_on", feature="wifi")
    good(world, "messaging.send_message", **args)
    sent = messages(world)[-1]
    assert (sent["phone"], sent["text"]) == (args["phone"], "On my way.")
    assert (sent["direction"], sent["sent"]) == ("sent", CLOCK[:16])


def test_an_empty_text_is_refused() -> None:
    world = connected()
    args: JsonObject = {"phone": numbers(world)[0], "text": " "}
    assert "text must not be empty" in refused(world, "messaging.send_message", **args)


def test_messages_are_marked_and_deleted() -> None:
    world = build()
    fresh = next(m for m in messages(world) if m["unread"])
    told = good(world, "messaging.mark_read", phone=fresh["phone"])
    assert told == {"phone": fresh["phone"], "marked": 1}
    assert "nothing unread" in refused(world, "messaging.mark_read", phone=fresh["phone"])
    good(world, "messaging.delete_message", message_id=text(fresh, "id").lower())
    gone = refused(world, "messaging.delete_message", message_id=fresh["id"])
    assert f"no message '{fresh['id']}'" in gone
    left = good(world, "messaging.search_messages", words=fresh["text"], phone=fresh["phone"])
    assert left["messages"] == []


def test_writes_descriptions_and_mix_ups() -> None:
    world = connected()
    one, two, *_ = numbers(world)
    fresh = [m["phone"] for m in messages(world) if m["unread"]]
    ids = [m["id"] for m in messages(world)]
    holds_for_writes(
        "messaging",
        connected,
        {
            "messaging.send_message": (
                {"phone": one, "text": "Yes."},
                {"phone": two, "text": "No."},
            ),
            "messaging.mark_read": ({"phone": fresh[0]}, {"phone": fresh[1]}),
            "messaging.delete_message": ({"message_id": ids[0]}, {"message_id": ids[1]}),
        },
    )
    holds_for_descriptions("messaging")
    holds_for_mix_ups(
        "messaging",
        {
            "messaging.read_conversation": {"phone": numbers(build())[3]},
            "messaging.search_messages": {"words": "parcel"},
        },
    )


@settings(max_examples=10, deadline=None)
@given(st.lists(st.deferred(lambda: calls("messaging", plausible())), min_size=1, max_size=8))
def test_any_calls_are_answered(some: list[Call]) -> None:
    holds_for_calls(connected(), some)
