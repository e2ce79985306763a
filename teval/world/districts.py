"""The quarters of the cities; the same name may stand in several cities."""

from __future__ import annotations

from teval.world.places import CITIES
from teval.world.values import InputError, clip

_NAMES = (
    "Old Town", "Harbour Quarter", "Station District", "Riverside", "University Hill",
    "Garden Suburb", "Market Square", "Mill Quarter",
)  # fmt: skip
_EACH = 4

DISTRICTS: dict[str, tuple[str, ...]] = {
    city.name: tuple(_NAMES[(n + 3 * k) % len(_NAMES)] for k in range(_EACH))
    for n, city in enumerate(CITIES)
}
"""The districts of each city."""


def find_district(city: str, name: str, argument: str) -> str:
    """Return the name of a city's district as it is spelt, case ignored.

    Raises:
        InputError: The city has none of that name.
    """
    known = {district.casefold(): district for district in DISTRICTS[city]}
    found = known.get(name.strip().casefold())
    if found is None:
        choices = ", ".join(DISTRICTS[city])
        raise InputError(f"{argument} must be a district of {city}: {choices}; got {clip(name)}")
    return found
