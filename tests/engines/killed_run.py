"""A run in a process that is born quickly and may be killed at any moment."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Sequence
from multiprocessing.context import ForkServerProcess
from pathlib import Path

SETTINGS = ("engine.kind=slow_engine:SlowEngine", "engine.options.seconds=0.005")


def go(settings: Sequence[str]) -> None:
    """Run to the end and say nothing."""
    from teval import api

    api.run(api.load_config(["smoke"], settings))


def start(settings: Sequence[str]) -> ForkServerProcess:
    """Return a process that runs; all that it imports was imported before."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["pytest", "teval.api", "killed_run", *_HEAVY])
    process = context.Process(target=go, args=(tuple(settings),))
    process.start()
    return process


_HEAVY = ("slow_engine", "scipy.stats", "scipy.optimize", "matplotlib.pyplot")


def settings(data: str, out: Path) -> list[str]:
    """A run of a few cases, each of which takes a moment."""
    return [data, f"out={out}", *SETTINGS, "cases.limit=36", "report.resamples=100"]
