"""The alarms toolkit: alarms and reminders."""

from __future__ import annotations

from datetime import date, datetime

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
from world_cases import CLOCK, build, good, records, refused, text

from teval.schema import Call, Json, JsonObject
from teval.world import World
from teval.world.reminders import Alarm, Repeat

NOW = datetime.fromisoformat(CLOCK)
"""A Monday, nine o'clock."""
PLAUSIBLE: dict[str, list[Json]] = {
    "date": ["2031-05-06", "2031-05-10", "2031-05-04"],
    "time": ["06:30", "08:45", "21:10"],
    "label": ["Tea", "é" * 30, "x" * 61],
    "alarm_id": [a["id"] for a in records(build(), "alarms")[:4]],
    "minutes": [5, 30, 60],
    "words": ["re", "call", "the"],
    "due_by": ["2031-05-06"],
    "text": ["Buy tea", "é" * 50, "x" * 101],
    "due": ["2031-05-09T10:00", "2031-05-05T08:00"],
    "reminder_id": [r["id"] for r in records(build(), "reminders")[-6:]],
}


def listed(world: World, **args: Json) -> list[JsonObject]:
    return rows(good(world, "alarms.list_alarms", **args), "alarms")


def reminders(world: World, **args: Json) -> list[JsonObject]:
    return rows(good(world, "alarms.list_reminders", **args), "reminders")


@pytest.mark.parametrize(
    ("time", "repeat", "day", "expected"),
    [
        ("09:00", "daily", "", "2031-05-06T09:00"),
        ("09:01", "daily", "", "2031-05-05T09:01"),
        ("08:00", "weekdays", "", "2031-05-06T08:00"),
        ("10:00", "weekdays", "", "2031-05-05T10:00"),
        ("10:00", "weekends", "", "2031-05-10T10:00"),
        ("10:00", "once", "2031-05-08", "2031-05-08T10:00"),
    ],
)
def test_when_an_alarm_rings_next(time: str, repeat: Repeat, day: str, expected: str) -> None:
    alarm = Alarm(id="", time=time, repeat=repeat, day=day)
    ring = datetime.fromisoformat(expected)
    assert alarm.next_ring(NOW) == ring
    assert alarm.rings_on(ring.date())
    assert alarm.model_copy(update={"snoozed": 20}).next_ring(NOW).minute == ring.minute + 20


def test_weekday_alarms_are_silent_on_saturdays() -> None:
    alarm = Alarm(id="", time="07:00", repeat="weekdays")
    assert alarm.rings_on(date(2031, 5, 9))
    assert not alarm.rings_on(date(2031, 5, 10))


@pytest.mark.parametrize("seed", range(6))
def test_what_a_world_begins_with(seed: int) -> None:
    world = build(seed)
    alarms = records(world, "alarms")
    assert len({a["time"] for a in alarms}) == len({a["label"] for a in alarms}) == 8
    assert all(text(a, "day") > CLOCK[:10] for a in alarms if a["repeat"] == "once")
    all_reminders = records(world, "reminders")
    assert len({r["text"] for r in all_reminders}) == 18
    assert any(text(r, "due") < CLOCK and not r["done"] for r in all_reminders)
    assert not any(text(r, "due") > CLOCK and r["done"] for r in all_reminders)


def test_alarms_are_listed_by_next_ring() -> None:
    world = build()
    rings = [text(a, "next_ring") for a in listed(world)]
    assert rings == sorted(rings)
    saturday = {str(a["alarm_id"]) for a in listed(world, date="2031-05-10")}
    kinds = {a["repeat"] for a in records(world, "alarms") if a["id"] in saturday}
    assert {"daily", "weekends"} <= kinds
    assert "weekdays" not in kinds


def test_an_alarm_is_set_snoozed_and_deleted() -> None:
    world = build()
    told = part(good(world, "alarms.set_alarm", time="08:20", label="Tea"), "set")
    assert (told["next_ring"], told["label"]) == ("2031-05-06T08:20", "Tea")
    args: JsonObject = {"alarm_id": str(told["alarm_id"]).lower()}
    good(world, "alarms.snooze_alarm", **args)
    later = part(good(world, "alarms.snooze_alarm", **args, minutes=45), "snoozed")
    assert later["next_ring"] == "2031-05-06T09:15"
    message = refused(world, "alarms.snooze_alarm", **args, minutes=6)
    assert "already put off by 55 minutes; at most 60" in message
    assert good(world, "alarms.delete_alarm", **args)["label"] == "Tea"
    assert "no alarm" in refused(world, "alarms.delete_alarm", **args)


@pytest.mark.parametrize(
    ("args", "ring"),
    [
        ({"time": "09:30"}, "2031-05-05T09:30"),
        ({"time": "09:00"}, "2031-05-06T09:00"),
        ({"time": "09:30", "date": "2031-05-07"}, "2031-05-07T09:30"),
        ({"time": "09:30", "repeat": "weekends"}, "2031-05-10T09:30"),
    ],
)
def test_when_a_new_alarm_rings(args: JsonObject, ring: str) -> None:
    assert part(good(build(), "alarms.set_alarm", **args), "set")["next_ring"] == ring


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"time": "9:30"}, "time must be a time as HH:MM"),
        ({"time": "08:59", "date": "2031-05-05"}, "2031-05-05 08:59 lies in the past; it is"),
        ({"time": "08:00", "date": "tomorrow"}, "date must be a date as YYYY-MM-DD"),
        ({"time": "09:30", "date": "2031-05-09", "repeat": "daily"}, "takes no date"),
        ({"time": "09:30", "label": "x" * 61}, "label must have 1 to 60 bytes"),
        ({"time": "09:30", "repeat": "monthly"}, "repeat must be one of once, daily"),
    ],
)
def test_alarms_that_make_no_sense(args: JsonObject, message: str) -> None:
    assert message in refused(build(), "alarms.set_alarm", **args)


def test_the_same_alarm_is_not_set_twice() -> None:
    world = build()
    good(world, "alarms.set_alarm", time="09:30", label="Tea")
    message = refused(world, "alarms.set_alarm", time="09:30", date="2031-05-05")
    assert "is already set to 09:30, once on 2031-05-05" in message
    good(world, "alarms.set_alarm", time="09:30", repeat="daily")
    again = refused(world, "alarms.set_alarm", time="09:30", repeat="daily")
    assert "is already set to 09:30, daily" in again


@pytest.mark.parametrize("minutes", [0, 61])
def test_snoozing_has_limits(minutes: int) -> None:
    world = build()
    alarm = records(world, "alarms")[0]["id"]
    message = refused(world, "alarms.snooze_alarm", alarm_id=alarm, minutes=minutes)
    assert f"minutes must be 1 to 60, got {minutes}" in message


def test_reminders_are_listed_by_words_category_and_day() -> None:
    world = build()
    every = records(world, "reminders")
    still_open = [r for r in every if not r["done"]]
    told = good(world, "alarms.list_reminders")
    assert told["total"] == len(still_open)
    assert good(world, "alarms.list_reminders", include_done=True)["total"] == 18
    shopping = reminders(world, category="shopping", include_done=True)
    assert len(shopping) == 3
    renew = reminders(world, words="RENEW", include_done=True)
    assert {str(r["text"]).split()[0] for r in renew} == {"Renew"}
    assert len(renew) == 3
    soon = good(world, "alarms.list_reminders", due_by="2031-05-06")["total"]
    assert soon == sum(text(r, "due") < "2031-05-07" for r in still_open)
    dues = [text(r, "due") for r in reminders(world)]
    assert dues == sorted(dues)


def test_a_reminder_is_added_moved_and_completed() -> None:
    world = build()
    args: JsonObject = {"text": "Buy tea", "due": "2031-05-06T10:00"}
    new = part(good(world, "alarms.add_reminder", **args, category="shopping"), "added")
    args = {"reminder_id": new["reminder_id"], "due": "2031-05-07T11:00"}
    assert part(good(world, "alarms.move_reminder", **args), "moved")["due"] == args["due"]
    assert "already due at 2031-05-07T11:00" in refused(world, "alarms.move_reminder", **args)
    done: JsonObject = {"reminder_id": new["reminder_id"]}
    assert good(world, "alarms.complete_reminder", **done)["text"] == "Buy tea"
    assert "already done" in refused(world, "alarms.complete_reminder", **done)
    assert "already done" in refused(world, "alarms.move_reminder", **args)
    assert reminders(world, words="tea") == []


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"text": " ", "due": "2031-05-06T10:00"}, "text must have 1 to 100 bytes"),
        ({"text": "Tea", "due": "2031-05-05T09:00"}, "lies in the past; it is 2031-05-05T09:00"),
        ({"text": "Tea", "due": "2031-05-06"}, "due must be YYYY-MM-DDTHH:MM"),
    ],
)
def test_reminders_that_make_no_sense(args: JsonObject, message: str) -> None:
    assert message in refused(build(), "alarms.add_reminder", **args)


def test_reminders_that_do_not_exist() -> None:
    assert "no reminder 'REM-0'" in refused(
        build(), "alarms.complete_reminder", reminder_id="REM-0"
    )


def test_writes_descriptions_and_mix_ups() -> None:
    world = build()
    alarms = [a["id"] for a in records(world, "alarms")]
    still_open = [r["id"] for r in records(world, "reminders") if not r["done"]]
    due, later = "2031-05-20T10:00", "2031-05-20T11:00"
    holds_for_writes(
        "alarms",
        build,
        {
            "alarms.set_alarm": (
                {"time": "09:50"},
                {"time": "09:55", "repeat": "daily", "date": "2031-05-09", "label": "Tea"},
            ),
            "alarms.snooze_alarm": ({"alarm_id": alarms[0]}, {"alarm_id": alarms[1], "minutes": 5}),
            "alarms.delete_alarm": ({"alarm_id": alarms[0]}, {"alarm_id": alarms[1]}),
            "alarms.add_reminder": (
                {"text": "Tea", "due": due},
                {"text": "Coffee", "due": later, "category": "shopping"},
            ),
            "alarms.move_reminder": (
                {"reminder_id": still_open[0], "due": due},
                {"reminder_id": still_open[1], "due": later},
            ),
            "alarms.complete_reminder": (
                {"reminder_id": still_open[0]},
                {"reminder_id": still_open[1]},
            ),
        },
    )
    holds_for_descriptions("alarms")
    holds_for_mix_ups(
        "alarms",
        {
            "alarms.list_alarms": {"date": "2031-05-20"},
            "alarms.list_reminders": {"words": "call"},
        },
    )


@settings(max_examples=10, deadline=None)
@given(st.lists(calls("alarms", PLAUSIBLE), min_size=1, max_size=8))
def test_any_calls_are_answered(some: list[Call]) -> None:
    holds_for_calls(build(), some)
