"""Names to objects: literal tables of ``"name": "module:Object"``, or any dotted name."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from teval.errors import ConfigError, UnknownNameError


def load(kind: str, name: str, table: Mapping[str, str]) -> object:
    """Return the object that a name stands for; its module is imported now and not before.

    Args:
        kind: What is looked up, for error messages: ``"engine"``.
        name: A key of the table, or ``"package.module:Object"``.
        table: Short names to ``"package.module:Object"``.

    Raises:
        UnknownNameError: The name is neither in the table nor of the dotted form.
        ConfigError: The dotted name leads nowhere.
    """
    target = table.get(name, name)
    module_name, colon, attribute = target.partition(":")
    if not colon:
        raise UnknownNameError(kind, name, table)
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise
        raise ConfigError(f"{kind} {name!r}: no module named {error.name!r}") from error
    if not hasattr(module, attribute):
        raise ConfigError(f"{kind} {name!r}: module {module_name!r} has no {attribute!r}")
    found: object = getattr(module, attribute)
    return found
