"""Searching scientific papers, following citations, and the reading list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from teval.schema import JsonObject
from teval.world.literature import Paper, Priority, ReadingItem, Style, papers_of, reference
from teval.world.reading import pick
from teval.world.tool import Text, tool
from teval.world.toolkit import Toolkit
from teval.world.values import InputError, clip, holds, page, read_words, short_text

_MOST_NOTE = 200
_SHORT_TITLE = 40


class Papers(Toolkit):
    """From words to papers and from papers to those they cite; the reading list is the user's."""

    def seed(self) -> None:
        """Put three papers on the reading list."""
        rng = self.setting.rng("reading_list")
        papers = list(papers_of(self.setting))
        rng.shuffle(papers)
        priorities: tuple[Priority, ...] = ("high", "normal", "low")
        for key, priority in zip(papers, priorities, strict=False):
            self.state.put(ReadingItem(id=key, priority=priority))

    def others(self, argument: str) -> Sequence[str]:
        """Return titles, or ids of papers that cite and are cited."""
        papers = papers_of(self.setting).values()
        if argument == "words":
            return [paper.title for paper in papers]
        if argument == "paper_id":
            return [paper.id for paper in papers if paper.references and paper.cited_by]
        return ()

    def view(self) -> JsonObject:
        """Return all papers."""
        return {"papers": [p.model_dump(mode="json") for p in papers_of(self.setting).values()]}

    @tool("read", decoy="words")
    def search_papers(
        self,
        words: Text | None = None,
        author: str | None = None,
        year_from: int | None = None,
        year_to: int | None = None,
        sort_by: Literal["newest", "most_cited"] = "newest",
    ) -> JsonObject:
        """Search scientific papers by words of title and abstract, author or year.

        Args:
            words: Words that must all occur in title or abstract.
            author: First name, last name or both of one author.
            year_from: First year of publication, such as 2024.
            year_to: Last year of publication.
            sort_by: Order of the result.

        Returns:
            Papers with id, title, first author, year and how often they are cited; none if nothing
            fits.

        Raises:
            InputError: Nothing to search by; empty words; first year after the last.
        """
        if all(value is None for value in (words, author, year_from, year_to)):
            raise InputError("give words, author or a year to search by")
        wanted = () if words is None else read_words(words, "words")
        names = () if author is None else read_words(author, "author")
        first = 0 if year_from is None else year_from
        last = self.setting.today.year if year_to is None else year_to
        if year_from is not None and first > last:
            raise InputError(f"year_from {first} must not be after {last}")
        found = [
            paper
            for paper in papers_of(self.setting).values()
            if holds(wanted, paper.title, paper.abstract)
            and any(holds(names, name) for name in paper.authors)
            and first <= paper.year <= last
        ]
        return page("papers", [_line(paper) for paper in _sorted(found, sort_by)])

    @tool("read", decoy="paper_id")
    def get_paper(self, paper_id: str) -> JsonObject:
        """Get all about one paper, its abstract included, but not its full text.

        Args:
            paper_id: Id of the paper, such as PAP-7Q2K.

        Returns:
            Title, all authors, year, venue, DOI, abstract, number of references and of papers that
            cite it.

        Raises:
            InputError: No such paper.
        """
        paper = self._paper(paper_id)
        told = paper.model_dump(mode="json", exclude={"id", "references", "cited_by"})
        counts: JsonObject = {
            "reference_count": len(paper.references),
            "cited_by_count": len(paper.cited_by),
        }
        return {"paper_id": paper.id, **told, **counts}

    @tool("read", decoy="paper_id")
    def list_references(self, paper_id: str) -> JsonObject:
        """List the earlier papers that a paper cites.

        Args:
            paper_id: Id of the citing paper, such as PAP-7Q2K.

        Returns:
            Cited papers with id, title, first author, year and how often they are cited, newest
            first; none if it cites nothing on record.

        Raises:
            InputError: No such paper.
        """
        paper = self._paper(paper_id)
        return {"paper_id": paper.id, **self._listed(paper.references)}

    @tool("read", decoy="paper_id")
    def list_citing_papers(self, paper_id: str, year_from: int | None = None) -> JsonObject:
        """List the later papers that cite a paper.

        Args:
            paper_id: Id of the cited paper, such as PAP-7Q2K.
            year_from: First year of the citing papers; all if left out.

        Returns:
            Citing papers with id, title, first author, year and how often they are cited, newest
            first; none if nobody cites it.

        Raises:
            InputError: No such paper.
        """
        paper, every = self._paper(paper_id), papers_of(self.setting)
        some = [key for key in paper.cited_by if every[key].year >= (year_from or 0)]
        return {"paper_id": paper.id, **self._listed(some)}

    @tool("read", decoy="paper_id")
    def export_reference(self, paper_id: str, style: Style = "bibtex") -> JsonObject:
        """Write a paper as an entry for a list of references.

        Args:
            paper_id: Id of the paper, such as PAP-7Q2K.
            style: Form of the entry: BibTeX record, APA line or plain line.

        Returns:
            The entry as text.

        Raises:
            InputError: No such paper.
        """
        paper = self._paper(paper_id)
        return {"paper_id": paper.id, "style": style, "reference": reference(paper, style)}

    @tool("read")
    def list_reading_list(self, priority: Priority | None = None) -> JsonObject:
        """List the papers on the user's reading list, in the order in which they were added.

        Args:
            priority: Which papers to list; all if left out.

        Returns:
            Papers with id, title (cut at 40 characters), year, priority and the user's note.
        """
        papers = papers_of(self.setting)
        items = [
            item
            for item in self.state.all(ReadingItem)
            if not item.removed and priority in (None, item.priority)
        ]
        return page("papers", [_item(papers[item.id], item) for item in items])

    @tool("write")
    def add_to_reading_list(
        self, paper_id: str, priority: Priority = "normal", note: Text | None = None
    ) -> JsonObject:
        """Put a paper on the user's reading list.

        Args:
            paper_id: Id of the paper, such as PAP-7Q2K.
            priority: How urgent it is to read.
            note: The user's own remark, at most 200 bytes.

        Returns:
            The paper as now listed.

        Raises:
            InputError: No such paper; already on the list; empty or long note.
        """
        paper = self._paper(paper_id)
        if note is not None:
            short_text(note, "note", _MOST_NOTE)
        if self._on_list(paper) is not None:
            raise InputError(f"{paper.id} {clip(paper.title)} is already on the reading list")
        item = ReadingItem(id=paper.id, priority=priority, note=note or "")
        self.state.put(item)
        return {"added": _item(paper, item)}

    @tool("write")
    def remove_from_reading_list(self, paper_id: str) -> JsonObject:
        """Take a paper off the user's reading list.

        Args:
            paper_id: Id of the paper, such as PAP-7Q2K.

        Returns:
            Id and title of the removed paper.

        Raises:
            InputError: No such paper; not on the list.
        """
        paper = self._paper(paper_id)
        item = self._on_list(paper)
        if item is None:
            raise InputError(
                f"{paper.id} {clip(paper.title)} is not on the reading list; "
                "papers.list_reading_list shows what is"
            )
        self.state.put(item.model_copy(update={"removed": True}))
        return {"removed": paper.id, "title": paper.title}

    def _paper(self, paper_id: str) -> Paper:
        return pick(papers_of(self.setting), paper_id, "paper", "papers.search_papers")

    def _on_list(self, paper: Paper) -> ReadingItem | None:
        item = self.state.get(ReadingItem, paper.id)
        return None if item is None or item.removed else item

    def _listed(self, keys: Iterable[str]) -> JsonObject:
        papers = papers_of(self.setting)
        return page("papers", [_line(p) for p in _sorted([papers[k] for k in keys], "newest")])


def _sorted(papers: list[Paper], sort_by: Literal["newest", "most_cited"]) -> list[Paper]:
    def key(paper: Paper) -> tuple[int, str]:
        return -paper.year if sort_by == "newest" else -len(paper.cited_by), paper.title

    return sorted(papers, key=key)


def _line(paper: Paper) -> JsonObject:
    rest = " et al." if len(paper.authors) > 1 else ""
    return {
        "paper_id": paper.id,
        "title": paper.title,
        "authors": f"{paper.authors[0]}{rest}",
        "year": paper.year,
        "cited_by_count": len(paper.cited_by),
    }


def _item(paper: Paper, item: ReadingItem) -> JsonObject:
    title = paper.title
    return {
        "paper_id": paper.id,
        "title": title if len(title) <= _SHORT_TITLE else f"{title[: _SHORT_TITLE - 3]}...",
        "year": paper.year,
        "priority": item.priority,
        "note": item.note,
    }
