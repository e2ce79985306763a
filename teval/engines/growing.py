"""A cache of keys and values that has room to grow, so that a token costs no copy of it all."""

from __future__ import annotations

from functools import cache
from typing import Any

ROOM = 64
"""Tokens of room that are added at a time."""


def growing_cache(layers: list[tuple[Any, Any]]) -> Any:
    """Return a cache of transformers that starts with keys and values of each layer.

    transformers' own cache copies all it holds whenever a token is added, which took two thirds
    of the time of writing on a CPU.

    Args:
        layers: Keys and values of each layer, each rows x heads x tokens x size.
    """
    from transformers.cache_utils import Cache

    made = []
    for keys, values in layers:
        layer = _layer_class()()
        layer.update(keys, values)
        made.append(layer)
    return Cache(layers=made)


@cache
def _layer_class() -> Any:
    from transformers.cache_utils import DynamicLayer

    class GrowingLayer(DynamicLayer):  # type: ignore[misc]
        """Keys and values of one layer, as views into larger tensors."""

        keys: Any
        values: Any
        rooms: tuple[Any, Any] = (None, None)

        def update(self, key_states: Any, value_states: Any, *_: Any, **__: Any) -> tuple[Any, Any]:
            """Add tokens, and return all keys and values."""
            if not self.is_initialized:
                self.lazy_initialization(key_states, value_states)
                self.keys, self.values = key_states, value_states
                return self.keys, self.values
            self.rooms = (
                _append(self.keys, key_states, self.rooms[0]),
                _append(self.values, value_states, self.rooms[1]),
            )
            total = self.keys.shape[2] + key_states.shape[2]
            self.keys, self.values = (room[:, :, :total] for room in self.rooms)
            return self.keys, self.values

    return GrowingLayer


def _append(old: Any, fresh: Any, room: Any) -> Any:
    """Return storage that holds old and fresh tokens: the room itself if old lies in it."""
    rows, heads, size, width = old.shape
    total = size + fresh.shape[2]
    if room is None or room.data_ptr() != old.data_ptr() or room.shape[2] < total:
        room = old.new_empty(rows, heads, total + ROOM, width)
        room[:, :, :size] = old
    room[:, :, size:total] = fresh
    return room
