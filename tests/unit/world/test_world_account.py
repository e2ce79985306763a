"""The account toolkit: what needs a permission that other calls grant."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from new_world import calls, holds_for_calls, holds_for_descriptions, holds_for_writes, part, rows
from world_cases import CLOCK, build, good, records, refused, text

from teval.schema import Call, Json, JsonObject
from teval.world import World

PLAUSIBLE: dict[str, list[Json]] = {
    "session_id": [s["id"] for s in records(build(), "sessions")],
    "code": ["204817", "000000", str(records(build(), "messages")[-1]["text"])[-20:]],
    "name": ["R. Vale", "é" * 30, "x" * 61],
    "email": ["rv@example.net", "robin", "x" * 48 + "@example.net"],
}


def code_in(words: str) -> str:
    found = re.search(r"\d{6}", words)
    assert found is not None
    return found[0]


def code_by_message(world: World) -> str:
    good(world, "account.request_code")
    told = good(world, "messaging.read_conversation", phone="+44 20 7946 0105")
    return code_in(text(rows(told, "messages")[0], "text"))


def code_by_mail(world: World) -> str:
    good(world, "account.request_code", channel="mail")
    mails = rows(good(world, "mail.search_mail", words="one-time code"), "mails")
    told = good(world, "mail.read_mail", mail_id=mails[0]["mail_id"])
    return code_in(text(told, "body"))


def confirmed() -> World:
    world = build()
    good(world, "account.confirm_code", code=code_by_message(world))
    return world


def sessions(world: World) -> list[JsonObject]:
    return rows(good(world, "account.list_sessions"), "sessions")


@pytest.mark.parametrize("seed", range(6))
def test_sessions_are_several_and_listed_by_activity(seed: int) -> None:
    listed = sessions(build(seed))
    assert len(listed) == 7
    times = [text(s, "last_active") for s in listed]
    assert times == sorted(times, reverse=True)
    assert [s["current"] for s in listed] == [True] + [False] * 6
    assert times[0] == CLOCK[:16]
    assert len({(s["device"], s["city"]) for s in listed}) == 7
    assert len({s["device"] for s in listed}) < 7


def test_sessions_are_listed_by_app() -> None:
    every = sessions(build())
    some = rows(good(build(), "account.list_sessions", app="browser"), "sessions")
    assert some == [s for s in every if s["app"] == "browser"]


@pytest.mark.parametrize("get", [code_by_message, code_by_mail])
def test_a_code_found_elsewhere_grants_the_permission(get: object) -> None:
    assert callable(get)
    world = build()
    session = sessions(world)[2]
    args: JsonObject = {"session_id": session["session_id"]}
    message = refused(world, "account.end_session", **args)
    assert "account.request_code sends a one-time code, account.confirm_code" in message
    code = get(world)
    good(world, "account.confirm_code", code=f"{code[:3]} {code[3:]}")
    assert good(world, "account.get_profile")["sign_in_confirmed"] is True
    told = good(world, "account.end_session", **args)
    assert (told["device"], told["city"]) == (session["device"], session["city"])
    assert len(sessions(world)) == 6
    assert "no session" in refused(world, "account.end_session", **args)


def test_the_code_is_told_by_no_account_tool() -> None:
    world = build()
    told = good(world, "account.request_code")
    assert told == {"sent_by": "message", "from": "+44 20 7946 0105"}
    code = text(records(world, "codes")[0], "code")
    assert code not in str(told) + str(good(world, "account.get_profile"))


def test_only_the_last_code_of_a_channel_is_right() -> None:
    world = build()
    stale = code_in(
        text(next(m for m in records(world, "messages") if m["topic"] == "old_code"), "text")
    )
    first, second = code_by_message(world), code_by_message(world)
    assert len({stale, first, second}) == 3
    for wrong in (stale, first, "12345", "12345x"):
        refused(world, "account.confirm_code", code=wrong)
    assert f"code {stale} is wrong" in refused(world, "account.confirm_code", code=stale)
    assert "six digits, got '12345'" in refused(world, "account.confirm_code", code="12345")
    good(world, "account.confirm_code", code=second)
    assert "already confirmed" in refused(world, "account.confirm_code", code=second)
    assert "already confirmed" in refused(world, "account.request_code")


def test_the_current_session_stays() -> None:
    world = confirmed()
    current = sessions(world)[0]["session_id"]
    assert "is the current session" in refused(world, "account.end_session", session_id=current)


def test_the_recovery_address_needs_the_permission() -> None:
    args: JsonObject = {"email": "New@Example.net"}
    assert "not confirmed" in refused(build(), "account.change_recovery_email", **args)
    world = confirmed()
    good(world, "account.change_recovery_email", **args)
    assert good(world, "account.get_profile")["recovery_email"] == "new@example.net"
    assert "already new@example.net" in refused(world, "account.change_recovery_email", **args)
    message = refused(world, "account.change_recovery_email", email="new")
    assert "email must be a mail address" in message


def test_names_and_notifications_change_freely() -> None:
    world = build()
    good(world, "account.change_display_name", name=" Rob ")
    profile = good(world, "account.get_profile")
    assert profile["display_name"] == "Rob"
    assert "already 'Rob'" in refused(world, "account.change_display_name", name="Rob")
    assert "1 to 60 bytes" in refused(world, "account.change_display_name", name=" ")
    old = part(profile, "notifications")["offers"]
    args: JsonObject = {"topic": "offers", "channel": old}
    assert f"already come by {old}" in refused(world, "account.set_notification", **args)
    new = "mail" if old == "none" else "none"
    told = good(world, "account.set_notification", topic="offers", channel=new)
    assert told == {"topic": "offers", "from": old, "to": new}


def test_writes_and_descriptions() -> None:
    base = build()
    listed = part(good(base, "account.get_profile"), "notifications")
    free = [
        c for c in ("mail", "message", "none") if c not in (listed["offers"], listed["security"])
    ]
    spare = [c for c in ("mail", "message", "none") if c not in (listed["offers"], free[0])]
    ids = [s["session_id"] for s in sessions(base)[1:3]]
    holds_for_writes(
        "account",
        confirmed,
        {
            "account.end_session": ({"session_id": ids[0]}, {"session_id": ids[1]}),
            "account.change_display_name": ({"name": "Rob"}, {"name": "Bob"}),
            "account.change_recovery_email": (
                {"email": "a@example.net"},
                {"email": "b@example.net"},
            ),
            "account.set_notification": (
                {"topic": "offers", "channel": free[0]},
                {"topic": "security", "channel": spare[0]},
            ),
        },
        apart=("account.request_code", "account.confirm_code"),
    )
    holds_for_descriptions("account")


def test_writes_before_the_permission() -> None:
    def asked() -> World:
        world = build()
        code_by_message(world)
        code_by_mail(world)
        return world

    codes = {c["id"]: c["code"] for c in records(asked(), "codes")}
    holds_for_writes(
        "account",
        asked,
        {
            "account.request_code": ({}, {"channel": "mail"}),
            "account.confirm_code": ({"code": codes["message"]}, {"code": codes["mail"]}),
        },
        apart=(
            "account.end_session",
            "account.change_display_name",
            "account.change_recovery_email",
            "account.set_notification",
        ),
    )


@settings(max_examples=10, deadline=None)
@given(st.booleans(), st.lists(calls("account", PLAUSIBLE), min_size=1, max_size=8))
def test_any_calls_are_answered(granted: bool, some: list[Call]) -> None:
    holds_for_calls(confirmed() if granted else build(), some)
