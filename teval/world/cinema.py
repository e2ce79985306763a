"""Films, cinemas and what they show: what stands behind the films toolkit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import lru_cache
from random import Random
from typing import ClassVar, Literal, NamedTuple, TypeAlias, get_args

from teval.schema import Frozen
from teval.world.districts import DISTRICTS
from teval.world.places import CITIES
from teval.world.setting import Setting
from teval.world.state import Record

Genre: TypeAlias = Literal[
    "animation", "comedy", "documentary", "drama", "mystery", "romance", "science_fiction",
    "thriller",
]  # fmt: skip
SHOW_DAYS = 7
"""Shows are known for so many days, today the first."""
ROWS = "ABCDEFGH"
SEATS = 10
"""Seats a row."""
_FILMS = 64
_SHOWN = 16
_A_DAY = 3
_STARTS = ("14:30", "15:15", "17:00", "17:45", "19:30", "20:15", "22:00")
_KINDS = (
    "Cobalt", "Salt", "Juniper", "Tin", "Velvet", "Marble", "Amber", "Quartz", "Saffron", "Linen",
    "Pewter", "Coral", "Slate", "Walnut", "Hollow", "Northern",
)  # fmt: skip
_THINGS = (
    "Ferryman", "Observatory", "Lighthouse", "Orchard", "Cartographer", "Staircase", "Glacier",
    "Apiary", "Monsoon", "Locksmith", "Carousel", "Tideline", "Greenhouse", "Telegraph", "Almanac",
    "Viaduct",
)  # fmt: skip
_FORMS = ("The {0} {1}", "{1} of {0}", "A {0} {1}", "Beyond the {0} {1}", "{0} {1}s")
_DIRECTORS = (
    "Maren Ostrovane", "Tobias Ostrovane", "Yusra Kellmond", "Ivo Branthal", "Sunniva Kellmond",
    "Rafe Dunmarrow", "Oriel Castavet", "Hanno Wexelby", "Pilar Thornquay", "Dmitar Solvane",
    "Edda Rookwell", "Casimir Halloran-Vey",
)  # fmt: skip
_HEROES = (
    "A retired pilot", "A young baker", "A village teacher", "A sleepless detective",
    "A travelling clockmaker", "A stubborn grandmother", "A night-shift nurse", "A lost robot",
)  # fmt: skip
_PLOTS = (
    "returns home to sell a house that won't be sold", "finds a map that changes every night",
    "takes a stranger across the mountains", "must win a contest to keep the shop",
    "searches the coast for a missing sister", "starts a choir nobody wants to hear",
    "hides a letter for thirty years", "learns that the river is about to be moved",
)  # fmt: skip
_HOUSES = ("Aurora", "Rialto Court", "Lumen", "Old Mill", "Paragon", "Zephyr", "Atlas", "Cinder")


class Film(Frozen):
    """A film; nothing about it changes."""

    id: str
    title: str
    year: int
    genre: Genre
    director: str
    minutes: int
    age_rating: int
    """Least age in years."""
    score: float
    """Mean of the viewers' marks, 1 to 10."""
    language: str
    synopsis: str
    in_cinemas: bool


class Cinema(Frozen):
    """A cinema with one screen."""

    id: str
    name: str
    city: str
    district: str


class Show(NamedTuple):
    """One showing of a film."""

    id: str
    film: str
    """Id of the film."""
    cinema: str
    """Name of the cinema."""
    city: str
    date: str
    starts: str
    version: Literal["original", "dubbed"]
    price: float
    """Dollars a seat."""


class Ticket(Record):
    """Seats of one show in the user's name."""

    table: ClassVar[str] = "film_tickets"
    show: str
    """Id of the show."""
    seats: tuple[str, ...]
    price: float


class Wish(Record):
    """A film on the user's watchlist; the id is the film's."""

    table: ClassVar[str] = "watchlist"
    note: str = ""
    removed: bool = False


@lru_cache(maxsize=64)
def films_of(setting: Setting) -> Mapping[str, Film]:
    """Return all films by id; titles come in pairs that are easily mixed up."""
    rng = setting.rng("films")
    titles = _titles(rng)
    films = (_film(rng, setting, n, title) for n, title in enumerate(titles))
    return {film.id: film for film in films}


@lru_cache(maxsize=64)
def cinemas_of(setting: Setting) -> tuple[Cinema, ...]:
    """Return all cinemas, two a city."""
    rng = setting.rng("cinemas")
    cinemas: list[Cinema] = []
    for city in CITIES:
        names, districts = list(_HOUSES), list(DISTRICTS[city.name])
        rng.shuffle(names)
        rng.shuffle(districts)
        for name, district in zip(names[:2], districts, strict=False):
            key = setting.new_id("CIN", len(cinemas))
            cinema = Cinema(id=key, name=f"{name} Cinema", city=city.name, district=district)
            cinemas.append(cinema)
    return tuple(cinemas)


@lru_cache(maxsize=64)
def shows_of(setting: Setting) -> Mapping[str, Show]:
    """Return all shows by id, by cinema, day and time."""
    return {show.id: show for show in _shows(setting)}


def open_seats(setting: Setting, show: Show) -> list[str]:
    """Return the free seats of a show, front to back, before any call; now and then hardly any."""
    rng = setting.rng(f"seats:{show.id}")
    seats = [f"{row}{n}" for row in ROWS for n in range(1, SEATS + 1)]
    places = list(range(len(seats)))
    rng.shuffle(places)
    return [seats[place] for place in sorted(places[: rng.choice((2, 5, 12, 20, 30, 45))])]


def _titles(rng: Random) -> list[str]:
    """Return distinct titles; each two neighbours share their words."""
    pairs = [(kind, thing) for kind in _KINDS for thing in _THINGS]
    rng.shuffle(pairs)
    titles = []
    for kind, thing in pairs[: _FILMS // 2]:
        forms = list(_FORMS)
        rng.shuffle(forms)
        titles += [form.format(kind, thing) for form in forms[:2]]
    return titles


def _film(rng: Random, setting: Setting, n: int, title: str) -> Film:
    shown = n % (_FILMS // _SHOWN) == 0
    age = rng.randrange(0, 2) if shown else rng.randrange(2, 30)
    genre: Genre = rng.choice(get_args(Genre))
    return Film(
        id=setting.new_id("FLM", n),
        title=title,
        year=setting.today.year - age,
        genre=genre,
        director=rng.choice(_DIRECTORS),
        minutes=rng.randrange(78, 171),
        age_rating=rng.choice((0, 6, 12, 16)),
        score=rng.randrange(42, 94) / 10,
        language=rng.choice(("English", "Spanish", "French", "Japanese", "Danish")),
        synopsis=f"{rng.choice(_HEROES)} {rng.choice(_PLOTS)}.",
        in_cinemas=shown,
    )


def _shows(setting: Setting) -> Iterator[Show]:
    shown = [film for film in films_of(setting).values() if film.in_cinemas]
    n = 0
    for cinema in cinemas_of(setting):
        rng = setting.rng(f"shows:{cinema.id}")
        films = list(shown)
        rng.shuffle(films)
        price = rng.randrange(16, 29) / 2
        for ahead in range(SHOW_DAYS):
            day = str(setting.today + timedelta(ahead))
            starts = list(_STARTS)
            rng.shuffle(starts)
            for time in sorted(starts[: 2 * _A_DAY]):
                yield Show(
                    id=setting.new_id("SHW", n),
                    film=films[rng.randrange(_A_DAY + 1)].id,
                    cinema=cinema.name,
                    city=cinema.city,
                    date=day,
                    starts=time,
                    version=rng.choice(("original", "dubbed")),
                    price=price + (1.5 if time >= "19:00" else 0),
                )
                n += 1
