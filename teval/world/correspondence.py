"""The mails that a world begins with: each tells facts that tasks ask for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from string import Formatter
from typing import NamedTuple

from teval.world.agenda import Event
from teval.world.letters import Folder, Mail
from teval.world.places import CITIES
from teval.world.setting import Setting
from teval.world.state import State
from teval.world.timetable import Flight, city_of
from teval.world.toolkits.contacts import MY_ADDRESS, Contact
from teval.world.values import minute

_FOLDERS: tuple[Folder, ...] = ("inbox", "inbox", "inbox", "archive", "projects")
_VENUES = ("Cafe Linden", "Harbour Grill", "Studio Nine", "The Glass Hall", "Mill House", "Pier 4")
_SUBJECTS = ("the annual report", "the tender", "the press kit", "the lease", "the survey results")
_GUESTS = ("Ilse Varnholt", "Teo Maravin", "Yara Penhallow", "Kasimir Oldacre")


_TO_MANY = ("deadline", "dinner", "drop_event", "thanks")
"""Topics whose mails went to two contacts besides the user."""


class _Template(NamedTuple):
    topic: str
    subject: str
    body: str


_TEMPLATES = (
    # The first four each tell of an event of their own.
    _Template(
        "meeting_place",
        "Where we meet: {event}",
        "Hi Robin, {event} will not be in the office. We meet at {venue} instead, please note it.",
    ),
    _Template(
        "reschedule",
        "New time for {event}",
        "Hello Robin, I can't make the planned time. Could you move {event} to {day} at "
        "{evening}? Everything else stays the same.",
    ),
    _Template(
        "add_guest",
        "One more for {event}",
        "Robin, please add {other} to {event}. I forgot to put the name on the list.",
    ),
    _Template(
        "drop_event",
        "{event} is off",
        "Hi Robin, {event} is cancelled and will not be made up. Please take it off your calendar.",
    ),
    _Template(
        "new_meeting",
        "Time for {matter}?",
        "Dear Robin, I would like to talk about {matter} on {day}. I need {minutes} minutes, any "
        "free slot of yours is fine. I will come to {venue}.",
    ),
    _Template(
        "arrival",
        "My arrival",
        "Hi Robin, I land on {flight_date} with flight {flight} from {from_city}. Could you meet "
        "me at the airport?",
    ),
    _Template(
        "trip",
        "Trip to {to_city}",
        "Robin, we need you in {to_city}. Please fly from {from_city} on {flight_date}. The budget "
        "is {budget} dollars for the ticket, {cabin} class.",
    ),
    _Template(
        "group_trip",
        "Tickets for two",
        "Hello Robin, please book {flight} on {flight_date} for {other} and {third}, in economy. "
        "Send them the confirmation when it is done.",
    ),
    _Template(
        "seat_wish",
        "Seats",
        "Robin, when you book for me: always {seat_kind}, as far to the front as possible.",
    ),
    _Template(
        "deadline",
        "Deadline for {matter}",
        "Dear all, {matter} is due on {day} at {time}. Late papers will not be read.",
    ),
    _Template(
        "dinner",
        "Dinner on {day}",
        "Hi, I booked a table for {count} at {venue} on {day} at {evening}. The code word is "
        "{code}.",
    ),
    _Template(
        "outdoor_day",
        "Outdoor day in {city}",
        "Robin, the outdoor day in {city} is planned for {soon}. If the rain chance is above "
        "{percent} percent, we call it off; please tell {other} either way.",
    ),
    _Template(
        "climate",
        "Best month for {city}?",
        "Hello Robin, we are thinking of a retreat in {city} in {month}. Is it warm enough then? "
        "We want a mean high of at least {degrees} degrees Celsius.",
    ),
    _Template(
        "wind_limit",
        "Drone flights in {city}",
        "The drone crew flies in {city} on {soon}, but only with wind below {wind} km/h. Please "
        "check and let me know.",
    ),
    _Template(
        "new_contact",
        "Meet {guest}",
        "Hi Robin, {guest} takes over my accounts. Mail: {guest_email}, phone: {phone}. Please add "
        "the new contact to your address book.",
    ),
    _Template(
        "delegate",
        "Please ask {other} about {matter}",
        "Robin, I am out of office until {day}. For {matter}, turn to {other}; a short mail will "
        "do.",
    ),
    _Template(
        "free_day",
        "Only free on {day}",
        "Hello, this month I am only free on {day}, from {time} on. Please find {minutes} minutes "
        "for {matter}.",
    ),
    _Template(
        "hotel",
        "Hotel in {city}",
        "Your room in {city} is booked from {day}, {count} nights. Confirmation number {code}. "
        "Check-in from {time}.",
    ),
    _Template(
        "invoice",
        "Invoice {code}",
        "Dear Robin Vale, invoice {code} over {budget} dollars is open. Please pay by {day}.",
    ),
    _Template(
        "newsletter",
        "What is on in {city}",
        "This week in {city}: a street market on {day}, open doors at {venue}, and {count} free "
        "concerts from {time}.",
    ),
    _Template(
        "lost_item",
        "Found your umbrella",
        "Hi Robin, your umbrella is at {venue}. They keep it until {day}; ask for {code}.",
    ),
    _Template(
        "feedback",
        "Feedback on {matter}",
        "Robin, I read {matter}. {count} comments are in the file. Let us talk after {day}.",
    ),
    _Template(
        "parking",
        "Parking near {venue}",
        "The garage at {venue} opens at {time}. Spot {code} is yours until {day}.",
    ),
    _Template(
        "thanks",
        "Thank you",
        "Dear Robin, thanks for your help with {matter}. See you in {city}, and greetings to "
        "{other}.",
    ),
)


def make_mails(setting: Setting, state: State) -> list[Mail]:
    """Return one mail a topic, oldest first, each from a drawn contact."""
    rng = setting.rng("mails")
    people = state.all(Contact)
    rng.shuffle(people)
    events = [e for e in state.all(Event) if e.begins > setting.now + timedelta(hours=12)]
    rng.shuffle(events)
    order = list(_TEMPLATES)
    rng.shuffle(order)
    flights = _roomy_flights(setting, state)
    mails = []
    for n, (template, time) in enumerate(zip(order, _sent_times(rng, setting), strict=True)):
        turned = people[n % len(people) :] + people[: n % len(people)]
        event = events[_TEMPLATES.index(template) % len(events)]
        values = _values(rng, setting, event, rng.choice(flights), turned)
        mails.append(_mail(rng, template, values, turned, minute(time)))
    return mails


def _sent_times(rng: Random, setting: Setting) -> list[datetime]:
    """Return a moment a template, in the daytime of the last days, in order."""
    midnight = setting.now.replace(hour=0, minute=0, second=0)
    return sorted(
        midnight
        - timedelta(days=rng.randrange(1, 10))
        + timedelta(minutes=rng.randrange(480, 1140))
        for _ in _TEMPLATES
    )


def _mail(
    rng: Random, template: _Template, values: dict[str, str], people: Sequence[Contact], sent: str
) -> Mail:
    told = {slot for _, slot, _, _ in Formatter().parse(template.body) if slot}
    sender = people[0]
    copies = [c.id for c in people[3:5]] if template.topic in _TO_MANY else []
    signature = sender.name.split(" ")[0]
    return Mail(
        id="",
        folder=rng.choice(_FOLDERS),
        sender=sender.id,
        to=(MY_ADDRESS, *copies),
        subject=template.subject.format_map(values),
        body=f"{template.body.format_map(values)} {signature}",
        sent=sent,
        topic=template.topic,
        facts={slot: values[slot] for slot in sorted(told)},
    )


def _values(
    rng: Random, setting: Setting, event: Event, flight: Flight, people: Sequence[Contact]
) -> dict[str, str]:
    """Return a value for every slot that a template may name."""
    guest = rng.choice(_GUESTS)
    return {
        **_times(rng, setting),
        **_flight(flight),
        "event": event.title,
        "other": people[1].name,
        "third": people[2].name,
        "guest": guest,
        "guest_email": f"{guest.replace(' ', '.').lower()}@example.net",
        "phone": f"555-01{rng.randrange(100):02d}",
        "venue": rng.choice(_VENUES),
        "matter": rng.choice(_SUBJECTS),
        "city": rng.choice(CITIES).name,
        "code": setting.new_id("REF", rng.randrange(1000)),
        "count": str(rng.randrange(3, 9)),
        "minutes": rng.choice(("30", "45", "60")),
        "percent": rng.choice(("40", "50", "60")),
        "wind": rng.choice(("25", "30", "35")),
        "degrees": rng.choice(("15", "18", "20")),
        "month": rng.choice(("April", "June", "September", "October")),
        "budget": str(rng.randrange(15, 40) * 10),
        "cabin": "economy",
        "seat_kind": rng.choice(("a window seat", "an aisle seat")),
    }


def _times(rng: Random, setting: Setting) -> dict[str, str]:
    coming = [setting.today + timedelta(n) for n in range(1, 11)]
    working = [day for day in coming if day.weekday() < 5]
    return {
        "day": str(rng.choice(working)),
        "soon": str(rng.choice(coming[:6])),
        "time": rng.choice(("08:00", "10:00", "11:30", "15:00")),
        "evening": rng.choice(("17:30", "18:00", "18:30")),
    }


def _roomy_flights(setting: Setting, state: State) -> list[Flight]:
    """Return the flights after today that a small group can book."""
    today = str(setting.today)
    later = [f for f in state.all(Flight) if f.date > today and f.status == "scheduled"]
    return [f for f in later if len(f.open_seats["economy"]) >= 4]


def _flight(flight: Flight) -> dict[str, str]:
    return {
        "flight": flight.number,
        "flight_date": flight.date,
        "from_city": city_of(flight.origin),
        "to_city": city_of(flight.destination),
    }
