"""The cities of every world: invented, so that no airport code or climate is known beforehand."""

from __future__ import annotations

from typing import NamedTuple

from teval.world.values import InputError, clip


class City(NamedTuple):
    """A city with its airports and the middle of its weather."""

    name: str
    region: str
    warmth: int
    """Yearly mean temperature in degrees Celsius."""
    swing: int
    """How far the warmest month lies above the yearly mean."""
    rain: int
    """Yearly mean chance of rain on a day, in percent."""
    wind: int
    """Yearly mean wind in km/h."""
    airports: tuple[tuple[str, str], ...] = ()
    """Code and name of each."""


CITIES = (
    City("Aldermoor", "Midlands", 10, 8, 45, 14, (("ALM", "Aldermoor International"),)),
    City(
        "Brightwater",
        "West Coast",
        13,
        7,
        40,
        22,
        (("BRW", "Brightwater Harbour"), ("BTN", "Brightwater North")),
    ),
    City("Castelora", "South", 19, 9, 20, 12, (("CSL", "Castelora Airport"),)),
    City("Dunhaven", "East Coast", 9, 9, 50, 30, (("DUN", "Dunhaven Airport"),)),
    City("Estermere", "Lakes", 8, 10, 48, 12, (("ESM", "Estermere Lakes"),)),
    City("Fallowick", "Midlands", 10, 8, 42, 13),
    City(
        "Greyport",
        "North",
        6,
        10,
        55,
        28,
        (("GRP", "Greyport Central"), ("GYN", "Greyport Nordkai")),
    ),
    City("Hollowmere", "Lakes", 8, 10, 50, 10, (("HLW", "Hollowmere Airport"),)),
    City("Ivyton", "Midlands", 11, 8, 38, 12, (("IVT", "Ivyton Fields"),)),
    City("Juniper Bay", "West Coast", 14, 6, 35, 24, (("JPB", "Juniper Bay Airport"),)),
    City("Kestrel Point", "East Coast", 10, 8, 46, 34, (("KSP", "Kestrel Point Airport"),)),
    City("Larkspur", "South", 18, 9, 22, 10, (("LKR", "Larkspur Airport"),)),
    City("Marisol", "South", 21, 8, 15, 15, (("MSO", "Marisol Playa"),)),
    City("Northolme", "North", 4, 12, 52, 20, (("NTH", "Northolme Airport"),)),
    City("Orrin Falls", "Lakes", 7, 11, 54, 11),
    City(
        "Port Selene",
        "South Coast",
        17,
        7,
        30,
        26,
        (("PSE", "Port Selene International"), ("PSW", "Port Selene West")),
    ),
    City("Quillon", "West Coast", 12, 7, 44, 20, (("QLN", "Quillon Airport"),)),
    City("Ravensea", "North", 5, 11, 58, 32, (("RVN", "Ravensea Airport"),)),
    City("Silverbrook", "Midlands", 10, 9, 40, 11, (("SVB", "Silverbrook Airport"),)),
    City("Tamarind", "South Coast", 22, 6, 25, 18, (("TMD", "Tamarind Beach"),)),
)
_BY_NAME = {city.name.casefold(): city for city in CITIES}
AIRPORTS = {code: city for city in CITIES for code, _ in city.airports}
"""Airport code to its city."""


def find_city(name: str) -> City:
    """Return the city of that name, case ignored.

    Raises:
        InputError: There is none.
    """
    city = _BY_NAME.get(name.strip().casefold())
    if city is None:
        raise InputError(f"unknown city {clip(name)}; give the plain name, such as Aldermoor")
    return city


def find_airport(code: str, argument: str) -> str:
    """Return the airport's code in capitals.

    Raises:
        InputError: There is none.
    """
    found = code.strip().upper()
    if found not in AIRPORTS:
        raise InputError(
            f"{argument} must be an airport code such as ALM, got {clip(code)}; "
            "flights.find_airports lists a city's codes"
        )
    return found
