"""Runs for which there was not enough memory: how they are told, and what to try instead."""

from __future__ import annotations

import re
import signal

from teval.api.make import inside
from teval.run.config import EngineConfig

_SHORT = re.compile(
    "|".join(
        (
            r"out of memory",
            r"CUDA OOM",
            r"not enough memory",
            r"can't allocate memory",
            r"\bMemoryError\b",
            r"No available memory for the cache blocks",
            r"available KV cache memory",
            r"less than desired [GC]PU memory utilization",
            r"less than requested memory for kv",
        )
    ),
    re.IGNORECASE,
)
"""What torch, vLLM and Python say for want of memory."""
_OWN = re.compile(r"requested memory for kv|desired CPU memory", re.IGNORECASE)
"""The computer's own memory has no room for vLLM's cache."""
_CACHE = re.compile(r"cache blocks|KV cache memory", re.IGNORECASE)
"""Weights fit, but little or nothing is left for the cache of what was computed."""

_BATCH, _LENGTH = 16, 16384
"""What is halved where a setting was left to the engine."""
_SHARE, _CACHE_GIB = 0.9, 2.0
"""The same, of vLLM's options."""


def lacked_memory(code: int, said: str) -> bool:
    """Return whether a run that failed did so for want of memory, as far as can be told.

    Args:
        code: Its exit code, or the negative number of the signal that ended it. A system that runs
            out of memory sends SIGKILL.
        said: All it said.
    """
    return code == -signal.SIGKILL or _SHORT.search(said) is not None


def memory_words(said: str) -> str:
    """Return the last line that tells of a want of memory, empty where none does.

    vLLM says it long before its last line, which only points back.
    """
    lines = (line.strip() for line in reversed(re.split(r"[\r\n]+", said)))
    return next(filter(_SHORT.search, lines), "")


def smaller(engine: EngineConfig, said: str) -> EngineConfig:
    """Return settings that need less memory.

    The batch is halved, which moves no score. The window is halved only for vLLM, whose cache must
    hold one of its size, or where the batch can't be halved: prompts that fit no longer then count
    as such. vLLM also takes a smaller share of a GPU on which others take some, or a smaller cache
    of a computer's own memory.

    Args:
        engine: The settings that needed too much.
        said: All that the run said.
    """
    batch = engine.batch_size or _BATCH
    update: dict[str, object] = {"batch_size": max(1, batch // 2)}
    kind = inside(engine).kind
    if kind == "vllm" or batch == 1:
        update["max_model_len"] = max(1, (engine.max_model_len or _LENGTH) // 2)
    if kind == "vllm":
        options = engine.options
        share, cache = options.get("gpu_memory_utilization"), options.get("kv_cache_gib")
        if not _SHORT.search(said) or _OWN.search(said):  # killed or told: not a GPU's memory
            size = cache if isinstance(cache, int | float) else _CACHE_GIB
            update["options"] = {**options, "kv_cache_gib": size / 2}
        elif not _CACHE.search(said):
            part = share if isinstance(share, int | float) else _SHARE
            update["options"] = {**options, "gpu_memory_utilization": round(0.8 * part, 3)}
    return engine.model_copy(update=update)
