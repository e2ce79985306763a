"""The folders and documents that a world begins with: each page tells facts that tasks ask for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from random import Random
from string import Formatter
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from teval.world.places import CITIES
from teval.world.setting import Setting
from teval.world.state import Record, State
from teval.world.toolkits.contacts import Contact

Access: TypeAlias = Literal["view", "edit"]
_FOLDERS = (
    "/", "/Archive", "/Finance", "/Finance/Invoices", "/Personal", "/Projects",
    "/Projects/Lighthouse", "/Projects/Orchard", "/Templates", "/Travel",
)  # fmt: skip
_FIRMS = ("Brackett Supplies", "Fenwold Printing", "Osprey Catering", "Linnet Cleaning")


class Folder(Record):
    """A folder; the id is its path from the top."""

    table: ClassVar[str] = "folders"


class Document(Record):
    """A text document of one or more pages."""

    table: ClassVar[str] = "documents"
    name: str
    folder: str
    """Path of its folder."""
    pages: tuple[str, ...]
    modified: str
    """When, ISO 8601 to the minute."""
    shared: dict[str, Access] = {}
    """Mail address to what its owner may do."""
    deleted: bool = False
    topic: str = ""
    """What a seeded document is about; for those who write tasks, told by no tool."""
    facts: dict[str, str] = {}
    """The facts that a seeded document tells; told by no tool but in its pages."""


class _Template(NamedTuple):
    topic: str
    folder: str
    name: str
    pages: tuple[str, ...]
    variants: tuple[str, ...]
    """What ``{v}`` stands for; each makes a document."""


_TEMPLATES = (
    _Template(
        "budget",
        "/Finance",
        "Budget {v}",
        (
            "Budget of the {v}. Travel: {hundreds} dollars. Training: {tens} dollars. Equipment: "
            "{thousands} dollars. Approved by {person}.",
            "Spending over {limit} dollars needs the consent of {other}. The budget is closed on "
            "{day}.",
        ),
        ("first half", "second half", "last year"),
    ),
    _Template(
        "invoice",
        "/Finance/Invoices",
        "Invoice {code}",
        (
            "Invoice {code} from {firm}. Net {hundreds} dollars, tax {tens} dollars. Payable by "
            "{day}. Questions to {person}.",
        ),
        ("a", "b", "c", "d"),
    ),
    _Template(
        "minutes",
        "/Projects/{v}",
        "{v} minutes",
        (
            "Meeting on project {v}, held on {past}. Present: {person}, {other}, {third}. The "
            "pilot in {city} was discussed for {minutes} minutes.",
            "Decisions. The launch moves to {day}. {other} takes over purchasing. The limit for a "
            "single order is {limit} dollars.",
            "Next meeting on {soon} at {time}. {third} brings the samples; {count} are needed.",
        ),
        ("Lighthouse", "Orchard"),
    ),
    _Template(
        "plan",
        "/Projects/{v}",
        "{v} plan",
        (
            "Plan of project {v}. Lead: {person}. Site: {city}. Start on {soon}, end on {day}.",
            "Risks: the permit in {city} takes {count} weeks; the supplier {firm} has raised its "
            "price to {tens} dollars a unit.",
        ),
        ("Lighthouse", "Orchard"),
    ),
    _Template(
        "contract",
        "/Projects/{v}",
        "{v} contract draft",
        (
            "Contract with {firm} for project {v}. Fee: {thousands} dollars. Term: {count} months "
            "from {soon}.",
            "Either side may end the contract with {minutes} days of notice. Contact of the "
            "client: {person}. Reference {code}.",
        ),
        ("Lighthouse", "Orchard"),
    ),
    _Template(
        "trip",
        "/Travel",
        "{v} trip to {city}",
        (
            "Trip to {city} with {person}. Arrival on {soon}, {count} nights. Hotel budget: "
            "{tens} dollars a night.",
            "To do in {city}: meet {other} on {soon} at {time}. Dinner for {count}; {third} is "
            "vegetarian.",
        ),
        ("First", "Second"),
    ),
    _Template(
        "packing",
        "/Travel",
        "Packing list {v}",
        (
            "Packing list for {v} trips: {count} shirts, rain jacket if the rain chance is above "
            "{percent} percent, charger, code {code} for the suitcase.",
        ),
        ("short", "winter"),
    ),
    _Template(
        "policy",
        "/Templates",
        "Travel policy {v}",
        (
            "Travel policy, {v}. Flights under {limit} dollars need no consent. Hotels: at most "
            "{tens} dollars a night and {count} nights.",
            "Receipts go to {person} within {minutes} days. Business class is allowed on flights "
            "over {count} hours.",
        ),
        ("current", "superseded"),
    ),
    _Template(
        "letter",
        "/Templates",
        "Letter template {v}",
        (
            "Dear reader, thank you for your {v}. We will answer within {count} days. If you do "
            "not hear from us by then, write to {person}.",
        ),
        ("offer", "complaint"),
    ),
    _Template(
        "recipe",
        "/Personal",
        "Recipe {v}",
        (
            "{v} for {count}: {hundreds} grams of flour, {tens} grams of butter, {minutes} minutes "
            "in the oven. From {person}.",
        ),
        ("walnut bread", "walnut cake"),
    ),
    _Template(
        "warranty",
        "/Personal",
        "Warranty {v}",
        (
            "Warranty of the {v}, bought from {firm} on {past} for {hundreds} dollars. Valid for "
            "{count} years. Serial number {code}.",
        ),
        ("boiler", "bicycle"),
    ),
    _Template(
        "survey",
        "/Archive",
        "Survey {v}",
        (
            "Survey of {v}: {hundreds} people asked, {percent} percent content. Best site: {city}. "
            "Compiled by {person}.",
            "Most frequent wish: longer opening hours, named by {tens} people. The next survey is "
            "due on {day}.",
        ),
        ("customers", "staff"),
    ),
)


def put_folders(state: State) -> None:
    """Put the folders that a world begins with."""
    for path in _FOLDERS:
        state.put(Folder(id=path))


def make_documents(setting: Setting, state: State) -> Iterator[Document]:
    """Yield 27 documents without ids, each with the facts that it tells."""
    rng = setting.rng("documents")
    people = state.all(Contact)
    for template in _TEMPLATES:
        for variant in template.variants:
            yield _document(rng, setting, template, variant, people)


def _document(
    rng: Random, setting: Setting, template: _Template, variant: str, people: list[Contact]
) -> Document:
    values = {"v": variant, **_values(rng, setting, people)}
    texts = (template.name, *template.pages)
    told = {slot for text in texts for _, slot, _, _ in Formatter().parse(text) if slot}
    modified = setting.today - timedelta(rng.randrange(1, 60))
    return Document(
        id="",
        name=template.name.format_map(values),
        folder=template.folder.format_map(values),
        pages=tuple(page.format_map(values) for page in template.pages),
        modified=f"{modified}T{rng.randrange(8, 18):02d}:{rng.randrange(60):02d}",
        topic=template.topic,
        facts={slot: values[slot] for slot in sorted(told)},
    )


def _values(rng: Random, setting: Setting, people: list[Contact]) -> dict[str, str]:
    """Return a value for every slot that a template may name."""
    drawn = list(people)
    rng.shuffle(drawn)
    today = setting.today
    return {
        "person": drawn[0].name,
        "other": drawn[1].name,
        "third": drawn[2].name,
        "city": rng.choice(CITIES).name,
        "firm": rng.choice(_FIRMS),
        "code": setting.new_id("REF", 2000 + rng.randrange(9000)),
        "tens": str(rng.randrange(60, 195)),
        "hundreds": str(rng.randrange(20, 99) * 10),
        "thousands": str(rng.randrange(21, 180) * 100),
        "limit": str(rng.randrange(3, 10) * 100),
        "count": str(rng.randrange(3, 9)),
        "minutes": str(rng.randrange(2, 9) * 10),
        "percent": str(rng.randrange(6, 18) * 5),
        "past": str(today - timedelta(rng.randrange(5, 90))),
        "soon": str(today + timedelta(rng.randrange(2, 9))),
        "day": str(today + timedelta(rng.randrange(14, 90))),
        "time": rng.choice(("08:30", "10:00", "13:30", "18:00")),
    }
