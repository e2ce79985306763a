"""Calendar events: the record behind the calendar toolkit, and the events a world begins with."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import ClassVar

from teval.world.setting import Setting
from teval.world.state import Record
from teval.world.values import minute

_TITLES = (
    "Budget review", "Design sync", "Hiring interview", "Roadmap planning", "Client demo",
    "Contract signing", "Sprint retrospective", "Security training", "Supplier call",
    "Press briefing", "Data workshop", "Onboarding session", "Quarterly report", "Site inspection",
    "Marketing huddle", "Legal consultation", "Team lunch", "Photo shoot", "Launch rehearsal",
    "Vendor comparison", "Dentist appointment", "Piano lesson", "Customer survey readout",
    "Insurance meeting", "Volunteer briefing", "Board preparation",
)  # fmt: skip
PLACES = ("Room Cedar", "Room Birch", "Room Willow", "Room Juniper", "Video call", "Main hall")
_STARTS = ("09:00", "10:30", "13:00", "14:30", "16:00")
_FIRST_DAY, _LAST_DAY = -4, 10


class Event(Record):
    """One event of the user's calendar."""

    table: ClassVar[str] = "events"
    title: str
    start: str
    """ISO 8601 to the minute."""
    minutes: int
    location: str = ""
    attendees: tuple[str, ...] = ()
    """Mail addresses, sorted."""
    deleted: bool = False

    @property
    def begins(self) -> datetime:
        """When it starts."""
        return datetime.fromisoformat(self.start)

    @property
    def ends(self) -> datetime:
        """When it is over."""
        return self.begins + timedelta(minutes=self.minutes)


def make_events(setting: Setting, addresses: Sequence[str]) -> list[Event]:
    """Return some 25 events without overlaps around today, weekends free, in order of time.

    Args:
        setting: Seed and clock.
        addresses: Mail addresses to draw attendees from.
    """
    rng = setting.rng("events")
    titles = list(_TITLES)
    rng.shuffle(titles)
    days = [setting.today + timedelta(n) for n in range(_FIRST_DAY, _LAST_DAY + 1)]
    starts = [
        datetime.fromisoformat(f"{day}T{time}")
        for day in days
        if day.weekday() < 5
        for time in _some(rng, _STARTS, 2 + rng.randrange(2))
    ]
    return [
        _event(setting, rng, n, title, start, addresses)
        for n, (title, start) in enumerate(zip(titles, starts, strict=False))
    ]


def _event(
    setting: Setting, rng: Random, n: int, title: str, start: datetime, addresses: Sequence[str]
) -> Event:
    return Event(
        id=setting.new_id("EVT", n),
        title=title,
        start=minute(start),
        minutes=rng.choice((30, 45, 60, 90)),
        location=rng.choice(PLACES),
        attendees=tuple(sorted(_some(rng, addresses, rng.randrange(4)))),
    )


def _some(rng: Random, values: Sequence[str], count: int) -> list[str]:
    """Return that many of the values, drawn without putting back, in their own order."""
    places = list(range(len(values)))
    rng.shuffle(places)
    return [values[place] for place in sorted(places[:count])]
