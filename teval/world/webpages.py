"""A small web of invented pages, each with facts of its own: what stands behind the web toolkit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import lru_cache
from random import Random

from teval.schema import Frozen
from teval.world.districts import DISTRICTS
from teval.world.places import CITIES, City
from teval.world.setting import Setting

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday")
_MUSEUMS = ("Museum of Glass", "Clock Museum", "Maritime Museum", "Museum of Paper", "Salt Museum")
_FESTIVALS = ("Lantern Festival", "River Weeks", "Festival of Kites", "Jazz Nights", "Book Days")
_BANDS = ("The Tin Herons", "Ostler & Finch", "Velvet Almanac", "Nine Ferries", "Quiet Cartel")
_KINDS = ("headphones", "travel backpack", "e-reader", "camping stove", "desk lamp")
_BRANDS = ("Arvo", "Brill", "Corvid", "Dunlin")
_FIRMS = (
    "Brackett Supplies", "Fenwold Printing", "Osprey Catering", "Linnet Cleaning",
    "Norwind Labs", "Halcyon Works", "Bluefern Studio", "Tern & Oak",
)  # fmt: skip


class Page(Frozen):
    """A web page; nothing about it changes."""

    url: str
    title: str
    updated: str
    paragraphs: tuple[str, ...]
    topic: str
    """Kind of page; for those who write tasks, told by no tool."""
    about: str
    """The city, product or company that it is about; told by no tool."""
    facts: dict[str, str]
    """The facts that its paragraphs tell; told by no tool but in the text."""

    @property
    def site(self) -> str:
        """The host of its address."""
        return self.url.removeprefix("https://").split("/")[0]


@lru_cache(maxsize=64)
def pages_of(setting: Setting) -> Mapping[str, Page]:
    """Return all pages by address. Old editions stand beside the new ones, with other facts."""
    return {page.url: page for page in _pages(setting)}


def _pages(setting: Setting) -> Iterator[Page]:
    for city in CITIES:
        rng = setting.rng(f"web:{city.name}")
        museum, festival = rng.choice(_MUSEUMS), rng.choice(_FESTIVALS)
        yield _guide(rng, setting, city, museum)
        yield _transit(rng, setting, city)
        yield _festival(rng, setting, city, festival)
        for year in (setting.today.year, setting.today.year - 2):
            yield _museum(rng, setting, city, museum, year)
    for kind in _KINDS:
        for brand in _BRANDS:
            yield _review(setting.rng(f"web:{brand} {kind}"), setting, brand, kind)
    for firm in _FIRMS:
        yield _firm(setting.rng(f"web:{firm}"), setting, firm)


def _page(
    setting: Setting,
    rng: Random,
    url: str,
    title: str,
    texts: tuple[str, ...],
    topic: str,
    about: str,
    **facts: str,
) -> Page:
    """Return a page whose paragraphs are filled with its facts; old editions were left alone."""
    age = rng.randrange(2, 200) + (500 if topic == "old_museum" else 0)
    return Page(
        url=f"https://{url}",
        title=title,
        updated=str(setting.today - timedelta(age)),
        paragraphs=tuple(text.format(about=about, **facts) for text in texts),
        topic=topic,
        about=about,
        facts=facts,
    )


def _slug(name: str) -> str:
    return name.lower().replace(" & ", "-").replace(" ", "-")


def _guide(rng: Random, setting: Setting, city: City, museum: str) -> Page:
    return _page(
        setting,
        rng,
        f"guide.example.org/{_slug(city.name)}",
        f"{city.name}: a short guide",
        (
            "{about} was founded in {founded} and has {people} inhabitants. It lies in the region "
            "{region}.",
            "Start in {district}, where the weekly market is held on {market_day} from "
            "{market_from}.",
            "The water tower is {tower} metres high; {steps} steps lead to the platform.",
            "On wet days there is the {museum}. Tap water is safe, and shops close at {shops}.",
        ),
        "guide",
        city.name,
        founded=str(rng.randrange(1105, 1790)),
        people=f"{rng.randrange(38, 940)},000",
        region=city.region,
        district=rng.choice(DISTRICTS[city.name]),
        market_day=rng.choice(_DAYS),
        market_from=rng.choice(("07:00", "08:00", "09:30")),
        tower=str(rng.randrange(28, 96)),
        steps=str(rng.randrange(120, 480)),
        museum=museum,
        shops=rng.choice(("18:30", "20:00", "21:00")),
    )


def _transit(rng: Random, setting: Setting, city: City) -> Page:
    return _page(
        setting,
        rng,
        f"transit.example.org/{_slug(city.name)}",
        f"Public transport in {city.name}",
        (
            "A single ride in {about} costs {single} dollars, a day pass {day_pass} dollars.",
            "The line to the airport or the main station takes {minutes} minutes and runs every "
            "{every} minutes.",
            "The last tram leaves {district} at {last_tram}. Night buses run on Fridays and "
            "Saturdays.",
            "Bicycles may be taken along after {bikes_after} for {bike} dollars. Lost property: "
            "555-01{lost}.",
        ),
        "transit",
        city.name,
        single=f"{rng.randrange(18, 42) / 10:.2f}",
        day_pass=f"{rng.randrange(65, 145) / 10:.2f}",
        minutes=str(rng.randrange(12, 55)),
        every=rng.choice(("10", "12", "15", "20", "30")),
        district=rng.choice(DISTRICTS[city.name]),
        last_tram=f"{rng.choice((23, 22))}:{rng.randrange(10, 60)}",
        bikes_after=rng.choice(("09:00", "18:30", "19:00")),
        bike=f"{rng.randrange(10, 35) / 10:.2f}",
        lost=f"{rng.randrange(100):02d}",
    )


def _festival(rng: Random, setting: Setting, city: City, festival: str) -> Page:
    first = setting.today + timedelta(rng.randrange(5, 60))
    return _page(
        setting,
        rng,
        f"events.example.org/{_slug(city.name)}/{_slug(festival)}",
        f"{festival} in {city.name}",
        (
            "The {festival} in {about} runs from {first} to {last}.",
            "{band} play on {first} at {opens}. Stage and food stalls stand in {district}.",
            "Tickets cost {price} dollars a day, {weekend} dollars for all days. Children under "
            "{age} enter free.",
            "If it storms, concerts move to the town hall. Dogs are not admitted.",
        ),
        "festival",
        city.name,
        festival=festival,
        first=str(first),
        last=str(first + timedelta(rng.randrange(2, 9))),
        band=rng.choice(_BANDS),
        opens=rng.choice(("18:00", "19:30", "20:15")),
        district=rng.choice(DISTRICTS[city.name]),
        price=str(rng.randrange(12, 40)),
        weekend=str(rng.randrange(45, 99)),
        age=str(rng.randrange(6, 13)),
    )


def _museum(rng: Random, setting: Setting, city: City, museum: str, year: int) -> Page:
    current = year == setting.today.year
    host = "museums.example.org" if current else "archive.example.org"
    return _page(
        setting,
        rng,
        f"{host}/{_slug(city.name)}/{_slug(museum)}-{year}",
        f"{museum} {city.name}: visit {year}",
        (
            "Visiting the {museum} in {about}, season {year}.",
            "Open from {opens} to {closes}; closed on {closed_day}. Last entry one hour before "
            "closing.",
            "Admission is {price} dollars, {reduced} dollars for students. Guided tours start at "
            "{tour} and last {minutes} minutes.",
            "Groups of more than {group} people register by mail to museum@example.org. Bags go "
            "into lockers.",
        ),
        "museum" if current else "old_museum",
        city.name,
        museum=museum,
        year=str(year),
        opens=rng.choice(("09:00", "10:00", "11:00")),
        closes=rng.choice(("17:00", "18:00", "19:30")),
        closed_day=rng.choice(_DAYS),
        price=str(rng.randrange(8, 25)),
        reduced=str(rng.randrange(3, 8)),
        tour=rng.choice(("11:30", "14:00", "15:30")),
        minutes=rng.choice(("45", "60", "75", "90")),
        group=str(rng.randrange(8, 21)),
    )


def _review(rng: Random, setting: Setting, brand: str, kind: str) -> Page:
    model = f"{brand} {rng.randrange(2, 9)}{rng.choice('0X5')}"
    return _page(
        setting,
        rng,
        f"reviews.example.net/{_slug(kind)}/{brand.lower()}",
        f"{model} {kind} tested",
        (
            "We used the {about} for {weeks} weeks. It costs {price} dollars and weighs {weight} "
            "grams.",
            "In our endurance test it lasted {hours} hours; the maker promises {promised}.",
            "Repairs: spare parts are sold for {years} years. The warranty runs {warranty} months.",
            "Verdict: {mark} of 100 points.",
        ),
        "review",
        f"{model} {kind}",
        weeks=str(rng.randrange(3, 9)),
        price=str(rng.randrange(39, 320)),
        weight=str(rng.randrange(18, 160) * 10),
        hours=str(rng.randrange(9, 39)),
        promised=str(rng.randrange(40, 60)),
        years=str(rng.randrange(3, 11)),
        warranty=rng.choice(("12", "24", "36", "60")),
        mark=str(rng.randrange(51, 97)),
    )


def _firm(rng: Random, setting: Setting, firm: str) -> Page:
    return _page(
        setting,
        rng,
        f"companies.example.com/{_slug(firm)}",
        f"About {firm}",
        (
            "{about} was founded in {founded} and has its seat in {city}.",
            "{staff} people work at {sites} sites. Last year's revenue was {revenue} million "
            "dollars.",
            "The office is open from {opens} to {closes} on working days; the switchboard is "
            "555-01{phone}.",
            "Orders over {freight} dollars are delivered free. Complaints are answered within "
            "{days} days.",
        ),
        "company",
        firm,
        founded=str(rng.randrange(1921, 2024)),
        city=rng.choice(CITIES).name,
        staff=str(rng.randrange(24, 980)),
        sites=str(rng.randrange(2, 14)),
        revenue=str(rng.randrange(3, 240)),
        opens=rng.choice(("07:30", "08:00", "09:00")),
        closes=rng.choice(("16:30", "17:00", "18:00")),
        phone=f"{rng.randrange(100):02d}",
        freight=str(rng.randrange(4, 30) * 10),
        days=str(rng.randrange(2, 15)),
    )
