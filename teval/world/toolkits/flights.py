"""Searching, booking and changing flights."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal

from teval.schema import Json, JsonObject
from teval.world.letters import Mail, deliver
from teval.world.places import CITIES, find_airport, find_city
from teval.world.timetable import (
    SALE_DAYS,
    Booking,
    Cabin,
    Flight,
    cabin_of,
    city_of,
    flight_id,
    make_flights,
)
from teval.world.tool import Money, StrSet, When, tool
from teval.world.toolkit import Toolkit
from teval.world.toolkits.contacts import ME, MY_ADDRESS
from teval.world.values import InputError, clip, distinct, minute, page, read_day, short_text

_MOST_PASSENGERS = 4
_MOST_NAME = 60
_FULL_REFUND = timedelta(hours=72)
_DESK = "bookings@example.org"


class Flights(Toolkit):
    """From airports to seats; a booking also sends a confirmation mail."""

    def seed(self) -> None:
        """Put the timetable and three bookings of the user's."""
        for flight in make_flights(self.setting):
            self.state.put(flight)
        rng = self.setting.rng("bookings")
        later = [f for f in self.state.all(Flight) if self._age(f) >= 2 and _bookable(f)]
        rng.shuffle(later)
        for days, flight in enumerate(later[:3], start=3):
            self._reserve(flight, "economy", (ME,), minute(self.setting.now - timedelta(days)))

    def others(self, argument: str) -> Sequence[str]:
        """Return cities, airport codes, flight numbers or days with flights."""
        flights = self.state.all(Flight)
        codes = sorted({f.destination for f in flights})
        values = {
            "city": [c.name for c in CITIES if c.airports],
            "origin": codes,
            "destination": codes,
            "flight_number": sorted({f.number for f in flights}),
            "date": sorted({f.date for f in flights}),
        }
        return values.get(argument, ())

    @tool("read", decoy="city")
    def find_airports(self, city: str) -> JsonObject:
        """List the airports of a city with their codes, which flight searches need.

        Args:
            city: City name, such as Aldermoor.

        Returns:
            Code and name of each airport; none if the city has no airport.

        Raises:
            InputError: Unknown city.
        """
        place = find_city(city)
        airports: list[Json] = [{"code": code, "name": name} for code, name in place.airports]
        return {"city": place.name, "airports": airports}

    @tool("read", decoy="destination")
    def search_flights(
        self,
        origin: str,
        destination: str,
        date: When,
        cabin: Cabin = "economy",
        max_price: Money | None = None,
        sort_by: Literal["departure", "price"] = "departure",
    ) -> JsonObject:
        """Search the direct flights from one airport to another on one day.

        Args:
            origin: Airport code of departure, such as ALM.
            destination: Airport code of arrival.
            date: Day of departure as YYYY-MM-DD.
            cabin: Cabin that price and seats are for.
            max_price: Highest price a passenger in dollars; no limit if left out.
            sort_by: Order of the result.

        Returns:
            Flights with number, times, price a passenger and seats left; none if nothing fits.

        Raises:
            InputError: Not an airport code; day outside the next 14 days.
        """
        start, end = find_airport(origin, "origin"), find_airport(destination, "destination")
        day = self._sale_day(date)
        fitting = [
            f
            for f in self.state.all(Flight)
            if (f.origin, f.destination, f.date) == (start, end, day)
            and (max_price is None or f.prices[cabin] <= max_price)
        ]
        if sort_by == "price":
            fitting.sort(key=lambda f: (f.prices[cabin], f.departs))
        found = page("flights", [_offer(f, cabin) for f in fitting])
        return {"origin": start, "destination": end, "date": day, "cabin": cabin, **found}

    @tool("read", decoy="flight_number")
    def get_flight(self, flight_number: str, date: When) -> JsonObject:
        """Get all details of one known flight: status, terminal, gate, prices and open seats.

        Args:
            flight_number: Flight number, such as AQ417.
            date: Day of departure as YYYY-MM-DD.

        Returns:
            The flight's details, with open seats by cabin.

        Raises:
            InputError: No such flight on that day.
        """
        flight = self._flight(flight_number, date)
        seats: JsonObject = {cabin: list(open_) for cabin, open_ in flight.open_seats.items()}
        return {
            **_route(flight),
            "airline": flight.airline,
            "status": flight.status,
            "terminal": flight.terminal,
            "gate": flight.gate,
            "prices": {str(cabin): price for cabin, price in flight.prices.items()},
            "open_seats": seats,
        }

    @tool("read")
    def list_bookings(self, status: Literal["active", "cancelled", "all"] = "active") -> JsonObject:
        """List the user's own flight bookings, newest first.

        Args:
            status: Which bookings to list.

        Returns:
            Bookings with id, flight, date, route, cabin, passengers with seats, and price.
        """
        bookings = [b for b in self.state.all(Booking) if status in (b.status, "all")]
        return page("bookings", [self._ticket(b) for b in reversed(bookings)])

    @tool("write")
    def book_flight(
        self, flight_number: str, date: When, passengers: StrSet, cabin: Cabin = "economy"
    ) -> JsonObject:
        """Book seats on a flight and pay. Seats are assigned; a confirmation mail is sent.

        Args:
            flight_number: Flight number, such as AQ417.
            date: Day of departure as YYYY-MM-DD.
            passengers: Full names, 1 to 4.
            cabin: Cabin for all passengers.

        Returns:
            The booking with its id, assigned seats and total price in dollars.

        Raises:
            InputError: No such flight; flight cancelled or departed; too few seats; too many names.
        """
        flight = self._flight(flight_number, date)
        names = distinct(passengers, "passengers", _MOST_PASSENGERS)
        for name in names:
            short_text(name, "a passenger's name", _MOST_NAME)
        self._refuse_gone(flight)
        if flight.status == "cancelled":
            raise InputError(f"flight {flight.number} on {flight.date} is cancelled")
        left = len(flight.open_seats[cabin])
        if left < len(names):
            raise InputError(
                f"{flight.number} on {flight.date} has {left} {cabin} seats left, "
                f"{len(names)} needed"
            )
        return {"booked": self._ticket(self._reserve(flight, cabin, names))}

    @tool("write")
    def cancel_booking(
        self,
        booking_id: str,
        reason: Literal["plans_changed", "illness", "schedule_conflict", "other"] = "other",
    ) -> JsonObject:
        """Cancel a flight booking for all its passengers. Full refund until 72 hours before departure, then half.

        Args:
            booking_id: Id of the booking, such as BKG-7Q2K.
            reason: Why it is cancelled.

        Returns:
            The booking's id, status and refund in dollars.

        Raises:
            InputError: No such booking; already cancelled; flight departed.
        """  # noqa: E501
        booking, flight = self._active(booking_id)
        self._refuse_gone(flight)
        early = flight.departure - self.setting.now >= _FULL_REFUND
        refund = booking.price if early else booking.price // 2
        free = (*flight.open_seats[booking.cabin], *booking.seats.values())
        self._set_open(flight, booking.cabin, free)
        update = {"status": "cancelled", "reason": reason, "refund": refund}
        self.state.put(booking.model_copy(update=update))
        return {"booking_id": booking.id, "status": "cancelled", "refund": refund}

    @tool("write")
    def change_seat(self, booking_id: str, passenger: str, seat: str) -> JsonObject:
        """Move one passenger of a booking to another open seat of the same cabin.

        Args:
            booking_id: Id of the booking, such as BKG-7Q2K.
            passenger: Full name as in the booking.
            seat: Row and letter, such as 12C.

        Returns:
            The booking's id, passenger and both seats.

        Raises:
            InputError: No such booking or passenger; seat taken or in another cabin.
        """
        booking, flight = self._active(booking_id)
        self._refuse_gone(flight)
        old = booking.seats.get(passenger.strip())
        if old is None:
            raise InputError(f"{clip(passenger)} is not on booking {booking.id}")
        new = seat.strip().upper()
        if cabin_of(new) != booking.cabin:
            raise InputError(f"{clip(seat)} is no {booking.cabin} seat")
        if new not in flight.open_seats[booking.cabin]:
            raise InputError(f"seat {new} is taken; flights.get_flight lists the open seats")
        free = [s for s in flight.open_seats[booking.cabin] if s != new]
        self._set_open(flight, booking.cabin, (*free, old))
        seats = {**booking.seats, passenger.strip(): new}
        self.state.put(booking.model_copy(update={"seats": seats}))
        return {"booking_id": booking.id, "passenger": passenger.strip(), "from": old, "to": new}

    def _age(self, flight: Flight) -> int:
        return (flight.departure.date() - self.setting.today).days

    def _sale_day(self, text: str) -> str:
        today = self.setting.today
        day: date = read_day(text, "date", today)
        if not 0 <= (day - today).days < SALE_DAYS:
            last = today + timedelta(SALE_DAYS - 1)
            raise InputError(f"no flights on {day}: the timetable runs from {today} to {last}")
        return str(day)

    def _flight(self, number: str, day_text: str) -> Flight:
        day, name = self._sale_day(day_text), number.replace(" ", "").upper()
        flight = self.state.get(Flight, flight_id(name, day))
        if flight is None:
            days = [f.date for f in self.state.all(Flight) if f.number == name]
            hint = f"it flies on {', '.join(days)}" if days else "no flight has that number"
            raise InputError(f"no flight {clip(number)} on {day}; {hint}")
        return flight

    def _active(self, booking_id: str) -> tuple[Booking, Flight]:
        booking = self.state.get(Booking, booking_id.strip().upper())
        if booking is None:
            raise InputError(f"no booking {clip(booking_id)}; flights.list_bookings shows the ids")
        flight = self.state.get(Flight, booking.flight)
        if flight is None or booking.status == "cancelled":
            raise InputError(f"booking {booking.id} is already cancelled")
        return booking, flight

    def _refuse_gone(self, flight: Flight) -> None:
        if flight.departure <= self.setting.now:
            raise InputError(f"flight {flight.number} on {flight.date} has already departed")

    def _set_open(self, flight: Flight, cabin: Cabin, seats: Sequence[str]) -> None:
        ordered = tuple(sorted(seats, key=lambda s: (int(s[:-1]), s[-1])))
        open_seats = {**flight.open_seats, cabin: ordered}
        self.state.put(flight.model_copy(update={"open_seats": open_seats}))

    def _reserve(
        self, flight: Flight, cabin: Cabin, names: tuple[str, ...], sent: str = ""
    ) -> Booking:
        free = flight.open_seats[cabin]
        self._set_open(flight, cabin, free[len(names) :])
        booking = Booking(
            id="",
            flight=flight.id,
            cabin=cabin,
            seats=dict(zip(names, free, strict=False)),
            price=flight.prices[cabin] * len(names),
        )
        stored = self.state.add(booking, self.setting, "BKG")
        deliver(self.setting, self.state, _confirmation(stored, flight, sent))
        return stored

    def _ticket(self, booking: Booking) -> JsonObject:
        flight = self.state.get(Flight, booking.flight)
        return {
            "booking_id": booking.id,
            **(_route(flight) if flight else {}),
            "cabin": booking.cabin,
            "seats": dict(booking.seats),
            "price": booking.price,
            "status": booking.status,
        }


def _bookable(flight: Flight) -> bool:
    return flight.status == "scheduled" and len(flight.open_seats["economy"]) >= 4


def _route(flight: Flight) -> JsonObject:
    return {
        "flight_number": flight.number,
        "origin": flight.origin,
        "destination": flight.destination,
        "date": flight.date,
        "departs": flight.departs,
        "arrives": flight.arrives,
    }


def _offer(flight: Flight, cabin: Cabin) -> JsonObject:
    return {
        "flight_number": flight.number,
        "airline": flight.airline,
        "departs": flight.departs,
        "arrives": flight.arrives,
        "price": flight.prices[cabin],
        "seats_left": len(flight.open_seats[cabin]),
    }


def _confirmation(booking: Booking, flight: Flight, sent: str) -> Mail:
    seats = ", ".join(f"{name} in {seat}" for name, seat in booking.seats.items())
    return Mail(
        id="",
        folder="inbox",
        sender=_DESK,
        to=(MY_ADDRESS,),
        subject=f"Booking confirmed: {flight.number} to {city_of(flight.destination)}",
        body=(
            f"Booking {booking.id}: flight {flight.number} from {city_of(flight.origin)} to "
            f"{city_of(flight.destination)} on {flight.date}, departing {flight.departs}. "
            f"{booking.cabin.capitalize()}: {seats}. Total {booking.price} dollars."
        ),
        sent=sent,
    )
