"""Searching hotels, booking rooms and changing bookings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal

from teval.schema import Json, JsonObject
from teval.world.districts import find_district
from teval.world.lodging import (
    ROOM_GUESTS,
    Amenity,
    Hotel,
    Room,
    Stay,
    hotels_of,
    price_of,
    rooms_left,
)
from teval.world.places import CITIES, find_city
from teval.world.reading import coming_day, pick, span, within
from teval.world.tool import Money, When, tool
from teval.world.toolkit import Toolkit
from teval.world.toolkits.contacts import ME
from teval.world.values import InputError, page, short_text

SALE_DAYS = 90
"""The last night for sale is so many days ahead."""
_MOST_NIGHTS = 14
_MOST_NAME = 60


class Hotels(Toolkit):
    """From a city and two days to a room; bookings can be moved and cancelled."""

    def seed(self) -> None:
        """Put two bookings of the user's, arriving in 4 to 12 and in 20 to 40 days."""
        rng = self.setting.rng("stays")
        hotels = list(hotels_of(self.setting).values())
        for soonest, latest in ((4, 12), (20, 40)):
            hotel, ahead = rng.choice(hotels), rng.randrange(soonest, latest)
            first = self.setting.today + timedelta(ahead)
            end = first + timedelta(rng.randrange(1, 5))
            self.state.add(self._stay(hotel, "double", first, end), self.setting, "STY")

    def others(self, argument: str) -> Sequence[str]:
        """Return names of cities, or ids of hotels."""
        if argument == "city":
            return [c.name for c in CITIES]
        return list(hotels_of(self.setting)) if argument == "hotel_id" else ()

    def view(self) -> JsonObject:
        """Return all hotels."""
        return {"hotels": [h.model_dump(mode="json") for h in hotels_of(self.setting).values()]}

    @tool("read", decoy="city")
    def search_hotels(
        self,
        city: str,
        check_in: When,
        check_out: When,
        room: Room = "double",
        max_price: Money | None = None,
        min_stars: int | None = None,
        amenity: Amenity | None = None,
        district: str | None = None,
        sort_by: Literal["price", "rating"] = "price",
    ) -> JsonObject:
        """Search the hotels of a city that have a room free for every night of a stay.

        Args:
            city: City name, such as Aldermoor.
            check_in: Day of arrival as YYYY-MM-DD, today to 89 days ahead.
            check_out: Day of departure as YYYY-MM-DD, 1 to 14 nights later.
            room: Kind of room: single takes 1 guest, double 2, suite 4.
            max_price: Highest mean price a night in dollars; no limit if left out.
            min_stars: Least number of stars, 1 to 5; any if left out.
            amenity: What the hotel must offer; nothing if left out.
            district: District of the city, such as Old Town; all if left out.
            sort_by: Order of the result: lowest price or highest guest rating first.

        Returns:
            Hotels with id, name, district, stars, guest rating of 10, mean price a night and total
            in dollars; none if nothing fits.

        Raises:
            InputError: Unknown city or district; days out of range; stars outside 1 to 5.
        """
        place = find_city(city)
        first, end = self._nights(check_in, check_out)
        if min_stars is not None:
            within(min_stars, "min_stars", 1, 5)
        quarter = None if district is None else find_district(place.name, district, "district")
        fitting = [
            (hotel, total)
            for hotel in self._open_in(place.name, room, first, end)
            if (min_stars is None or hotel.stars >= min_stars)
            and amenity in (None, *hotel.amenities)
            and quarter in (None, hotel.district)
            and _affordable(total := self._price(hotel, room, first, end), end - first, max_price)
        ]
        fitting.sort(key=lambda f: f[1] if sort_by == "price" else -f[0].rating)
        found = page("hotels", [_offer(hotel, total, end - first) for hotel, total in fitting])
        days: JsonObject = {"check_in": str(first), "check_out": str(end)}
        return {"city": place.name, **days, "room": room, **found}

    @tool("read", decoy="hotel_id")
    def get_hotel(self, hotel_id: str) -> JsonObject:
        """Get what is fixed about one hotel: place, stars, amenities, house rules, prices before surcharges. Not which rooms are free.

        Args:
            hotel_id: Id of the hotel, such as HTL-7Q2K.

        Returns:
            Name, city, district, stars, guest rating, amenities, base price a night by kind of
            room and breakfast a guest in dollars, check-in and check-out times, and up to how many
            days before arrival cancelling is free.

        Raises:
            InputError: No such hotel.
        """  # noqa: E501
        hotel = self._hotel(hotel_id)
        return {
            "hotel_id": hotel.id,
            "name": hotel.name,
            "city": hotel.city,
            "district": hotel.district,
            "stars": hotel.stars,
            "rating": hotel.rating,
            "amenities": list(hotel.amenities),
            "base_prices": {str(room): price for room, price in hotel.prices.items()},
            "breakfast_price": hotel.breakfast,
            "check_in_from": hotel.check_in_from,
            "check_out_until": hotel.check_out_until,
            "free_cancellation_days": hotel.free_days,
        }

    @tool("read", decoy="hotel_id")
    def check_availability(self, hotel_id: str, check_in: When, check_out: When) -> JsonObject:
        """Check which rooms one hotel has left for a stay, and what they cost.

        Args:
            hotel_id: Id of the hotel, such as HTL-7Q2K.
            check_in: Day of arrival as YYYY-MM-DD, today to 89 days ahead.
            check_out: Day of departure as YYYY-MM-DD, 1 to 14 nights later.

        Returns:
            For each kind of room how many are free in all nights, and total price in dollars.

        Raises:
            InputError: No such hotel; days out of range.
        """
        hotel = self._hotel(hotel_id)
        first, end = self._nights(check_in, check_out)
        rooms: list[Json] = [
            {
                "room": room,
                "rooms_free": self._left(hotel, room, first, end),
                "total": self._price(hotel, room, first, end),
            }
            for room in ROOM_GUESTS
        ]
        stay: JsonObject = {"check_in": str(first), "check_out": str(end)}
        return {"hotel_id": hotel.id, "name": hotel.name, **stay, "rooms": rooms}

    @tool("read")
    def list_bookings(self, status: Literal["active", "cancelled", "all"] = "active") -> JsonObject:
        """List the user's own hotel bookings, newest first.

        Args:
            status: Which bookings to list.

        Returns:
            Bookings with id, hotel, city, days, room, guests, guest's name, breakfast and price.
        """
        stays = [s for s in self.state.all(Stay) if status in (s.status, "all")]
        return page("bookings", [self._entry(s) for s in reversed(stays)])

    @tool("write")
    def book_room(
        self,
        hotel_id: str,
        check_in: When,
        check_out: When,
        room: Room = "double",
        guests: int = 1,
        guest_name: str | None = None,
        breakfast: bool = False,
    ) -> JsonObject:
        """Book one hotel room and pay for it.

        Args:
            hotel_id: Id of the hotel, such as HTL-7Q2K.
            check_in: Day of arrival as YYYY-MM-DD, today to 89 days ahead.
            check_out: Day of departure as YYYY-MM-DD, 1 to 14 nights later.
            room: Kind of room: single takes 1 guest, double 2, suite 4.
            guests: How many people stay, 1 to 4.
            guest_name: Full name for the booking, at most 60 bytes; the user's if left out.
            breakfast: Whether to add breakfast for every guest and night.

        Returns:
            The booking with its id and total price in dollars.

        Raises:
            InputError: No such hotel; days out of range; no such room free; too many guests.
        """
        hotel = self._hotel(hotel_id)
        first, end = self._nights(check_in, check_out)
        most = ROOM_GUESTS[room]
        if not 1 <= guests <= most:
            raise InputError(f"guests must be 1 to {most} in a {room} room, got {guests}")
        name = ME if guest_name is None else guest_name.strip()
        short_text(name, "guest_name", _MOST_NAME)
        self._refuse_full(hotel, room, first, end)
        plain = self._stay(hotel, room, first, end)
        meals = hotel.breakfast * guests * (end - first).days if breakfast else 0
        update = {"guests": guests, "guest_name": name, "breakfast": breakfast}
        stay = plain.model_copy(update={**update, "price": plain.price + meals})
        return {"booked": self._entry(self.state.add(stay, self.setting, "STY"))}

    @tool("write")
    def change_dates(self, booking_id: str, check_in: When, check_out: When) -> JsonObject:
        """Move a hotel booking to other days, at the prices of those days. Room and guests stay the same.

        Args:
            booking_id: Id of the booking, such as STY-7Q2K.
            check_in: New day of arrival as YYYY-MM-DD, today to 89 days ahead.
            check_out: New day of departure as YYYY-MM-DD, 1 to 14 nights later.

        Returns:
            The booking as it now stands, and in dollars how much dearer it is (below 0: cheaper).

        Raises:
            InputError: No such booking; cancelled or begun; days out of range; no room free; days
                unchanged.
        """  # noqa: E501
        stay, hotel = self._active(booking_id)
        first, end = self._nights(check_in, check_out)
        if (stay.check_in, stay.check_out) == (str(first), str(end)):
            raise InputError(f"booking {stay.id} is already from {first} to {end}")
        self._refuse_full(hotel, stay.room, first, end, but=stay.id)
        meals = hotel.breakfast * stay.guests * (end - first).days if stay.breakfast else 0
        price = self._price(hotel, stay.room, first, end) + meals
        moved = stay.model_copy(
            update={"check_in": str(first), "check_out": str(end), "price": price}
        )
        self.state.put(moved)
        return {"changed": self._entry(moved), "price_difference": price - stay.price}

    @tool("write")
    def cancel_booking(
        self,
        booking_id: str,
        reason: Literal["plans_changed", "illness", "found_better", "other"] = "other",
    ) -> JsonObject:
        """Cancel a hotel booking. Free until the hotel's number of days before arrival, then one night is kept.

        Args:
            booking_id: Id of the booking, such as STY-7Q2K.
            reason: Why it is cancelled.

        Returns:
            The booking's id, status and refund in dollars.

        Raises:
            InputError: No such booking; already cancelled; stay has begun.
        """  # noqa: E501
        stay, hotel = self._active(booking_id)
        first, end = date.fromisoformat(stay.check_in), date.fromisoformat(stay.check_out)
        early = (first - self.setting.today).days >= hotel.free_days
        refund = stay.price if early else stay.price - stay.price // (end - first).days
        update = {"status": "cancelled", "reason": reason, "refund": refund}
        self.state.put(stay.model_copy(update=update))
        return {"booking_id": stay.id, "status": "cancelled", "refund": refund}

    def _nights(self, check_in: str, check_out: str) -> tuple[date, date]:
        today = self.setting.today
        first = coming_day(check_in, "check_in", today, SALE_DAYS)
        end = coming_day(check_out, "check_out", today, SALE_DAYS + _MOST_NIGHTS)
        if not 1 <= (end - first).days <= _MOST_NIGHTS:
            raise InputError(
                f"check_out must be 1 to {_MOST_NIGHTS} nights after check_in {first}, got {end}"
            )
        return first, end

    def _hotel(self, hotel_id: str) -> Hotel:
        return pick(hotels_of(self.setting), hotel_id, "hotel", "hotels.search_hotels")

    def _active(self, booking_id: str) -> tuple[Stay, Hotel]:
        stays = {stay.id: stay for stay in self.state.all(Stay)}
        stay = pick(stays, booking_id, "hotel booking", "hotels.list_bookings")
        if stay.status == "cancelled":
            raise InputError(f"booking {stay.id} is already cancelled")
        if stay.check_in < str(self.setting.today):
            raise InputError(f"the stay of booking {stay.id} began on {stay.check_in}")
        return stay, self._hotel(stay.hotel)

    def _open_in(self, city: str, room: Room, first: date, end: date) -> list[Hotel]:
        """Return the hotels of a city with a room free in all nights."""
        here = (h for h in hotels_of(self.setting).values() if h.city == city)
        return [hotel for hotel in here if self._left(hotel, room, first, end) > 0]

    def _price(self, hotel: Hotel, room: Room, first: date, end: date) -> int:
        return sum(price_of(self.setting, hotel, room, night) for night in span(first, end))

    def _left(self, hotel: Hotel, room: Room, first: date, end: date, but: str = "") -> int:
        """Return how many rooms are free in all nights, the user's own bookings taken off."""
        mine = [
            s
            for s in self.state.all(Stay)
            if (s.hotel, s.room, s.status) == (hotel.id, room, "active") and s.id != but
        ]
        free = min(
            rooms_left(self.setting, hotel, room, night)
            - sum(s.check_in <= str(night) < s.check_out for s in mine)
            for night in span(first, end)
        )
        return max(free, 0)

    def _refuse_full(self, hotel: Hotel, room: Room, first: date, end: date, but: str = "") -> None:
        if self._left(hotel, room, first, end, but) < 1:
            raise InputError(
                f"{hotel.name} has no {room} room free from {first} to {end}; "
                "hotels.check_availability shows what is left"
            )

    def _stay(self, hotel: Hotel, room: Room, first: date, end: date) -> Stay:
        return Stay(
            id="",
            hotel=hotel.id,
            room=room,
            check_in=str(first),
            check_out=str(end),
            guests=1,
            guest_name=ME,
            breakfast=False,
            price=self._price(hotel, room, first, end),
        )

    def _entry(self, stay: Stay) -> JsonObject:
        hotel = self._hotel(stay.hotel)
        return {
            "booking_id": stay.id,
            "hotel_id": hotel.id,
            "hotel": hotel.name,
            "city": hotel.city,
            "check_in": stay.check_in,
            "check_out": stay.check_out,
            "room": stay.room,
            "guests": stay.guests,
            "guest_name": stay.guest_name,
            "breakfast": stay.breakfast,
            "price": stay.price,
            "status": stay.status,
        }


def _affordable(total: int, nights: timedelta, most: float | None) -> bool:
    return most is None or total <= most * nights.days


def _offer(hotel: Hotel, total: int, nights: timedelta) -> JsonObject:
    return {
        "hotel_id": hotel.id,
        "name": hotel.name,
        "district": hotel.district,
        "stars": hotel.stars,
        "rating": hotel.rating,
        "per_night": round(total / nights.days, 2),
        "total": total,
    }
