"""Solution paths: read, built from families, replayed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

from teval import authoring, world
from teval.errors import ConfigError, DataError, UnknownNameError
from teval.lookup import load
from teval.run.config import RunConfig
from teval.schema import SolutionPath
from teval.sources import SOURCES
from teval.sources.native import read_paths as read_native


def read_paths(config: RunConfig) -> list[SolutionPath]:
    """Return the solution paths that a run is about.

    Raises:
        DataError: A file or record can't be used.
        ConfigError: The settings leave no path.
        UnknownNameError: A path that the settings name is not there.
    """
    source = load("source", config.data.source, SOURCES)
    paths = cast(Callable[[str], list[SolutionPath]], source)(config.data.paths)
    known = {path.id for path in paths}
    for name in config.cases.paths:
        if name not in known:
            raise UnknownNameError("path", name, known)
    wanted, language = set(config.cases.paths) or known, config.data.language
    kept = [p for p in paths if p.id in wanted and language in (None, p.language)]
    if not kept:
        raise ConfigError(f"data.language: no path of {config.data.paths} is in {language!r}")
    return kept


def build(out: Path, *, seed: int = 0, count: int = 40) -> list[SolutionPath]:
    """Compile the families into verified paths, write them one a line, and return them.

    Args:
        out: The file to write.
        seed: Moves all draws.
        count: How many paths.

    Raises:
        DataError: A family can't be compiled, or lint finds a fault; nothing is written then.
    """
    paths = authoring.build(seed, count)
    problems = authoring.lint(paths)
    if problems:
        raise DataError(f"{problems[0]} ({len(problems)} problems in all); nothing was written")
    out.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{path.model_dump_json()}\n" for path in paths]
    out.write_text("".join(lines), encoding="utf-8", newline="\n")
    return paths


def replay(place: str) -> int:
    """Carry out each path of a place in a fresh world, and return how many there were.

    Args:
        place: ``sample`` for the paths that ship, a JSONL file, or a folder of such files.

    Raises:
        DataError: The place can't be read, or an observation or the final state differs from
            what a path says.
    """
    paths = read_native(place)
    for path in paths:
        world.replay(path)
    return len(paths)
