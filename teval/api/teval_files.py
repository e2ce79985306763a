"""Published T-Eval files with answers, scored again by both scorers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from teval.abilities import adopt_records, card_of
from teval.api.make import make_embedder, vector_file
from teval.api.run import mark_of
from teval.errors import DataError
from teval.run.alarms import alarms, note
from teval.run.config import EmbedderConfig, RunConfig
from teval.run.score import Reading, read_prediction, score_readings, unanswered, uncollected
from teval.run.similarity import CachedSimilarity
from teval.run.summary import Origin, summarise
from teval.schema import Case, Frozen, PublishedRecord, Score, Status, Summary
from teval.sources.teval_files import PublishedFile, read_files

DEFAULT_EMBEDDER = EmbedderConfig(kind="sbert", model="all-minilm-l6-v2")
"""Judges texts where the settings name nobody else."""


class CaseLine(Frozen):
    """What one record got by both scorers, under the release's names of metrics.

    A joint reply is one line, whose ability is ``reason_retrieve_understand``.
    """

    id: str
    """The record's key in its file."""
    ability: str
    format: str
    status: Status
    """Of a joint reply the first of its abilities' statuses that is not ``ok``."""
    published: dict[str, float]
    """As the released T-Eval code scores it."""
    corrected: dict[str, float]
    """The corrected values of the same metrics, and beside them each ability's own headline
    metric (for plans ``f1``; ``f1_score`` is by the paper's rule)."""
    flags: tuple[str, ...]


class FilesScored(NamedTuple):
    """Published files, scored."""

    files: list[PublishedFile]
    lines: list[CaseLine]
    """One a record, in the order of files and records."""
    summary: Summary


def default_config() -> RunConfig:
    """Return the settings that scoring published files starts from."""
    return RunConfig(name="published files", embedder=DEFAULT_EMBEDDER)


def score_files(place: str, config: RunConfig, out: Path | None = None) -> FilesScored:
    """Score all answers in published files again, and write one line a record.

    Args:
        place: A file, a folder of files, or ``hub:OWNER/NAME``.
        config: Settings of which ``embedder`` and ``report`` count.
        out: The JSONL file to write; None writes none.

    Raises:
        DataError: A file or record can't be used, or no record has an answer.
        MissingExtraError: The embedder's package is not installed.
    """
    files = read_files(place)
    records = [record for file in files for record in file.records]
    if not any(record.answered for record in records):
        raise DataError(f"{place}: no record has a 'prediction'; ask a model first: teval run")
    embedder = make_embedder(config.embedder)
    cases = list(adopt_records(records))
    readings = read_predictions(records, cases)
    scores = score_readings(readings, CachedSimilarity(embedder, vector_file(config)))
    mark = mark_of(cases, config.embedder, Path(place).name)
    origin = Origin(config.name, Path(place).name, f"published files|{mark}", mark)
    summary = summarise(
        scores,
        {},
        origin,
        alarms=alarms(map(note, readings, scores)),
        resamples=config.report.resamples,
        seed=config.report.seed,
    )
    lines = list(case_lines(records, scores))
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{line.model_dump_json()}\n" for line in lines)
        out.write_text(text, encoding="utf-8", newline="\n")
    return FilesScored(files, lines, summary)


@uncollected()
def read_predictions(records: Sequence[PublishedRecord], cases: Sequence[Case]) -> list[Reading]:
    """Return what the records' answers say to each case, in the order of the cases they make."""
    answers = [record for record in records for _ in record.abilities]
    return [
        read_prediction(case, record.prediction) if record.answered else unanswered(case)
        for record, case in zip(answers, cases, strict=True)
    ]


def case_lines(records: Sequence[PublishedRecord], scores: Sequence[Score]) -> Iterator[CaseLine]:
    """Yield one line a record, the scores of a joint reply put together."""
    left = iter(scores)
    for record in records:
        yield _line(record, [next(left) for _ in record.abilities])


def _line(record: PublishedRecord, scores: Sequence[Score]) -> CaseLine:
    corrected: dict[str, float] = {}
    published: dict[str, float] = {}
    for score in scores:
        card = card_of(score.ability)
        published |= score.published or {}
        corrected |= card.in_release_words(score)
        corrected[card.headline] = score.corrected[card.headline]
    if len(scores) > 1:
        corrected["parse_rate"] = sum(score.parsed for score in scores) / len(scores)
    statuses = [score.status for score in scores if score.status != "ok"]
    return CaseLine(
        id=record.release.id,
        ability="_".join(record.abilities),
        format=record.format,
        status=statuses[0] if statuses else "ok",
        published=published,
        corrected=corrected,
        flags=tuple(dict.fromkeys(flag for score in scores for flag in score.flags)),
    )
