"""Restaurants, what they serve, when they open and which tables are free."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from random import Random
from typing import ClassVar, Literal, TypeAlias, get_args

from teval.schema import Frozen
from teval.world.districts import DISTRICTS
from teval.world.menus import COURSES, DISHES, Course, Cuisine, Diet
from teval.world.places import CITIES, City
from teval.world.setting import Setting
from teval.world.state import Record

Price: TypeAlias = Literal["low", "medium", "high"]
Seating: TypeAlias = Literal["indoor", "terrace"]
_EACH = 8
_LARGEST = (0, 0, 2, 2, 4, 4, 6, 8)
_LAST_SEATING = timedelta(minutes=90)
_FACTOR: Mapping[Price, int] = {"low": 70, "medium": 100, "high": 175}
_STEMS = (
    "Marigold", "Saltmarsh", "Olive Branch", "Pepperwood", "Thistle", "Rosemary", "Ferry",
    "Clementine", "Lantern", "Barley", "Cinnamon", "Heron", "Quince", "Driftwood", "Nettle",
    "Plum Tree", "Sorrel", "Bell Tower", "Mulberry", "Tamarack", "Larder", "Pomelo",
)  # fmt: skip
_FORMS = ("The {} Table", "{} Kitchen", "Little {}", "{} Dining Room", "{} & Daughters", "Cafe {}")


class Dish(Frozen):
    """A line of a menu."""

    name: str
    course: Course
    price: int
    """Dollars."""
    diets: tuple[Diet, ...]


class Restaurant(Frozen):
    """A restaurant; nothing about it changes."""

    id: str
    name: str
    city: str
    district: str
    cuisine: Cuisine
    price: Price
    rating: float
    """Mean of its guests' marks, 1 to 5."""
    closed_on: int
    """Day of the week, Monday 0."""
    opens: str
    closes: str
    terrace: bool
    menu: tuple[Dish, ...]

    def suits(self, diet: Diet) -> bool:
        """Whether there is a main course for a diet."""
        return any(diet in dish.diets for dish in self.menu if dish.course == "main")

    def is_open(self, day: date) -> bool:
        """Whether it opens on a day."""
        return day.weekday() != self.closed_on

    def seatings(self, day: date) -> list[str]:
        """Return the times as HH:MM at which tables can be had on a day, every half hour."""
        if not self.is_open(day):
            return []
        time = datetime.fromisoformat(f"{day}T{self.opens}")
        last = datetime.fromisoformat(f"{day}T{self.closes}") - _LAST_SEATING
        count = (last - time) // timedelta(minutes=30) + 1
        return [f"{time + timedelta(minutes=30 * n):%H:%M}" for n in range(count)]


class Reservation(Record):
    """A table reserved by the user."""

    table: ClassVar[str] = "table_reservations"
    restaurant: str
    """Id of the restaurant."""
    date: str
    time: str
    guests: int
    seating: Seating
    note: str = ""
    status: Literal["active", "cancelled"] = "active"


@lru_cache(maxsize=64)
def restaurants_of(setting: Setting) -> Mapping[str, Restaurant]:
    """Return all restaurants by id, city by city.

    In each city two have one cuisine in different districts, and two bear nearly the same name.
    """
    every = [restaurant for city in CITIES for restaurant in _in_city(setting, city)]
    return {
        (key := setting.new_id("RST", n)): restaurant.model_copy(update={"id": key})
        for n, restaurant in enumerate(every)
    }


def largest_party(
    setting: Setting, restaurant: Restaurant, day: date, time: str, seating: Seating
) -> int:
    """Return for how many guests the largest free table is, before any call; 0 if none is free."""
    if seating == "terrace" and not restaurant.terrace:
        return 0
    rng = setting.rng(f"tables:{restaurant.id}:{day}:{time}:{seating}")
    return rng.choice(_LARGEST)


def _in_city(setting: Setting, city: City) -> list[Restaurant]:
    rng = setting.rng(f"restaurants:{city.name}")
    stems, forms = list(_STEMS), list(_FORMS)
    cuisines: list[Cuisine] = list(get_args(Cuisine))
    districts = list(DISTRICTS[city.name])
    for values in (stems, forms, cuisines, districts):
        rng.shuffle(values)
    stems[1] = stems[0]
    cuisines[-1] = cuisines[0]
    return [
        _restaurant(
            rng,
            forms[n % len(forms)].format(stems[n]),
            city,
            districts[n % len(districts) if n < _EACH - 1 else 1],
            cuisines[n % len(cuisines)],
        )
        for n in range(_EACH)
    ]


def _restaurant(rng: Random, name: str, city: City, district: str, cuisine: Cuisine) -> Restaurant:
    price: Price = rng.choice(("low", "medium", "medium", "high"))
    return Restaurant(
        id="",
        name=name,
        city=city.name,
        district=district,
        cuisine=cuisine,
        price=price,
        rating=rng.randrange(31, 50) / 10,
        closed_on=rng.randrange(7),
        opens=rng.choice(("11:30", "12:00", "17:00", "17:30")),
        closes=rng.choice(("21:30", "22:00", "23:00")),
        terrace=rng.randrange(3) > 0,
        menu=_menu(rng, cuisine, price),
    )


def _menu(rng: Random, cuisine: Cuisine, price: Price) -> tuple[Dish, ...]:
    """Return all but one or two of the cuisine's dishes, all desserts among them, in order."""
    every = DISHES[cuisine]
    places = [n for n, (course, _, _) in enumerate(every) if course != "dessert"]
    rng.shuffle(places)
    dropped = places[: rng.randrange(1, 3)]
    kept = [dish for n, dish in enumerate(every) if n not in dropped]
    return tuple(
        Dish(
            name=name,
            course=course,
            price=(COURSES[course] + rng.randrange(-2, 5)) * _FACTOR[price] // 100,
            diets=diets,
        )
        for course, name, diets in kept
    )
