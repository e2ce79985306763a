"""Text messages: the record behind the messaging toolkit, and those that a world begins with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from string import Formatter
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from teval.world.agenda import Event
from teval.world.setting import Setting
from teval.world.state import Record, State
from teval.world.toolkits.contacts import Contact
from teval.world.values import minute
from teval.world.zones import ABROAD, weekday

Direction: TypeAlias = Literal["received", "sent"]
_SOON = 3
"""A weekday is named at most so many days before today and means one at most as many after, so the
next such day is meant, whether seen from the message or from today."""
_LONG_AGO = 8
_LAST_UNREAD = 6
"""How many of the newest conversations end in an unread message."""


class ChatMessage(Record):
    """One message between the user and one phone number."""

    table: ClassVar[str] = "messages"
    phone: str
    """The other side's number."""
    direction: Direction
    text: str
    sent: str
    """When, ISO 8601 to the minute."""
    unread: bool = False
    deleted: bool = False
    topic: str = ""
    """What a seeded message is about; for those who write tasks, told by no tool."""
    facts: dict[str, str] = {}
    """The facts that a seeded message tells; told by no tool but in the text."""


def post(setting: Setting, state: State, message: ChatMessage) -> ChatMessage:
    """Return the message as put into the state: with an id, and sent now if no time is set."""
    timed = message.model_copy(update={"sent": message.sent or minute(setting.now)})
    return state.add(timed, setting, "TXT")


def digits(phone: str) -> str:
    """Return the digits of a phone number, which tell whether two are the same.

    >>> digits("+44 20 7946 0142")
    '442079460142'
    """
    return re.sub("[^0-9]", "", phone)


class _Talk(NamedTuple):
    """A short exchange about one topic; the last received message tells the facts."""

    topic: str
    opening: str
    """What the user had written before; empty if nothing."""
    text: str


_TALKS = (
    _Talk(
        "meet_up",
        "Shall we meet this week?",
        "Yes! {weekday} at {evening}, {venue}. I'll wait outside.",
    ),
    _Talk(
        "move_event",
        "Looking forward to {event}.",
        "Could we start {event} {delay} minutes later? My train is slow that day.",
    ),
    _Talk("split_bill", "What do I owe you for dinner?", "{amount} dollars each, {count} people."),
    _Talk("shopping", "I'm at the shop, need anything?", "Please bring {count} {thing}, thanks!"),
    _Talk("call_me", "", "Can you call me on {weekday} after {evening}? It's about {matter}."),
    _Talk(
        "wake_up",
        "When do we leave on {weekday}?",
        "At {early}, so set your alarm {delay} minutes earlier.",
    ),
    _Talk("pick_up", "", "The parcel is at {venue}, box {box}. Pick it up until {day}, please."),
    _Talk(
        "ask_number",
        "Whom do I ask about {matter}?",
        "Ask {other}, who did {matter} last year. Say hello from me.",
    ),
    _Talk("plants", "I'm back on {day}.", "Fine, I water the plants until then, {count} pots."),
    _Talk("keys", "", "Your spare key is with {other} now. I have to be away until {day}."),
    _Talk(
        "room",
        "Which room for {event}?",
        "Not {room}, too small for us. We'll be {people} people with a projector.",
    ),
    _Talk("ride", "", "I can give you a ride on {weekday}. I pass {venue} at {early}."),
    _Talk("running", "How was the run?", "{distance} km in {pace} minutes, my best so far!"),
    _Talk("visit", "", "We visit on {day} and stay {count} nights. Is {evening} too late to come?"),
    _Talk("lunch", "Lunch soon?", "Sure, {weekday} {noon} at {venue}. Book for {count}?"),
    _Talk("remind_me", "", "Don't let me forget {matter}, it's due on {day}. Text me before!"),
    _Talk("code_word", "How do I get in?", "Ring twice and say {word}. Door closes at {evening}."),
    _Talk("lost", "Have you seen my {lost}?", "It's at {venue}, {other} found it."),
    _Talk("time_zone", "", "I'm in {far} this week. Call me at {early} my time on {weekday}?"),
    _Talk("tickets", "Did you get tickets?", "{count} seats, row {row}, {weekday} {evening}."),
)
_SERVICES = (
    ("+44 20 7946 0117", "delivery", "Parcel {code} comes on {day} between {early} and {noon}."),
    ("+44 20 7946 0128", "dentist", "Dr Quill's practice: your check-up is on {day} at {noon}."),
    ("+44 20 7946 0171", "library", "Your {count} loans are due on {day}. Library card {code}."),
    ("+44 20 7946 0182", "garage", "Your car is ready, {amount} dollars. We close at {evening}."),
)


def make_messages(setting: Setting, state: State) -> list[ChatMessage]:
    """Return the messages of the last days, oldest first: one talk a topic, and four services."""
    rng = setting.rng("messages")
    people = state.all(Contact)
    rng.shuffle(people)
    talks = list(_TALKS)
    rng.shuffle(talks)
    events = [e for e in state.all(Event) if e.begins > setting.now + timedelta(hours=12)]
    found: list[ChatMessage] = []
    for n, talk in enumerate(talks):
        phone = people[n % len(people)].phone
        values = _values(rng, setting, rng.choice(events), people[(n + 1) % len(people)].name)
        found += _talk(talk, phone, values, _earlier(rng, setting, talk.text))
    for phone, topic, text in _SERVICES:
        values = _values(rng, setting, rng.choice(events), "")
        found += _talk(_Talk(topic, "", text), phone, values, _earlier(rng, setting, text))
    return _with_unread(sorted(found, key=lambda m: (m.sent, m.phone)))


def _earlier(rng: Random, setting: Setting, text: str) -> datetime:
    """Return a moment in the daytime of the last days."""
    most = _SOON if "{weekday}" in text else _LONG_AGO
    midnight = setting.now.replace(hour=0, minute=0, second=0, microsecond=0)
    minutes = rng.randrange(7 * 60, 21 * 60)
    return midnight - timedelta(days=rng.randrange(1, most + 1)) + timedelta(minutes=minutes)


def _talk(talk: _Talk, phone: str, values: dict[str, str], time: datetime) -> list[ChatMessage]:
    told = {slot for _, slot, _, _ in Formatter().parse(talk.text) if slot}
    answer = ChatMessage(
        id="",
        phone=phone,
        direction="received",
        text=talk.text.format_map(values),
        sent=minute(time),
        topic=talk.topic,
        facts={slot: values[slot] for slot in sorted(told)},
    )
    if not talk.opening:
        return [answer]
    opening = ChatMessage(
        id="",
        phone=phone,
        direction="sent",
        text=talk.opening.format_map(values),
        sent=minute(time - timedelta(minutes=4)),
    )
    return [opening, answer]


def _with_unread(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Mark the last message of the newest conversations as unread."""
    last = {m.phone: n for n, m in enumerate(messages)}
    newest = set(sorted(last.values())[-_LAST_UNREAD:])
    return [
        m.model_copy(update={"unread": n in newest and m.direction == "received"})
        for n, m in enumerate(messages)
    ]


def _values(rng: Random, setting: Setting, event: Event, other: str) -> dict[str, str]:
    """Return a value for every slot that a text may name."""
    return {
        "day": str(setting.today + timedelta(rng.randrange(2, 12))),
        "weekday": weekday(setting.today + timedelta(rng.randrange(1, _SOON + 1))),
        "early": rng.choice(("06:15", "06:40", "07:10", "07:30")),
        "noon": rng.choice(("11:45", "12:15", "12:30", "13:00")),
        "evening": rng.choice(("17:45", "18:15", "19:00", "19:30")),
        "event": event.title,
        "other": other,
        "venue": rng.choice(("Cafe Linden", "Pier 4", "Mill House", "the north gate", "Kiosk 9")),
        "room": rng.choice(("Cedar", "Birch", "Willow", "Juniper")),
        "matter": rng.choice(("the lease", "the tender", "the press kit", "the survey results")),
        "thing": rng.choice(("lemons", "candles", "batteries", "notebooks", "light bulbs")),
        "lost": rng.choice(("scarf", "umbrella", "charger", "badge")),
        "word": rng.choice(("heron", "marble", "saffron", "lantern")),
        "far": rng.choice(ABROAD),
        "box": str(rng.randrange(11, 99)),
        "row": str(rng.randrange(3, 21)),
        "count": str(rng.randrange(2, 7)),
        "people": str(rng.randrange(5, 13)),
        "delay": rng.choice(("15", "20", "30", "45")),
        "amount": f"{rng.randrange(14, 88)}.{rng.choice(('20', '50', '80'))}",
        "distance": str(rng.randrange(5, 15)),
        "pace": str(rng.randrange(31, 89)),
        "code": setting.new_id("REF", rng.randrange(1000)),
    }
