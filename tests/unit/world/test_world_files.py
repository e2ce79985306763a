"""The files toolkit."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from more_world import (
    Values,
    calls,
    check_answers,
    check_described,
    check_misrouted,
    check_writes,
    listed,
    own_tools,
    part,
    small,
)
from world_cases import emails, good, records, refused, text

from teval.schema import Fault, Json, JsonObject
from teval.world import World
from teval.world.toolkits.files import Files
from teval.world.values import size

KITS = {"files": Files}
TOOLS = own_tools(KITS)


def build(*faults: Fault) -> World:
    return small(KITS, 7, *faults)


def named(world: World, name: str) -> JsonObject:
    """The document of that name."""
    (found,) = [d for d in records(world, "documents") if d["name"] == name]
    return found


def strings(record: JsonObject, key: str) -> list[str]:
    values = record[key]
    assert isinstance(values, list)
    return [str(value) for value in values]


def test_writes_land_in_the_state() -> None:
    world = build()
    one, two = (named(world, name)["id"] for name in ("Orchard plan", "Lighthouse plan"))
    first, second, *_ = emails(world)
    check_writes(
        build,
        TOOLS,
        {
            "files.create_folder": ({"folder": "/Projects/Harbour"}, {"folder": "/Harbour"}),
            "files.create_document": (
                {"name": "Notes", "text": "Bring the key."},
                {"name": "More notes", "text": "Bring two keys.", "folder": "/Archive"},
            ),
            "files.append_text": (
                {"document_id": one, "text": "Done."},
                {"document_id": two, "text": "Open."},
            ),
            "files.move_document": (
                {"document_id": one, "folder": "/Archive"},
                {"document_id": two, "folder": "/Personal"},
            ),
            "files.rename_document": (
                {"document_id": one, "name": "Old plan"},
                {"document_id": two, "name": "New plan"},
            ),
            "files.delete_document": ({"document_id": one}, {"document_id": two}),
            "files.share_document": (
                {"document_id": one, "email": first},
                {"document_id": two, "email": second, "access": "edit"},
            ),
        },
    )


def test_reads_are_described_and_can_be_misrouted() -> None:
    key = named(build(), "Orchard plan")["id"]
    reads: dict[str, JsonObject] = {
        "files.list_folder": {"folder": "/Travel"},
        "files.search_documents": {"words": "Orchard plan"},
        "files.read_document": {"document_id": key},
    }
    check_described(TOOLS, reads, set())
    check_misrouted(build, reads)


@cache
def values() -> Values:
    world = build()
    people = emails(world)
    long: list[Json] = ["Notes", "é" * 40, "\x01" * 13, "x" * 600, "/"]
    return {
        "folder": ["/Projects", "/archive", "Travel/", "/Projects/New", "/", "/Travel//x", "//"],
        "words": ["budget", "pilot dollars", "é" * 90],
        "document_id": [d["id"] for d in records(world, "documents")[:5]],
        "page_number": [1, 2.0],
        "name": ["Orchard plan", *long],
        "text": ["One.", "é" * 300, "\x01" * 99, "x" * 600],
        "email": [*people[:6]],
    }


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_calls_are_answered(data: st.DataObject) -> None:
    check_answers(build(), data.draw(st.lists(calls(TOOLS, values()), min_size=1, max_size=12)))


@pytest.mark.parametrize("seed", range(5))
def test_documents_tell_their_facts(seed: int) -> None:
    world = small(KITS, seed)
    documents = records(world, "documents")
    folders = {f["id"] for f in records(world, "folders")}
    assert len({d["id"] for d in documents}) == len(documents) == 27
    assert len({(d["folder"], d["name"]) for d in documents}) == 27
    for document in documents:
        pages = strings(document, "pages")
        told = " ".join([text(document, "name"), *pages])
        facts = part(document, "facts")
        assert facts
        assert all(str(fact) in told for fact in facts.values())
        assert "{" not in told
        assert all(size(page) <= 600 for page in pages)
        assert document["folder"] in folders
        assert text(document, "modified") < "2031-05-05"


def test_folders_hold_folders_and_documents() -> None:
    world = build()
    top = listed(good(world, "files.list_folder"), "entries")
    assert [e["folder"] for e in top] == [
        "/Archive", "/Finance", "/Personal", "/Projects", "/Templates", "/Travel",
    ]  # fmt: skip
    inside = listed(good(world, "files.list_folder", folder="projects/orchard/"), "entries")
    assert [e["name"] for e in inside] == [
        "Orchard contract draft", "Orchard minutes", "Orchard plan",
    ]  # fmt: skip
    assert [e["page_count"] for e in inside] == [2, 3, 2]
    finance = listed(good(world, "files.list_folder", folder="/Finance"), "entries")
    assert finance[0] == {"folder": "/Finance/Invoices"}
    assert len(finance) == 4


def test_a_search_tells_the_page() -> None:
    world = build()
    found = listed(good(world, "files.search_documents", words="orchard single order"), "documents")
    assert [(d["name"], d["page"]) for d in found] == [("Orchard minutes", 2)]
    args: JsonObject = {"words": "project", "folder": "/Projects/Orchard"}
    below = listed(good(world, "files.search_documents", **args), "documents")
    above = listed(good(world, "files.search_documents", **{**args, "folder": "/"}), "documents")
    assert {d["folder"] for d in below} == {"/Projects/Orchard"}
    assert {d["folder"] for d in above} == {"/Projects/Orchard", "/Projects/Lighthouse"}
    assert good(world, "files.search_documents", words="zeppelin")["documents"] == []


def test_pages_are_read_one_by_one() -> None:
    world = build()
    document = named(world, "Orchard minutes")
    args: JsonObject = {"document_id": text(document, "id").lower()}
    for n, page in enumerate(strings(document, "pages"), start=1):
        told = good(world, "files.read_document", **args, page_number=n)
        assert (told["text"], told["page_count"]) == (page, 3)
    assert good(world, "files.read_document", **args)["page_number"] == 1
    message = refused(world, "files.read_document", **args, page_number=4)
    assert "page_number must be 1 to 3, got 4" in message


def test_text_is_appended_to_the_last_page_while_it_fits() -> None:
    world = build()
    made = good(world, "files.create_document", name="Log", text="x" * 300, folder="/archive")
    args: JsonObject = {"document_id": part(made, "created")["document_id"]}
    assert good(world, "files.append_text", **args, text="y" * 300)["page_number"] == 1
    assert good(world, "files.append_text", **args, text="z" * 200)["page_number"] == 2
    pages = strings(named(world, "Log"), "pages")
    assert pages == [f"{'x' * 300}\n{'y' * 300}", "z" * 200]
    assert named(world, "Log")["modified"] == "2031-05-05T09:00"


def test_a_document_is_moved_renamed_and_deleted() -> None:
    world = build()
    document = named(world, "Orchard plan")
    key: JsonObject = {"document_id": document["id"]}
    moved = good(world, "files.move_document", **key, folder="/archive")
    assert (moved["from"], moved["to"]) == ("/Projects/Orchard", "/Archive")
    assert "already lies in /Archive" in refused(
        world, "files.move_document", **key, folder="/Archive"
    )
    renamed = good(world, "files.rename_document", **key, name=" Orchard plan (old) ")
    assert (renamed["from"], renamed["to"]) == ("Orchard plan", "Orchard plan (old)")
    told = good(world, "files.read_document", **key)
    assert (told["name"], told["folder"]) == ("Orchard plan (old)", "/Archive")
    good(world, "files.delete_document", **key)
    assert f"no document '{document['id']}'" in refused(world, "files.read_document", **key)
    assert good(world, "files.search_documents", words="orchard old")["documents"] == []
    made = good(world, "files.create_document", name="Orchard plan (old)", text="Anew.")
    assert part(made, "created")["document_id"] != document["id"]


def test_names_are_new_in_their_folder() -> None:
    world = build()
    taken: JsonObject = {"name": "orchard PLAN", "text": "Anew.", "folder": "/Projects/Orchard"}
    message = refused(world, "files.create_document", **taken)
    assert "in /Projects/Orchard already bears the name 'orchard PLAN'" in message
    good(world, "files.create_document", **{**taken, "folder": "/Projects"})
    other = named(world, "Orchard minutes")["id"]
    args: JsonObject = {"document_id": other, "name": "Orchard plan"}
    assert "already bears the name" in refused(world, "files.rename_document", **args)
    clash = named(world, "orchard PLAN")["id"]
    move: JsonObject = {"document_id": clash, "folder": "/Projects/Orchard"}
    assert "already bears the name" in refused(world, "files.move_document", **move)


def test_folders_are_made_in_folders() -> None:
    world = build()
    made = good(world, "files.create_folder", folder=" projects/Harbour/ ")
    assert made["created"] == "/Projects/Harbour"
    entries = listed(good(world, "files.list_folder", folder="/Projects"), "entries")
    assert {"folder": "/Projects/Harbour"} in entries
    assert good(world, "files.list_folder", folder="/projects/harbour")["entries"] == []
    for again in ("/projects/HARBOUR", "/Projects//Harbour", "/", ""):
        assert "already exists" in refused(world, "files.create_folder", folder=again)
    orphan = refused(world, "files.create_folder", folder="/Nowhere/New")
    assert "no folder '/Nowhere'; give a whole path" in orphan
    long = refused(world, "files.create_folder", folder="x" * 130)
    assert "folder must have 1 to 120 bytes" in long


def test_sharing_gives_rights_and_changes_them() -> None:
    world = build()
    people = emails(world)
    args: JsonObject = {"document_id": named(world, "Orchard plan")["id"]}
    good(world, "files.share_document", **args, email=str(people[0]).upper())
    again = refused(world, "files.share_document", **args, email=people[0])
    assert f"is already shared with {people[0]} to view" in again
    told = good(world, "files.share_document", **args, email=people[0], access="edit")
    assert told["shared_with"] == {people[0]: "edit"}
    for address in people[1:5]:
        good(world, "files.share_document", **args, email=address)
    most = refused(world, "files.share_document", **args, email=people[5])
    assert "at most 5 people" in most
    assert len(part(good(world, "files.read_document", **args), "shared_with")) == 5
    stranger = refused(world, "files.share_document", **args, email="nobody@example.org")
    assert "no contact has the address" in stranger


@pytest.mark.parametrize(
    ("tool", "args", "message"),
    [
        ("list_folder", {"folder": "/Nowhere"}, "no folder '/Nowhere'; give a whole path such as"),
        ("search_documents", {"words": "-"}, "words must hold at least one word"),
        ("search_documents", {"words": "a", "folder": "Orchard"}, "no folder 'Orchard'"),
        ("read_document", {"document_id": "Orchard plan"}, "ids begin with DOC-"),
        ("create_document", {"name": " ", "text": "x"}, "name must have 1 to 80 bytes"),
        ("create_document", {"name": "a/b", "text": "x"}, "name must not hold a slash"),
        ("create_document", {"name": "a", "text": " "}, "text must have 1 to 600 bytes"),
        ("share_document", {"document_id": "DOC-0000", "email": "a"}, "no document 'DOC-0000'"),
    ],
)
def test_calls_that_make_no_sense(tool: str, args: JsonObject, message: str) -> None:
    assert message in refused(build(), f"files.{tool}", **args)


def test_the_fullest_page_fits_an_answer() -> None:
    """A full page of a document with the longest name and path, shared with the most people."""
    world = build()
    guests = [f"{n}{'x' * 47}@example.net" for n in range(5)]
    for guest in guests:
        good(world, "contacts.add_contact", name="Guest", email=guest)
    path = f"/{'é' * 59}"
    good(world, "files.create_folder", folder=path)
    made = good(world, "files.create_document", name="é" * 40, text="\x01" * 50, folder=path)
    args: JsonObject = {"document_id": part(made, "created")["document_id"]}
    good(world, "files.append_text", **args, text="x" * 390)
    for guest in guests:
        good(world, "files.share_document", **args, email=guest)
    told = good(world, "files.read_document", **args)
    assert (told["page_count"], 1200 < size(told) <= 1500) == (1, True)
