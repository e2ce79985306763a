"""The device toolkit: features that depend on one another."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from new_world import calls, holds_for_calls, holds_for_descriptions, holds_for_writes, part
from world_cases import build, good, records, refused

from teval.schema import Call, Json, JsonObject
from teval.world import World
from teval.world.setting import Setting
from teval.world.state import State
from teval.world.toolkits.device import (
    Device,
    Phone,
    Switch,
    connection,
    require_connection,
    require_location,
)
from teval.world.values import InputError

SEEDS = range(16)
PLAUSIBLE: dict[str, list[Json]] = {
    "level": [0, 40, 100],
    "start": ["21:00", "22:30"],
    "end": ["06:00", "22:30"],
}


def phone(data_mb: int, *on: str) -> State:
    """The state of a phone with those features on."""
    state = State()
    state.put(Phone(id="phone", battery=50, data_mb=data_mb, quiet_start="22:00", quiet_end="7:00"))
    for feature in ("wifi", "mobile_data", "location", "airplane_mode", "low_battery_mode"):
        state.put(Switch(id=feature, on=feature in on))
    return state


def features(world: World) -> JsonObject:
    return part(good(world, "device.get_status"), "features")


def seed_where(**wanted: str) -> int:
    """The first seed whose phone has those features on or off."""
    return next(s for s in SEEDS if wanted.items() <= features(build(s)).items())


def test_every_condition_is_met() -> None:
    status = [good(build(seed), "device.get_status") for seed in SEEDS]
    assert {s["connection"] for s in status} == {"wifi", "mobile_data", "none"}
    for told in status:
        on = {name for name, word in part(told, "features").items() if word == "on"}
        assert not ("airplane_mode" in on and on & {"wifi", "mobile_data"})
        assert not ("low_battery_mode" in on and on & {"wifi", "location"})
        if told["connection"] == "none":
            assert told["mobile_data_left_mb"] == 0


@pytest.mark.parametrize(
    ("state", "by"),
    [
        (phone(10, "wifi", "mobile_data"), "wifi"),
        (phone(0, "wifi"), "wifi"),
        (phone(10, "mobile_data"), "mobile_data"),
        (phone(0, "mobile_data"), "none"),
        (phone(10, "location"), "none"),
        (State(), "none"),
    ],
)
def test_what_connects(state: State, by: str) -> None:
    assert connection(state) == by
    if by != "none":
        require_connection(state)


def test_the_way_to_a_connection_is_told() -> None:
    with pytest.raises(
        InputError, match=r"no mobile data is left; device\.turn_on switches wifi on"
    ):
        require_connection(phone(0, "mobile_data"))
    with pytest.raises(InputError, match=r"wifi and mobile_data are off; device\.turn_on"):
        require_connection(phone(10))


def test_the_way_to_the_location_is_told() -> None:
    require_location(phone(0, "location"))
    with pytest.raises(InputError, match=r"location is off; device\.turn_on"):
        require_location(phone(10, "wifi"))


def test_low_battery_mode_must_end_before_wifi_and_location() -> None:
    world = build(seed_where(low_battery_mode="on"))
    for feature in ("wifi", "location"):
        message = refused(world, "device.turn_on", feature=feature)
        assert f"low_battery_mode is on and keeps {feature} off; device.turn_off" in message
    good(world, "device.turn_off", feature="low_battery_mode")
    assert features(world)["wifi"] == "off"
    assert good(world, "device.turn_on", feature="wifi")["connection"] == "wifi"
    good(world, "device.turn_on", feature="location")


def test_airplane_mode_must_end_before_wifi() -> None:
    world = build(seed_where(airplane_mode="on"))
    assert "airplane_mode is on" in refused(world, "device.turn_on", feature="wifi")
    told = good(world, "device.turn_off", feature="airplane_mode")
    assert told == {"turned_off": "airplane_mode", "connection": "none"}


def test_a_mode_switches_off_what_it_keeps_off() -> None:
    world = build(seed_where(wifi="on", location="off"))
    told = good(world, "device.turn_on", feature="low_battery_mode")
    assert (told["turned_on"], told["turned_off"]) == ("low_battery_mode", ["wifi"])
    assert "already on" in refused(world, "device.turn_on", feature="low_battery_mode")
    assert "already off" in refused(world, "device.turn_off", feature="wifi")


def test_volumes_and_quiet_hours_are_set() -> None:
    world = build()
    told = good(world, "device.set_volume", channel="alarm", level=33)
    assert told["to"] == 33
    assert "alarm volume is already 33" in refused(
        world, "device.set_volume", channel="alarm", level=33
    )
    good(world, "device.set_quiet_hours", start="20:05", end="06:10")
    status = good(world, "device.get_status")
    assert part(status, "volumes")["alarm"] == 33
    assert status["quiet_hours"] == {"start": "20:05", "end": "06:10"}


@pytest.mark.parametrize(
    ("tool", "args", "message"),
    [
        ("set_volume", {"channel": "media", "level": 101}, "level must be 0 to 100, got 101"),
        ("set_volume", {"channel": "radio", "level": 5}, "must be one of media, ringer, alarm"),
        ("set_quiet_hours", {"start": "9:00", "end": "10:00"}, "start must be a time as HH:MM"),
        ("set_quiet_hours", {"start": "09:00", "end": "09:00"}, "they must differ"),
        ("turn_on", {"feature": "bluetooth"}, "feature must be one of wifi, mobile_data"),
    ],
)
def test_settings_that_make_no_sense(tool: str, args: JsonObject, message: str) -> None:
    assert message in refused(build(), f"device.{tool}", **args)


def test_same_quiet_hours_are_refused() -> None:
    world = build()
    good(world, "device.set_quiet_hours", start="20:05", end="06:10")
    message = refused(world, "device.set_quiet_hours", start="20:05", end="06:10")
    assert "already run from 20:05 to 06:10" in message


def test_the_phone_belongs_to_the_seed() -> None:
    def switches(seed: int) -> list[JsonObject]:
        return records(build(seed), "switches")

    assert switches(3) == switches(3)
    assert len({str(switches(seed)) for seed in SEEDS}) > 4


def test_writes_descriptions_and_size() -> None:
    calm = seed_where(wifi="on", location="off", do_not_disturb="off")
    on: JsonObject = {"feature": "location"}
    other: JsonObject = {"feature": "airplane_mode"}
    holds_for_writes(
        "device",
        lambda: build(calm),
        {
            "device.turn_on": (on, other),
            "device.turn_off": ({"feature": "wifi"}, {"feature": "mobile_data"}),
            "device.set_volume": (
                {"channel": "media", "level": 1},
                {"channel": "alarm", "level": 2},
            ),
            "device.set_quiet_hours": (
                {"start": "20:00", "end": "05:00"},
                {"start": "20:30", "end": "05:30"},
            ),
        },
    )
    holds_for_descriptions("device")


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 9), st.lists(calls("device", PLAUSIBLE), min_size=1, max_size=8))
def test_any_calls_are_answered(seed: int, some: list[Call]) -> None:
    holds_for_calls(build(seed), some)


def test_the_toolkit_names_nothing_to_mix_up() -> None:
    assert Device(Setting(1, build().now), State()).others("feature") == ()
