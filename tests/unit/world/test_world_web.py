"""The web toolkit."""

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
    listed,
    own_tools,
    part,
    small,
)
from world_cases import good, records, refused, text

from teval.schema import Fault, Json, JsonObject
from teval.world import World
from teval.world.toolkits.web import Web

KITS = {"web": Web}
TOOLS = own_tools(KITS)
LARKSPUR = "https://transit.example.org/larkspur"


def build(*faults: Fault) -> World:
    return small(KITS, 7, *faults)


def paragraphs(page: JsonObject) -> list[str]:
    values = page["paragraphs"]
    assert isinstance(values, list)
    return [str(value) for value in values]


def urls(world: World, **args: Json) -> list[str]:
    return [text(p, "url") for p in listed(good(world, "web.search_web", **args), "pages")]


def test_reads_are_described_and_can_be_misrouted() -> None:
    reads: dict[str, JsonObject] = {
        "web.search_web": {"words": "public transport Larkspur"},
        "web.open_page": {"url": LARKSPUR},
        "web.find_in_page": {"url": LARKSPUR, "words": "tram"},
    }
    check_described(TOOLS, reads, set())
    check_misrouted(build, reads)


@cache
def values() -> Values:
    pages = records(build(), "web_pages")
    return {
        "words": [pages[0]["title"], "tram", "the", "é" * 90, "a " * 99],
        "site": ["events.example.org", "https://reviews.example.net/"],
        "url": [p["url"] for p in pages[:9]],
        "part": [1, 2.0],
    }


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_calls_are_answered(data: st.DataObject) -> None:
    check_answers(build(), data.draw(st.lists(calls(TOOLS, values()), min_size=1, max_size=6)))


@pytest.mark.parametrize("seed", range(4))
def test_pages_tell_their_facts(seed: int) -> None:
    pages = records(small(KITS, seed), "web_pages")
    assert len({p["url"] for p in pages}) == len(pages) == 20 * 5 + 20 + 8
    for page in pages:
        told = " ".join(paragraphs(page))
        assert "{" not in told
        assert len(paragraphs(page)) == 4
        assert all(str(fact) in told for fact in part(page, "facts").values())
        host = text(page, "url").removeprefix("https://").split("/")[0]
        assert host.split(".", 1)[1] in {"example.org", "example.com", "example.net"}


def test_old_editions_stand_beside_the_new() -> None:
    pages = records(build(), "web_pages")
    new = {p["about"]: p for p in pages if p["topic"] == "museum"}
    old = {p["about"]: p for p in pages if p["topic"] == "old_museum"}
    assert len(new) == len(old) == 20
    for city, page in new.items():
        assert text(old[city], "updated") < text(page, "updated")
        assert paragraphs(old[city]) != paragraphs(page)


def test_every_page_is_found_by_its_title_first_or_with_its_like() -> None:
    world = build()
    for page in records(world, "web_pages"):
        if page["topic"] not in {"museum", "old_museum"}:
            assert page["url"] in urls(world, words=page["title"])[:2]


def test_pages_with_more_of_the_words_come_first() -> None:
    world = build()
    first, second, *_ = urls(world, words="last tram Larkspur")
    assert first == LARKSPUR
    assert second != LARKSPUR
    assert urls(world, words="zeppelin quokka") == []
    sited = urls(world, words="Larkspur", site="events.example.org")
    assert sited
    assert all(url.startswith("https://events.example.org/") for url in sited)


def test_a_page_is_read_part_by_part() -> None:
    world = build()
    page = next(p for p in records(world, "web_pages") if p["url"] == LARKSPUR)
    one = good(world, "web.open_page", url="transit.example.org/Larkspur/")
    two = good(world, "web.open_page", url=LARKSPUR, part=2)
    assert (one["url"], one["part_count"]) == (LARKSPUR, 2)
    assert f"{one['text']}\n\n{two['text']}".split("\n\n") == paragraphs(page)
    message = refused(world, "web.open_page", url=LARKSPUR, part=3)
    assert "part must be 1 to 2, got 3" in message


def test_words_are_found_in_a_page() -> None:
    world = build()
    args: JsonObject = {"url": LARKSPUR, "words": "LAST tram"}
    (passage,) = listed(good(world, "web.find_in_page", **args), "passages")
    page = next(p for p in records(world, "web_pages") if p["url"] == LARKSPUR)
    assert passage == {"part": 2, "text": paragraphs(page)[2]}
    none = good(world, "web.find_in_page", url=LARKSPUR, words="zeppelin")
    assert (none["passages"], none["total"]) == ([], 0)


@pytest.mark.parametrize(
    ("tool", "args", "message"),
    [
        ("search_web", {"words": "?!"}, "words must hold at least one word"),
        ("search_web", {"words": "a", "site": "example.org"}, "no pages on 'example.org'; hosts"),
        ("open_page", {"url": "Larkspur"}, "no page at 'Larkspur'; web.search_web tells"),
        ("open_page", {"url": LARKSPUR, "part": 0}, "part must be 1 to 2, got 0"),
        ("find_in_page", {"url": LARKSPUR, "words": ""}, "words must hold at least one word"),
    ],
)
def test_calls_that_make_no_sense(tool: str, args: JsonObject, message: str) -> None:
    assert message in refused(build(), f"web.{tool}", **args)
