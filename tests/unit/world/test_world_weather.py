"""The weather toolkit."""

from __future__ import annotations

import pytest
from world_cases import build, good, records, refused

WEATHER = {(w["city"], w["date"]): w for w in records(build(), "weather")}


def test_the_forecast_is_the_weather_of_that_day() -> None:
    world = build()
    for day in ("2031-05-05", "2031-05-12"):
        told = good(world, "weather.get_forecast", city=" larkspur ", date=day)
        assert told == {"unit": "celsius", **WEATHER["Larkspur", day]}


def test_degrees_follow_the_unit() -> None:
    world = build()
    celsius = good(world, "weather.get_forecast", city="Marisol", date="2031-05-06")["high"]
    told = good(world, "weather.get_forecast", city="Marisol", date="2031-05-06", unit="fahrenheit")
    assert isinstance(celsius, int)
    assert told["high"] == round(celsius * 1.8 + 32)


def test_it_is_now_between_the_low_and_the_high_of_today() -> None:
    world = build()
    for city in {str(c) for c, _ in WEATHER}:
        told, today = good(world, "weather.get_current", city=city), WEATHER[city, "2031-05-05"]
        degrees, low, high = told["temperature"], today["low"], today["high"]
        assert isinstance(degrees, int)
        assert isinstance(low, int)
        assert isinstance(high, int)
        assert low <= degrees <= high
        assert told["condition"] == today["condition"]


def test_alerts_warn_of_what_the_weather_is() -> None:
    world, seen = build(), set()
    for city in {str(c) for c, _ in WEATHER}:
        alerts = good(world, "weather.get_alerts", city=city)["alerts"]
        assert isinstance(alerts, list)
        winds = {d: w["wind_kmh"] for (c, d), w in WEATHER.items() if c == city}
        stormy = {d for d, w in winds.items() if isinstance(w, int) and w >= 48}
        told = {a["date"] for a in alerts if isinstance(a, dict) and a["kind"] == "strong wind"}
        assert told == {d for d in stormy if str(d) <= "2031-05-08"}
        seen |= {str(a["kind"]) for a in alerts if isinstance(a, dict)}
    assert {"strong wind", "heavy rain"} <= seen


def test_the_climate_follows_the_season_and_not_the_seed() -> None:
    summer = good(build(), "weather.get_climate", city="Northolme", month=7)
    winter = good(build(), "weather.get_climate", city="Northolme", month=1)
    assert summer == good(build(8), "weather.get_climate", city="Northolme", month=7)
    assert (summer["mean_high"], winter["mean_high"]) == (20, -4)
    assert summer["month"] == "July"


@pytest.mark.parametrize(
    ("city", "date", "message"),
    [
        ("Atlantis", "2031-05-05", "unknown city 'Atlantis'"),
        ("", "2031-05-05", "unknown city ''"),
        ("Ivyton", "2031-05-04", "2031-05-04 lies in the past; today is 2031-05-05"),
        ("Ivyton", "2031-05-13", "no forecast for 2031-05-13: forecasts reach 2031-05-12"),
        ("Ivyton", "tomorrow", "date must be a date as YYYY-MM-DD, got 'tomorrow'"),
        ("Ivyton", "20310506", "date must be a date as YYYY-MM-DD"),
        ("Ivyton", "2031-02-30", "date must be a date as YYYY-MM-DD"),
        ("Ivyton", "٢٠٣١-٠٥-٠٦", "date must be a date as YYYY-MM-DD"),
        ("Ivyton", "9999-12-31", "must be within a year of today"),
    ],
)
def test_forecasts_that_do_not_exist(city: str, date: str, message: str) -> None:
    assert message in refused(build(), "weather.get_forecast", city=city, date=date)


@pytest.mark.parametrize("month", [0, 13, -1])
def test_months_that_do_not_exist(month: int) -> None:
    assert "month must be 1 to 12" in refused(
        build(), "weather.get_climate", city="Ivyton", month=month
    )
