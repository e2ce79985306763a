"""Alarms and reminders: the records behind the toolkit, and those that a world begins with."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import ClassVar, Literal, TypeAlias, get_args

from teval.world.setting import Setting
from teval.world.state import Record
from teval.world.values import minute

Repeat: TypeAlias = Literal["once", "daily", "weekdays", "weekends"]
Category: TypeAlias = Literal["personal", "work", "shopping", "travel"]
_LABELS = (
    "Wake up", "Morning run", "Medication", "Early train", "Take out the bins", "Feed the cat",
    "Stretching", "Call the night desk",
)  # fmt: skip
_REPEATS: tuple[Repeat, ...] = (
    "weekdays", "weekends", "daily", "once", "once", "daily", "weekdays", "once",
)  # fmt: skip
_TEXTS: dict[Category, tuple[str, ...]] = {
    "personal": (
        "Renew the library card", "Call the dentist", "Water the balcony plants",
        "Return the borrowed ladder", "Book the piano tuner", "Renew the parking permit",
    ),
    "work": (
        "Send the travel receipts", "Renew the press pass", "Review the tender draft",
        "Call the translator", "Sign the lease papers", "Send the survey results",
    ),
    "shopping": ("Buy printer paper", "Buy candles", "Order new light bulbs"),
    "travel": ("Check the passport date", "Pack the rain jacket", "Print the boarding pass"),
}  # fmt: skip


class Alarm(Record):
    """One alarm, which rings once or over and over."""

    table: ClassVar[str] = "alarms"
    time: str
    """HH:MM."""
    repeat: Repeat
    day: str = ""
    """Day of an alarm that rings once."""
    label: str = ""
    snoozed: int = 0
    """Minutes by which the next ring is put off."""
    deleted: bool = False

    def rings_on(self, day: date) -> bool:
        """Return whether it is meant to ring on a day."""
        if self.repeat == "once":
            return self.day == str(day)
        return self.repeat == "daily" or (day.weekday() < 5) == (self.repeat == "weekdays")

    def next_ring(self, now: datetime) -> datetime:
        """Return when it rings next after ``now``, snoozing included."""
        if self.repeat == "once":
            return datetime.fromisoformat(f"{self.day}T{self.time}") + self._put_off
        days = (now.date() + timedelta(n) for n in range(8))
        rings = (datetime.fromisoformat(f"{d}T{self.time}") for d in days if self.rings_on(d))
        return next(ring for ring in rings if ring > now) + self._put_off

    @property
    def _put_off(self) -> timedelta:
        return timedelta(minutes=self.snoozed)


class Reminder(Record):
    """Something to think of at a given moment."""

    table: ClassVar[str] = "reminders"
    text: str
    due: str
    """ISO 8601 to the minute."""
    category: Category
    done: bool = False


def make_alarms(setting: Setting) -> list[Alarm]:
    """Return eight alarms; those of the mornings lie close together."""
    rng = setting.rng("alarms")
    labels = list(_LABELS)
    rng.shuffle(labels)
    quarters = list(range(4 * 5, 4 * 9))
    rng.shuffle(quarters)
    return [
        Alarm(
            id=setting.new_id("ALR", n),
            time=f"{quarters[n] // 4:02d}:{quarters[n] % 4 * 15:02d}",
            repeat=repeat,
            day=str(setting.today + timedelta(rng.randrange(1, 7))) if repeat == "once" else "",
            label=labels[n],
        )
        for n, repeat in enumerate(_REPEATS)
    ]


def make_reminders(setting: Setting) -> list[Reminder]:
    """Return 18 reminders in order of time: some overdue, some of those done, most to come."""
    rng = setting.rng("reminders")
    midnight = setting.now.replace(hour=0, minute=0, second=0, microsecond=0)
    texts = [(text, category) for category in get_args(Category) for text in _TEXTS[category]]
    rng.shuffle(texts)
    days = sorted(rng.randrange(-5, 10) for _ in texts)
    found = []
    for n, ((text, category), day) in enumerate(zip(texts, days, strict=True)):
        due = midnight + timedelta(days=day, minutes=30 * rng.randrange(15, 42))
        done = due < setting.now and rng.randrange(2) == 0
        found.append(
            Reminder(
                id=setting.new_id("REM", n),
                text=text,
                due=minute(due),
                category=category,
                done=done,
            )
        )
    return found
