"""All toolkits, by the first part of their tools' names."""

from teval.world.toolkit import Toolkit
from teval.world.toolkits.account import Account
from teval.world.toolkits.alarms import Alarms
from teval.world.toolkits.calendar import Calendar
from teval.world.toolkits.clock import Clock
from teval.world.toolkits.contacts import Contacts
from teval.world.toolkits.device import Device
from teval.world.toolkits.files import Files
from teval.world.toolkits.films import Films
from teval.world.toolkits.flights import Flights
from teval.world.toolkits.hotels import Hotels
from teval.world.toolkits.mail import Mailbox
from teval.world.toolkits.maps import Maps
from teval.world.toolkits.messaging import Messaging
from teval.world.toolkits.papers import Papers
from teval.world.toolkits.restaurants import Restaurants
from teval.world.toolkits.rooms import Rooms
from teval.world.toolkits.shares import Shares
from teval.world.toolkits.user import User
from teval.world.toolkits.weather import Weather
from teval.world.toolkits.web import Web

TOOLKITS: dict[str, type[Toolkit]] = {
    "contacts": Contacts,
    "weather": Weather,
    "flights": Flights,
    "calendar": Calendar,
    "mail": Mailbox,
    "device": Device,
    "messaging": Messaging,
    "account": Account,
    "alarms": Alarms,
    "maps": Maps,
    "clock": Clock,
    "rooms": Rooms,
    "hotels": Hotels,
    "restaurants": Restaurants,
    "films": Films,
    "papers": Papers,
    "shares": Shares,
    "files": Files,
    "web": Web,
    "user": User,
}
"""In the order of seeding: a toolkit's records may tell of those above it."""
