"""The user's address book."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from teval.schema import JsonObject
from teval.world.places import CITIES
from teval.world.setting import Setting
from teval.world.state import Record, State
from teval.world.tool import tool
from teval.world.toolkit import Toolkit
from teval.world.values import InputError, clip, holds, page, read_words, short_text

ME = "Robin Vale"
MY_ADDRESS = "robin.vale@example.org"
_FIRST = (
    "Amara", "Bastian", "Celia", "Dario", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas",
    "Kaya", "Leopold", "Mirela", "Nadia", "Oskar", "Priya", "Quentin", "Rosa", "Soren", "Talia",
)  # fmt: skip
_LAST = (
    "Abendroth", "Brackwater", "Corvane", "Delmarsh", "Estrella-Quist", "Fennimore", "Goldhurst",
    "Harrowby", "Ilvanen", "Jorvik", "Kestermann", "Lindquell", "Morandel", "Nightingrove",
)  # fmt: skip
_ROLES = (
    "project lead", "accountant", "designer", "sales manager", "researcher", "travel coordinator",
    "engineer", "lawyer", "product manager", "event planner", "data analyst", "recruiter",
    "support lead", "photographer", "consultant",
)  # fmt: skip
_COMPANIES = ("Norwind Labs", "Halcyon Works", "Bluefern Studio", "Tern & Oak")
_DOMAINS = ("example.org", "example.com", "example.net", "example.com")
_MOST_ADDRESS = 60
_ADDRESS = re.compile(r"[a-z0-9._+-]+@[a-z0-9-]+(\.[a-z0-9-]+)+")


class Contact(Record):
    """A person in the address book; the id is the mail address."""

    table: ClassVar[str] = "contacts"
    name: str
    phone: str
    role: str
    company: str
    city: str


def read_address(text: str, argument: str) -> str:
    """Return a mail address in small letters.

    Raises:
        InputError: It is none.
    """
    address = text.strip().lower()
    if not _ADDRESS.fullmatch(address):
        raise InputError(f"{argument} must be a mail address, got {clip(text)}")
    short_text(address, argument, _MOST_ADDRESS)
    return address


def known_addresses(state: State, texts: Sequence[str], argument: str) -> tuple[str, ...]:
    """Return the mail addresses, sorted.

    Raises:
        InputError: There is none, one is named twice, or one is no contact's.
    """
    addresses = sorted(read_address(text, argument) for text in texts)
    if not addresses or len(set(addresses)) < len(addresses):
        raise InputError(f"{argument} must hold at least one address, and none twice")
    for address in addresses:
        if state.get(Contact, address) is None:
            raise InputError(
                f"no contact has the address {clip(address)}; contacts.find_contact knows addresses"
            )
    return tuple(addresses)


def person(contact: Contact) -> JsonObject:
    """Return what tools tell about a contact."""
    return {
        "name": contact.name,
        "email": contact.id,
        "phone": contact.phone,
        "role": contact.role,
        "company": contact.company,
        "city": contact.city,
    }


class Contacts(Toolkit):
    """Finding people and adding them."""

    def seed(self) -> None:
        """Put 15 people, two of whom share a first name."""
        for contact in _people(self.setting):
            self.state.put(contact)

    def others(self, argument: str) -> Sequence[str]:
        """Return full names of contacts."""
        return [contact.name for contact in self.state.all(Contact)] if argument == "name" else ()

    def view(self) -> JsonObject:
        """Return the user's own name and address."""
        return {"me": {"name": ME, "email": MY_ADDRESS}}

    @tool("read", decoy="name")
    def find_contact(self, name: str) -> JsonObject:
        """Look up people in the address book by name.

        Args:
            name: First name, last name or both.

        Returns:
            Matching contacts with name, email, phone, role, company and city; none if nobody fits.

        Raises:
            InputError: Empty name.
        """
        words = read_words(name, "name")
        found = [c for c in self.state.all(Contact) if holds(words, c.name)]
        return page("contacts", [person(c) for c in found])

    @tool("write")
    def add_contact(
        self, name: str, email: str, phone: str | None = None, company: str | None = None
    ) -> JsonObject:
        """Add a new person to the address book.

        Args:
            name: Full name.
            email: Mail address, not yet in the address book.
            phone: Phone number.
            company: Employer's name.

        Returns:
            The stored contact.

        Raises:
            InputError: Empty name; not a mail address; address already stored.
        """
        address = read_address(email, "email")
        if not name.strip():
            raise InputError("name must not be empty")
        if self.state.get(Contact, address) is not None:
            raise InputError(f"a contact with the address {clip(address)} is already stored")
        contact = Contact(
            id=address, name=name, phone=phone or "", role="", company=company or "", city=""
        )
        self.state.put(contact)
        return {"added": person(contact)}


def _people(setting: Setting) -> list[Contact]:
    rng = setting.rng("contacts")
    first, last, roles = list(_FIRST), list(_LAST), list(_ROLES)
    for names in (first, last, roles):
        rng.shuffle(names)
    first[14] = first[0]
    return [_contact(setting, n, first[n], last[n % len(last)], roles[n]) for n in range(15)]


def _contact(setting: Setting, n: int, first: str, last: str, role: str) -> Contact:
    rng = setting.rng(f"contact:{n}")
    firm = rng.randrange(len(_COMPANIES))
    if n == 14:
        last = "Overbeck"
    return Contact(
        id=f"{first}.{last}@{_DOMAINS[firm]}".lower(),
        name=f"{first} {last}",
        phone=f"555-01{(17 * n + setting.seed) % 100:02d}",
        role=role,
        company=_COMPANIES[firm],
        city=rng.choice(CITIES).name,
    )
