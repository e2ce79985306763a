"""Options that several verbs share, and how they become settings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from teval.api import RunConfig

Files: TypeAlias = Annotated[
    list[str],
    typer.Option(
        "--config",
        "-c",
        metavar="FILE",
        default_factory=list,
        show_default=False,
        help="Config file, or the name of one that ships; several are merged left to right.",
    ),
]
Settings: TypeAlias = Annotated[
    list[str],
    typer.Option(
        "--set",
        "-s",
        metavar="KEY=VALUE",
        default_factory=list,
        show_default=False,
        help="One setting, for instance -s engine.kind=silent; may be given several times.",
    ),
]
Limit: TypeAlias = Annotated[
    int | None,
    typer.Option(
        min=1, help="The most cases, spread evenly over abilities and formats (cases.limit)."
    ),
]
Deterministic: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--deterministic",
        help="Fixed batches, nothing reused between prompts, or kernels that don't mind either "
        "(engine.deterministic): the same run twice gives the same answers, but slower.",
    ),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]
Verbose: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--verbose", "-v", help="Show how the chat template renders, and the first answer."
    ),
]
Folder: TypeAlias = Annotated[Path, typer.Argument(metavar="DIR", help="A run's folder.")]


def read_config(
    files: list[str], settings: list[str], limit: int | None, *, deterministic: bool = False
) -> RunConfig:
    """Return the settings that the options come to.

    Raises:
        ConfigError: A file or setting can't be used, or none was given.
    """
    from teval.api import load_config
    from teval.errors import ConfigError

    if not files and not settings:
        raise ConfigError("no settings given; try -c smoke, or -c quickstart for a real model")
    more = [] if limit is None else [f"cases.limit={limit}"]
    more += ["engine.deterministic=true"] if deterministic else []
    return load_config(files, [*settings, *more])
