"""A run from start to end, and its parts: ask, score, report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from teval import report as reports
from teval.api.job import Job, plan, requests_of, stored_config
from teval.api.make import make_embedder, make_engine, vector_file
from teval.api.signature import model_name, signature
from teval.errors import DataError
from teval.run import generate as asking
from teval.run.alarms import Answer, alarms, note
from teval.run.answers import Answers
from teval.run.cells import Key
from teval.run.config import EmbedderConfig, RunConfig
from teval.run.errata import Overlay, overlay, read_errata
from teval.run.floors import floors
from teval.run.generate import Counts, Progress, Quiet
from teval.run.record_file import RecordFile, Spooled
from teval.run.score import SCORER, Reading, read_answers, score_in_turn
from teval.run.similarity import CachedSimilarity
from teval.run.store import Manifest, RunFolder
from teval.run.summary import Origin, summarise
from teval.run.usage import usage_of
from teval.schema import OWN_KEY, Case, Embedder, Errata, Score, Summary, digest

ENCODER = "all-mpnet-base-v2"
"""The sentence encoder that the public T-Eval numbers were made with."""


class Result(NamedTuple):
    """A run, done."""

    folder: Path
    counts: Counts
    summary: Summary


def prepare(config: RunConfig) -> Job:
    """Write cases and manifest into the run's folder without asking anyone, and return the job.

    Raises:
        TevalError: The settings, data or prompts can't be used, or the folder holds another run.
    """
    job = plan(config)
    with job.folder.lock():
        job.folder.prepare(job.manifest, job.cases)
    return job


def generate(config: RunConfig, progress: Progress | None = None) -> Counts:
    """Ask the model all that was not answered yet, and return how the requests ended.

    Args:
        config: The run's settings.
        progress: Who is told how it goes.

    Raises:
        TevalError: The run can't start or can't go on; what was answered is kept.
    """
    job = plan(config)
    with job.folder.lock():
        return _generate(job, progress or Quiet())


def score(folder: Path, config: RunConfig | None = None) -> Summary:
    """Score a run's answers again, without the model, and return the summary.

    Args:
        folder: A run's folder.
        config: Settings of which ``embedder``, ``report`` and ``data.errata`` count; the run's own
            where None.

    Raises:
        DataError: The folder holds no run, or a broken one.
    """
    place = RunFolder(folder)
    stored = stored_config(folder)
    if config is not None:
        wanted = {"embedder": config.embedder, "report": config.report, "name": config.name}
        data = stored.data.model_copy(update={"errata": config.data.errata})
        stored = stored.model_copy(update={**wanted, "data": data})
    with place.lock():
        return _score(place, stored, make_embedder(stored.embedder))


def run(config: RunConfig, progress: Progress | None = None) -> Result:
    """Slice, ask, score, and return the result; a run that was stopped goes on where it was.

    Args:
        config: The run's settings.
        progress: Who is told how it goes.

    Raises:
        TevalError: The run can't start or can't go on; what was answered is kept.
    """
    job = plan(config)
    # Made before anything is asked, so that a missing package does not show after hours.
    embedder = make_embedder(config.embedder)
    with job.folder.lock():
        counts = _generate(job, progress or Quiet())
        return Result(job.folder.path, counts, _score(job.folder, config, embedder))


def report(folders: Sequence[Path], out: Path) -> tuple[Path, ...]:
    """Write tables and charts of one to four scored runs, and return the files.

    Raises:
        DataError: A folder holds no scored run.
        ConfigError: Too many runs for one chart.
    """
    return reports.write_report(reports.load_runs(folders), out)


def _generate(job: Job, progress: Progress) -> Counts:
    job.folder.prepare(job.manifest, job.cases)
    done = Answers(job.folder.completion_file())
    if not asking.unanswered(job.requests, done).any():
        # Nothing to ask: an engine that takes a minute to load is not even made.
        asked = len(job.requests)
        progress.started(asking.Workload(len(job.cases), asked, asked))
        return asking.count(job.requests, done)
    engine = make_engine(job.config.engine, job.cases)
    try:
        described = engine.describe()
        job.folder.note_engine(described)
        progress.described(described)
        return asking.generate(job.folder, engine, job.requests, progress, cases=len(job.cases))
    finally:
        engine.close()


def _score(folder: RunFolder, config: RunConfig, embedder: Embedder) -> Summary:
    marking = _Marking(folder, config, embedder)
    manifest = _scored_manifest(folder, config, embedder, marking.errata)
    name = Path(config.data.paths).name
    origin = Origin(
        config.name,
        model_name(config.engine),
        manifest.signature,
        mark_of(marking.cases, config.embedder, name),
    )
    folder.write_scores(marking.scores())
    summary = marking.sum_up(folder.score_file(), origin)
    folder.write_manifest(manifest)
    folder.write_summary(summary)
    return summary


class _Marking:
    """The scoring of a run's answers, case after case, so that memory does not grow with them."""

    def __init__(self, folder: RunFolder, config: RunConfig, embedder: Embedder) -> None:
        """Read where everything stands.

        Raises:
            DataError: A record is broken, or errata leave no case.
        """
        self._config = config
        self.cases = folder.case_file()
        self.errata = overlay(self.cases, read_errata(config.data.errata))
        if next(self.errata.mend(self.cases), None) is None:
            raise DataError(f"{folder.path}: errata exclude all cases; -s data.errata= takes none")
        self._requests = requests_of(config, self.cases)
        self._answers = Answers(folder.completion_file())
        self._similarity = CachedSimilarity(embedder, vector_file(config))
        self._noted: list[Answer] = []

    def scores(self) -> Iterator[Score]:
        """Yield the scores of all cases, and note what is suspicious about the answers."""
        for reading, score in self._scored(self.errata.mend(self.cases)):
            self._noted.append(note(reading, score))
            yield score

    def sum_up(self, scores: RecordFile[Score], origin: Origin) -> Summary:
        """Return the summary of all scores, which were stored meanwhile."""
        found = (
            *self.errata.warnings,
            *_held(self._config),
            *alarms(self._noted, self._config.engine.thinking),
        )
        self._noted.clear()
        least = {}
        if self._config.report.floors:
            least = floors(self.cases, self._similarity, self.errata)
        summary = self._summary(scores, least, origin, found)
        usage = usage_of(self._answers)
        return summary.model_copy(
            update={"usage": usage, "errata": self._without_errata(scores, origin)}
        )

    def _without_errata(self, scores: RecordFile[Score], origin: Origin) -> Errata | None:
        """What the scores would be without errata; None where there are none."""
        if not self.errata.applied:
            return None
        mended = self.errata.mended
        same = (score for score in scores if score.case not in mended)
        affected = self._scored(case for case in self.cases if case.id in mended)
        plain = Spooled(chain(same, (score for _, score in affected)), Score)
        without = self._summary(plain, {}, origin)
        return Errata(
            applied=self.errata.applied, corrected=without.corrected, published=without.published
        )

    def _scored(self, cases: Iterable[Case]) -> Iterator[tuple[Reading, Score]]:
        readings = read_answers(cases, partial(self._answers.to, self._requests))
        return score_in_turn(readings, self._similarity)

    def _summary(
        self,
        scores: Iterable[Score],
        least: Mapping[Key, float],
        origin: Origin,
        found: tuple[str, ...] = (),
    ) -> Summary:
        report = self._config.report
        return summarise(
            scores, least, origin, alarms=found, resamples=report.resamples, seed=report.seed
        )


def _held(config: RunConfig) -> tuple[str, ...]:
    """What a reader must know of scores that were made easier."""
    said = (
        "answers in JSON were held to a schema while they were written (engine.constrained), so "
        "scores in that format leave out whether the model can follow it"
    )
    return (said,) if config.engine.constrained else ()


def _scored_manifest(
    folder: RunFolder, config: RunConfig, embedder: Embedder, errata: Overlay
) -> Manifest:
    """The manifest with all that scoring adds to it."""
    manifest = folder.manifest().model_copy(
        update={"embedder": embedder.describe(), "config": config.model_dump(mode="json")}
    )
    more = {"scorer": SCORER}
    if errata.applied:
        more["errata"] = digest([entry.model_dump(mode="json") for entry in errata.applied], 8)
    return manifest.model_copy(update={"signature": signature(config, manifest, more)})


def mark_of(cases: Iterable[Case], embedder: EmbedderConfig, data: str) -> str:
    """Return what keeps published numbers from standing beside public ones, nothing where none.

    Those were made with one encoder on the release's own data. Records that tell of our own cases
    in its layout are not that; others are taken at their word.

    Args:
        cases: What was asked.
        embedder: Who judges the likeness of texts.
        data: Name of the data.
    """
    encoder = embedder.kind if embedder.kind == "hashing" else Path(embedder.model).name
    own = any(case.release is None or OWN_KEY in case.release.more for case in cases)
    return ", ".join(([encoder] if encoder != ENCODER else []) + ([data] if own else []))
