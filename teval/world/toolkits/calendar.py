"""The user's calendar."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta

from teval.schema import Json, JsonObject
from teval.world.agenda import Event, make_events
from teval.world.tool import StrSet, Text, When, tool
from teval.world.toolkit import Toolkit
from teval.world.toolkits.contacts import Contact, known_addresses
from teval.world.values import (
    InputError,
    clip,
    holds,
    minute,
    page,
    read_day,
    read_moment,
    read_time,
    read_words,
    short_text,
)

_SHORTEST, _LONGEST = 5, 480
_MOST_DAYS = 7
_MOST_SLOTS = 6
_MOST_TITLE = 100
_MOST_ATTENDEES = 6


class Calendar(Toolkit):
    """Reading the agenda and changing it; events never overlap."""

    def seed(self) -> None:
        """Put the events around today."""
        for event in make_events(self.setting, [c.id for c in self.state.all(Contact)]):
            self.state.put(event)

    def others(self, argument: str) -> Sequence[str]:
        """Return days with events, or words of titles."""
        live = self._live()
        if argument == "words":
            return sorted({event.title for event in live})
        if argument in ("date", "start_date"):
            return sorted({event.start[:10] for event in live if event.begins >= self.setting.now})
        return ()

    @tool("read", decoy="start_date")
    def list_events(self, start_date: When, end_date: When | None = None) -> JsonObject:
        """List all calendar events of a day, or of up to 7 days in a row.

        Args:
            start_date: First day as YYYY-MM-DD.
            end_date: Last day as YYYY-MM-DD; the first day if left out.

        Returns:
            Events with id, title, start, end, location and attendees, by time.

        Raises:
            InputError: Last day before the first or over 7 days in all.
        """
        today = self.setting.today
        first = read_day(start_date, "start_date", today)
        last = first if end_date is None else read_day(end_date, "end_date", today)
        days = (last - first).days + 1
        if not 1 <= days <= _MOST_DAYS:
            raise InputError(f"from {first} to {last}: ask for 1 to {_MOST_DAYS} days at once")
        found = [e for e in self._live() if first <= e.begins.date() <= last]
        return {"from": str(first), "to": str(last), **_listed(found)}

    @tool("read", decoy="words")
    def find_events(self, words: Text, include_past: bool = False) -> JsonObject:
        """Search calendar events by words in title or location, whatever the day.

        Args:
            words: Words that must all occur.
            include_past: Whether to search past events too.

        Returns:
            Events with id, title, start, end, location and attendees, by time; none if nothing fits.

        Raises:
            InputError: No words.
        """  # noqa: E501
        wanted = read_words(words, "words")
        found = [
            e
            for e in self._live()
            if holds(wanted, e.title, e.location) and (include_past or e.ends > self.setting.now)
        ]
        return {"words": words[:60], **_listed(found)}

    @tool("read", decoy="date")
    def find_free_slots(
        self,
        date: When,
        duration_minutes: int,
        earliest: When = "09:00",
        latest: When = "18:00",
    ) -> JsonObject:
        """Find the gaps of a day that are long enough for a new event.

        Args:
            date: Day as YYYY-MM-DD.
            duration_minutes: Least length in minutes, 5 to 480.
            earliest: Start of the search as HH:MM.
            latest: End of the search as HH:MM.

        Returns:
            Up to 6 gaps with start and end; none if the day is full.

        Raises:
            InputError: Day in the past; bad times; length out of range.
        """
        day = read_day(date, "date", self.setting.today)
        if day < self.setting.today:
            raise InputError(f"date {day} lies in the past; today is {self.setting.today}")
        _check_length(duration_minutes)
        begin, end = _at(day, earliest, "earliest"), _at(day, latest, "latest")
        if begin >= end:
            raise InputError(f"earliest {earliest} must be before latest {latest}")
        gaps = _gaps(self._live(), max(begin, self.setting.now), end)
        least = timedelta(minutes=duration_minutes)
        slots: list[Json] = [
            {"start": minute(a), "end": minute(b)} for a, b in gaps if b - a >= least
        ]
        return {"date": str(day), "slots": slots[:_MOST_SLOTS]}

    @tool("write")
    def create_event(
        self,
        title: Text,
        start: When,
        duration_minutes: int,
        location: str | None = None,
        attendees: StrSet | None = None,
    ) -> JsonObject:
        """Put a new event into the calendar.

        Args:
            title: What the event is called, at most 100 bytes.
            start: Start as YYYY-MM-DDTHH:MM.
            duration_minutes: Length in minutes, 5 to 480.
            location: Where it takes place.
            attendees: Mail addresses of contacts to invite, up to 6.

        Returns:
            The new event with its id.

        Raises:
            InputError: Start in the past; overlaps another event; address of no contact.
        """
        short_text(title, "title", _MOST_TITLE)
        event = Event(
            id="",
            title=title,
            start=minute(read_moment(start, "start", self.setting.today)),
            minutes=duration_minutes,
            location=location or "",
            attendees=self._guests(attendees, "attendees") if attendees else (),
        )
        self._refuse_clash(event)
        return {"created": _entry(self.state.add(event, self.setting, "EVT"))}

    @tool("write")
    def move_event(
        self, event_id: str, start: When, duration_minutes: int | None = None
    ) -> JsonObject:
        """Move an existing event to another time, and change its length if one is given.

        Args:
            event_id: Id of the event, such as EVT-4K7Q.
            start: New start as YYYY-MM-DDTHH:MM.
            duration_minutes: New length in minutes, 5 to 480; unchanged if left out.

        Returns:
            The event as it now stands.

        Raises:
            InputError: No such event; start in the past; overlaps another event; nothing changes.
        """
        event = self._event(event_id)
        begins = minute(read_moment(start, "start", self.setting.today))
        length = event.minutes if duration_minutes is None else duration_minutes
        moved = event.model_copy(update={"start": begins, "minutes": length})
        if moved == event:
            raise InputError(f"{event.id} already stands at {begins} for {length} minutes")
        self._refuse_clash(moved)
        self.state.put(moved)
        return {"moved": _entry(moved)}

    @tool("write")
    def delete_event(self, event_id: str) -> JsonObject:
        """Remove an event from the calendar for good.

        Args:
            event_id: Id of the event, such as EVT-4K7Q.

        Returns:
            Id and title of the deleted event.

        Raises:
            InputError: No such event.
        """
        event = self._event(event_id)
        self.state.put(event.model_copy(update={"deleted": True}))
        return {"deleted": event.id, "title": event.title}

    @tool("write")
    def invite_people(self, event_id: str, emails: StrSet) -> JsonObject:
        """Add attendees to an existing event.

        Args:
            event_id: Id of the event, such as EVT-4K7Q.
            emails: Mail addresses of contacts.

        Returns:
            The event with all its attendees.

        Raises:
            InputError: No such event; address of no contact; already invited; over 6 in all.
        """
        event = self._event(event_id)
        guests = self._guests(emails, "emails")
        twice = [guest for guest in guests if guest in event.attendees]
        if twice:
            raise InputError(f"{clip(twice[0])} already attends {event.id}")
        everyone = tuple(sorted((*event.attendees, *guests)))
        if len(everyone) > _MOST_ATTENDEES:
            raise InputError(f"an event may have at most {_MOST_ATTENDEES} attendees")
        self.state.put(event.model_copy(update={"attendees": everyone}))
        return {"event": _entry(event.model_copy(update={"attendees": everyone}))}

    def _live(self) -> list[Event]:
        events = [e for e in self.state.all(Event) if not e.deleted]
        return sorted(events, key=lambda e: (e.start, e.id))

    def _event(self, event_id: str) -> Event:
        event = self.state.get(Event, event_id.strip().upper())
        if event is None or event.deleted:
            raise InputError(f"no event {clip(event_id)}; calendar.list_events shows the ids")
        return event

    def _guests(self, emails: Sequence[str], argument: str) -> tuple[str, ...]:
        guests = known_addresses(self.state, emails, argument)
        if len(guests) > _MOST_ATTENDEES:
            raise InputError(f"an event may have at most {_MOST_ATTENDEES} attendees")
        return guests

    def _refuse_clash(self, event: Event) -> None:
        _check_length(event.minutes)
        if event.begins < self.setting.now:
            raise InputError(
                f"start {event.start} lies in the past; it is {minute(self.setting.now)}"
            )
        for other in self._live():
            if other.id != event.id and other.begins < event.ends and event.begins < other.ends:
                until = minute(other.ends)
                raise InputError(
                    f"overlaps {other.id} {clip(other.title)}, {other.start} to {until}"
                )


def _check_length(minutes: int) -> None:
    if not _SHORTEST <= minutes <= _LONGEST:
        raise InputError(f"duration_minutes must be {_SHORTEST} to {_LONGEST}, got {minutes}")


def _at(day: date, time: str, argument: str) -> datetime:
    return datetime.fromisoformat(f"{day}T{read_time(time, argument)}")


def _gaps(
    events: Iterable[Event], begin: datetime, end: datetime
) -> list[tuple[datetime, datetime]]:
    """Return the stretches between ``begin`` and ``end`` that no event touches."""
    gaps = []
    for event in events:
        if event.begins >= end:
            break
        if event.begins > begin:
            gaps.append((begin, event.begins))
        begin = max(begin, event.ends)
    if begin < end:
        gaps.append((begin, end))
    return gaps


def _listed(events: Iterable[Event]) -> JsonObject:
    return page("events", [_entry(e) for e in events])


def _entry(event: Event) -> JsonObject:
    return {
        "event_id": event.id,
        "title": event.title,
        "start": event.start,
        "end": minute(event.ends),
        "location": event.location,
        "attendees": list(event.attendees),
    }
