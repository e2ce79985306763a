"""Searching films, finding shows, booking cinema seats, and the watchlist."""

from __future__ import annotations

from collections.abc import Sequence

from teval.schema import Json, JsonObject
from teval.world.cinema import (
    SHOW_DAYS,
    Film,
    Genre,
    Show,
    Ticket,
    Wish,
    cinemas_of,
    films_of,
    open_seats,
    shows_of,
)
from teval.world.places import CITIES, find_city
from teval.world.reading import coming_day, pick
from teval.world.tool import StrSet, Text, When, tool
from teval.world.toolkit import Toolkit
from teval.world.values import (
    InputError,
    clip,
    distinct,
    holds,
    minute,
    page,
    read_time,
    read_words,
    short_text,
)

_MOST_SEATS = 6
_MOST_NOTE = 120


class Films(Toolkit):
    """From a title to a seat; the watchlist is the user's."""

    def seed(self) -> None:
        """Put three films on the watchlist, one of them in the cinemas."""
        rng = self.setting.rng("watchlist")
        films = list(films_of(self.setting).values())
        rng.shuffle(films)
        films.sort(key=lambda film: not film.in_cinemas)
        for film in (films[0], *films[-2:]):
            self.state.put(Wish(id=film.id))

    def others(self, argument: str) -> Sequence[str]:
        """Return titles, cities, or ids of films or shows."""
        films = films_of(self.setting)
        values: dict[str, Sequence[str]] = {
            "words": [film.title for film in films.values()],
            "film_id": list(films),
            "city": [city.name for city in CITIES],
            "show_id": list(shows_of(self.setting))[:: 2 * SHOW_DAYS + 1],
        }
        return values.get(argument, ())

    def view(self) -> JsonObject:
        """Return all films, cinemas and shows."""
        films = films_of(self.setting)
        shows: list[Json] = [
            {**show._asdict(), "title": films[show.film].title}
            for show in shows_of(self.setting).values()
        ]
        return {
            "films": [film.model_dump(mode="json") for film in films.values()],
            "cinemas": [cinema.model_dump(mode="json") for cinema in cinemas_of(self.setting)],
            "shows": shows,
        }

    @tool("read", decoy="words")
    def search_films(
        self,
        words: Text | None = None,
        genre: Genre | None = None,
        director: str | None = None,
        year_from: int | None = None,
        year_to: int | None = None,
        in_cinemas_only: bool = False,
    ) -> JsonObject:
        """Search films old and new by title, genre, director or year. Gives no showtimes.

        Args:
            words: Words that must all occur in the title.
            genre: Genre of the film.
            director: First name, last name or both of the director.
            year_from: First year of release, such as 2024.
            year_to: Last year of release.
            in_cinemas_only: Whether to leave out films that no cinema shows now.

        Returns:
            Films with id, title, year, genre, director and viewers' score of 10, best first; none
            if nothing fits.

        Raises:
            InputError: Nothing to search by; empty words; first year after the last.
        """
        given = (words, genre, director, year_from, year_to)
        if not in_cinemas_only and all(value is None for value in given):
            raise InputError("give words, genre, director, a year or in_cinemas_only to search by")
        wanted = () if words is None else read_words(words, "words")
        names = () if director is None else read_words(director, "director")
        first = -1 if year_from is None else year_from
        last = self.setting.today.year if year_to is None else year_to
        if year_from is not None and first > last:
            raise InputError(f"year_from {first} must not be after {last}")
        found = [
            film
            for film in films_of(self.setting).values()
            if holds(wanted, film.title)
            and holds(names, film.director)
            and genre in (None, film.genre)
            and first <= film.year <= last
            and film.in_cinemas >= in_cinemas_only
        ]
        found.sort(key=lambda film: (-film.score, film.title))
        return page("films", [_line(film) for film in found])

    @tool("read", decoy="film_id")
    def get_film(self, film_id: str) -> JsonObject:
        """Get all details of one film.

        Args:
            film_id: Id of the film, such as FLM-7Q2K.

        Returns:
            Title, year, genre, director, length in minutes, least age in years, viewers' score of
            10, original language, synopsis, and whether cinemas show it now.

        Raises:
            InputError: No such film.
        """
        film = self._film(film_id)
        rest = film.model_dump(mode="json", exclude={"id", "minutes", "age_rating"})
        length: JsonObject = {"length_minutes": film.minutes, "minimum_age": film.age_rating}
        return {"film_id": film.id, **rest, **length}

    @tool("read", decoy="city")
    def find_showtimes(
        self, city: str, date: When, film_id: str | None = None, earliest: When = "00:00"
    ) -> JsonObject:
        """Find what the cinemas of a city show on a day, or when they show one film.

        Args:
            city: City name, such as Aldermoor.
            date: Day as YYYY-MM-DD, today to 6 days ahead.
            film_id: Id of the one film to look for, such as FLM-7Q2K; all films if left out.
            earliest: Earliest start as HH:MM.

        Returns:
            Shows with id, film, cinema, start as HH:MM, version (original or dubbed) and price a
            seat in dollars, by time; none if nothing fits.

        Raises:
            InputError: Unknown city; day out of range; no such film; bad time.
        """
        place = find_city(city)
        day = str(coming_day(date, "date", self.setting.today, SHOW_DAYS))
        film = None if film_id is None else self._film(film_id).id
        begin = read_time(earliest, "earliest")
        found = [
            show
            for show in shows_of(self.setting).values()
            if (show.city, show.date) == (place.name, day)
            and film in (None, show.film)
            and show.starts >= begin
        ]
        found.sort(key=lambda show: (show.starts, show.cinema))
        return {"city": place.name, "date": day, **page("shows", [self._time(s) for s in found])}

    @tool("read", decoy="show_id")
    def get_seats(self, show_id: str) -> JsonObject:
        """List the free seats of one cinema show. Row A is nearest to the screen, H farthest; seats 1 to 10.

        Args:
            show_id: Id of the show, such as SHW-7Q2K.

        Returns:
            Film, cinema, day, start, price a seat in dollars, and the free seat numbers by row.

        Raises:
            InputError: No such show.
        """  # noqa: E501
        show = self._show(show_id)
        seats = self._free(show)
        free: JsonObject = {
            row: [int(seat[1:]) for seat in seats if seat[0] == row]
            for row in sorted({seat[0] for seat in seats})
        }
        return {"date": show.date, **self._time(show), "free_seats": free}

    @tool("read")
    def list_watchlist(self) -> JsonObject:
        """List the films on the user's watchlist.

        Returns:
            Films with id, title, year, genre, director, score and the user's note.
        """
        wishes = [wish for wish in self.state.all(Wish) if not wish.removed]
        films = films_of(self.setting)
        return page("films", [{**_line(films[w.id]), "note": w.note} for w in wishes])

    @tool("write")
    def book_tickets(self, show_id: str, seats: StrSet) -> JsonObject:
        """Book and pay seats of a cinema show.

        Args:
            show_id: Id of the show, such as SHW-7Q2K.
            seats: Free seats as row and number, such as C4; 1 to 6.

        Returns:
            Id of the tickets, show, seats and total price in dollars.

        Raises:
            InputError: No such show; show has begun; seat taken or unknown; over 6 seats.
        """
        show = self._show(show_id)
        if f"{show.date}T{show.starts}" <= minute(self.setting.now):
            raise InputError(f"show {show.id} began at {show.starts}")
        wanted = distinct([seat.upper() for seat in seats], "seats", _MOST_SEATS)
        free = self._free(show)
        for seat in wanted:
            if seat not in free:
                raise InputError(
                    f"seat {clip(seat)} is taken or unknown; films.get_seats lists the free ones"
                )
        ticket = Ticket(id="", show=show.id, seats=wanted, price=show.price * len(wanted))
        stored = self.state.add(ticket, self.setting, "TKT")
        told: JsonObject = {"seats": list(wanted), "total": stored.price}
        return {"ticket_id": stored.id, "date": show.date, **self._time(show), **told}

    @tool("write")
    def add_to_watchlist(self, film_id: str, note: Text | None = None) -> JsonObject:
        """Put a film on the user's watchlist.

        Args:
            film_id: Id of the film, such as FLM-7Q2K.
            note: The user's own remark, at most 120 bytes.

        Returns:
            The film with the note, as now listed.

        Raises:
            InputError: No such film; already on the list; empty or long note.
        """
        film = self._film(film_id)
        if note is not None:
            short_text(note, "note", _MOST_NOTE)
        if self._wish(film) is not None:
            raise InputError(f"{film.id} {clip(film.title)} is already on the watchlist")
        self.state.put(Wish(id=film.id, note=note or ""))
        return {"added": _line(film), "note": note or ""}

    @tool("write")
    def remove_from_watchlist(self, film_id: str) -> JsonObject:
        """Take a film off the user's watchlist.

        Args:
            film_id: Id of the film, such as FLM-7Q2K.

        Returns:
            Id and title of the removed film.

        Raises:
            InputError: No such film; not on the list.
        """
        film = self._film(film_id)
        wish = self._wish(film)
        if wish is None:
            raise InputError(
                f"{film.id} {clip(film.title)} is not on the watchlist; "
                "films.list_watchlist shows what is"
            )
        self.state.put(wish.model_copy(update={"removed": True}))
        return {"removed": film.id, "title": film.title}

    def _film(self, film_id: str) -> Film:
        return pick(films_of(self.setting), film_id, "film", "films.search_films")

    def _show(self, show_id: str) -> Show:
        return pick(shows_of(self.setting), show_id, "show", "films.find_showtimes")

    def _wish(self, film: Film) -> Wish | None:
        wish = self.state.get(Wish, film.id)
        return None if wish is None or wish.removed else wish

    def _free(self, show: Show) -> list[str]:
        """Return the free seats, those that the user has booked taken off."""
        mine = {s for t in self.state.all(Ticket) if t.show == show.id for s in t.seats}
        return [seat for seat in open_seats(self.setting, show) if seat not in mine]

    def _time(self, show: Show) -> JsonObject:
        return {
            "show_id": show.id,
            "film_id": show.film,
            "title": films_of(self.setting)[show.film].title,
            "cinema": show.cinema,
            "starts": show.starts,
            "version": show.version,
            "price": show.price,
        }


def _line(film: Film) -> JsonObject:
    return {
        "film_id": film.id,
        "title": film.title,
        "year": film.year,
        "genre": film.genre,
        "director": film.director,
        "score": film.score,
    }
