"""Places within cities, the ways between them, and the user's saved places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal, get_args

from teval.schema import Json, JsonObject
from teval.world.places import CITIES, find_city
from teval.world.state import Record
from teval.world.tool import Text, When, tool
from teval.world.toolkit import Toolkit
from teval.world.toolkits.device import require_location
from teval.world.values import (
    InputError,
    clip,
    holds,
    page,
    read_time,
    read_words,
    short_text,
)
from teval.world.venues import (
    Coach,
    Kind,
    Mode,
    Spot,
    Venue,
    city_kilometres,
    kilometres,
    make_venues,
    position,
    ride_minutes,
    trip_minutes,
)

_HERE = "here"
_MOST_KM = 15
_MOST_LABEL = 40


class SavedPlace(Record):
    """A place that the user has saved; the id is the place's."""

    table: ClassVar[str] = "saved_places"
    label: str


class Maps(Toolkit):
    """Searching is free; whatever starts from the user's position needs the location service."""

    def seed(self) -> None:
        """Put two saved places of the user's own city."""
        city = position(self.setting).city
        near = [v for v in self._venues() if v.spot.city == city]
        self.setting.rng("saved").shuffle(near)
        for venue, label in zip(near, ("Saturday errands", "after work"), strict=False):
            self.state.put(SavedPlace(id=venue.id, label=label))

    def others(self, argument: str) -> Sequence[str]:
        """Return cities, kinds of places, or ids of places."""
        if argument in ("city", "from_city", "to_city"):
            return [city.name for city in CITIES]
        if argument in ("place_id", "origin", "destination"):
            return [venue.id for venue in self._venues()]
        return get_args(Kind) if argument == "kind" else ()

    def view(self) -> JsonObject:
        """Return all places and where the user is."""
        places: list[Json] = [{**_details(v), "x": v.spot.x, "y": v.spot.y} for v in self._venues()]
        here = position(self.setting)
        return {
            "places": places,
            "position": {"city": here.city, "street": here.street, "x": here.x, "y": here.y},
        }

    @tool("read", decoy="city")
    def search_places(
        self,
        city: str,
        kind: Literal[Kind, "any"] = "any",
        words: Text | None = None,
        open_at: When | None = None,
    ) -> JsonObject:
        """Search the places of one city by kind, words of the name, or opening hours.

        Args:
            city: City name, such as Aldermoor.
            kind: Kind of place.
            words: Words that must all occur in the name; any name if left out.
            open_at: Time as HH:MM at which the place must be open, on any day.

        Returns:
            Places with id, name, kind, street, opening hours and rating from 1 to 5, best rated
            first; none if nothing fits.

        Raises:
            InputError: Unknown city; words without a word; not a time.
        """
        place = find_city(city)
        wanted = () if words is None else read_words(words, "words")
        time = None if open_at is None else read_time(open_at, "open_at")
        found = [
            v
            for v in self._venues()
            if v.spot.city == place.name
            and kind in (v.kind, "any")
            and holds(wanted, v.name)
            and (time is None or v.opens <= time < v.closes)
        ]
        found.sort(key=lambda v: (-v.rating, v.name, v.id))
        return {"city": place.name, **page("places", [_line(v) for v in found])}

    @tool("read", decoy="kind")
    def find_nearby(self, kind: Kind, max_km: float = 5.0) -> JsonObject:
        """Find the places of one kind around the user's present position. Needs the location service.

        Args:
            kind: Kind of place.
            max_km: Longest way in kilometres, above 0 up to 15.

        Returns:
            Places with id, name, street, opening hours, rating and way in kilometres, nearest
            first; none if there is none so near.

        Raises:
            InputError: Location is off; max_km out of range.
        """  # noqa: E501
        require_location(self.state)
        if not 0 < max_km <= _MOST_KM:
            raise InputError(f"max_km must be above 0 up to {_MOST_KM}, got {max_km}")
        here = position(self.setting)
        ways = [
            (kilometres(here, v.spot), v)
            for v in self._venues()
            if v.kind == kind and v.spot.city == here.city
        ]
        near = sorted((km, v.id, v) for km, v in ways if km <= max_km)
        found = page("places", [{**_line(v), "km": km} for km, _, v in near])
        return {"city": here.city, **found}

    @tool("read", decoy="place_id")
    def get_place(self, place_id: str) -> JsonObject:
        """Get all details of one place.

        Args:
            place_id: Id of the place, such as PLC-5N8B.

        Returns:
            Name, kind, city, street, opening hours, rating from 1 to 5, phone number, and whether
            the entrance has no steps.

        Raises:
            InputError: No such place.
        """
        return _details(self._venue(place_id, "place_id"))

    @tool("read")
    def get_position(self) -> JsonObject:
        """Get where the user is right now. Needs the location service.

        Returns:
            City and street.

        Raises:
            InputError: Location is off.
        """
        require_location(self.state)
        here = position(self.setting)
        return {"city": here.city, "street": here.street}

    @tool("read", decoy="destination")
    def get_route(self, origin: str, destination: str, mode: Mode = "walk") -> JsonObject:
        """Get length and duration of the way between two places of one city.

        Args:
            origin: Id of the place to start from, or here for the user's present position, which
                needs the location service.
            destination: Id of the place to reach, such as PLC-5N8B.
            mode: Means of travel.

        Returns:
            Both names, way in kilometres and duration in minutes, waiting or parking included.

        Raises:
            InputError: No such place; location is off; places in different cities or the same.
        """
        end = self._venue(destination, "destination")
        name, start = self._start(origin)
        if start.city != end.spot.city:
            raise InputError(
                f"{clip(name)} is in {start.city}, {clip(end.name)} in {end.spot.city}; "
                "maps.get_city_distance tells the way between cities"
            )
        if start == end.spot:
            raise InputError("origin and destination are the same place")
        km = kilometres(start, end.spot)
        return {
            "origin": name,
            "destination": end.name,
            "mode": mode,
            "km": km,
            "minutes": ride_minutes(km, mode),
        }

    @tool("read", decoy="to_city")
    def get_city_distance(self, from_city: str, to_city: str, mode: Coach = "car") -> JsonObject:
        """Get distance and duration of the trip from one city to another by land.

        Args:
            from_city: City name of the start, such as Aldermoor.
            to_city: City name of the end.
            mode: Means of travel.

        Returns:
            Both cities, distance in kilometres and duration in minutes, stops included.

        Raises:
            InputError: Unknown city; both cities are the same.
        """
        start, end = find_city(from_city).name, find_city(to_city).name
        if start == end:
            raise InputError(f"from_city and to_city are both {start}")
        km = city_kilometres(self.setting, start, end)
        minutes = trip_minutes(km, mode)
        return {"from_city": start, "to_city": end, "mode": mode, "km": km, "minutes": minutes}

    @tool("write")
    def save_place(self, place_id: str, label: Text) -> JsonObject:
        """Save a place under a label of the user's own; replaces the label of a place saved before.

        Args:
            place_id: Id of the place, such as PLC-5N8B.
            label: What the user calls it, at most 40 bytes.

        Returns:
            Id, name and label of the saved place.

        Raises:
            InputError: No such place; empty or long label; already saved under that label.
        """
        venue = self._venue(place_id, "place_id")
        short_text(label, "label", _MOST_LABEL)
        saved = SavedPlace(id=venue.id, label=label.strip())
        if self.state.get(SavedPlace, venue.id) == saved:
            raise InputError(f"{venue.id} is already saved as {clip(saved.label)}")
        self.state.put(saved)
        return {"saved": venue.id, "name": venue.name, "label": saved.label}

    @tool("read")
    def list_saved_places(self) -> JsonObject:
        """List the places that the user has saved, with their labels.

        Returns:
            Places with id, label, name, kind, city and street; none if none is saved.
        """
        venues = make_venues(self.setting)
        saved = [(s.label, venues[s.id]) for s in self.state.all(SavedPlace)]
        items: list[JsonObject] = [
            {
                "place_id": v.id,
                "label": label,
                "name": v.name,
                "kind": v.kind,
                "city": v.spot.city,
                "street": v.spot.street,
            }
            for label, v in saved
        ]
        return page("places", items)

    def _venues(self) -> list[Venue]:
        return list(make_venues(self.setting).values())

    def _venue(self, place_id: str, argument: str) -> Venue:
        venue = make_venues(self.setting).get(place_id.strip().upper())
        if venue is None:
            raise InputError(
                f"{argument}: no place {clip(place_id)}; maps.search_places shows the ids"
            )
        return venue

    def _start(self, origin: str) -> tuple[str, Spot]:
        """Return the name of the place to start from and where it is."""
        if origin.strip().lower() == _HERE:
            require_location(self.state)
            return _HERE, position(self.setting)
        venue = self._venue(origin, "origin")
        return venue.name, venue.spot


def _line(venue: Venue) -> JsonObject:
    return {
        "place_id": venue.id,
        "name": venue.name,
        "kind": venue.kind,
        "street": venue.spot.street,
        "open": f"{venue.opens}-{venue.closes}",
        "rating": venue.rating,
    }


def _details(venue: Venue) -> JsonObject:
    return {
        **_line(venue),
        "city": venue.spot.city,
        "phone": venue.phone,
        "step_free": venue.step_free,
    }
