"""``teval replay``: solution paths against the world."""

from __future__ import annotations

from typing import Annotated

import typer

from teval.cli.options import AsJson
from teval.cli.output import say


def replay(
    file: Annotated[
        str,
        typer.Argument(help="A JSONL file or folder of paths; 'lite' or 'full' ships."),
    ],
    as_json: AsJson = False,
) -> None:
    """Carry out each path in a fresh world and compare observations and final state."""
    from teval import api

    number = api.replay(file)
    say(f"{number} paths replay as they say", {"paths": number}, as_json)
