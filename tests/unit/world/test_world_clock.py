"""The clock toolkit: times, dates and units."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from new_world import (
    calls,
    holds_for_calls,
    holds_for_descriptions,
    holds_for_mix_ups,
    part,
    tools_of,
)
from world_cases import CLOCK, build, good, refused

from teval.schema import Call, Json, JsonObject
from teval.world.toolkits.clock import Unit
from teval.world.zones import ABROAD, HOME

PLAUSIBLE: dict[str, list[Json]] = {
    "city": ["Aldermoor", "Minaru", "Atlantis"],
    "from_city": ["Aldermoor", "Kaldvik"],
    "to_city": ["Lunaris", "Ivyton"],
    "time": ["2031-05-09T10:00", "2031-05-09T23:45"],
    "start_date": ["2031-05-05", "2030-12-31"],
    "end_date": ["2031-05-05", "2032-02-29"],
    "date": ["2031-05-31", "2032-02-29"],
    "amount": [-1000, 0, 10, 1000],
    "value": [0, 1.5, 1e9, -300.0],
}


def zone(city: str) -> int:
    minutes = part(build().view(), "zones")[city]
    assert isinstance(minutes, int)
    return minutes


def test_cities_at_home_share_a_zone_and_those_abroad_do_not() -> None:
    zones = part(build().view(), "zones")
    assert len(zones) == 36
    assert [name for name, minutes in zones.items() if minutes != HOME] == list(ABROAD)
    assert len({zones[name] for name in ABROAD}) == len(ABROAD)
    assert zones != part(build(8).view(), "zones")


def test_the_time_in_a_city() -> None:
    here = good(build(), "clock.get_time", city="ivyton")
    assert here == {
        "city": "Ivyton",
        "time": CLOCK[:16],
        "weekday": "Monday",
        "zone": "UTC+01:00",
        "minutes_ahead": 0,
    }
    for city in ABROAD:
        told = good(build(), "clock.get_time", city=city)
        ahead = zone(city) - HOME
        there = datetime.fromisoformat(CLOCK) + timedelta(minutes=ahead)
        assert (told["time"], told["minutes_ahead"]) == (there.isoformat()[:16], ahead)
    message = refused(build(), "clock.get_time", city="Atlantis")
    assert "city: unknown city 'Atlantis'; give the plain name" in message


def test_times_are_converted_there_and_back() -> None:
    for city in ABROAD:
        args: JsonObject = {"time": "2031-05-09T00:10", "from_city": "Marisol", "to_city": city}
        told = good(build(), "clock.convert_time", **args)
        back: JsonObject = {"time": told["to_time"], "from_city": city, "to_city": "Marisol"}
        assert good(build(), "clock.convert_time", **back)["to_time"] == args["time"]
        day = date.fromisoformat(str(told["to_time"])[:10])
        assert told["weekday"] == ("Thursday" if day.day == 8 else "Friday")


def test_times_that_make_no_sense() -> None:
    args: JsonObject = {"time": "10:00", "from_city": "Marisol", "to_city": "Minaru"}
    assert "time must be YYYY-MM-DDTHH:MM" in refused(build(), "clock.convert_time", **args)
    args = {"time": "2031-05-09T10:00", "from_city": "Marisol", "to_city": "Rome"}
    assert "to_city: unknown city 'Rome'" in refused(build(), "clock.convert_time", **args)


@pytest.mark.parametrize(
    ("start", "end", "days", "workdays"),
    [
        ("2031-05-05", "2031-05-05", 0, 0),
        ("2031-05-05", "2031-05-12", 7, 5),
        ("2031-05-09", "2031-05-11", 2, 0),
        ("2031-05-09", "2031-05-12", 3, 1),
        ("2031-05-12", "2031-05-09", -3, -1),
        ("2031-05-11", "2031-05-09", -2, -1),
        ("2031-02-28", "2031-03-01", 1, 0),
        ("2031-12-31", "2032-03-01", 61, 43),
    ],
)
def test_days_are_counted(start: str, end: str, days: int, workdays: int) -> None:
    args: JsonObject = {"start_date": start, "end_date": end}
    assert good(build(), "clock.count_days", **args)["days"] == days
    assert good(build(), "clock.count_days", **args, count="workdays")["days"] == workdays


@pytest.mark.parametrize(
    ("start", "amount", "unit", "expected"),
    [
        ("2031-05-31", 10, "days", "2031-06-10 Tuesday"),
        ("2031-05-31", -2, "weeks", "2031-05-17 Saturday"),
        ("2031-05-31", 1, "months", "2031-06-30 Monday"),
        ("2031-05-31", 9, "months", "2032-02-29 Sunday"),
        ("2031-05-31", -5, "months", "2030-12-31 Tuesday"),
        ("2031-05-31", 36, "months", "2034-05-31 Wednesday"),
        ("2031-05-31", 1, "workdays", "2031-06-02 Monday"),
        ("2031-05-31", -1, "workdays", "2031-05-30 Friday"),
        ("2031-05-05", 10, "workdays", "2031-05-19 Monday"),
        ("2031-05-05", -6, "workdays", "2031-04-25 Friday"),
    ],
)
def test_dates_are_shifted(start: str, amount: int, unit: str, expected: str) -> None:
    told = good(build(), "clock.shift_date", date=start, amount=amount, unit=unit)
    assert f"{told['date']} {told['weekday']}" == expected


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"amount": 0}, "amount must be 1 to 1000 or as far below 0, got 0"),
        ({"amount": 1001}, "got 1001"),
        ({"amount": -1001}, "got -1001"),
        ({"unit": "years"}, "unit must be one of days, workdays, weeks, months"),
        ({"date": "31 May"}, "date must be a date as YYYY-MM-DD"),
        ({"date": "2033-05-31"}, "within a year of today"),
    ],
)
def test_shifts_that_make_no_sense(args: JsonObject, message: str) -> None:
    usual: JsonObject = {"date": "2031-05-31", "amount": 1, "unit": "days"}
    assert message in refused(build(), "clock.shift_date", **{**usual, **args})


@pytest.mark.parametrize(
    ("value", "origin", "target", "result"),
    [
        (10, "km", "mile", 6.21371),
        (6, "foot", "m", 1.8288),
        (2.5, "pound", "kg", 1.13398),
        (3, "gallon", "litre", 11.3562),
        (2, "gallon", "pint", 16.0),
        (1, "hectare", "acre", 2.47105),
        (100, "kmh", "mph", 62.1371),
        (10, "m_per_s", "kmh", 36.0),
        (-40, "celsius", "fahrenheit", -40.0),
        (212, "fahrenheit", "celsius", 100.0),
        (0, "kelvin", "celsius", -273.15),
        (0, "celsius", "kelvin", 273.15),
    ],
)
def test_units_are_converted(value: float, origin: Unit, target: Unit, result: float) -> None:
    args: JsonObject = {"value": value, "from_unit": origin, "to_unit": target}
    assert good(build(), "clock.convert_units", **args)["result"] == result


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"to_unit": "kg"}, "km measures length; to_unit must be one of m, mile, foot, inch"),
        ({"to_unit": "km"}, "from_unit and to_unit are both km"),
        ({"to_unit": "yard"}, "to_unit must be one of m, km"),
        ({"value": -1}, "a length must not be below 0, got -1"),
        (
            {"value": -274, "from_unit": "celsius", "to_unit": "kelvin"},
            "-274 celsius is below absolute zero",
        ),
        ({"from_unit": "kelvin", "to_unit": "m"}, "must be one of celsius, fahrenheit"),
    ],
)
def test_conversions_that_make_no_sense(args: JsonObject, message: str) -> None:
    usual: JsonObject = {"value": 1, "from_unit": "km", "to_unit": "mile"}
    assert message in refused(build(), "clock.convert_units", **{**usual, **args})


def test_nothing_is_written_descriptions_and_mix_ups() -> None:
    assert {tool.effect for tool in tools_of("clock")} == {"read"}
    holds_for_descriptions("clock")
    holds_for_mix_ups(
        "clock",
        {
            "clock.get_time": {"city": "Minaru"},
            "clock.convert_time": {
                "time": "2031-05-09T10:00",
                "from_city": "Ivyton",
                "to_city": "Kaldvik",
            },
            "clock.count_days": {"start_date": "2031-05-05", "end_date": "2031-06-05"},
            "clock.shift_date": {"date": "2031-05-05", "amount": 3, "unit": "days"},
            "clock.convert_units": {"value": 3, "from_unit": "kg", "to_unit": "pound"},
        },
    )


@settings(max_examples=10, deadline=None)
@given(st.lists(calls("clock", PLAUSIBLE), min_size=1, max_size=8))
def test_any_calls_are_answered(some: list[Call]) -> None:
    holds_for_calls(build(), some)
