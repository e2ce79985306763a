"""Meeting rooms of the user's office."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from teval.schema import Json, JsonObject
from teval.world.agenda import Event
from teval.world.office import EQUIPMENT, Room, RoomBooking, make_room_bookings, make_rooms
from teval.world.tool import StrSet, Text, When, tool
from teval.world.toolkit import Toolkit
from teval.world.values import (
    InputError,
    clip,
    distinct,
    minute,
    page,
    read_day,
    read_moment,
    short_text,
)

_SHORTEST, _LONGEST = 15, 480
_OPENS, _CLOSES = "07:00", "21:00"
_MOST_TITLE = 100


class Rooms(Toolkit):
    """Finding free rooms and booking them; bookings of one room never overlap."""

    def seed(self) -> None:
        """Put the bookings of the user's events in rooms, and those of others."""
        for booking in make_room_bookings(self.setting, self.state.all(Event)):
            self.state.put(booking)

    def others(self, argument: str) -> Sequence[str]:
        """Return rooms, coming mornings, or days on which the user has booked a room."""
        today = self.setting.today
        values = {
            "room": [room.name for room in make_rooms(self.setting)],
            "start": [f"{today + timedelta(n)}T{h:02d}:00" for n in range(1, 6) for h in (9, 11)],
            "date": sorted({b.start[:10] for b in self._coming()}),
        }
        return values.get(argument, ())

    def view(self) -> JsonObject:
        """Return the rooms."""
        return {"rooms": [_room(room) for room in make_rooms(self.setting)]}

    @tool("read", decoy="start")
    def find_rooms(
        self,
        start: When,
        duration_minutes: int,
        seats: int = 1,
        equipment: StrSet | None = None,
    ) -> JsonObject:
        """Find the meeting rooms that are free for the whole of a given time.

        Args:
            start: Start as YYYY-MM-DDTHH:MM.
            duration_minutes: Length in minutes, 15 to 480.
            seats: Least number of seats.
            equipment: What the room must have: projector, whiteboard, video, speakerphone or
                screen.

        Returns:
            Rooms with name, floor, seats and equipment, smallest first; none if none is free.

        Raises:
            InputError: Start in the past; length out of range; outside 07:00 to 21:00; unknown
                equipment.
        """
        wish = self._wish("", start, duration_minutes)
        needed = set(_read_equipment(equipment) if equipment else ())
        found = [
            room
            for room in make_rooms(self.setting)
            if room.seats >= seats
            and needed <= set(room.equipment)
            and self._clash(wish.model_copy(update={"room": room.name})) is None
        ]
        found.sort(key=lambda room: (room.seats, room.name))
        told = page("rooms", [_room(room) for room in found])
        return {"start": wish.start, "end": minute(wish.ends), **told}

    @tool("read", decoy="room")
    def get_schedule(self, room: str, date: When) -> JsonObject:
        """Get one room's size, equipment and all its bookings of a day.

        Args:
            room: Name of the room, such as Room Cedar.
            date: Day as YYYY-MM-DD.

        Returns:
            Floor, seats and equipment, and bookings with start, end, title and whether the user's
            own, by time; no bookings if the room is free all day.

        Raises:
            InputError: No such room; not a date.
        """
        found, day = self._room(room), read_day(date, "date", self.setting.today)
        taken = [b for b in self._live() if b.room == found.name and b.begins.date() == day]
        items: list[JsonObject] = [
            {"start": b.start, "end": minute(b.ends), "title": b.title, "mine": b.mine}
            for b in taken
        ]
        return {**_room(found), "date": str(day), **page("bookings", items)}

    @tool("read", decoy="date")
    def list_bookings(self, date: When | None = None) -> JsonObject:
        """List the rooms that the user has booked and not yet used.

        Args:
            date: Day as YYYY-MM-DD; all coming days if left out.

        Returns:
            Bookings with id, room, start, end and title, by time; none if there is none.

        Raises:
            InputError: Not a date.
        """
        day: object = None if date is None else read_day(date, "date", self.setting.today)
        found = [b for b in self._coming() if day in (None, b.begins.date())]
        return page("bookings", [_entry(b) for b in found])

    @tool("write")
    def book_room(self, room: str, start: When, duration_minutes: int, title: Text) -> JsonObject:
        """Book a meeting room for the user. Puts nothing into the calendar.

        Args:
            room: Name of the room, such as Room Cedar.
            start: Start as YYYY-MM-DDTHH:MM.
            duration_minutes: Length in minutes, 15 to 480.
            title: What the room is needed for, at most 100 bytes.

        Returns:
            The booking with its id.

        Raises:
            InputError: No such room; room taken then; start in the past; outside 07:00 to 21:00;
                empty title.
        """
        short_text(title, "title", _MOST_TITLE)
        wish = self._wish(self._room(room).name, start, duration_minutes)
        booking = wish.model_copy(update={"title": title, "mine": True})
        self._refuse_clash(booking)
        return {"booked": _entry(self.state.add(booking, self.setting, "RSV"))}

    @tool("write")
    def move_booking(
        self,
        booking_id: str,
        start: When,
        duration_minutes: int | None = None,
        room: str | None = None,
    ) -> JsonObject:
        """Move one of the user's room bookings to another time, length or room.

        Args:
            booking_id: Id of the booking, such as RSV-6J3W.
            start: New start as YYYY-MM-DDTHH:MM; the old one to change only the rest.
            duration_minutes: New length in minutes, 15 to 480; unchanged if left out.
            room: Name of the new room; unchanged if left out.

        Returns:
            The booking as it now stands.

        Raises:
            InputError: No such booking; of someone else; room taken then; start in the past;
                nothing changes.
        """
        old = self._mine(booking_id)
        place = old.room if room is None else self._room(room).name
        length = old.minutes if duration_minutes is None else duration_minutes
        wish = self._wish(place, start, length)
        moved = wish.model_copy(update={"id": old.id, "title": old.title, "mine": True})
        if moved == old:
            raise InputError(f"{old.id} is already {old.room} at {old.start} for {length} minutes")
        self._refuse_clash(moved)
        self.state.put(moved)
        return {"moved": _entry(moved)}

    @tool("write")
    def cancel_booking(self, booking_id: str) -> JsonObject:
        """Give back a room that the user has booked. Leaves the calendar as it is.

        Args:
            booking_id: Id of the booking, such as RSV-6J3W.

        Returns:
            Id, room, start and title of the cancelled booking.

        Raises:
            InputError: No such booking; of someone else; already over or cancelled.
        """
        booking = self._mine(booking_id)
        self.state.put(booking.model_copy(update={"cancelled": True}))
        told = {"room": booking.room, "start": booking.start, "title": booking.title}
        return {"cancelled": booking.id, **told}

    def _live(self) -> list[RoomBooking]:
        live = [b for b in self.state.all(RoomBooking) if not b.cancelled]
        return sorted(live, key=lambda b: (b.start, b.room))

    def _coming(self) -> list[RoomBooking]:
        return [b for b in self._live() if b.mine and b.ends > self.setting.now]

    def _room(self, name: str) -> Room:
        wanted = name.strip().casefold().removeprefix("room ")
        rooms = {r.name.casefold().removeprefix("room "): r for r in make_rooms(self.setting)}
        if wanted not in rooms:
            known = ", ".join(room.name for room in rooms.values())
            raise InputError(f"no room {clip(name)}; known: {known}")
        return rooms[wanted]

    def _wish(self, room: str, start: str, minutes: int) -> RoomBooking:
        """Return a booking without title for a time that can be booked."""
        begins = read_moment(start, "start", self.setting.today)
        if begins < self.setting.now:
            raise InputError(f"start {start} lies in the past; it is {minute(self.setting.now)}")
        if not _SHORTEST <= minutes <= _LONGEST:
            raise InputError(f"duration_minutes must be {_SHORTEST} to {_LONGEST}, got {minutes}")
        wish = RoomBooking(id="", room=room, start=minute(begins), minutes=minutes, title="")
        if begins < _at(begins.date(), _OPENS) or wish.ends > _at(begins.date(), _CLOSES):
            raise InputError(
                f"rooms are open {_OPENS} to {_CLOSES}; asked for {wish.start} to "
                f"{minute(wish.ends)}"
            )
        return wish

    def _mine(self, booking_id: str) -> RoomBooking:
        booking = self.state.get(RoomBooking, booking_id.strip().upper())
        if booking is None or booking.cancelled:
            raise InputError(f"no booking {clip(booking_id)}; rooms.list_bookings shows the ids")
        if not booking.mine:
            raise InputError(f"{booking.id} is someone else's; rooms.list_bookings shows your own")
        if booking.ends <= self.setting.now:
            raise InputError(f"{booking.id} was over at {minute(booking.ends)}")
        return booking

    def _clash(self, wish: RoomBooking) -> RoomBooking | None:
        return next((b for b in self._live() if b.id != wish.id and b.overlaps(wish)), None)

    def _refuse_clash(self, wish: RoomBooking) -> None:
        other = self._clash(wish)
        if other is not None:
            raise InputError(
                f"{other.room} is taken from {other.start} to {minute(other.ends)}; "
                "rooms.find_rooms shows free rooms"
            )


def _at(day: date, time: str) -> datetime:
    return datetime.fromisoformat(f"{day}T{time}")


def _read_equipment(names: Sequence[str]) -> tuple[str, ...]:
    wanted = distinct([name.lower() for name in names], "equipment", len(EQUIPMENT))
    for name in wanted:
        if name not in EQUIPMENT:
            raise InputError(f"equipment may hold {', '.join(EQUIPMENT)}; got {clip(name)}")
    return wanted


def _room(room: Room) -> JsonObject:
    equipment: list[Json] = [*room.equipment]
    return {"room": room.name, "floor": room.floor, "seats": room.seats, "equipment": equipment}


def _entry(booking: RoomBooking) -> JsonObject:
    return {
        "booking_id": booking.id,
        "room": booking.room,
        "start": booking.start,
        "end": minute(booking.ends),
        "title": booking.title,
    }
