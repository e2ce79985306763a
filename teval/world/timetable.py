"""Airlines, flights and who sits where: the records behind the flights toolkit."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from teval.world.places import AIRPORTS, CITIES, City
from teval.world.setting import Setting
from teval.world.state import Record

Cabin: TypeAlias = Literal["economy", "business"]
SALE_DAYS = 14
"""Flights exist from today on for so many days."""
_ROWS: dict[Cabin, tuple[int, int, str]] = {
    "business": (1, 3, "ACDF"),
    "economy": (4, 24, "ABCDEF"),
}
"""First row, last row and seat letters."""
_AIRLINES = {
    "AQ": "Aurelia Air", "BV": "Blue Vireo", "CX": "Cinder Express", "DL": "Delphin Lines",
    "EG": "Eastglide", "FN": "Fennec Air", "HK": "Halkyon", "JR": "Juniper Regional",
    "MW": "Meridian Wings", "OT": "Otter Air", "SK": "Skylark", "TN": "Tern Airways",
}  # fmt: skip


class Flight(Record):
    """One departure. Its id is number and day."""

    table: ClassVar[str] = "flights"
    number: str
    airline: str
    origin: str
    destination: str
    date: str
    departs: str
    arrives: str
    terminal: str
    gate: str
    prices: dict[Cabin, int]
    """Dollars a passenger."""
    open_seats: dict[Cabin, tuple[str, ...]]
    status: Literal["scheduled", "delayed", "cancelled"] = "scheduled"

    @property
    def departure(self) -> datetime:
        """When it leaves."""
        return datetime.fromisoformat(f"{self.date}T{self.departs}")


class Booking(Record):
    """Seats of one flight in the user's name."""

    table: ClassVar[str] = "bookings"
    flight: str
    """Id of the flight."""
    cabin: Cabin
    seats: dict[str, str]
    """Passenger to seat."""
    price: int
    status: Literal["active", "cancelled"] = "active"
    reason: str = ""
    refund: int = 0


class _Service(NamedTuple):
    """What all departures under one number share."""

    number: str
    airline: str
    departs: datetime
    minutes: int
    price: int


def flight_id(number: str, day: str) -> str:
    """Return the id of a departure."""
    return f"{number}/{day}"


def cabin_of(seat: str) -> Cabin | None:
    """Return the cabin that a seat lies in, or None where there is no such seat.

    >>> cabin_of("4B"), cabin_of("2B")
    ('economy', None)
    """
    row, letter = seat[:-1], seat[-1:]
    if not row.isdecimal() or not row.isascii() or row.startswith("0") or len(row) > 2:
        return None
    for cabin, (first, last, letters) in _ROWS.items():
        if first <= int(row) <= last and letter in letters:
            return cabin
    return None


def make_flights(setting: Setting) -> list[Flight]:
    """Return all departures of the coming days, sorted by day and time.

    Six routes out of a home city and back, and two between other cities; each is flown on six of
    the days by two or three of its four services.
    """
    rng = setting.rng("flights")
    cities = [city for city in CITIES if city.airports]
    rng.shuffle(cities)
    home, away, rest = cities[0], cities[1:7], cities[7:]
    pairs = [(home, city) for city in away] + [(away[0], rest[0]), (away[1], rest[1])]
    numbers = [f"{airline}{n}" for airline in _AIRLINES for n in range(101, 999, 13)]
    rng.shuffle(numbers)
    flights: list[Flight] = []
    for a, b in pairs:
        for origin, destination in ((a, b), (b, a)):
            services = [_service(rng, setting, numbers.pop()) for _ in range(4)]
            flights += _route(rng, setting, services, _code(rng, origin), _code(rng, destination))
    return sorted(flights, key=lambda f: (f.date, f.departs, f.number))


def _code(rng: Random, city: City) -> str:
    return rng.choice(city.airports)[0]


def _service(rng: Random, setting: Setting, number: str) -> _Service:
    midnight = datetime.combine(setting.today, datetime.min.time())
    return _Service(
        number=number,
        airline=_AIRLINES[number[:2]],
        departs=midnight + timedelta(minutes=5 * rng.randrange(72, 246)),
        minutes=5 * rng.randrange(12, 40),
        price=rng.randrange(59, 240),
    )


def _route(
    rng: Random, setting: Setting, services: list[_Service], origin: str, destination: str
) -> list[Flight]:
    days = list(range(SALE_DAYS))
    rng.shuffle(days)
    flights = []
    for day in days[:6]:
        rng.shuffle(services)
        for service in services[: rng.randrange(2, 4)]:
            flights.append(_flight(rng, service, day, origin, destination))
    return flights


def _flight(rng: Random, service: _Service, day: int, origin: str, destination: str) -> Flight:
    departs = service.departs + timedelta(days=day)
    price = service.price + rng.randrange(-20, 60)
    date = str(departs.date())
    status: Literal["scheduled", "delayed", "cancelled"] = "scheduled"
    if rng.randrange(12) == 0:
        status = rng.choice(("delayed", "cancelled"))
    return Flight(
        id=flight_id(service.number, date),
        number=service.number,
        airline=service.airline,
        origin=origin,
        destination=destination,
        date=date,
        departs=f"{departs:%H:%M}",
        arrives=f"{departs + timedelta(minutes=service.minutes):%H:%M}",
        terminal=str(rng.randrange(1, 4)),
        gate=f"{rng.choice('ABCD')}{rng.randrange(1, 30)}",
        prices={"economy": price, "business": price * 3 - rng.randrange(40)},
        open_seats={c: _open_seats(rng, c) for c in _ROWS},
        status=status,
    )


def _open_seats(rng: Random, cabin: Cabin) -> tuple[str, ...]:
    """Return the free seats, front to back; now and then there are hardly any."""
    first, last, letters = _ROWS[cabin]
    seats = [(row, letter) for row in range(first, last + 1) for letter in letters]
    count = rng.choice((0, 1, 2, 5, 6, 7, 8)) if cabin == "business" else rng.choice((1, 4, 9, 12))
    places: set[int] = set()
    while len(places) < count:
        places.add(rng.randrange(len(seats)))
    return tuple(f"{row}{letter}" for row, letter in (seats[n] for n in sorted(places)))


def city_of(code: str) -> str:
    """Return the name of an airport's city."""
    return AIRPORTS[code].name
