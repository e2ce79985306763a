"""``teval model get``: models that need no hub."""

from __future__ import annotations

from typing import Annotated

import typer

from teval.cli.options import AsJson
from teval.cli.output import say


def get_model(
    name: Annotated[
        str, typer.Argument(help="The model's name, for instance smollm2-135m-instruct.")
    ],
    as_json: AsJson = False,
) -> None:
    """Fetch a small model once into the cache and print its folder."""
    from teval import api

    folder = str(api.get_model(name))
    say(folder, {"folder": folder}, as_json)
