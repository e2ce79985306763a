"""What every toolkit shares."""

from __future__ import annotations

from collections.abc import Sequence

from teval.schema import JsonObject
from teval.world.setting import Setting
from teval.world.state import State


class Toolkit:
    """A group of tools over the shared state.

    Its tools are the methods marked with :func:`teval.world.tool.tool`; each returns a JSON
    mapping or raises :class:`teval.world.values.InputError`.

    Args:
        setting: Seed and clock.
        state: The state shared by all toolkits of a world.
    """

    def __init__(self, setting: Setting, state: State) -> None:
        self.setting = setting
        self.state = state

    def seed(self) -> None:
        """Put the records that the world begins with; may read those of earlier toolkits."""

    def others(self, argument: str) -> Sequence[str]:
        """Return valid values of an argument that names an entity or a day; none of others."""
        return ()

    def view(self) -> JsonObject:
        """Return what can't change and is in no record, for those who write tasks."""
        return {}
