"""Searching and reading web pages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from teval.schema import JsonObject
from teval.world.reading import within
from teval.world.tool import Text, tool
from teval.world.toolkit import Toolkit
from teval.world.values import InputError, clip, holds, page, read_words
from teval.world.webpages import Page, pages_of

_PART = 2
"""Paragraphs that one part of a page holds."""
_BEGINNING = 50
_SCHEME = re.compile(r"^https?://(www\.)?")


class Web(Toolkit):
    """Three reads: find pages, read them, look for words in them."""

    def others(self, argument: str) -> Sequence[str]:
        """Return titles or addresses of pages."""
        pages = pages_of(self.setting)
        if argument == "url":
            return list(pages)
        return [p.title for p in pages.values()] if argument == "words" else ()

    def view(self) -> JsonObject:
        """Return all pages."""
        return {"web_pages": [p.model_dump(mode="json") for p in pages_of(self.setting).values()]}

    @tool("read", decoy="words")
    def search_web(self, words: Text, site: str | None = None) -> JsonObject:
        """Search web pages by words. Shows only how each page begins; open_page gives the text.

        Args:
            words: Words to look for in titles and texts; at least half of them must occur, pages
                with more of them come first.
            site: Host that the pages must lie on, such as events.example.org; all if left out.

        Returns:
            Pages with address, title, day of the last update as YYYY-MM-DD, and beginning; none if
            nothing fits.

        Raises:
            InputError: No words; no page on that host.
        """
        wanted = read_words(words, "words")
        host = None if site is None else self._site(site)
        ranked = [
            (-hits, entry.url, entry)
            for entry in pages_of(self.setting).values()
            if host in (None, entry.site)
            and 2 * (hits := _hits(wanted, entry.title, *entry.paragraphs)) >= len(wanted)
        ]
        found = [_line(entry) for _, _, entry in sorted(ranked, key=lambda r: r[:2])]
        return {"words": words[:60], **page("pages", found)}

    @tool("read", decoy="url")
    def open_page(self, url: str, part: int = 1) -> JsonObject:
        """Read a web page, one part at a time.

        Args:
            url: Address of the page, such as https://guide.example.org/larkspur.
            part: Which part, from 1; the first answer tells how many there are.

        Returns:
            Address, title, day of the last update, text of the part, and number of parts.

        Raises:
            InputError: No page at that address; no such part.
        """
        found = self._page(url)
        parts = -(-len(found.paragraphs) // _PART)
        within(part, "part", 1, parts)
        text = "\n\n".join(found.paragraphs[_PART * (part - 1) : _PART * part])
        told: JsonObject = {"url": found.url, "title": found.title, "updated": found.updated}
        return {**told, "part": part, "part_count": parts, "text": text}

    @tool("read", decoy="url")
    def find_in_page(self, url: str, words: Text) -> JsonObject:
        """Find the paragraphs of one web page that hold given words, whatever part they stand in.

        Args:
            url: Address of the page, such as https://guide.example.org/larkspur.
            words: Words that must all occur in a paragraph.

        Returns:
            Paragraphs with their part and text; none if nothing fits.

        Raises:
            InputError: No page at that address; no words.
        """
        found, wanted = self._page(url), read_words(words, "words")
        passages: list[JsonObject] = [
            {"part": n // _PART + 1, "text": text}
            for n, text in enumerate(found.paragraphs)
            if holds(wanted, text)
        ]
        return {"url": found.url, "title": found.title, **page("passages", passages)}

    def _page(self, url: str) -> Page:
        bare = _SCHEME.sub("", url.strip().lower()).rstrip("/")
        found = pages_of(self.setting).get(f"https://{bare}")
        if found is None:
            raise InputError(f"no page at {clip(url, 120)}; web.search_web tells addresses")
        return found

    def _site(self, text: str) -> str:
        host = _SCHEME.sub("", text.strip().lower()).rstrip("/")
        known = sorted({entry.site for entry in pages_of(self.setting).values()})
        if host not in known:
            raise InputError(f"no pages on {clip(text)}; hosts are {', '.join(known)}")
        return host


def _hits(words: Sequence[str], *texts: str) -> int:
    """Return how many of the words begin a word of one of the texts."""
    return sum(holds((word,), *texts) for word in words)


def _line(entry: Page) -> JsonObject:
    first = entry.paragraphs[0]
    return {
        "url": entry.url,
        "title": entry.title,
        "updated": entry.updated,
        "begins": first if len(first) <= _BEGINNING else f"{first[:_BEGINNING]}...",
    }
