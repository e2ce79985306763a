"""The same tasks end to end: played by an agent, scored by what came of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, zip_longest
from pathlib import Path
from typing import NamedTuple

from teval.api.job import engine_settings, stored_config, versions
from teval.api.make import RAY, make_embedder, make_engine, vector_file
from teval.api.paths import read_paths
from teval.api.signature import model_name, signature
from teval.e2e.agent import Agent, make_agent
from teval.e2e.ask import Recorder, engine_speaker
from teval.e2e.attribution import deviation
from teval.e2e.course import Course
from teval.e2e.marks import marks
from teval.e2e.outcome import Standard, outcome
from teval.e2e.play import Rules, Speaker, Task, play
from teval.e2e.scripts import FLOORS, SCRIPTS, degraded, speak
from teval.e2e.summary import Planned, Player, summarise_outcomes
from teval.errors import ConfigError, DataError
from teval.prompting import Prompts
from teval.run.config import EngineConfig, RunConfig
from teval.run.similarity import CachedSimilarity
from teval.run.store import Manifest, RunFolder
from teval.schema import Episode, Outcome, OutcomeSummary, SolutionPath, digest

SCORER = "outcome-1"
"""Moves whenever an outcome can."""

Watch = Callable[[int, int], None]
"""Told at each wave how many episodes still go on and how many turns are to be asked."""


class Played(NamedTuple):
    """An end-to-end run, done."""

    folder: Path
    summary: OutcomeSummary


def e2e(config: RunConfig, watch: Watch | None = None) -> Played:
    """Play all tasks, score them, and return the result; a run that was stopped goes on.

    Scripted kinds of ``engine.kind``: ``oracle`` replays the gold path, ``degraded`` does so but
    fails at ``engine.ability``, and ``apologiser``, ``parrot`` and ``random`` need no ability.

    Args:
        config: The run's settings.
        watch: Told how it goes.

    Raises:
        TevalError: The run can't start or can't go on; what was answered is kept.
    """
    tasks = _tasks(config)
    rules = _rules(config, tasks)
    place = RunFolder(config.folder)
    embedder = make_embedder(config.embedder)
    with place.lock():
        place.prepare(_manifest(config, tasks, rules.prompts), ())
        place.write_paths(list({task.path.id: task.path for task in tasks}.values()))
        with (
            _speaker(config.engine, rules.agent, place) as speaker,
            place.appending() as out,
        ):
            recorder = Recorder(place.completions(), out, speaker, watch or _unwatched)
            place.write_episodes(_in_order(play(tasks, rules, recorder), tasks))
        similarity = CachedSimilarity(embedder, vector_file(config))
        return Played(place.path, _score(place, config, similarity))


def score_episodes(folder: Path, config: RunConfig | None = None) -> OutcomeSummary:
    """Score a run's episodes again, without the model, and return the summary.

    Args:
        folder: A run's folder.
        config: Settings of which ``embedder`` and ``report`` count; the run's own where None.

    Raises:
        DataError: The folder holds no end-to-end run, or a broken one.
    """
    place = RunFolder(folder)
    stored = stored_config(folder)
    if config is not None:
        wanted = {"embedder": config.embedder, "report": config.report, "name": config.name}
        stored = stored.model_copy(update=wanted)
    similarity = CachedSimilarity(make_embedder(stored.embedder), vector_file(stored))
    with place.lock():
        return _score(place, stored, similarity)


def _unwatched(going: int, asked: int) -> None:
    """Say nothing."""


def _tasks(config: RunConfig) -> list[Task]:
    """The tasks in the order of their paths, each with all its trials."""
    if config.repeats != 1:
        raise ConfigError("repeats: an end-to-end run has episodes.trials instead")
    if config.episodes.trials > 1 and not config.sampling.temperature:
        kinds = {"degraded", "random"}
        if config.engine.kind not in kinds:
            raise ConfigError(
                "episodes.trials: greedy decoding plays every trial alike; "
                "set sampling.temperature above 0, or episodes.trials=1"
            )
    if config.engine.constrained:
        raise ConfigError("engine.constrained: is for step cases only; leave it out of teval e2e")
    if config.engine.kind == RAY:
        raise ConfigError(
            "engine.kind: ray starts its workers for many requests at once, but the turns of an"
            " episode come one after another; take vllm, or openai with several servers"
        )
    paths = [path for path in read_paths(config) if path.world is not None]
    if not paths:
        raise DataError(f"{config.data.paths}: no path has a world to be played in")
    kept = _spread(paths, config.episodes.tasks)
    return [Task(path, trial) for path in kept for trial in range(config.episodes.trials)]


def _spread(paths: Sequence[SolutionPath], most: int | None) -> list[SolutionPath]:
    """At most so many paths, in turn from all families, in their own order."""
    families: dict[str, list[SolutionPath]] = {}
    for path in paths:
        families.setdefault(path.family, []).append(path)
    turns = chain.from_iterable(zip_longest(*families.values()))
    kept = {path.id for path in [p for p in turns if p is not None][:most]}
    return [path for path in paths if path.id in kept]


def _rules(config: RunConfig, tasks: Sequence[Task]) -> Rules:
    languages = sorted({task.path.language for task in tasks})
    if len(languages) > 1:
        raise ConfigError(
            f"data.language: the paths are in {', '.join(languages)}; choose one of them"
        )
    prompts = Prompts.load(languages[0])
    return Rules(
        agent=make_agent(config.episodes.agent, prompts),
        prompts=prompts,
        sampling=config.sampling,
        seed=config.engine.seed,
        steps=config.episodes.steps,
    )


def _manifest(config: RunConfig, tasks: Sequence[Task], prompts: Prompts) -> Manifest:
    planned = [(task.path.id, task.trial) for task in tasks]
    hashes = {
        "data": digest([task.path.model_dump(mode="json") for task in tasks]),
        "prompts": digest({prompts.language: prompts.digest}),
        "cases": digest(planned),
    }
    return Manifest(
        answers={
            **hashes,
            "engine": engine_settings(config.engine),
            "sampling": config.sampling.model_dump(mode="json"),
            "episodes": config.episodes.model_dump(mode="json"),
        },
        config=config.model_dump(mode="json"),
        hashes=hashes,
        packages=versions(),
    )


@contextmanager
def _speaker(engine: EngineConfig, agent: Agent, place: RunFolder) -> Iterator[Speaker]:
    """Give whoever speaks for the model; an engine is closed at the end."""
    if engine.kind in {*SCRIPTS, "degraded"}:
        degrades = engine.kind == "degraded"
        script = (
            degraded(engine.ability, engine.rate, engine.seed) if degrades else SCRIPTS[engine.kind]
        )
        yield speak(script, agent.name)
        return
    made = make_engine(engine)
    try:
        place.note_engine(made.describe())
        yield engine_speaker(made)
    finally:
        made.close()


def _in_order(episodes: Iterator[Episode], tasks: Sequence[Task]) -> list[Episode]:
    """All episodes in the order of their tasks; they end in another one."""
    ended = {(episode.path, episode.trial): episode for episode in episodes}
    return [ended[task.path.id, task.trial] for task in tasks]


def _score(place: RunFolder, config: RunConfig, similarity: CachedSimilarity) -> OutcomeSummary:
    paths = {path.id: path for path in place.paths()}
    standards = {path.id: Standard(path) for path in paths.values()}
    courses = {path.id: Course(path, similarity) for path in paths.values()}
    outcomes = [
        _judged(episode, standards[episode.path], courses[episode.path])
        for episode in place.episodes()
    ]
    manifest = place.manifest().model_copy(
        update={"embedder": similarity.describe(), "config": config.model_dump(mode="json")}
    )
    agent = config.episodes
    more = {"agent": f"{agent.agent}-{agent.steps}-{agent.trials}", "scorer": SCORER}
    manifest = manifest.model_copy(update={"signature": signature(config, manifest, more)})
    summary = summarise_outcomes(
        outcomes,
        [Planned(o.path, o.family, o.trial) for o in outcomes],
        Player(config.name, model_name(config.engine), agent.agent, manifest.signature),
        floors=_floors(config, standards) if config.report.floors else {},
        resamples=config.report.resamples,
        seed=config.report.seed,
    )
    place.write_outcomes(outcomes)
    place.write_manifest(manifest)
    place.write_outcome_summary(summary)
    return summary


def _judged(episode: Episode, standard: Standard, course: Course) -> Outcome:
    found = outcome(episode, standard)
    path = standard.path
    return found.model_copy(
        update={
            "marks": marks(path, episode, course),
            "deviation": deviation(path, episode, course, success=found.success),
        }
    )


def _floors(config: RunConfig, standards: dict[str, Standard]) -> dict[str, float]:
    """Success of the agents that need no ability, on the same paths, each played once."""
    tasks = [Task(standard.path) for standard in standards.values()]
    rules = _rules(config, tasks)
    floors = {}
    for kind in FLOORS:
        played = play(tasks, rules, speak(SCRIPTS[kind], rules.agent.name))
        solved = [outcome(episode, standards[episode.path]).success for episode in played]
        floors[kind] = sum(solved) / len(solved)
    return floors
