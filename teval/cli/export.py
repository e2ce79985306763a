"""``teval export``: a run, or the cases that one would ask, in another layout."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from teval.cli.options import AsJson, Files, Settings, read_config
from teval.cli.output import say
from teval.errors import ConfigError


class Layout(StrEnum):
    """Whose layout."""

    TEVAL = "teval"
    DATASETS = "datasets"


def export(
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write into.")],
    files: Files,
    settings: Settings,
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="A run's folder.", show_default=False)
    ] = None,
    to: Annotated[
        Layout,
        typer.Option(help="teval: answers as the T-Eval release writes them; datasets: cases."),
    ] = Layout.TEVAL,
    as_json: AsJson = False,
) -> None:
    """Write a scored run in the layout of the T-Eval release's own output.

    With --to datasets, write the cases of a run, or with -c and -s those that one would ask, as a
    folder with a data card that datasets.load_dataset reads.
    """
    from teval import api

    if folder is not None and (files or settings):
        raise ConfigError("give either a run's folder, or settings with -c and -s")
    if to is Layout.DATASETS:
        source = read_config(files, settings, None) if folder is None else folder
        written = api.export_datasets(source, out)
    elif folder is None:
        raise ConfigError(
            "give the folder of a scored run; without one there are only cases: --to datasets"
        )
    else:
        written = api.export_teval(folder, out)
    listed = [str(file) for file in written]
    say("\n".join(listed), {"files": list(listed)}, as_json)
