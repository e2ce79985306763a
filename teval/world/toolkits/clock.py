"""Times, dates and units: nothing here changes anything."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Annotated, Literal, TypeAlias, get_args

from teval.schema import Comparator, JsonObject
from teval.world.places import CITIES
from teval.world.tool import When, tool
from teval.world.toolkit import Toolkit
from teval.world.values import InputError, minute, read_day, read_moment
from teval.world.zones import ABROAD, find_place, offset, shifted, weekday, zone_name

Unit: TypeAlias = Literal[
    "m", "km", "mile", "foot", "inch",
    "g", "kg", "pound", "ounce",
    "ml", "litre", "pint", "gallon",
    "sq_m", "hectare", "sq_foot", "acre",
    "kmh", "mph", "m_per_s", "knot",
    "celsius", "fahrenheit", "kelvin",
]  # fmt: skip
Step: TypeAlias = Literal["days", "workdays", "weeks", "months"]
Quantity: TypeAlias = Annotated[float, Comparator(kind="number", tolerance=1e-6)]
_FACTORS: dict[str, dict[Unit, float]] = {
    "length": {"m": 1.0, "km": 1000.0, "mile": 1609.344, "foot": 0.3048, "inch": 0.0254},
    "mass": {"g": 1.0, "kg": 1000.0, "pound": 453.59237, "ounce": 28.349523125},
    "volume": {"ml": 1.0, "litre": 1000.0, "pint": 473.176473, "gallon": 3785.411784},
    "area": {"sq_m": 1.0, "hectare": 10000.0, "sq_foot": 0.09290304, "acre": 4046.8564224},
    "speed": {"kmh": 1.0, "mph": 1.609344, "m_per_s": 3.6, "knot": 1.852},
}
"""How much of the first unit one of each is."""
_WARMTH: dict[Unit, tuple[float, float]] = {
    "celsius": (1.0, 273.15), "kelvin": (1.0, 0.0), "fahrenheit": (5 / 9, 459.67 * 5 / 9),
}  # fmt: skip
"""Kelvin for a degree, and at zero degrees."""
_MOST_STEPS = 1000


class Clock(Toolkit):
    """Reckoning with times, days and measures."""

    def others(self, argument: str) -> Sequence[str]:
        """Return cities, units, or days around today."""
        if argument in ("city", "from_city", "to_city"):
            return [*(city.name for city in CITIES), *ABROAD]
        if argument == "to_unit":
            return get_args(Unit)
        if argument in ("date", "end_date"):
            return [str(self.setting.today + timedelta(n)) for n in range(-14, 15)]
        return ()

    def view(self) -> JsonObject:
        """Return the minutes that each city's clocks are ahead of UTC."""
        zones: JsonObject = {
            name: offset(self.setting, name) for name in (*(c.name for c in CITIES), *ABROAD)
        }
        return {"zones": zones}

    @tool("read", decoy="city")
    def get_time(self, city: str) -> JsonObject:
        """Get the local date and time in a city right now.

        Knows the cities at home, which share the user's own time zone, and 16 cities abroad.

        Args:
            city: City name, such as Aldermoor or Halvard City.

        Returns:
            Local time as YYYY-MM-DDTHH:MM, weekday, zone, and by how many minutes the city is
            ahead of the user.

        Raises:
            InputError: Unknown city.
        """
        place, home = find_place(city, "city"), CITIES[0].name
        now = shifted(self.setting, self.setting.now, home, place)
        ahead = offset(self.setting, place)
        return {
            "city": place,
            "time": minute(now),
            "weekday": weekday(now.date()),
            "zone": zone_name(ahead),
            "minutes_ahead": ahead - offset(self.setting, home),
        }

    @tool("read", decoy="to_city")
    def convert_time(self, time: When, from_city: str, to_city: str) -> JsonObject:
        """Convert a local date and time of one city to that of another.

        Args:
            time: Local date and time in from_city as YYYY-MM-DDTHH:MM.
            from_city: City whose local time is given, such as Aldermoor; any city at home stands
                for the user's own zone.
            to_city: City whose local time is wanted, such as Halvard City.

        Returns:
            Local time in both cities as YYYY-MM-DDTHH:MM, and the weekday in to_city.

        Raises:
            InputError: Not a date and time; unknown city.
        """
        moment = read_moment(time, "time", self.setting.today)
        start, end = find_place(from_city, "from_city"), find_place(to_city, "to_city")
        there = shifted(self.setting, moment, start, end)
        return {
            "from_city": start,
            "from_time": minute(moment),
            "to_city": end,
            "to_time": minute(there),
            "weekday": weekday(there.date()),
        }

    @tool("read", decoy="end_date")
    def count_days(
        self, start_date: When, end_date: When, count: Literal["all", "workdays"] = "all"
    ) -> JsonObject:
        """Count the days from one date to another; the first date is not counted, the last one is.

        Args:
            start_date: First date as YYYY-MM-DD.
            end_date: Last date as YYYY-MM-DD; may lie before the first.
            count: Whether to count all days or only Monday to Friday.

        Returns:
            Number of days, below 0 if the last date lies before the first, and both weekdays.

        Raises:
            InputError: Not a date; over a year away.
        """
        first = read_day(start_date, "start_date", self.setting.today)
        last = read_day(end_date, "end_date", self.setting.today)
        return {
            "start_date": str(first),
            "start_weekday": weekday(first),
            "end_date": str(last),
            "end_weekday": weekday(last),
            "count": count,
            "days": _days(first, last) if count == "all" else _workdays(first, last),
        }

    @tool("read", decoy="date")
    def shift_date(self, date: When, amount: int, unit: Step) -> JsonObject:
        """Get the date that lies a number of days, workdays, weeks or months after or before another.

        Workdays are Monday to Friday. Where a month has no such day, its last day is taken.

        Args:
            date: Date to start from as YYYY-MM-DD.
            amount: How many to go on, 1 to 1000; -1 to -1000 goes back.
            unit: What is counted.

        Returns:
            The resulting date as YYYY-MM-DD and its weekday.

        Raises:
            InputError: Not a date; over a year away; amount 0 or out of range.
        """  # noqa: E501
        start = read_day(date, "date", self.setting.today)
        if not 1 <= abs(amount) <= _MOST_STEPS:
            raise InputError(f"amount must be 1 to {_MOST_STEPS} or as far below 0, got {amount}")
        found = _moved(start, amount, unit)
        return {"from": str(start), "date": str(found), "weekday": weekday(found)}

    @tool("read", decoy="to_unit")
    def convert_units(self, value: Quantity, from_unit: Unit, to_unit: Unit) -> JsonObject:
        """Convert a length, mass, volume, area, speed or temperature from one unit to another.

        Pints and gallons are US liquid ones.

        Args:
            value: How many of from_unit; not below 0 but for temperatures.
            from_unit: Unit that is given.
            to_unit: Unit that is wanted, of the same kind.

        Returns:
            Both values with their units, the result to six digits.

        Raises:
            InputError: Units of different kinds or the same; value below 0 or absolute zero.
        """
        if from_unit == to_unit:
            raise InputError(f"from_unit and to_unit are both {from_unit}")
        kind = _kind(from_unit)
        if _kind(to_unit) != kind:
            fitting = ", ".join(u for u in _units(kind) if u != from_unit)
            raise InputError(f"{from_unit} measures {kind}; to_unit must be one of {fitting}")
        reckon = _warmth if kind == "temperature" else _amount
        result = float(f"{reckon(value, from_unit, to_unit):.6g}")
        return {"value": value, "from_unit": from_unit, "result": result, "to_unit": to_unit}


def _days(first: date, last: date) -> int:
    return (last - first).days


def _workdays(first: date, last: date) -> int:
    """Return the days from Monday to Friday after ``first`` up to ``last``, or minus those back."""
    if last < first:
        return -_workdays(last - timedelta(1), first - timedelta(1))
    days = (first + timedelta(n) for n in range(1, _days(first, last) + 1))
    return sum(day.weekday() < 5 for day in days)


def _moved(start: date, amount: int, unit: Step) -> date:
    if unit == "months":
        return _add_months(start, amount)
    if unit == "workdays":
        return _add_workdays(start, amount)
    return start + timedelta(amount * (7 if unit == "weeks" else 1))


def _add_workdays(start: date, amount: int) -> date:
    """Return the day that many days from Monday to Friday after or before.

    >>> _add_workdays(date(2031, 5, 9), 1)
    datetime.date(2031, 5, 12)
    """
    step = timedelta(1 if amount > 0 else -1)
    day, left = start, abs(amount)
    while left:
        day += step
        left -= day.weekday() < 5
    return day


def _add_months(start: date, months: int) -> date:
    """Return the same day of another month, or that month's last.

    >>> _add_months(date(2031, 1, 31), 1)
    datetime.date(2031, 2, 28)
    """
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    return date(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))


def _kind(unit: Unit) -> str:
    return next((kind for kind, units in _FACTORS.items() if unit in units), "temperature")


def _units(kind: str) -> Sequence[Unit]:
    return list(_FACTORS.get(kind, _WARMTH))


def _amount(value: float, from_unit: Unit, to_unit: Unit) -> float:
    """Return an amount in another unit of its kind.

    Raises:
        InputError: It is below 0.
    """
    factors = _FACTORS[_kind(from_unit)]
    if value < 0:
        raise InputError(f"a {_kind(from_unit)} must not be below 0, got {value}")
    return value * factors[from_unit] / factors[to_unit]


def _warmth(value: float, from_unit: Unit, to_unit: Unit) -> float:
    """Return a temperature in another unit.

    Raises:
        InputError: It is below absolute zero.
    """
    (a, a_zero), (b, b_zero) = _WARMTH[from_unit], _WARMTH[to_unit]
    kelvin = value * a + a_zero
    if kelvin < -1e-9:
        raise InputError(f"{value} {from_unit} is below absolute zero")
    return round((kelvin - b_zero) / b, 9)
