"""Engines and embedders from their settings."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

from teval.abilities import degraded_answers, oracle_answers
from teval.engines import EMBEDDERS, ENGINES, resolve_model
from teval.engines.ray import PLACES
from teval.engines.scripted import recorded_answers
from teval.errors import ConfigError
from teval.lookup import load
from teval.run.config import EmbedderConfig, EngineConfig, RunConfig
from teval.schema import Case, Embedder, Engine, Json

SCRIPTED = ("oracle", "silent", "degraded", "recorded")
"""Engines that answer from a map; it is filled here, for only the cards know right answers."""

RAY = "ray"
"""The engine that runs another one on many machines."""

Made = TypeVar("Made")


def make_engine(config: EngineConfig, cases: Iterable[Case] = ()) -> Engine:
    """Return the engine that the settings name; a model is not loaded before it is asked.

    Args:
        config: The engine's settings.
        cases: All planned cases; scripted engines are filled from them.

    Raises:
        TevalError: There is no such engine, or a setting, file or package is missing.
    """
    made = find_engine(config)
    if config.kind == RAY:
        inner = inside(config)
        made = partial(made, partial(make_engine, inner, _needed(inner, cases)))
        own = {name: v for name, v in config.options.items() if name in PLACES - {"engine"}}
        return _make(made, "engine", {"kind": RAY, "options": own})
    if config.kind not in SCRIPTED:
        # How many answers are written side by side has other names at vLLM and at servers.
        names = dict.fromkeys(("max_num_seqs", "concurrency"), config.batch_size)
        if config.deterministic and "deterministic" not in inspect.signature(made).parameters:
            raise ConfigError(
                f"engine {config.kind!r} can't be made deterministic; leave that setting out"
            )
        return _make(made, "engine", {**config.model_dump(), **names})
    missing = "error" if config.kind == "recorded" else "silent"
    return made(answers=_answers(config, cases), kind=config.kind, missing=missing)


def find_engine(config: EngineConfig) -> Callable[..., Engine]:
    """Return what makes the engine that the settings name.

    Raises:
        UnknownNameError: There is no such engine.
        ConfigError: Answers are to be held to a schema, which it can't do, or which leaves no
            place for a thought that is wished.
    """
    inner = inside(config)
    made = cast(Callable[..., Engine], load("engine", inner.kind, ENGINES))
    if config.constrained and not getattr(made, "HOLDS_TO_SCHEMA", False):
        raise ConfigError(
            f"engine.constrained: engine {inner.kind!r} can't hold answers to a schema; take"
            " -s engine.kind=vllm or openai, or leave it out"
        )
    if config.constrained and inner.thinking == "on":
        raise ConfigError(
            "engine.constrained: an answer that is held to a schema has no place for a thought;"
            " take -s engine.thinking=off, or leave it out"
        )
    return made if inner is config else cast(Callable[..., Engine], load("engine", RAY, ENGINES))


def inside(config: EngineConfig) -> EngineConfig:
    """Return the settings of the engine that answers: for ``ray`` those of the one inside.

    Raises:
        ConfigError: They name none.
    """
    if config.kind != RAY:
        return config
    kind = config.options.get("engine")
    if not isinstance(kind, str) or kind in ("", RAY):
        raise ConfigError(
            "engine 'ray' needs an engine for its workers: give -s engine.options.engine=vllm"
        )
    rest = {name: value for name, value in config.options.items() if name not in PLACES}
    return config.model_copy(update={"kind": kind, "options": rest})


def _needed(config: EngineConfig, cases: Iterable[Case]) -> tuple[Case, ...]:
    """Return the cases if the engine is filled from them: they travel to every worker."""
    return tuple(cases) if config.kind in SCRIPTED else ()


def make_embedder(config: EmbedderConfig) -> Embedder:
    """Return the embedder that the settings name.

    Raises:
        TevalError: There is no such embedder, or a setting or package is missing.
    """
    made = cast(Callable[..., Embedder], load("embedder", config.kind, EMBEDDERS))
    return _make(made, "embedder", config.model_dump())


def _make(made: Callable[..., Made], group: str, settings: dict[str, Json]) -> Made:
    """Call a constructor with those of the settings that it takes.

    Raises:
        ConfigError: It needs one that is not set, or does not know one of ``options``.
    """
    kind, options = settings["kind"], settings.pop("options")
    assert isinstance(options, dict)
    # What is positional only is handed in by tests and no setting.
    parameters = inspect.signature(made).parameters
    taken = {n: p for n, p in parameters.items() if p.kind is not p.POSITIONAL_ONLY}
    given = {key: value for key, value in settings.items() if key in taken} | options
    given = {key: value for key, value in given.items() if value is not None and value != ""}
    for name, parameter in taken.items():
        if parameter.default is parameter.empty and name not in given:
            place = name if name in settings else f"options.{name}"
            raise ConfigError(f"{group} {kind!r} needs a {name}: give -s {group}.{place}=…")
    rest = {key: given.pop(key) for key in options if key in given and key not in taken}
    if rest and "options" not in taken:
        known = ", ".join(sorted(taken.keys() - settings.keys())) or "none"
        raise ConfigError(f"{group} {kind!r} has no option {next(iter(rest))!r}; it takes {known}")
    # A server has names of its own for its models.
    if "model" in given and "base_url" not in taken:
        given["model"] = resolve_model(str(given["model"]))
    return made(**given, **({"options": rest} if rest else {}))


def _answers(config: EngineConfig, cases: Iterable[Case]) -> Mapping[str, str]:
    """Answers of a scripted engine by prompt hash."""
    if config.kind == "silent":
        return {}
    if config.kind == "oracle":
        return oracle_answers(cases)
    if config.kind == "degraded":
        return degraded_answers(cases, config.ability, config.rate, config.seed)
    if not config.file:
        raise ConfigError("engine 'recorded' needs a file: give -s engine.file=…")
    return recorded_answers(Path(config.file).expanduser())


def vector_file(config: RunConfig) -> Path | None:
    """Return where vectors are kept between runs; hashed ones are quicker made than read."""
    if config.embedder.kind == "hashing":
        return None
    cache = os.environ.get("TEVAL_CACHE") or Path("~/.cache/teval").expanduser()
    return Path(cache) / "vectors.sqlite"
