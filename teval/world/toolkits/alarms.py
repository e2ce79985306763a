"""The user's alarms and reminders."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from teval.schema import JsonObject
from teval.world.reminders import (
    Alarm,
    Category,
    Reminder,
    Repeat,
    make_alarms,
    make_reminders,
)
from teval.world.tool import Text, When, tool
from teval.world.toolkit import Toolkit
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

_MOST_LABEL = 60
_MOST_TEXT = 100
_MOST_SNOOZE = 60


class Alarms(Toolkit):
    """Alarms ring at a time, reminders hold a text."""

    def seed(self) -> None:
        """Put eight alarms and 18 reminders."""
        for alarm in make_alarms(self.setting):
            self.state.put(alarm)
        for reminder in make_reminders(self.setting):
            self.state.put(reminder)

    def others(self, argument: str) -> Sequence[str]:
        """Return the coming days, or texts of open reminders."""
        if argument == "date":
            return [str(self.setting.today + timedelta(n)) for n in range(1, 8)]
        if argument == "words":
            return sorted(r.text for r in self.state.all(Reminder) if not r.done)
        return ()

    @tool("read", decoy="date")
    def list_alarms(self, date: When | None = None) -> JsonObject:
        """List the user's alarms, or only those that ring on one day.

        Args:
            date: Day as YYYY-MM-DD; all alarms if left out.

        Returns:
            Alarms with id, time, repeat, label and next ring, soonest first; none if none is set.

        Raises:
            InputError: Not a date; over a year away.
        """
        day = None if date is None else read_day(date, "date", self.setting.today)
        found = [a for a in self._alarms() if day is None or a.rings_on(day)]
        return page("alarms", [self._ring(a) for a in found])

    @tool("write")
    def set_alarm(
        self,
        time: When,
        repeat: Repeat = "once",
        date: When | None = None,
        label: Text | None = None,
    ) -> JsonObject:
        """Set a new alarm that rings once or over and over.

        Args:
            time: When it rings as HH:MM.
            repeat: On which days it rings.
            date: Day as YYYY-MM-DD of an alarm that rings once; the next day on which that time
                comes if left out.
            label: What the alarm is for, at most 60 bytes.

        Returns:
            The new alarm with its id and next ring.

        Raises:
            InputError: Moment in the past; a date for an alarm that repeats; such an alarm is set
                already.
        """
        read_time(time, "time")
        if label is not None:
            short_text(label, "label", _MOST_LABEL)
        alarm = Alarm(
            id="",
            time=time,
            repeat=repeat,
            day=self._first_day(time, date) if repeat == "once" else "",
            label=label or "",
        )
        if alarm.repeat != "once" and date is not None:
            raise InputError(
                f"an alarm that rings {repeat} takes no date; leave out one of the two"
            )
        self._refuse_twin(alarm)
        return {"set": self._ring(self.state.add(alarm, self.setting, "ALR"))}

    @tool("write")
    def snooze_alarm(self, alarm_id: str, minutes: int = 10) -> JsonObject:
        """Put the next ring of an alarm off; later rings stay as they are.

        Args:
            alarm_id: Id of the alarm, such as ALR-3F8K.
            minutes: By how many minutes, 1 to 60; adds to earlier snoozing, up to 60 in all.

        Returns:
            The alarm with its next ring.

        Raises:
            InputError: No such alarm; minutes out of range; over 60 minutes in all.
        """
        alarm = self._alarm(alarm_id)
        if not 1 <= minutes <= _MOST_SNOOZE:
            raise InputError(f"minutes must be 1 to {_MOST_SNOOZE}, got {minutes}")
        if alarm.snoozed + minutes > _MOST_SNOOZE:
            raise InputError(
                f"{alarm.id} is already put off by {alarm.snoozed} minutes; at most "
                f"{_MOST_SNOOZE} in all"
            )
        later = alarm.model_copy(update={"snoozed": alarm.snoozed + minutes})
        self.state.put(later)
        return {"snoozed": self._ring(later)}

    @tool("write")
    def delete_alarm(self, alarm_id: str) -> JsonObject:
        """Remove an alarm for good, with all its rings.

        Args:
            alarm_id: Id of the alarm, such as ALR-3F8K.

        Returns:
            Id, time and label of the deleted alarm.

        Raises:
            InputError: No such alarm.
        """
        alarm = self._alarm(alarm_id)
        self.state.put(alarm.model_copy(update={"deleted": True}))
        return {"deleted": alarm.id, "time": alarm.time, "label": alarm.label}

    @tool("read", decoy="words")
    def list_reminders(
        self,
        words: Text | None = None,
        category: Literal[Category, "all"] = "all",
        due_by: When | None = None,
        include_done: bool = False,
    ) -> JsonObject:
        """List the user's reminders, overdue ones included, by words, category or day.

        Args:
            words: Words that must all occur in the text; any text if left out.
            category: Category to list.
            due_by: Latest day as YYYY-MM-DD; all days if left out.
            include_done: Whether to list completed reminders too.

        Returns:
            Reminders with id, text, due time, category and whether done, by due time; none if
            nothing fits.

        Raises:
            InputError: Words without a word; not a date.
        """
        wanted = () if words is None else read_words(words, "words")
        last = "9" if due_by is None else str(read_day(due_by, "due_by", self.setting.today))
        found = [
            r
            for r in self.state.all(Reminder)
            if holds(wanted, r.text)
            and category in (r.category, "all")
            and r.due[:10] <= last
            and (include_done or not r.done)
        ]
        found.sort(key=lambda r: (r.due, r.id))
        return page("reminders", [_entry(r) for r in found])

    @tool("write")
    def add_reminder(self, text: Text, due: When, category: Category = "personal") -> JsonObject:
        """Add a reminder that comes up at a given moment.

        Args:
            text: What to think of, at most 100 bytes.
            due: When as YYYY-MM-DDTHH:MM.
            category: Category to file it under.

        Returns:
            The new reminder with its id.

        Raises:
            InputError: Empty or long text; moment in the past.
        """
        short_text(text, "text", _MOST_TEXT)
        reminder = Reminder(id="", text=text, due=self._coming(due), category=category)
        return {"added": _entry(self.state.add(reminder, self.setting, "REM"))}

    @tool("write")
    def move_reminder(self, reminder_id: str, due: When) -> JsonObject:
        """Have an open reminder come up at another moment.

        Args:
            reminder_id: Id of the reminder, such as REM-8V5D.
            due: New moment as YYYY-MM-DDTHH:MM.

        Returns:
            The reminder as it now stands.

        Raises:
            InputError: No such open reminder; moment in the past; already due then.
        """
        reminder, due = self._open(reminder_id), self._coming(due)
        if due == reminder.due:
            raise InputError(f"{reminder.id} is already due at {due}")
        moved = reminder.model_copy(update={"due": due})
        self.state.put(moved)
        return {"moved": _entry(moved)}

    @tool("write")
    def complete_reminder(self, reminder_id: str) -> JsonObject:
        """Mark a reminder as done.

        Args:
            reminder_id: Id of the reminder, such as REM-8V5D.

        Returns:
            Id and text of the completed reminder.

        Raises:
            InputError: No such reminder; already done.
        """
        reminder = self._open(reminder_id)
        self.state.put(reminder.model_copy(update={"done": True}))
        return {"completed": reminder.id, "text": reminder.text}

    def _alarms(self) -> list[Alarm]:
        live = [a for a in self.state.all(Alarm) if not a.deleted]
        return sorted(live, key=lambda a: (a.next_ring(self.setting.now), a.id))

    def _alarm(self, alarm_id: str) -> Alarm:
        alarm = self.state.get(Alarm, alarm_id.strip().upper())
        if alarm is None or alarm.deleted:
            raise InputError(f"no alarm {clip(alarm_id)}; alarms.list_alarms shows the ids")
        return alarm

    def _open(self, reminder_id: str) -> Reminder:
        reminder = self.state.get(Reminder, reminder_id.strip().upper())
        if reminder is None:
            raise InputError(
                f"no reminder {clip(reminder_id)}; alarms.list_reminders shows the ids"
            )
        if reminder.done:
            raise InputError(f"reminder {reminder.id} is already done")
        return reminder

    def _first_day(self, time: str, date: str | None) -> str:
        """Return the day on which an alarm rings once."""
        now = self.setting.now
        if date is None:
            today = datetime.fromisoformat(f"{now.date()}T{time}")
            return str(now.date() + timedelta(days=today <= now))
        day = read_day(date, "date", now.date())
        if datetime.fromisoformat(f"{day}T{time}") <= now:
            raise InputError(f"{day} {time} lies in the past; it is {minute(now)}")
        return str(day)

    def _refuse_twin(self, alarm: Alarm) -> None:
        for other in self._alarms():
            if (other.time, other.repeat, other.day) == (alarm.time, alarm.repeat, alarm.day):
                raise InputError(f"{other.id} is already set to {other.time}, {_days(other)}")

    def _coming(self, due: str) -> str:
        moment = read_moment(due, "due", self.setting.today)
        if moment <= self.setting.now:
            raise InputError(f"due {due} lies in the past; it is {minute(self.setting.now)}")
        return minute(moment)

    def _ring(self, alarm: Alarm) -> JsonObject:
        return {
            "alarm_id": alarm.id,
            "time": alarm.time,
            "repeat": alarm.repeat,
            "label": alarm.label,
            "next_ring": minute(alarm.next_ring(self.setting.now)),
        }


def _days(alarm: Alarm) -> str:
    return f"once on {alarm.day}" if alarm.repeat == "once" else alarm.repeat


def _entry(reminder: Reminder) -> JsonObject:
    return {
        "reminder_id": reminder.id,
        "text": reminder.text,
        "due": reminder.due,
        "category": reminder.category,
        "done": reminder.done,
    }
