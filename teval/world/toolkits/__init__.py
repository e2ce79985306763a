"""All toolkits, by the first part of their tools' names."""

from teval.world.toolkit import Toolkit
from teval.world.toolkits.calendar import Calendar
from teval.world.toolkits.contacts import Contacts
from teval.world.toolkits.flights import Flights
from teval.world.toolkits.mail import Mailbox
from teval.world.toolkits.weather import Weather

TOOLKITS: dict[str, type[Toolkit]] = {
    "contacts": Contacts,
    "weather": Weather,
    "flights": Flights,
    "calendar": Calendar,
    "mail": Mailbox,
}
"""In the order of seeding: a toolkit's records may tell of those above it."""
