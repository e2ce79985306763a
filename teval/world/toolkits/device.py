"""The settings of the user's phone; other toolkits ask here for a connection or the location."""

from __future__ import annotations

from random import Random
from typing import ClassVar, Literal, NamedTuple, TypeAlias, get_args

from teval.schema import Json, JsonObject
from teval.world.state import Record, State
from teval.world.tool import When, tool
from teval.world.toolkit import Toolkit
from teval.world.values import InputError, read_time

Feature: TypeAlias = Literal[
    "wifi", "mobile_data", "location", "airplane_mode", "low_battery_mode", "do_not_disturb"
]
Channel: TypeAlias = Literal["media", "ringer", "alarm"]
_BLOCKS: dict[Feature, tuple[Feature, ...]] = {
    "airplane_mode": ("wifi", "mobile_data"),
    "low_battery_mode": ("wifi", "location"),
}
"""What each mode switches off when it comes on, and keeps off."""
_LOUDEST = 100
_PHONE = "phone"


class Switch(Record):
    """One feature of the phone; the id is its name."""

    table: ClassVar[str] = "switches"
    on: bool


class Volume(Record):
    """How loud one kind of sound is; the id is its name."""

    table: ClassVar[str] = "volumes"
    level: int
    """0 to 100."""


class Phone(Record):
    """The rest of the phone; there is one."""

    table: ClassVar[str] = "phone"
    battery: int
    """Charge in percent."""
    data_mb: int
    """Mobile data left this month, in megabytes."""
    quiet_start: str
    quiet_end: str
    """Quiet hours, every day, as HH:MM."""


class _Condition(NamedTuple):
    """How a world finds the phone."""

    off: tuple[Feature, ...]
    """Of wifi, mobile data and location."""
    mode: Feature | None
    data: bool
    """Whether there is mobile data left. Where there is none, wifi is the only way out."""


_CONDITIONS = (
    _Condition((), None, data=True),
    _Condition(("location",), None, data=True),
    _Condition(("wifi",), None, data=False),
    _Condition(("wifi", "mobile_data"), "airplane_mode", data=False),
    _Condition(("wifi", "location"), "low_battery_mode", data=False),
    _Condition(("wifi", "location"), "low_battery_mode", data=True),
)


def is_on(state: State, feature: Feature) -> bool:
    """Return whether a feature of the phone is switched on."""
    switch = state.get(Switch, feature)
    return switch is not None and switch.on


def connection(state: State) -> Literal["wifi", "mobile_data", "none"]:
    """Return what the phone is connected by; wifi goes before mobile data."""
    if is_on(state, "wifi"):
        return "wifi"
    phone = state.get(Phone, _PHONE)
    has_data = phone is not None and phone.data_mb > 0
    return "mobile_data" if has_data and is_on(state, "mobile_data") else "none"


def require_connection(state: State) -> None:
    """Refuse to go on without a connection.

    Raises:
        InputError: There is none; names the settings that would give one.
    """
    if connection(state) != "none":
        return
    phone = state.get(Phone, _PHONE)
    if phone is None or phone.data_mb > 0:
        raise InputError(
            "no connection: wifi and mobile_data are off; device.turn_on switches one of them on"
        )
    raise InputError(
        "no connection: wifi is off and no mobile data is left; device.turn_on switches wifi on"
    )


def require_location(state: State) -> None:
    """Refuse to go on without the location service.

    Raises:
        InputError: It is off; names the tool that switches it on.
    """
    if not is_on(state, "location"):
        raise InputError(
            "the phone's position is unknown: location is off; device.turn_on switches it on"
        )


class Device(Toolkit):
    """Switching features on and off; two modes keep others off."""

    def seed(self) -> None:
        """Put the phone in one of six conditions, half of them connected, half with location."""
        rng = self.setting.rng("device")
        condition = rng.choice(_CONDITIONS)
        for feature in get_args(Feature):
            mode = feature in _BLOCKS
            on = feature == condition.mode if mode else feature not in condition.off
            quiet = feature == "do_not_disturb"
            self.state.put(Switch(id=feature, on=rng.randrange(4) == 0 if quiet else on))
        for channel in get_args(Channel):
            self.state.put(Volume(id=channel, level=5 * rng.randrange(2, 19)))
        self.state.put(_phone(rng, condition))

    @tool("read")
    def get_status(self) -> JsonObject:
        """Get all settings of the phone at once, its battery and what it is connected by.

        Returns:
            Each feature as on or off, each volume from 0 to 100, quiet hours, battery in percent,
            mobile data left in MB, and connection: wifi, mobile_data or none.
        """
        phone = self._phone()
        features: JsonObject = {s.id: _word(s.on) for s in self.state.all(Switch)}
        volumes: JsonObject = {v.id: v.level for v in self.state.all(Volume)}
        return {
            "features": features,
            "volumes": volumes,
            "quiet_hours": {"start": phone.quiet_start, "end": phone.quiet_end},
            "battery_percent": phone.battery,
            "mobile_data_left_mb": phone.data_mb,
            "connection": connection(self.state),
        }

    @tool("write")
    def turn_on(self, feature: Feature) -> JsonObject:
        """Switch one feature of the phone on.

        airplane_mode switches wifi and mobile_data off and keeps them off; low_battery_mode does
        so with wifi and location.

        Args:
            feature: Which feature.

        Returns:
            The feature now on, other features that went off with it, and the connection.

        Raises:
            InputError: Already on; a mode that is on keeps it off.
        """
        if is_on(self.state, feature):
            raise InputError(f"{feature} is already on")
        for mode, blocked in _BLOCKS.items():
            if feature in blocked and is_on(self.state, mode):
                raise InputError(
                    f"{mode} is on and keeps {feature} off; device.turn_off ends {mode}"
                )
        self.state.put(Switch(id=feature, on=True))
        lost = [f for f in _BLOCKS.get(feature, ()) if is_on(self.state, f)]
        for other in lost:
            self.state.put(Switch(id=other, on=False))
        off: list[Json] = [*lost]
        return {"turned_on": feature, "turned_off": off, "connection": connection(self.state)}

    @tool("write")
    def turn_off(self, feature: Feature) -> JsonObject:
        """Switch one feature of the phone off. Ending a mode does not bring back what it switched off.

        Args:
            feature: Which feature.

        Returns:
            The feature now off and the connection: wifi, mobile_data or none.

        Raises:
            InputError: Already off.
        """  # noqa: E501
        if not is_on(self.state, feature):
            raise InputError(f"{feature} is already off")
        self.state.put(Switch(id=feature, on=False))
        return {"turned_off": feature, "connection": connection(self.state)}

    @tool("write")
    def set_volume(self, channel: Channel, level: int) -> JsonObject:
        """Set how loud one kind of sound is.

        Args:
            channel: Kind of sound: music and films, incoming calls, or alarms.
            level: Loudness, 0 (silent) to 100.

        Returns:
            The kind of sound with its old and new level.

        Raises:
            InputError: Level outside 0 to 100; already at that level.
        """
        if not 0 <= level <= _LOUDEST:
            raise InputError(f"level must be 0 to {_LOUDEST}, got {level}")
        old = self.state.get(Volume, channel)
        if old is not None and old.level == level:
            raise InputError(f"the {channel} volume is already {level}")
        self.state.put(Volume(id=channel, level=level))
        return {"channel": channel, "from": old.level if old else 0, "to": level}

    @tool("write")
    def set_quiet_hours(self, start: When, end: When) -> JsonObject:
        """Set between which times of every day the phone does not ring.

        Args:
            start: When they begin as HH:MM.
            end: When they end as HH:MM; earlier than start means the next morning.

        Returns:
            The new quiet hours.

        Raises:
            InputError: Not a time; start equals end; these are the quiet hours already.
        """
        hours = {"quiet_start": read_time(start, "start"), "quiet_end": read_time(end, "end")}
        if start == end:
            raise InputError(f"start and end are both {start}; they must differ")
        phone = self._phone()
        changed = phone.model_copy(update=hours)
        if changed == phone:
            raise InputError(f"quiet hours already run from {start} to {end}")
        self.state.put(changed)
        return {"quiet_hours": {"start": start, "end": end}}

    def _phone(self) -> Phone:
        return self.state.all(Phone)[0]


def _phone(rng: Random, condition: _Condition) -> Phone:
    low = condition.mode == "low_battery_mode"
    return Phone(
        id=_PHONE,
        battery=rng.randrange(6, 20) if low else rng.randrange(35, 98),
        data_mb=10 * rng.randrange(12, 400) if condition.data else 0,
        quiet_start=f"{rng.randrange(21, 24)}:{rng.choice(('00', '15', '30', '45'))}",
        quiet_end=f"0{rng.randrange(6, 9)}:{rng.choice(('00', '15', '30', '45'))}",
    )


def _word(on: bool) -> str:
    return "on" if on else "off"
