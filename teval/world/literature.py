"""Scientific papers and who cites whom: what stands behind the papers toolkit."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import ClassVar, Literal, TypeAlias

from teval.schema import Frozen
from teval.world.setting import Setting
from teval.world.state import Record

Priority: TypeAlias = Literal["low", "normal", "high"]
Style: TypeAlias = Literal["bibtex", "apa", "plain"]
_PAPERS = 96
_YEARS = 12
_METHODS = (
    "Sparse Attention", "Adaptive Sampling", "Graph Pooling", "Federated Averaging",
    "Thermal Imaging", "Isotope Tracing", "Acoustic Monitoring", "Stochastic Calibration",
)  # fmt: skip
_TASKS = (
    "Anomaly Detection", "Yield Forecasting", "Load Balancing", "Species Counting",
    "Leak Localisation", "Traffic Estimation",
)  # fmt: skip
_DOMAINS = (
    "Coastal Wetlands", "District Heating", "Rail Networks", "Alpine Dairies", "Deep Aquifers",
    "Urban Canopies",
)  # fmt: skip
_FORMS = (
    "{0} for {1} in {2}",
    "{1} in {2} with {0}",
    "On {0} for {1}: Evidence from {2}",
    "{1} with {0}: A Field Study of {2}",
)
_AUTHORS = (
    "Lena Korvath", "Milo Korvath", "Abeni Tolland", "Ruben Tolland", "Chiara Westerbeck",
    "Jun Westerbeck", "Ondrej Falkner-Ruiz", "Samira Quillfeather", "Paul Quillfeather",
    "Ingrid Vossenaar", "Tariq Bellamore", "Noor Bellamore", "Wanda Ekstrand-Loy",
    "Felix Marchbank", "Aiko Marchbank", "Sibyl Hartigale", "Moses Dunnavere", "Petra Dunnavere",
)  # fmt: skip
_VENUES = (
    "Journal of Applied Monitoring", "Annals of Field Methods", "Tern Symposium Proceedings",
    "Letters in Resource Systems", "Open Archive of Measurement",
)  # fmt: skip
_LIMITS = (
    "The gain vanishes when fewer than {few} sites report.",
    "Results hold for daily but not for hourly data.",
    "Calibration drifts after {few} months without maintenance.",
    "The cost of computing grows with the square of the number of sites.",
    "Two of {few} follow-up trials did not confirm the effect.",
)
_SOURCES = ("sensor logs", "field surveys", "satellite scenes", "operator reports")


class Paper(Frozen):
    """A paper; nothing about it changes."""

    id: str
    title: str
    authors: tuple[str, ...]
    year: int
    venue: str
    doi: str
    abstract: str
    references: tuple[str, ...] = ()
    """Ids of the papers that it cites."""
    cited_by: tuple[str, ...] = ()
    """Ids of the papers that cite it."""


class ReadingItem(Record):
    """A paper on the user's reading list; the id is the paper's."""

    table: ClassVar[str] = "reading_list"
    priority: Priority = "normal"
    note: str = ""
    removed: bool = False


@lru_cache(maxsize=64)
def papers_of(setting: Setting) -> Mapping[str, Paper]:
    """Return all papers by id, oldest first; each cites older ones alone.

    Many titles share two of their three parts, and surnames come in pairs.
    """
    rng = setting.rng("papers")
    topics = [(m, t, d) for m in _METHODS for t in _TASKS for d in _DOMAINS]
    rng.shuffle(topics)
    papers: list[Paper] = []
    for n, topic in enumerate(topics[:_PAPERS]):
        paper = _paper(rng, setting, n, topic)
        same = [p.id for p in papers if topic[2] in p.title]
        papers.append(paper.model_copy(update={"references": _cited(rng, papers, same)}))
    return {
        p.id: p.model_copy(update={"cited_by": tuple(o.id for o in papers if p.id in o.references)})
        for p in papers
    }


def reference(paper: Paper, style: Style) -> str:
    """Return a paper as an entry of a list of references."""
    names = [_turned(author) for author in paper.authors]
    if style == "bibtex":
        key = f"{names[0].split(',')[0].split('-')[0].lower()}{paper.year}"
        fields = {
            "author": " and ".join(names),
            "title": paper.title,
            "journal": paper.venue,
            "year": str(paper.year),
            "doi": paper.doi,
        }
        lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
        return f"@article{{{key},\n{lines}\n}}"
    if style == "apa":
        short = [_initialled(author) for author in paper.authors]
        people = ", ".join(short[:-1]) + (", & " if len(short) > 1 else "") + short[-1]
        return f"{people} ({paper.year}). {paper.title}. {paper.venue}. {paper.doi}"
    return f"{', '.join(paper.authors)}: {paper.title}. {paper.venue}, {paper.year}."


def _turned(author: str) -> str:
    first, last = author.split(" ")
    return f"{last}, {first}"


def _initialled(author: str) -> str:
    first, last = author.split(" ")
    return f"{last}, {first[0]}."


def _paper(rng: Random, setting: Setting, n: int, topic: tuple[str, str, str]) -> Paper:
    method, task, domain = topic
    authors = list(_AUTHORS)
    rng.shuffle(authors)
    return Paper(
        id=setting.new_id("PAP", n),
        title=rng.choice(_FORMS).format(method, task, domain),
        authors=tuple(authors[: rng.randrange(1, 5)]),
        year=setting.today.year - _YEARS + (n * (_YEARS + 1)) // _PAPERS,
        venue=rng.choice(_VENUES),
        doi=f"10.5555/{setting.new_id('tvl', n).lower().replace('-', '.')}",
        abstract=_abstract(rng, method, task, domain),
    )


def _abstract(rng: Random, method: str, task: str, domain: str) -> str:
    before = rng.randrange(180, 420)
    after = before - rng.randrange(30, 150)
    return (
        f"We ask whether {method.lower()} helps {task.lower()} in {domain.lower()}. On "
        f"{rng.randrange(12, 98) * 100} {rng.choice(_SOURCES)} from {rng.randrange(4, 60)} sites, "
        f"the error falls from {before / 10} to {after / 10} percent against the best earlier "
        f"method. {rng.choice(_LIMITS).format(few=rng.randrange(3, 10))}"
    )


def _cited(rng: Random, papers: list[Paper], same: list[str]) -> tuple[str, ...]:
    """Return some older papers, mostly of the same domain, in the order of their age."""
    others = [p.id for p in papers]
    rng.shuffle(others)
    rng.shuffle(same)
    drawn = {*same[: rng.randrange(1, 5)], *others[: rng.randrange(3)]}
    return tuple(p.id for p in papers if p.id in drawn)
