"""``teval export``: a run in another layout."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from teval.cli.options import AsJson, Folder
from teval.cli.output import say


def export(
    folder: Folder,
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write into.")],
    as_json: AsJson = False,
) -> None:
    """Write a scored run in the layout of the T-Eval release's own output."""
    from teval import api

    files = [str(file) for file in api.export_teval(folder, out)]
    say("\n".join(files), {"files": list(files)}, as_json)
