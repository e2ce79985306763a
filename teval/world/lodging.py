"""Hotels, their prices and free rooms: what stands behind the hotels toolkit."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from random import Random
from typing import ClassVar, Literal, TypeAlias, get_args

from teval.schema import Frozen
from teval.world.districts import DISTRICTS
from teval.world.places import CITIES, City
from teval.world.setting import Setting
from teval.world.state import Record

Room: TypeAlias = Literal["single", "double", "suite"]
Amenity: TypeAlias = Literal["wifi", "parking", "pool", "gym", "spa", "pets", "airport_shuttle"]
ROOM_GUESTS: Mapping[Room, int] = {"single": 1, "double": 2, "suite": 4}
"""Most guests by kind of room."""
_EACH = 6
_FREE = (0, 1, 2, 3, 4, 5, 6, 8)
_STEMS = (
    "Linden", "Copper Lantern", "Tern", "Alder", "Quayside", "Morrow", "Saffron", "Beacon",
    "Willow Court", "Gannet", "Ardent", "Juno", "Kestrel", "Marlow", "Pelican", "Ember",
    "Fernhill", "Solace", "Tidewater", "Vesper", "Amberley", "Compass", "Orchard", "Weaver",
)  # fmt: skip
_FORMS = ("Hotel {}", "{} House", "The {} Inn", "{} Suites", "{} Lodge")


class Hotel(Frozen):
    """A hotel; nothing about it changes."""

    id: str
    name: str
    city: str
    district: str
    stars: int
    rating: float
    """Mean of its guests' marks, 1 to 10."""
    amenities: tuple[Amenity, ...]
    prices: dict[Room, int]
    """Dollars a night before the surcharge of the day."""
    breakfast: int
    """Dollars a guest and night."""
    free_days: int
    """Cancelling costs nothing until so many days before arrival."""
    check_in_from: str
    check_out_until: str


class Stay(Record):
    """A room booked by the user."""

    table: ClassVar[str] = "hotel_bookings"
    hotel: str
    """Id of the hotel."""
    room: Room
    check_in: str
    check_out: str
    guests: int
    guest_name: str
    breakfast: bool
    price: int
    status: Literal["active", "cancelled"] = "active"
    reason: str = ""
    refund: int = 0


@lru_cache(maxsize=64)
def hotels_of(setting: Setting) -> Mapping[str, Hotel]:
    """Return all hotels by id, city by city; in each, two bear nearly the same name."""
    hotels = [hotel for city in CITIES for hotel in _in_city(setting, city)]
    ids = (setting.new_id("HTL", n) for n in range(len(hotels)))
    return {
        id_: hotel.model_copy(update={"id": id_}) for id_, hotel in zip(ids, hotels, strict=True)
    }


def price_of(setting: Setting, hotel: Hotel, room: Room, night: date) -> int:
    """Return what a room costs in the night after a day, in dollars; more at weekends."""
    surcharge = setting.rng(f"rate:{hotel.id}:{night}").randrange(-4, 13)
    weekend = 18 if night.weekday() in (4, 5) else 0
    return hotel.prices[room] * (100 + surcharge + weekend) // 100


def rooms_left(setting: Setting, hotel: Hotel, room: Room, night: date) -> int:
    """Return how many rooms are free in the night after a day, before any call."""
    return setting.rng(f"rooms:{hotel.id}:{room}:{night}").choice(_FREE)


def _in_city(setting: Setting, city: City) -> list[Hotel]:
    rng = setting.rng(f"hotels:{city.name}")
    stems = list(_STEMS)
    rng.shuffle(stems)
    stems[1] = stems[0]
    forms = list(_FORMS)
    rng.shuffle(forms)
    names = [forms[n % len(forms)].format(stems[n]) for n in range(_EACH)]
    return [_hotel(rng, city, name) for name in names]


def _hotel(rng: Random, city: City, name: str) -> Hotel:
    stars = rng.choice((2, 3, 3, 4, 4, 5))
    single = 25 * stars + rng.randrange(10, 60)
    amenities: list[Amenity] = list(get_args(Amenity))
    rng.shuffle(amenities)
    return Hotel(
        id="",
        name=name,
        city=city.name,
        district=rng.choice(DISTRICTS[city.name]),
        stars=stars,
        rating=(62 + 4 * stars + rng.randrange(-6, 13)) / 10,
        amenities=tuple(sorted(amenities[: stars + rng.randrange(2)])),
        prices={"single": single, "double": single * 7 // 5, "suite": single * 5 // 2},
        breakfast=rng.randrange(9, 24),
        free_days=rng.choice((1, 2, 3, 7)),
        check_in_from=rng.choice(("14:00", "15:00", "16:00")),
        check_out_until=rng.choice(("10:00", "11:00", "12:00")),
    )
