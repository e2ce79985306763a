"""Meeting rooms and their bookings: the records behind the toolkit, and those at the beginning."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import chain
from random import Random
from typing import ClassVar, NamedTuple

from teval.world.agenda import Event
from teval.world.setting import Setting
from teval.world.state import Record
from teval.world.values import minute

EQUIPMENT = ("projector", "whiteboard", "video", "speakerphone", "screen")
_NAMES = (
    "Alder", "Aspen", "Birch", "Cedar", "Hazel", "Juniper", "Larch", "Maple", "Rowan", "Willow",
)  # fmt: skip
_SEATS = (4, 4, 6, 6, 8, 8, 10, 12, 16, 24)
_TITLES = (
    "Weekly sync", "Interview", "Training", "Board call", "Design review", "Planning",
    "Customer visit", "Retrospective", "Workshop", "Stand-up", "Budget talk", "Rehearsal",
)  # fmt: skip
_DAYS = 11
_BY_OTHERS = 3
"""How many times a day others try to book each room."""


class Room(NamedTuple):
    """A meeting room."""

    name: str
    floor: int
    seats: int
    equipment: tuple[str, ...]


class RoomBooking(Record):
    """A room taken for some time, by the user or by others."""

    table: ClassVar[str] = "room_bookings"
    room: str
    start: str
    """ISO 8601 to the minute."""
    minutes: int
    title: str
    mine: bool = False
    cancelled: bool = False

    @property
    def begins(self) -> datetime:
        """When it starts."""
        return datetime.fromisoformat(self.start)

    @property
    def ends(self) -> datetime:
        """When it is over."""
        return self.begins + timedelta(minutes=self.minutes)

    def overlaps(self, other: RoomBooking) -> bool:
        """Return whether both need one room at one time."""
        if self.room != other.room:
            return False
        return self.begins < other.ends and other.begins < self.ends


@lru_cache(maxsize=64)
def make_rooms(setting: Setting) -> tuple[Room, ...]:
    """Return the ten rooms, by name; size and equipment are drawn."""
    rng = setting.rng("rooms")
    seats = list(_SEATS)
    rng.shuffle(seats)
    return tuple(
        Room(f"Room {name}", rng.randrange(1, 5), size, _equipment(rng))
        for name, size in zip(_NAMES, seats, strict=True)
    )


def _equipment(rng: Random) -> tuple[str, ...]:
    return tuple(sorted(name for name in EQUIPMENT if rng.randrange(2)))


def make_room_bookings(setting: Setting, events: Iterable[Event]) -> list[RoomBooking]:
    """Return the bookings of the user's events that take place in a room, and those of others."""
    rng = setting.rng("room bookings")
    made: dict[str, list[RoomBooking]] = {room.name: [] for room in make_rooms(setting)}
    for e in events:
        if e.location in made:
            made[e.location].append(_booking(e.location, e.begins, e.minutes, e.title, True))
    midnight = setting.now.replace(hour=0, minute=0, second=0, microsecond=0)
    for n in range(_DAYS):
        day = midnight + timedelta(n)
        for room, taken in made.items() if day.weekday() < 5 else ():
            for _ in range(_BY_OTHERS):
                start = day + timedelta(minutes=30 * rng.randrange(16, 35))
                length = rng.choice((30, 60, 60, 90, 120))
                wish = _booking(room, start, length, rng.choice(_TITLES), False)
                if not any(wish.overlaps(other) for other in taken):
                    taken.append(wish)
    numbered = enumerate(sorted(chain(*made.values()), key=lambda b: (b.start, b.room)))
    return [b.model_copy(update={"id": setting.new_id("RSV", n)}) for n, b in numbered]


def _booking(room: str, start: datetime, minutes: int, title: str, mine: bool) -> RoomBooking:
    return RoomBooking(
        id="", room=room, start=minute(start), minutes=minutes, title=title, mine=mine
    )
