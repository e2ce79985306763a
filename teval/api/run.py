"""A run from start to end, and its parts: ask, score, report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from teval import report as reports
from teval.api.job import Job, plan, requests_of, stored_config
from teval.api.make import make_embedder, make_engine, vector_file
from teval.api.signature import model_name, signature
from teval.errors import DataError
from teval.run import generate as asking
from teval.run.alarms import alarms
from teval.run.config import EmbedderConfig, RunConfig
from teval.run.errata import Mended, mend, read_errata
from teval.run.floors import floors
from teval.run.generate import Counts, Progress, Quiet
from teval.run.score import SCORER, read_answers, score_readings
from teval.run.similarity import CachedSimilarity
from teval.run.store import Manifest, RunFolder
from teval.run.summary import Origin, summarise
from teval.run.usage import usage_of
from teval.schema import OWN_KEY, Case, Embedder, Errata, Summary, digest

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
    done = job.folder.completions()
    if not asking.unanswered(job.requests, done):
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
    cases = folder.cases()
    mended = mend(cases, read_errata(config.data.errata))
    if not mended.cases:
        raise DataError(f"{folder.path}: errata exclude all cases; -s data.errata= takes none")
    completions = folder.completions()
    answers = asking.answers_by_prompt(requests_of(config, cases), completions)
    similarity = CachedSimilarity(embedder, vector_file(config))
    readings = read_answers(mended.cases, answers)
    scores = score_readings(readings, similarity)
    manifest = _scored_manifest(folder, config, embedder, mended)
    origin = Origin(
        config.name,
        model_name(config.engine),
        manifest.signature,
        mark_of(cases, config.embedder, Path(config.data.paths).name),
    )
    summary = summarise(
        scores,
        floors(mended.cases, similarity) if config.report.floors else {},
        origin,
        alarms=(
            *mended.warnings,
            *_held(config),
            *alarms(readings, scores, config.engine.thinking),
        ),
        resamples=config.report.resamples,
        seed=config.report.seed,
    )
    if mended.applied:
        plain = score_readings(read_answers(cases, answers), similarity)
        without = summarise(
            plain, {}, origin, resamples=config.report.resamples, seed=config.report.seed
        )
        errata = Errata(
            applied=mended.applied, corrected=without.corrected, published=without.published
        )
        summary = summary.model_copy(update={"errata": errata})
    summary = summary.model_copy(update={"usage": usage_of(completions.values())})
    folder.write_scores(scores)
    folder.write_manifest(manifest)
    folder.write_summary(summary)
    return summary


def _held(config: RunConfig) -> tuple[str, ...]:
    """What a reader must know of scores that were made easier."""
    said = (
        "answers in JSON were held to a schema while they were written (engine.constrained), so "
        "scores in that format leave out whether the model can follow it"
    )
    return (said,) if config.engine.constrained else ()


def _scored_manifest(
    folder: RunFolder, config: RunConfig, embedder: Embedder, mended: Mended
) -> Manifest:
    """The manifest with all that scoring adds to it."""
    manifest = folder.manifest().model_copy(
        update={"embedder": embedder.describe(), "config": config.model_dump(mode="json")}
    )
    more = {"scorer": SCORER}
    if mended.applied:
        more["errata"] = digest([entry.model_dump(mode="json") for entry in mended.applied], 8)
    return manifest.model_copy(update={"signature": signature(config, manifest, more)})


def mark_of(cases: Sequence[Case], embedder: EmbedderConfig, data: str) -> str:
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
