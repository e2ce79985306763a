"""``teval build``: solution paths from families."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from teval.cli.options import AsJson
from teval.cli.output import say


def build(
    out: Annotated[Path, typer.Option("--out", "-o", help="The JSONL file to write.")],
    seed: Annotated[int, typer.Option(min=0, help="Moves all draws.")] = 0,
    paths: Annotated[int, typer.Option(min=1, help="How many paths.")] = 40,
    toolkits: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Only families whose calls are all of these toolkits: mail,calendar,contacts.",
        ),
    ] = "",
    families: Annotated[
        str, typer.Option(metavar="NAMES", help="Only these families: book_for_two,retreat.")
    ] = "",
    lite: Annotated[
        int,
        typer.Option(min=0, help="Keep so many of them, of a family each: a stratified part."),
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Make verified solution paths from the families, by carrying them out in the world."""
    from teval import api

    made = api.build(
        out,
        seed=seed,
        count=paths,
        toolkits=_names(toolkits),
        families=_names(families),
        lite=lite,
    )
    number = len({path.family for path in made})
    say(
        f"{len(made)} paths of {number} families → {out}",
        {"paths": len(made), "families": number, "file": str(out)},
        as_json,
    )


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]
