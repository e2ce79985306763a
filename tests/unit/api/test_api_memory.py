from __future__ import annotations

import signal

import pytest

from teval.api.memory import lacked_memory, memory_words, smaller
from teval.run.config import EngineConfig
from teval.schema import JsonObject

CUDA = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB"
CACHE = "ValueError: No available memory for the cache blocks. Try increasing it"

OWN = (
    "error: m: can't be loaded: ValueError: Available memory on node 0 (20.1/23.4 GiB) on kv cache"
    " allocation is less than requested memory for kv (64.0 GiB). Decrease --kv-cache-memory-bytes"
)


@pytest.mark.parametrize(
    ("code", "said", "lacked"),
    [
        (-signal.SIGKILL, "", True),
        (-signal.SIGSEGV, "", False),
        (2, CUDA, True),
        (2, CACHE, True),
        (2, OWN, True),
        (1, "RuntimeError: [enforce fail] DefaultCPUAllocator: can't allocate memory", True),
        (1, "MemoryError", True),
        (2, "error: x: can't be loaded: ValueError: Free memory on device (3/80 GiB) on startup is "
            "less than desired GPU memory utilization (0.9, 72 GiB)", True),
        (2, "ValueError: ... is larger than the available KV cache memory (2.1 GiB)", True),
        (2, "error: x: the folder has no config.json", False),
        (1, "KeyError: 'memory'", False),
    ],
)  # fmt: skip
def test_want_of_memory_is_told_by_signal_or_words(code: int, said: str, lacked: bool) -> None:
    assert lacked_memory(code, said) is lacked


@pytest.mark.parametrize(
    ("engine", "said", "changed"),
    [
        ({"kind": "transformers"}, CUDA, {"batch_size": 8}),
        ({"kind": "transformers", "batch_size": 5}, "", {"batch_size": 2}),
        (
            {"kind": "transformers", "batch_size": 1, "max_model_len": 4096},
            CUDA,
            {"max_model_len": 2048},
        ),
        (
            {"kind": "vllm", "batch_size": 64, "max_model_len": 8192},
            CUDA,
            {
                "batch_size": 32,
                "max_model_len": 4096,
                "options": {"gpu_memory_utilization": 0.72},
            },
        ),
        ({"kind": "vllm"}, CACHE, {"batch_size": 8, "max_model_len": 8192}),
        (
            {"kind": "vllm", "batch_size": 4, "options": {"kv_cache_gib": 64}},
            OWN,
            {"batch_size": 2, "max_model_len": 8192, "options": {"kv_cache_gib": 32}},
        ),
        (
            {"kind": "vllm", "options": {"kv_cache_gib": 6, "prefix_caching": True}},
            "killed",
            {
                "batch_size": 8,
                "max_model_len": 8192,
                "options": {"kv_cache_gib": 3, "prefix_caching": True},
            },
        ),
    ],
)
def test_only_what_takes_memory_is_made_smaller(
    engine: JsonObject, said: str, changed: JsonObject
) -> None:
    before = EngineConfig.model_validate(engine)
    after = smaller(before, said).model_dump()
    assert after == before.model_dump() | changed


def test_the_line_that_tells_of_memory_is_found() -> None:
    assert memory_words(f"loading\n {CUDA}\nerror: see root cause above") == CUDA
    assert memory_words("error: see root cause above") == ""
