"""What a number is known by: the model's name, and the line of all that could move it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from teval import __version__
from teval.api.make import SCRIPTED, inside
from teval.run.config import EngineConfig, RunConfig
from teval.run.score import SCORER
from teval.run.store import Manifest
from teval.schema import Sampling, digest

HELD = "constrained JSON"
"""Stands beside the model's name where answers in JSON were held to a schema."""


def model_name(engine: EngineConfig) -> str:
    """Return what a run's model is called in tables."""
    engine = inside(engine)
    if engine.kind == "degraded":
        return f"degraded oracle ({engine.ability} {engine.rate:g})"
    if engine.kind == "recorded":
        return f"recorded ({engine.file})"
    if engine.kind in SCRIPTED:
        return engine.kind
    return (engine.model or engine.kind) + (f" ({HELD})" if engine.constrained else "")


def signature(config: RunConfig, manifest: Manifest, more: Mapping[str, str] | None = None) -> str:
    """Return one line that names all that could move a number, parts split by ``|``.

    Args:
        config: The run's settings.
        manifest: With engine and embedder as they described themselves.
        more: Further parts, by name.
    """
    hashes = manifest.hashes
    parts = {
        "data": f"{Path(config.data.paths).name}-{hashes['data'][:8]}",
        "cases": hashes["cases"][:8],
        **({"native": hashes["native"][:8]} if "native" in hashes else {}),
        "prompts": hashes["prompts"][:8],
        "model": model_name(config.engine),
        "engine": f"{_engine_words(config.engine)}-{digest(manifest.engine, 8)}",
        "sampling": _sampling(config),
        **({"constrained": "json"} if config.engine.constrained else {}),
        "embedder": "-".join(
            filter(
                None,
                [
                    config.embedder.kind,
                    Path(config.embedder.model).name,
                    digest(manifest.embedder, 8),
                ],
            )
        ),
        **(more or {"scorer": SCORER}),
        "teval": __version__,
    }
    return "|".join(f"{key}:{value.replace('|', '/')}" for key, value in parts.items())


def _engine_words(engine: EngineConfig) -> str:
    """The kind, and whether it had to answer alike each time; scripted ones do so anyway."""
    told = engine.deterministic and engine.kind not in SCRIPTED
    return f"{engine.kind}-deterministic" if told else engine.kind


def _sampling(config: RunConfig) -> str:
    """The parameters that differ from greedy decoding, then limits, seed and repeats."""
    usual = Sampling().model_dump()
    changed = {k: v for k, v in config.sampling.model_dump().items() if v != usual[k]}
    limits = {"max_tokens": config.sampling.max_tokens}
    for ability, given in config.max_tokens.items():
        each = {ability: given} if isinstance(given, int) else given
        limits |= {k if k == ability else f"{ability}.{k}": limit for k, limit in each.items()}
    values = changed | limits | {"seed": config.engine.seed, "repeats": config.repeats}
    greedy = [] if config.sampling.temperature else ["greedy"]
    return ",".join([*greedy, *(f"{key}={value}" for key, value in values.items())])
