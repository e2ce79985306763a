"""The papers toolkit."""

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
    number,
    own_tools,
    part,
    small,
)
from world_cases import good, records, refused, text

from teval.schema import Fault, Json, JsonObject
from teval.world import World
from teval.world.literature import Paper, reference
from teval.world.toolkits.papers import Papers

KITS = {"papers": Papers}
TOOLS = own_tools(KITS)


def build(*faults: Fault) -> World:
    return small(KITS, 7, *faults)


def ids(content: JsonObject) -> list[Json]:
    return [paper["paper_id"] for paper in listed(content, "papers")]


def strings(record: JsonObject, key: str) -> list[str]:
    values = record[key]
    assert isinstance(values, list)
    return [str(value) for value in values]


def cited(world: World) -> JsonObject:
    """A paper that cites and is cited by several."""
    return next(
        p
        for p in records(world, "papers")
        if len(strings(p, "references")) > 2 and len(strings(p, "cited_by")) > 2
    )


def test_writes_land_in_the_state() -> None:
    world = build()
    on_list = ids(good(world, "papers.list_reading_list"))
    one, two = [p["id"] for p in records(world, "papers") if p["id"] not in on_list][:2]
    check_writes(
        build,
        TOOLS,
        {
            "papers.add_to_reading_list": (
                {"paper_id": one},
                {"paper_id": two, "priority": "high", "note": "For the talk"},
            ),
            "papers.remove_from_reading_list": ({"paper_id": on_list[0]}, {"paper_id": on_list[1]}),
        },
    )


def test_reads_are_described_and_can_be_misrouted() -> None:
    paper = cited(build())
    key: JsonObject = {"paper_id": paper["id"]}
    reads: dict[str, JsonObject] = {
        "papers.search_papers": {"words": paper["title"]},
        "papers.get_paper": key,
        "papers.list_references": key,
        "papers.list_citing_papers": key,
        "papers.export_reference": {**key, "style": "apa"},
    }
    check_described(TOOLS, reads, {"papers.list_reading_list"})
    check_misrouted(build, reads)


@cache
def values() -> Values:
    papers = records(build(), "papers")
    return {
        "words": [papers[0]["title"], "rail", "error", "é" * 90],
        "author": ["Korvath", "lena", "Noor Bellamore"],
        "year_from": [2024, 2019.0],
        "year_to": [2031, 2026],
        "paper_id": [p["id"] for p in papers[:9]],
        "note": ["Again", "\x01" * 33, "é" * 100, "x" * 201],
    }


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_calls_are_answered(data: st.DataObject) -> None:
    check_answers(build(), data.draw(st.lists(calls(TOOLS, values()), min_size=1, max_size=9)))


@pytest.mark.parametrize("seed", range(4))
def test_papers_cite_older_ones(seed: int) -> None:
    world = small(KITS, seed)
    papers = records(world, "papers")
    by_id = {text(p, "id"): p for p in papers}
    assert len(by_id) == len({p["title"] for p in papers}) == len({p["doi"] for p in papers}) == 96
    for key, paper in by_id.items():
        for other in strings(paper, "references"):
            assert number(by_id[other], "year") <= number(paper, "year")
            assert key in strings(by_id[other], "cited_by")
        assert text(paper, "doi").startswith("10.5555/")
    assert {number(p, "year") for p in papers} == set(range(2019, 2032))
    names = {name for p in papers for name in strings(p, "authors")}
    assert len({name.split()[-1] for name in names}) < len(names)
    items = records(world, "reading_list")
    assert [item["priority"] for item in items] == ["high", "normal", "low"]


@pytest.mark.parametrize(
    "wanted",
    [
        {"words": "rail leak"},
        {"author": "korvath"},
        {"author": "Milo Korvath"},
        {"year_from": 2029, "year_to": 2030},
        {"words": "isotope", "author": "Tolland", "sort_by": "most_cited"},
    ],
)
def test_a_search_keeps_to_what_was_asked(wanted: JsonObject) -> None:
    world = build()
    fitting = [p for p in records(world, "papers") if _fits(p, wanted)]
    most = wanted.get("sort_by") == "most_cited"
    order = sorted(
        fitting,
        key=lambda p: (
            -len(strings(p, "cited_by")) if most else -number(p, "year"),
            text(p, "title"),
        ),
    )
    found = good(world, "papers.search_papers", **wanted)
    assert found["total"] == len(fitting) > 0
    shown = ids(found)
    assert shown == [p["id"] for p in order][: len(shown)]


def _fits(paper: JsonObject, wanted: JsonObject) -> bool:
    told = f"{text(paper, 'title')} {text(paper, 'abstract')}".casefold()
    author = str(wanted.get("author", "")).casefold()
    years = {"a": wanted.get("year_from", 0), "b": wanted.get("year_to", 9999)}
    return (
        all(word in told for word in str(wanted.get("words", "")).split())
        and any(author in name.casefold() for name in strings(paper, "authors"))
        and number(years, "a") <= number(paper, "year") <= number(years, "b")
    )


def test_citations_lead_both_ways() -> None:
    world = build()
    paper = cited(world)
    back = good(world, "papers.list_references", paper_id=paper["id"])
    assert set(ids(back)) <= set(strings(paper, "references"))
    assert back["total"] == len(strings(paper, "references"))
    told = good(world, "papers.get_paper", paper_id=text(paper, "id").lower())
    assert told["reference_count"] == back["total"]
    for older in ids(back):
        later = good(world, "papers.list_citing_papers", paper_id=older)
        here = records(world, "papers")
        expected = next(p for p in here if p["id"] == older)
        assert later["total"] == len(strings(expected, "cited_by"))
    every = good(world, "papers.list_citing_papers", paper_id=paper["id"])
    year = max(number(p, "year") for p in listed(every, "papers"))
    new: JsonObject = {"paper_id": paper["id"], "year_from": int(year)}
    newest = listed(good(world, "papers.list_citing_papers", **new), "papers")
    assert newest == [p for p in listed(every, "papers") if p["year"] == year]


def test_a_reference_in_three_styles() -> None:
    paper = Paper(
        id="PAP-2222",
        title="Graph Pooling for Load Balancing in Rail Networks",
        authors=("Ondrej Falkner-Ruiz", "Lena Korvath"),
        year=2029,
        venue="Annals of Field Methods",
        doi="10.5555/tvl.2222",
        abstract="",
    )
    assert reference(paper, "plain") == (
        "Ondrej Falkner-Ruiz, Lena Korvath: Graph Pooling for Load Balancing in Rail Networks. "
        "Annals of Field Methods, 2029."
    )
    assert reference(paper, "apa") == (
        "Falkner-Ruiz, O., & Korvath, L. (2029). Graph Pooling for Load Balancing in Rail "
        "Networks. Annals of Field Methods. 10.5555/tvl.2222"
    )
    assert reference(paper, "bibtex") == (
        "@article{falkner2029,\n"
        "  author = {Falkner-Ruiz, Ondrej and Korvath, Lena},\n"
        "  title = {Graph Pooling for Load Balancing in Rail Networks},\n"
        "  journal = {Annals of Field Methods},\n"
        "  year = {2029},\n"
        "  doi = {10.5555/tvl.2222}\n"
        "}"
    )
    alone = paper.model_copy(update={"authors": ("Lena Korvath",)})
    assert reference(alone, "apa").startswith("Korvath, L. (2029). Graph")


@pytest.mark.parametrize(
    ("tool", "args", "message"),
    [
        ("search_papers", {}, "give words, author or a year to search by"),
        ("search_papers", {"author": "?"}, "author must hold at least one word"),
        ("search_papers", {"year_from": 2030, "year_to": 2029}, "2030 must not be after 2029"),
        (
            "get_paper",
            {"paper_id": "Graph Pooling"},
            "no paper 'Graph Pooling'; ids begin with PAP-",
        ),
        ("list_references", {"paper_id": "PAP-0000"}, "papers.search_papers shows the ids"),
        ("export_reference", {"style": "mla"}, "style must be one of bibtex, apa, plain"),
        ("add_to_reading_list", {"note": " "}, "note must have 1 to 200 bytes"),
        ("add_to_reading_list", {"priority": "urgent"}, "priority must be one of low, normal"),
    ],
)
def test_calls_that_make_no_sense(tool: str, args: JsonObject, message: str) -> None:
    world = build()
    search = tool == "search_papers"
    needed: JsonObject = {} if search else {"paper_id": records(world, "papers")[0]["id"]}
    assert message in refused(world, f"papers.{tool}", **{**needed, **args})


def test_the_reading_list_is_kept() -> None:
    world = build()
    before = ids(good(world, "papers.list_reading_list"))
    paper = next(p["id"] for p in records(world, "papers") if p["id"] not in before)
    args: JsonObject = {"paper_id": paper, "priority": "high", "note": "Section 3"}
    added = part(good(world, "papers.add_to_reading_list", **args), "added")
    urgent = listed(good(world, "papers.list_reading_list", priority="high"), "papers")
    assert [p["paper_id"] for p in urgent] == [before[0], paper]
    assert urgent[-1] == added
    assert added["note"] == "Section 3"
    assert "already on the reading list" in refused(world, "papers.add_to_reading_list", **args)
    good(world, "papers.remove_from_reading_list", paper_id=paper)
    assert ids(good(world, "papers.list_reading_list")) == before
    gone = refused(world, "papers.remove_from_reading_list", paper_id=paper)
    assert "is not on the reading list; papers.list_reading_list" in gone
