"""Finding restaurants, reading menus and reserving tables."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal

from teval.schema import JsonObject
from teval.world.dining import (
    Price,
    Reservation,
    Restaurant,
    Seating,
    largest_party,
    restaurants_of,
)
from teval.world.districts import find_district
from teval.world.menus import Course, Cuisine, Diet
from teval.world.places import CITIES, find_city
from teval.world.reading import coming_day, pick, within
from teval.world.tool import Text, When, tool
from teval.world.toolkit import Toolkit
from teval.world.values import InputError, minute, page, read_time, short_text

SALE_DAYS = 30
"""Tables can be reserved for so many days, today the first."""
_SEATINGS: tuple[Seating, ...] = ("indoor", "terrace")
_MOST_GUESTS = 8
_MOST_NOTE = 120


class Restaurants(Toolkit):
    """From a city to a table; reservations can be cancelled."""

    def seed(self) -> None:
        """Put two tables that the user has reserved, in 2 to 10 days."""
        rng = self.setting.rng("reservations")
        every = list(restaurants_of(self.setting).values())
        rng.shuffle(every)
        ahead = self.setting.today + timedelta(rng.randrange(2, 9))
        for n, restaurant in enumerate(every[:2]):
            days = (ahead + timedelta(n + late) for late in range(2))
            day = next(day for day in days if restaurant.is_open(day))
            time = rng.choice(restaurant.seatings(day)[-4:])
            reservation = Reservation(
                id="",
                restaurant=restaurant.id,
                date=str(day),
                time=time,
                guests=rng.randrange(2, 5),
                seating="indoor",
            )
            self.state.add(reservation, self.setting, "TBL")

    def others(self, argument: str) -> Sequence[str]:
        """Return names of cities, or ids of restaurants."""
        if argument == "city":
            return [city.name for city in CITIES]
        return list(restaurants_of(self.setting)) if argument == "restaurant_id" else ()

    def view(self) -> JsonObject:
        """Return all restaurants."""
        every = restaurants_of(self.setting).values()
        return {"restaurants": [r.model_dump(mode="json") for r in every]}

    @tool("read", decoy="city")
    def search_restaurants(
        self,
        city: str,
        cuisine: Cuisine | None = None,
        price: Price | None = None,
        district: str | None = None,
        diet: Diet | None = None,
        sort_by: Literal["rating", "name"] = "rating",
    ) -> JsonObject:
        """Search the restaurants of a city by cuisine, price level, district or diet. Says nothing about free tables.

        Args:
            city: City name, such as Aldermoor.
            cuisine: Kind of kitchen; all if left out.
            price: Price level; all if left out.
            district: District of the city, such as Old Town; all if left out.
            diet: Diet that at least one main course must suit; none if left out.
            sort_by: Order of the result: best guest rating first, or by name.

        Returns:
            Restaurants with id, name, district, cuisine, price level and guest rating of 5; none if
            nothing fits.

        Raises:
            InputError: Unknown city; no district of that city.
        """  # noqa: E501
        place = find_city(city)
        quarter = None if district is None else find_district(place.name, district, "district")
        fitting = [
            r
            for r in restaurants_of(self.setting).values()
            if r.city == place.name
            and cuisine in (None, r.cuisine)
            and price in (None, r.price)
            and quarter in (None, r.district)
            and (diet is None or r.suits(diet))
        ]
        fitting.sort(key=lambda r: (-r.rating if sort_by == "rating" else 0, r.name))
        return {"city": place.name, **page("restaurants", [_line(r) for r in fitting])}

    @tool("read", decoy="restaurant_id")
    def get_menu(
        self, restaurant_id: str, course: Course | None = None, diet: Diet | None = None
    ) -> JsonObject:
        """Read the menu of one restaurant, whole or for one course or diet.

        Args:
            restaurant_id: Id of the restaurant, such as RST-7Q2K.
            course: Course to show; all if left out.
            diet: Diet that the dishes must suit; any dish if left out.

        Returns:
            Dishes with course, name, price in dollars and diets they suit; none if nothing fits.

        Raises:
            InputError: No such restaurant.
        """
        restaurant = self._restaurant(restaurant_id)
        dishes: list[JsonObject] = [
            {"course": d.course, "name": d.name, "price": d.price, "diets": list(d.diets)}
            for d in restaurant.menu
            if course in (None, d.course) and diet in (None, *d.diets)
        ]
        return {**_named(restaurant), **page("dishes", dishes)}

    @tool("read", decoy="restaurant_id")
    def get_opening_hours(self, restaurant_id: str, date: When) -> JsonObject:
        """Get when one restaurant is open on a day, and whether it has a terrace.

        Args:
            restaurant_id: Id of the restaurant, such as RST-7Q2K.
            date: Day as YYYY-MM-DD, today to 29 days ahead.

        Returns:
            Whether it opens that day; if so, opening time, closing time and last seating as HH:MM;
            whether there is a terrace.

        Raises:
            InputError: No such restaurant; day out of range.
        """
        restaurant = self._restaurant(restaurant_id)
        day = self._day(date)
        times = restaurant.seatings(day)
        hours: JsonObject = {
            "opens": restaurant.opens if times else None,
            "closes": restaurant.closes if times else None,
            "last_seating": times[-1] if times else None,
        }
        told: JsonObject = {"date": str(day), "open": bool(times), **hours}
        return {**_named(restaurant), **told, "terrace": restaurant.terrace}

    @tool("read", decoy="restaurant_id")
    def find_tables(
        self,
        restaurant_id: str,
        date: When,
        guests: int,
        earliest: When = "00:00",
        latest: When = "23:59",
    ) -> JsonObject:
        """Find the times of a day at which one restaurant has a free table for a party.

        Args:
            restaurant_id: Id of the restaurant, such as RST-7Q2K.
            date: Day as YYYY-MM-DD, today to 29 days ahead.
            guests: Size of the party, 1 to 8.
            earliest: Start of the search as HH:MM.
            latest: End of the search as HH:MM, itself included.

        Returns:
            Times as HH:MM with the seating that is free, indoor or terrace; none if it is full or
            closed.

        Raises:
            InputError: No such restaurant; day out of range; bad times; over 8 guests.
        """
        restaurant, day = self._restaurant(restaurant_id), self._day(date)
        within(guests, "guests", 1, _MOST_GUESTS)
        begin, end = read_time(earliest, "earliest"), read_time(latest, "latest")
        if begin > end:
            raise InputError(f"earliest {begin} must not be after latest {end}")
        free = self._free(restaurant, day, guests)
        tables: list[JsonObject] = [
            {"time": time, "seating": list(where)}
            for time, where in free.items()
            if begin <= time <= end
        ]
        told: JsonObject = {"date": str(day), "guests": guests}
        return {**_named(restaurant), **told, **page("tables", tables)}

    @tool("read")
    def list_reservations(
        self, status: Literal["active", "cancelled", "all"] = "active"
    ) -> JsonObject:
        """List the user's own table reservations, newest first.

        Args:
            status: Which reservations to list.

        Returns:
            Reservations with id, restaurant, city, date, time, guests, seating and note.
        """
        some = [r for r in self.state.all(Reservation) if status in (r.status, "all")]
        return page("reservations", [self._entry(r) for r in reversed(some)])

    @tool("write")
    def reserve_table(
        self,
        restaurant_id: str,
        date: When,
        time: When,
        guests: int,
        seating: Seating = "indoor",
        note: Text | None = None,
    ) -> JsonObject:
        """Reserve a table in the user's name. Costs nothing.

        Args:
            restaurant_id: Id of the restaurant, such as RST-7Q2K.
            date: Day as YYYY-MM-DD, today to 29 days ahead.
            time: Time as HH:MM, one that is free.
            guests: Size of the party, 1 to 8.
            seating: Where to sit.
            note: Wish to the restaurant, at most 120 bytes.

        Returns:
            The reservation with its id.

        Raises:
            InputError: No such restaurant; day out of range; closed; no such table free then.
        """
        restaurant, day = self._restaurant(restaurant_id), self._day(date)
        within(guests, "guests", 1, _MOST_GUESTS)
        if note is not None:
            short_text(note, "note", _MOST_NOTE)
        self._refuse_taken(restaurant, day, read_time(time, "time"), guests, seating)
        reservation = Reservation(
            id="",
            restaurant=restaurant.id,
            date=str(day),
            time=time,
            guests=guests,
            seating=seating,
            note=note or "",
        )
        return {"reserved": self._entry(self.state.add(reservation, self.setting, "TBL"))}

    @tool("write")
    def cancel_reservation(self, reservation_id: str) -> JsonObject:
        """Cancel a table reservation.

        Args:
            reservation_id: Id of the reservation, such as TBL-7Q2K.

        Returns:
            The reservation's id and status.

        Raises:
            InputError: No such reservation; already cancelled; its time is over.
        """
        every = {r.id: r for r in self.state.all(Reservation)}
        where = "restaurants.list_reservations"
        reservation = pick(every, reservation_id, "table reservation", where)
        if reservation.status == "cancelled":
            raise InputError(f"reservation {reservation.id} is already cancelled")
        begins = f"{reservation.date}T{reservation.time}"
        if begins <= minute(self.setting.now):
            raise InputError(f"reservation {reservation.id} began at {begins}")
        self.state.put(reservation.model_copy(update={"status": "cancelled"}))
        return {"reservation_id": reservation.id, "status": "cancelled"}

    def _restaurant(self, restaurant_id: str) -> Restaurant:
        every = restaurants_of(self.setting)
        return pick(every, restaurant_id, "restaurant", "restaurants.search_restaurants")

    def _day(self, text: str) -> date:
        return coming_day(text, "date", self.setting.today, SALE_DAYS)

    def _free(self, restaurant: Restaurant, day: date, guests: int) -> dict[str, list[Seating]]:
        """Return where a party can sit, by time; what the user has reserved is taken."""
        taken = {
            (r.time, r.seating)
            for r in self.state.all(Reservation)
            if (r.restaurant, r.date, r.status) == (restaurant.id, str(day), "active")
        }
        free = {
            time: [
                seating
                for seating in _SEATINGS
                if (time, seating) not in taken
                and largest_party(self.setting, restaurant, day, time, seating) >= guests
            ]
            for time in restaurant.seatings(day)
            if f"{day}T{time}" > minute(self.setting.now)
        }
        return {time: where for time, where in free.items() if where}

    def _refuse_taken(
        self, restaurant: Restaurant, day: date, time: str, guests: int, seating: Seating
    ) -> None:
        if not restaurant.is_open(day):
            raise InputError(f"{restaurant.name} is closed on {day}, a {day:%A}")
        free = self._free(restaurant, day, guests)
        if seating not in free.get(time, []):
            times = ", ".join(t for t, where in free.items() if seating in where) or "none"
            raise InputError(
                f"no {seating} table for {guests} at {time} on {day}; free times: {times}"
            )

    def _entry(self, reservation: Reservation) -> JsonObject:
        restaurant = self._restaurant(reservation.restaurant)
        return {
            "reservation_id": reservation.id,
            "restaurant": restaurant.name,
            "city": restaurant.city,
            "date": reservation.date,
            "time": reservation.time,
            "guests": reservation.guests,
            "seating": reservation.seating,
            "note": reservation.note,
            "status": reservation.status,
        }


def _named(restaurant: Restaurant) -> JsonObject:
    return {"restaurant_id": restaurant.id, "name": restaurant.name}


def _line(restaurant: Restaurant) -> JsonObject:
    return {
        **_named(restaurant),
        "district": restaurant.district,
        "cuisine": restaurant.cuisine,
        "price": restaurant.price,
        "rating": restaurant.rating,
    }
