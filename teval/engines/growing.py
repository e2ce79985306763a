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

        def update(self, key_states: Any, value_states: Any, *_: Any, **__: Any) -> tuple[Any, Any]:
            """Add tokens, and return all keys and values."""
            if self.is_initialized:
                self.keys = _append(self.keys, key_states)
                self.values = _append(self.values, value_states)
            else:
                self.lazy_initialization(key_states, value_states)
                self.keys, self.values = key_states, value_states
            return self.keys, self.values

    return GrowingLayer


def _append(old: Any, fresh: Any) -> Any:
    """Return old and fresh tokens as one view, into the storage of the old where it has room."""
    rows, heads, size, width = old.shape
    total = size + fresh.shape[2]
    room = old._base if old._base is not None else old
    if room.shape[2] < total or room.shape[:2] != old.shape[:2]:
        room = old.new_empty(rows, heads, total + ROOM, width)
        room[:, :, :size] = old
    room[:, :, size:total] = fresh
    return room[:, :, :total]
