"""Where data, prompts and configs lie: a checkout's root, or inside the installed package."""

from __future__ import annotations

import os
from pathlib import Path

from teval.errors import ConfigError

FOLDERS = ("data", "prompts", "eval_configs")


def folder(name: str) -> Path:
    """Return one of the asset folders, looked up anew at each call.

    The variable ``TEVAL_<NAME>`` comes first (``TEVAL_PROMPTS=/my/prompts``), then the copy inside
    an installed package, then the checkout's root.

    Args:
        name: One of :data:`FOLDERS`.

    Raises:
        ConfigError: The folder is nowhere to be found.
    """
    variable = f"TEVAL_{name.upper()}"
    package = Path(__file__).resolve().parent
    given = os.environ.get(variable)
    places = [Path(given)] if given else [package / "_assets" / name, package.parent / name]
    for place in places:
        if place.is_dir():
            return place
    looked = ", ".join(str(p) for p in places)
    raise ConfigError(f"no {name} folder at {looked}; set {variable} to the folder's path")


def find(name: str, *parts: str) -> Path:
    """Return the path of one file of an asset folder.

    Raises:
        ConfigError: There is no such file.
    """
    path = folder(name).joinpath(*parts)
    if not path.is_file():
        raise ConfigError(f"no file {path}; the {name} folder holds {_listing(path.parent)}")
    return path


def _listing(place: Path) -> str:
    names = sorted(p.name for p in place.iterdir()) if place.is_dir() else []
    return ", ".join(names) or "nothing there"
