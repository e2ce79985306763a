"""Places within the cities and the ways between them; fixed, drawn from the seed."""

from __future__ import annotations

from functools import lru_cache
from math import hypot
from typing import Literal, NamedTuple, TypeAlias, get_args

from teval.world.places import CITIES
from teval.world.setting import Setting

Kind: TypeAlias = Literal[
    "pharmacy", "museum", "library", "park", "supermarket", "bank", "post_office", "pool",
    "clinic", "station", "bakery", "garage",
]  # fmt: skip
Mode: TypeAlias = Literal["walk", "bicycle", "bus", "car"]
Coach: TypeAlias = Literal["car", "train", "bus"]
_NAMES: dict[Kind, str] = {
    "pharmacy": "Pharmacy", "museum": "Museum", "library": "Library", "park": "Park",
    "supermarket": "Market", "bank": "Savings Bank", "post_office": "Post Office",
    "pool": "Baths", "clinic": "Clinic", "station": "Station", "bakery": "Bakery",
    "garage": "Car Park",
}  # fmt: skip
_OPEN: dict[Kind, tuple[str, str]] = {
    "park": ("00:00", "24:00"), "station": ("00:00", "24:00"), "garage": ("00:00", "24:00"),
    "bakery": ("06:00", "15:00"), "museum": ("10:00", "17:30"), "bank": ("09:00", "16:00"),
}  # fmt: skip
"""Hours of kinds that all keep the same."""
_TWICE: tuple[Kind, ...] = ("pharmacy", "supermarket", "museum", "clinic")
"""Kinds of which every city has two."""
_FIRST = (
    "Heron", "Mill", "Abbey", "Orchard", "Tanner", "Fountain", "Old Bridge", "New Bridge",
    "Lantern", "Weaver", "Castle", "Meadow", "Harbour", "Granary",
)  # fmt: skip
_WAYS = ("Street", "Lane", "Square", "Row", "Road")
_SIDE = 80
"""How far a city reaches both ways, in tenths of a kilometre."""
_DETOUR = 1.3
"""How much longer streets are than the straight line."""
_SPEEDS: dict[Mode, tuple[int, int]] = {
    "walk": (5, 0), "bicycle": (15, 2), "bus": (22, 7), "car": (30, 5),
}  # fmt: skip
"""Kilometres an hour, and minutes lost before and after."""
_COACHES: dict[Coach, tuple[int, int]] = {"car": (85, 10), "train": (115, 25), "bus": (62, 15)}


class Spot(NamedTuple):
    """A point of a city."""

    city: str
    street: str
    x: int
    y: int
    """Tenths of a kilometre from the south-western corner."""


class Venue(NamedTuple):
    """A place that people go to."""

    id: str
    name: str
    kind: Kind
    spot: Spot
    opens: str
    closes: str
    rating: float
    """1.0 to 5.0."""
    phone: str
    step_free: bool


@lru_cache(maxsize=64)
def make_venues(setting: Setting) -> dict[str, Venue]:
    """Return the 16 places of each city by their ids."""
    venues = [v for n in range(len(CITIES)) for v in _city_venues(setting, n)]
    return {venue.id: venue for venue in venues}


def _city_venues(setting: Setting, city: int) -> list[Venue]:
    kinds = [*get_args(Kind), *_TWICE]
    names = list(_FIRST)
    setting.rng(f"venues:{city}").shuffle(names)
    return [
        _venue(setting, city * len(kinds) + n, CITIES[city].name, kind, names[n % len(names)])
        for n, kind in enumerate(kinds)
    ]


def _venue(setting: Setting, n: int, city: str, kind: Kind, name: str) -> Venue:
    rng = setting.rng(f"venue:{n}")
    opens, closes = _OPEN.get(kind, (f"0{rng.randrange(7, 10)}:00", f"{rng.randrange(17, 23)}:00"))
    return Venue(
        id=setting.new_id("PLC", n),
        name=f"{name} {_NAMES[kind]}",
        kind=kind,
        spot=_spot(setting, f"spot:{n}", city),
        opens=opens,
        closes=closes,
        rating=rng.randrange(24, 50) / 10,
        phone=f"+44 20 7946 0{rng.randrange(200, 1000)}",
        step_free=rng.randrange(3) > 0,
    )


def _spot(setting: Setting, topic: str, city: str) -> Spot:
    rng = setting.rng(topic)
    street = f"{rng.randrange(1, 90)} {rng.choice(_FIRST)} {rng.choice(_WAYS)}"
    return Spot(city, street, rng.randrange(_SIDE), rng.randrange(_SIDE))


def position(setting: Setting) -> Spot:
    """Return where the user is."""
    return _spot(setting, "position", setting.rng("whereabouts").choice(CITIES).name)


def kilometres(a: Spot, b: Spot) -> float:
    """Return the length of the way between two points of one city, at least 0.1."""
    return max(round(hypot(a.x - b.x, a.y - b.y) / 10 * _DETOUR, 1), 0.1)


def ride_minutes(km: float, mode: Mode) -> int:
    """Return how long a way within a city takes.

    >>> ride_minutes(2.5, "walk"), ride_minutes(2.5, "bicycle")
    (30, 12)
    """
    speed, lost = _SPEEDS[mode]
    return max(round(km / speed * 60) + lost, 1)


def city_kilometres(setting: Setting, a: str, b: str) -> int:
    """Return the length of the road between two cities."""
    (ax, ay), (bx, by) = (_on_map(setting, name) for name in (a, b))
    return max(round(hypot(ax - bx, ay - by) * _DETOUR), 20)


def _on_map(setting: Setting, city: str) -> tuple[int, int]:
    rng = setting.rng(f"map:{city}")
    return rng.randrange(600), rng.randrange(600)


def trip_minutes(km: int, mode: Coach) -> int:
    """Return how long a trip between cities takes, stops included.

    >>> trip_minutes(170, "car")
    130
    """
    speed, lost = _COACHES[mode]
    return round(km / speed * 60) + lost
