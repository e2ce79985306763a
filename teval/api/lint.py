"""What is wrong with solution paths although they may replay."""

from __future__ import annotations

from teval import authoring
from teval.api.make import make_embedder
from teval.authoring import Problem
from teval.run.config import EmbedderConfig
from teval.sources.native import read_records

_MEND = "mend the line, or leave it out"


def lint(place: str, embedder: EmbedderConfig | None = None) -> tuple[int, list[Problem]]:
    """Return how many records there are, and all that is wrong with them.

    Lines that are no solution path come first, then the paths in their order, then what is wrong
    with all of them together.

    Args:
        place: ``lite`` or ``full`` for paths that ship, a JSONL file, or a folder of such files.
        embedder: Judges how alike the phrasings of a thought are; None leaves that out.

    Raises:
        DataError: The place is missing or empty.
        MissingExtraError: The embedder's package is not installed.
    """
    records = list(read_records(place))
    broken = [
        Problem("", None, "record", record.fault, remedy=_MEND, place=record.place)
        for record in records
        if record.path is None
    ]
    paths = {record.place: record.path for record in records if record.path is not None}
    judge = None if embedder is None else make_embedder(embedder)
    found = authoring.lint(list(paths.values()), list(paths), judge)
    named = [problem if problem.place else problem._replace(place=place) for problem in found]
    return len(records), broken + named
