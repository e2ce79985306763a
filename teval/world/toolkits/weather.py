"""Weather of all cities: pure functions of seed, city and day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Literal, NamedTuple, TypeAlias

from teval.schema import Json, JsonObject
from teval.world.places import CITIES, City, find_city
from teval.world.setting import Setting
from teval.world.tool import When, tool
from teval.world.toolkit import Toolkit
from teval.world.values import InputError, read_day

Unit: TypeAlias = Literal["celsius", "fahrenheit"]
FORECAST_DAYS = 7
_ALERT_DAYS = 3
_SEASON = (-10, -9, -5, 0, 5, 9, 10, 9, 5, 0, -5, -9)
"""How far each month's mean lies above the yearly one, in tenths of the city's swing."""
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


class Day(NamedTuple):
    """One day's weather in one city; degrees Celsius, percent, km/h."""

    high: int
    low: int
    rain: int
    wind: int

    @property
    def condition(self) -> str:
        """The day in a word or two."""
        if self.rain >= 60:
            return "snow" if self.high <= 1 else "heavy rain" if self.rain >= 80 else "showers"
        if self.rain >= 40:
            return "cloudy"
        return "partly cloudy" if self.rain >= 20 else "sunny"


def weather_on(setting: Setting, city: City, day: date) -> Day:
    """Return the weather of a city on a day."""
    rng = setting.rng(f"weather:{city.name}:{day}")
    high = _mean(city, day.month) + rng.randrange(-2, 8)
    low = high - rng.randrange(4, 12)
    rain = min(max(city.rain + rng.randrange(-45, 51), 0), 95) // 5 * 5
    return Day(high, low, rain, max(city.wind + rng.randrange(-9, 31), 2))


def _mean(city: City, month: int) -> int:
    return city.warmth + city.swing * _SEASON[month - 1] // 10


def _degrees(celsius: int, unit: Unit) -> int:
    return celsius if unit == "celsius" else (celsius * 9 + 2) // 5 + 32


class Weather(Toolkit):
    """Four views of the weather: now, a coming day, warnings, and the long-term mean."""

    def others(self, argument: str) -> Sequence[str]:
        """Return the names of all cities."""
        return [city.name for city in CITIES] if argument == "city" else ()

    def view(self) -> JsonObject:
        """Return the cities, and the weather of 14 days in each."""
        cities: list[Json] = [
            {"name": c.name, "region": c.region, "airports": [code for code, _ in c.airports]}
            for c in CITIES
        ]
        days = [self.setting.today + timedelta(n) for n in range(14)]
        weather: list[Json] = [
            {"city": c.name, "date": str(d), **self._facts(c, d, "celsius")}
            for c in CITIES
            for d in days
        ]
        return {"cities": cities, "weather": weather}

    @tool("read", decoy="city")
    def get_current(self, city: str, unit: Unit = "celsius") -> JsonObject:
        """Get the weather measured in a city right now. Not for later times or days.

        Args:
            city: City name, such as Aldermoor.
            unit: Temperature unit.

        Returns:
            Temperature, condition, humidity in percent and wind in km/h.

        Raises:
            InputError: Unknown city.
        """
        place = find_city(city)
        day = weather_on(self.setting, place, self.setting.today)
        rng = self.setting.rng(f"weather:{place.name}:{self.setting.now.isoformat()}")
        return {
            "city": place.name,
            "time": self.setting.now.isoformat(timespec="minutes"),
            "temperature": _degrees(_between(rng, day), unit),
            "unit": unit,
            "condition": day.condition,
            "humidity": 40 + day.rain // 2,
            "wind_kmh": day.wind,
        }

    @tool("read", decoy="city")
    def get_forecast(self, city: str, date: When, unit: Unit = "celsius") -> JsonObject:
        """Get the weather forecast of a city for one day, today to 7 days ahead.

        Args:
            city: City name, such as Aldermoor.
            date: Day as YYYY-MM-DD.
            unit: Temperature unit.

        Returns:
            High, low, condition, rain chance in percent and wind in km/h.

        Raises:
            InputError: Unknown city; day in the past or over 7 days ahead.
        """
        place, today = find_city(city), self.setting.today
        day = read_day(date, "date", today)
        if day < today:
            raise InputError(f"date {day} lies in the past; today is {today}")
        last = today + timedelta(FORECAST_DAYS)
        if day > last:
            raise InputError(f"no forecast for {day}: forecasts reach {last}, 7 days ahead")
        return {"city": place.name, "date": str(day), "unit": unit, **self._facts(place, day, unit)}

    @tool("read", decoy="city")
    def get_alerts(self, city: str) -> JsonObject:
        """List the official weather warnings in force in a city today and the next 3 days.

        Args:
            city: City name, such as Aldermoor.

        Returns:
            Warnings with date, kind and level; none if there is no danger.

        Raises:
            InputError: Unknown city.
        """
        place, today = find_city(city), self.setting.today
        days = [today + timedelta(n) for n in range(_ALERT_DAYS + 1)]
        alerts = [a for d in days for a in _alerts(d, weather_on(self.setting, place, d))]
        return {"city": place.name, "from": str(days[0]), "to": str(days[-1]), "alerts": alerts}

    @tool("read", decoy="city")
    def get_climate(self, city: str, month: int) -> JsonObject:
        """Get a city's long-term averages for a calendar month. Not a forecast.

        Args:
            city: City name, such as Aldermoor.
            month: Month of the year, 1 to 12.

        Returns:
            Mean high and low in degrees Celsius, rainy days, mean wind in km/h.

        Raises:
            InputError: Unknown city; month outside 1 to 12.
        """
        place = find_city(city)
        if not 1 <= month <= 12:
            raise InputError(f"month must be 1 to 12, got {month}")
        mean = _mean(place, month)
        return {
            "city": place.name,
            "month": _MONTHS[month - 1],
            "mean_high": mean + 4,
            "mean_low": mean - 4,
            "rainy_days": place.rain * 30 // 100,
            "mean_wind_kmh": place.wind,
        }

    def _facts(self, city: City, day: date, unit: Unit) -> JsonObject:
        found = weather_on(self.setting, city, day)
        return {
            "high": _degrees(found.high, unit),
            "low": _degrees(found.low, unit),
            "condition": found.condition,
            "rain_chance": found.rain,
            "wind_kmh": found.wind,
        }


def _between(rng: Random, day: Day) -> int:
    return rng.randrange(day.low, day.high + 1)


def _alerts(day: date, found: Day) -> list[Json]:
    limits = (
        ("heavy rain", found.rain, 80, 90),
        ("strong wind", found.wind, 48, 58),
        ("heat", found.high, 32, 36),
        ("frost", -found.low, 5, 12),
    )
    return [
        {"date": str(day), "kind": kind, "level": "red" if value >= red else "yellow"}
        for kind, value, yellow, red in limits
        if value >= yellow
    ]
