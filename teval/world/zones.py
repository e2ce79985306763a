"""Time zones of cities at home and abroad, and the names of the days of the week."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from teval.world.places import CITIES
from teval.world.setting import Setting
from teval.world.values import InputError, clip

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
ABROAD = (
    "Bel Ombra", "Cape Verity", "Dravensk", "Esperance", "Fort Mallory", "Halvard City",
    "Isla Teranga", "Kaldvik", "Lunaris", "Minaru", "New Thessaly", "Omberg", "Port Caldera",
    "Qasr Amal", "Santa Orsola", "Tolvanen",
)  # fmt: skip
"""Cities that only the clock knows; all others share the user's own zone."""
HOME = 60
"""Minutes that the user's own zone is ahead of UTC."""
_OFFSETS = (
    -480, -420, -300, -240, -210, -180, -60, 0, 120, 180, 240, 330, 420, 480, 570, 660,
)  # fmt: skip
_ALL = {name.casefold(): name for name in (*(c.name for c in CITIES), *ABROAD)}


def weekday(day: date) -> str:
    """Return the name of a day's weekday.

    >>> weekday(date(2031, 5, 5))
    'Monday'
    """
    return WEEKDAYS[day.weekday()]


def find_place(name: str, argument: str) -> str:
    """Return the name of a city at home or abroad, case ignored.

    Raises:
        InputError: There is none.
    """
    found = _ALL.get(name.strip().casefold())
    if found is None:
        raise InputError(
            f"{argument}: unknown city {clip(name)}; give the plain name, such as Aldermoor or "
            "Halvard City"
        )
    return found


def offset(setting: Setting, city: str) -> int:
    """Return the minutes that a city's clocks are ahead of UTC; none keeps summer time."""
    if city not in ABROAD:
        return HOME
    minutes = list(_OFFSETS)
    setting.rng("zones").shuffle(minutes)
    return minutes[ABROAD.index(city)]


def zone_name(minutes: int) -> str:
    """Return the name of an offset.

    >>> zone_name(330), zone_name(-210)
    ('UTC+05:30', 'UTC-03:30')
    """
    sign = "-" if minutes < 0 else "+"
    return f"UTC{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def shifted(setting: Setting, moment: datetime, origin: str, target: str) -> datetime:
    """Return the local time in one city when it is ``moment`` in another."""
    return moment + timedelta(minutes=offset(setting, target) - offset(setting, origin))
