"""The exceptions a caller can act on.

TevalError
├── ConfigError         a setting is wrong, unknown or refused: change the setting
├── DataError           a file or record can't be used: names the file, the record and the way out
├── UnknownNameError    a name stands in no table: names the nearest ones
├── MissingExtraError   an optional package is needed: names the pip command
└── EngineError         the engine can't start or can't go on
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


class TevalError(Exception):
    """Root of all errors that the person who runs teval can act on."""


class ConfigError(TevalError):
    """A setting is wrong, unknown, or differs from the one a run was started with."""


class DataError(TevalError):
    """A file or a record in it can't be used."""


MANY = 24
"""Names that a message lists at most."""


class UnknownNameError(TevalError):
    """A name that stands in no table.

    Args:
        kind: What was looked up, for instance ``"engine"``.
        name: The name that was not found.
        known: The names that would have been found.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        """Build the message, with the nearest known names first."""
        names = sorted(known)
        near = difflib.get_close_matches(name, names, n=3)
        told = f"did you mean {', '.join(near)}?" if near else f"known: {_some(names)}"
        super().__init__(f"unknown {kind} {name!r}; {told}")
        self.kind = kind
        self.name = name


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MANY} more" if len(names) > MANY else ""
    return (", ".join(names[:MANY]) or "none") + more


class MissingExtraError(TevalError):
    """An optional package is not installed.

    Args:
        package: The package that could not be imported.
        extra: The extra of this project that brings it.
    """

    def __init__(self, package: str, extra: str) -> None:
        """Build the message with the command that installs the package."""
        super().__init__(f"{package} is not installed; run: pip install 'teval[{extra}]'")
        self.package = package
        self.extra = extra


class EngineError(TevalError):
    """The engine can't start, or can't go on with the requests that are left."""
