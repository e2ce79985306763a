"""``teval lint``: what is wrong with solution paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from teval.cli.options import AsJson, Settings
from teval.cli.output import say
from teval.errors import ConfigError

if TYPE_CHECKING:
    from teval.schema import Json, JsonObject

FAULTY = 1
"""Exit code where a path has an error."""


def lint(
    file: Annotated[
        str,
        typer.Argument(help="A JSONL file or folder of paths; 'lite' or 'full' ships."),
    ],
    settings: Settings,
    as_json: AsJson = False,
) -> None:
    """Tell what is wrong with solution paths, though they may replay; errors end with 1.

    With -s embedder.kind=… the phrasings of a thought are also compared by that encoder.
    """
    from teval import api

    if any(not setting.startswith("embedder.") for setting in settings):
        raise ConfigError("lint has no settings but embedder's: -s embedder.kind=hashing")
    embedder = api.load_config((), settings).embedder if settings else None
    number, problems = api.lint(file, embedder)
    errors = sum(problem.level == "error" for problem in problems)
    warnings = len(problems) - errors
    told = f"{number} paths: {errors} errors, {warnings} warnings"
    listed: list[Json] = [problem._asdict() for problem in problems]
    values: JsonObject = {
        "paths": number,
        "errors": errors,
        "warnings": warnings,
        "problems": listed,
    }
    say("\n".join([*map(str, problems), told]), values, as_json)
    if errors:
        raise typer.Exit(FAULTY)
