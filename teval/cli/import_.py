"""``teval import``: solution paths out of published files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from teval.cli.options import AsJson
from teval.cli.output import say, warn


def import_paths(
    place: Annotated[
        str, typer.Argument(metavar="PATH", help="Published T-Eval files: a file or a folder.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The JSONL file to write.")],
    as_json: AsJson = False,
) -> None:
    """Rebuild solution paths from published T-Eval files that carry whole histories.

    The files do not tell which step needs which, other right calls and values, how free text is
    to be compared, or a world to replay in; the paths say nothing about these.
    """
    from teval import api

    rebuilt = api.import_paths(place, out)
    warn(tuple(f"not rebuilt: {problem}" for problem in rebuilt.problems))
    say(
        f"{len(rebuilt.paths)} paths rebuilt, {len(rebuilt.problems)} not → {out}",
        {
            "paths": len(rebuilt.paths),
            "not_rebuilt": list(rebuilt.problems),
            "file": str(out),
        },
        as_json,
    )
