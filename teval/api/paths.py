"""Solution paths: read, built from families, replayed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar, cast

from teval import authoring, world
from teval.abilities import adopt_records
from teval.errors import ConfigError, DataError, UnknownNameError
from teval.lookup import load
from teval.run.config import RunConfig
from teval.schema import Case, PublishedRecord, SolutionPath
from teval.sources import RECORD_SOURCES, SOURCES
from teval.sources.native import read_paths as read_native
from teval.sources.teval_files import read_records
from teval.sources.teval_paths import Rebuilt, rebuild_paths

Origin = TypeVar("Origin", SolutionPath, PublishedRecord)
"""What cases are made of."""


def read_paths(config: RunConfig) -> list[SolutionPath]:
    """Return the solution paths that a run is about.

    Raises:
        DataError: A file or record can't be used.
        ConfigError: The settings leave no path.
        UnknownNameError: A path that the settings name is not there.
    """
    return list(each_path(config))


def each_path(config: RunConfig) -> Iterator[SolutionPath]:
    """Yield the solution paths that a run is about, as :func:`read_paths` returns them."""
    source = load("source", config.data.source, SOURCES)
    paths = cast(Callable[[str], Iterable[SolutionPath]], source)(config.data.paths)
    return _wanted(config, paths, lambda path: path.id)


def read_cases(config: RunConfig) -> list[Case]:
    """Return the ready cases that a run is about, from records of published files.

    Raises:
        DataError: A file or record can't be used, or has no prompt.
        ConfigError: The settings leave no record.
        UnknownNameError: A path that the settings name is not there.
    """
    source = load("source", config.data.source, RECORD_SOURCES)
    records = cast(Callable[[str], list[PublishedRecord]], source)(config.data.paths)
    for record in records:
        if not record.messages:
            raise DataError(
                f"{config.data.paths}: record {record.release.id} of {record.release.set} has no "
                "origin_prompt, so nobody can be asked; teval score --from-teval needs none"
            )
    wanted = list(_wanted(config, records, lambda record: record.path))
    return list(adopt_records(wanted, constrained=config.engine.constrained))


def _wanted(
    config: RunConfig, found: Iterable[Origin], path_of: Callable[[Origin], str]
) -> Iterator[Origin]:
    """Yield the paths or records that the settings ask for."""
    wanted, language = set(config.cases.paths), config.data.language
    names: set[str] = set()
    kept = 0
    for item in found:
        names.add(path_of(item))
        if (not wanted or path_of(item) in wanted) and language in (None, item.language):
            kept += 1
            yield item
    for name in config.cases.paths:
        if name not in names:
            raise UnknownNameError("path", name, names)
    if not kept:
        raise ConfigError(f"data.language: nothing of {config.data.paths} is in {language!r}")


def import_paths(place: str, out: Path) -> Rebuilt:
    """Rebuild solution paths from published T-Eval files, write them one a line, return them.

    Args:
        place: A file, a folder of files, or ``hub:OWNER/NAME``.
        out: The file to write.

    Raises:
        DataError: A file or record can't be used, or no path could be rebuilt; nothing is
            written then.
    """
    rebuilt = rebuild_paths(read_records(place))
    if not rebuilt.paths:
        raise DataError(f"{place}: no path could be rebuilt; {rebuilt.problems[0]}")
    _write_paths(rebuilt.paths, out)
    return rebuilt


def _write_paths(paths: Sequence[SolutionPath], out: Path) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{path.model_dump_json()}\n" for path in paths]
    out.write_text("".join(lines), encoding="utf-8", newline="\n")


def build(
    out: Path,
    *,
    seed: int = 0,
    count: int = 40,
    toolkits: Collection[str] = (),
    families: Collection[str] = (),
    lite: int = 0,
) -> list[SolutionPath]:
    """Compile the families into verified paths, write them one a line, and return them.

    Args:
        out: The file to write.
        seed: Moves all draws.
        count: How many paths.
        toolkits: Take only families all of whose calls are of these; all families where empty.
        families: Take only families of these names; all families where empty.
        lite: Keep so many of the paths, each of another family: a stratified part; 0: all.

    Raises:
        DataError: A family can't be compiled, no family keeps to the toolkits, lint finds an
            error, or ``lite`` exceeds the families; nothing is written then.
    """
    paths = authoring.build(seed, count, toolkits=toolkits, names=families)
    paths = authoring.spread(paths, lite) if lite else paths
    errors = [problem for problem in authoring.lint(paths) if problem.level == "error"]
    if errors:
        raise DataError(f"{errors[0]} ({len(errors)} errors in all); nothing was written")
    _write_paths(paths, out)
    return paths


def replay(place: str) -> int:
    """Carry out each path of a place in a fresh world, and return how many there were.

    Args:
        place: ``lite`` or ``full`` for paths that ship, a JSONL file, or a folder of such files.

    Raises:
        DataError: The place can't be read, or an observation or the final state differs from
            what a path says.
    """
    number = 0
    for path in read_native(place):
        world.replay(path)
        number += 1
    return number
