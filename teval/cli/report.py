"""``teval report``: tables and charts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from teval.cli.options import AsJson
from teval.cli.output import say, show_tables


def report(
    folders: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Folders of one to four scored runs.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Where to write; the first run's folder if left out."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write tables (Markdown, CSV), radar chart and dot plot of one to four runs."""
    from teval import api

    files = [str(file) for file in api.report(folders, out or folders[0])]
    if not as_json:
        show_tables(folders)
    say("\n".join(files), {"files": list(files)}, as_json)
