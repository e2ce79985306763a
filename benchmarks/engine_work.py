"""What the benchmarks of engines share: requests of real cases, and engines that are warm."""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from teval import api  # noqa: E402
from teval.api.job import requests_of  # noqa: E402
from teval.engines.models import get_model  # noqa: E402
from teval.engines.vllm import VllmEngine  # noqa: E402
from teval.run.generate import Quiet, generate  # noqa: E402
from teval.run.record_file import Spooled  # noqa: E402
from teval.run.requests import Requests  # noqa: E402
from teval.run.store import RunFolder  # noqa: E402
from teval.schema import Case, Completion, Message, Request, Sampling  # noqa: E402

MODEL = "smollm2-135m-instruct"


@dataclass
class Clock:
    """Seconds by the clock and by the processor, of this process and all its threads."""

    wall: float = 0.0
    cpu: float = 0.0


@contextmanager
def timing() -> Iterator[Clock]:
    """Give a clock that is filled in when the block ends."""
    clock = Clock()
    wall, cpu = time.perf_counter(), cpu_seconds()
    yield clock
    clock.wall, clock.cpu = time.perf_counter() - wall, cpu_seconds() - cpu


def cpu_seconds() -> float:
    """Processor time of this process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def work(limit: int | None) -> tuple[list[Case], Requests]:
    """The quickstart's cases, or that many of the lite set, and their requests in order."""
    config = api.load_config(["quickstart"], [f"cases.limit={limit or 'null'}"])
    cases = api.slice_cases(config)
    return cases, requests_of(config, Spooled(cases, Case))


def vllm_engine(model: str, kind: type[VllmEngine] = VllmEngine, **settings: Any) -> VllmEngine:
    """A vLLM engine that has loaded its model and answered something."""
    path = Path(model).expanduser()
    engine = kind(model=str(path if path.is_dir() else get_model(model)), **settings)
    warm_up(engine)
    return engine


def warm_up(engine: VllmEngine) -> None:
    """Answer one request that is no part of what is measured."""
    hello = (Message(role="user", content="Say hello."),)
    list(engine.generate([Request(prompt="-", messages=hello, sampling=Sampling(max_tokens=8))]))
    forget(engine)


def forget(engine: VllmEngine) -> None:
    """Empty the engine's cache of prompts."""
    assert engine._llm.reset_prefix_cache()


def ask(engine: VllmEngine, requests: Requests) -> list[Completion]:
    """Ask and store the answers as a run does, and return them."""
    with TemporaryDirectory() as folder:
        place = RunFolder(Path(folder))
        counts = generate(place, engine, requests, Quiet())
        assert counts.answered == counts.requests, counts
        return list(place.completions().values())


def blocks_of(prompts: Sequence[Sequence[int]], size: int) -> int:
    """The prefix tree's size in tokens, cut into whole blocks; a prompt's last, partial block is
    its own."""
    seen: set[int] = set()
    tails = 0
    for ids in prompts:
        key = 0
        for start in range(0, len(ids) - size + 1, size):
            key = hash((key, tuple(ids[start : start + size])))
            seen.add(key)
        tails += len(ids) % size
    return size * len(seen) + tails


def offline() -> None:
    """Keep the libraries from looking for a hub."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
