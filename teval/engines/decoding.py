"""Writing answers with a transformers model.

Prompts are read one after the other, each from where it parts from the one before; answers are
written side by side.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from teval.engines.drawing import draw
from teval.engines.growing import growing_cache
from teval.engines.prefixes import shared_length
from teval.engines.thinking import Meter
from teval.schema import Request


@dataclass
class Row:
    """One request on its way through a batch."""

    request: Request
    prompt: list[int]
    meter: Meter
    """Says how many tokens the answer may have, its thought included."""
    room: int
    """The most tokens that the model's window has left, at least 1."""
    seed: int
    answer: list[int] = field(default_factory=list)
    stopped: bool = False
    """Whether the model itself ended the answer."""
    shared: int = 0
    """Prompt tokens that had been computed for the request before."""
    common: int = 0
    """Prompt tokens in common with the request before, computed anew or not."""
    source: Any = None
    """Where the row's chances come from."""

    @property
    def ended(self) -> bool:
        """Whether the answer is complete."""
        return self.stopped or len(self.answer) >= min(self.meter.limit, self.room)

    def add(self, token: int, stops: frozenset[int]) -> None:
        """Take in the next token."""
        self.answer.append(token)
        self.meter.note(len(self.answer), token)
        self.stopped = token in stops


@dataclass
class Batch:
    """Rows whose answers are being written."""

    rows: list[Row]
    logits: Any
    """Of the next token: rows x vocabulary."""
    cache: Any
    mask: Any
    """1 where the cache holds a token and 0 where it holds padding: rows x tokens."""

    def keep(self, places: list[int]) -> None:
        """Drop all rows but those at the places given."""
        import torch

        if len(places) < len(self.rows):
            self.rows = [self.rows[i] for i in places]
            left = torch.tensor(places, dtype=torch.long, device=self.mask.device)
            self.cache.batch_select_indices(left)
            self.mask = self.mask[left]


class Decoder:
    """Writes the answers of one model.

    Args:
        model: A causal language model of transformers, on its device.
        stops: Ids of the tokens that end an answer.
        reuse: Whether a prompt's reading starts from where it parts from the one before.
    """

    def __init__(self, model: Any, stops: frozenset[int], *, reuse: bool = True) -> None:
        self.model = model
        self._reuse = reuse
        self._stops = stops | _end_tokens(model)
        self._read: list[int] = []
        self._cache = _new_cache(model)
        self._plain = _is_plain(model)

    def decode(self, rows: Sequence[Row]) -> Iterator[Row]:
        """Yield each row when its answer is complete."""
        if not rows:
            return
        batch = self._start(list(rows))
        while batch.rows:
            yield from self._advance(batch)

    def _start(self, rows: list[Row]) -> Batch:
        import torch

        with torch.inference_mode():
            mask = self._mask(rows)
            if self._plain:
                return self._read_in_turn(rows, mask)
            return self._read_together(rows, mask)

    def _advance(self, batch: Batch) -> list[Row]:
        """Write one token of each row; return the rows whose answers are complete."""
        import torch

        with torch.inference_mode():
            rows = batch.rows
            for row, token in zip(rows, draw(batch.logits.float(), rows), strict=True):
                row.add(token, self._stops)
            batch.keep([i for i, row in enumerate(rows) if not row.ended])
            if batch.rows:
                device = batch.mask.device
                ids = torch.tensor([[row.answer[-1]] for row in batch.rows], device=device)
                batch.mask = torch.cat([batch.mask, batch.mask.new_ones(len(ids), 1)], dim=1)
                batch.logits = self._forward(ids, batch.mask, batch.cache)
        return [row for row in rows if row.ended]

    def _read_in_turn(self, rows: list[Row], mask: Any) -> Batch:
        """Read the prompts one by one, from where each parts from the one before."""
        import torch
        from torch.nn.functional import pad

        logits, layers = [], []
        for row in rows:
            again = shared_length(self._read, row.prompt[:-1]) if self._reuse else 0
            row.shared = self._cut(again)
            fresh = torch.tensor([row.prompt[row.shared :]], device=mask.device)
            logits.append(forward(self.model, fresh, self._cache))
            self._read = row.prompt
            left = (0, 0, mask.shape[1] - len(row.prompt), 0)
            layers.append([(pad(x.keys, left), pad(x.values, left)) for x in self._cache.layers])
        stacked = [
            tuple(torch.cat(part) for part in zip(*layer, strict=True))
            for layer in zip(*layers, strict=True)
        ]
        return Batch(rows, torch.cat(logits), growing_cache(stacked), mask)

    def _cut(self, length: int) -> int:
        """Cut what was read back to its first tokens; return how many that are."""
        if length == 0:
            self._cache = _new_cache(self.model)
        elif length < len(self._read):
            self._cache.crop(length - len(self._read))
        self._read = self._read[:length]
        return length

    def _read_together(self, rows: list[Row], mask: Any) -> Batch:
        """Read the prompts side by side, padded on the left, with nothing taken over."""
        import torch

        width, cache = mask.shape[1], _new_cache(self.model)
        padded = [[0] * (width - len(row.prompt)) + row.prompt for row in rows]
        ids = torch.tensor(padded, device=mask.device)
        return Batch(rows, self._forward(ids, mask, cache), cache, mask)

    def _mask(self, rows: list[Row]) -> Any:
        import torch

        width = max(len(row.prompt) for row in rows)
        mask = [[0] * (width - len(row.prompt)) + [1] * len(row.prompt) for row in rows]
        return torch.tensor(mask, device=self.model.device)

    def _forward(self, ids: Any, mask: Any, cache: Any) -> Any:
        """Return the next logits, each token at the position it would have without padding."""
        positions = (mask.cumsum(dim=1) - 1).clamp(min=0)[:, -ids.shape[1] :]
        return forward(self.model, ids, cache, attention_mask=mask, position_ids=positions)


def forward(model: Any, ids: Any, cache: Any, **more: Any) -> Any:
    """Return the logits after the last token of each row, rows x vocabulary; the cache grows.

    Args:
        model: A causal language model of transformers.
        ids: New token ids, rows x tokens.
        cache: What was computed for the tokens before them.
        more: Further arguments of the model.
    """
    known = inspect.signature(model.forward).parameters
    more["cache" if "cache" in known else "past_key_values"] = cache  # older releases: the latter
    if "logits_to_keep" in known:
        more["logits_to_keep"] = 1
    return model(ids, use_cache=True, **more).logits[:, -1, :]


def _new_cache(model: Any) -> Any:
    from transformers import DynamicCache

    return DynamicCache(config=model.config)


def _is_plain(model: Any) -> bool:
    """Tell whether the model keeps keys and values of every token, so that they can be reused."""
    import torch
    from transformers.cache_utils import DynamicLayer

    cache = _new_cache(model)
    with torch.inference_mode():
        forward(model, torch.tensor([[0]], device=model.device), cache)
    return all(type(layer) is DynamicLayer for layer in cache.layers)


def _end_tokens(model: Any) -> frozenset[int]:
    """Return the end tokens that the model's own files name."""
    found = getattr(model.generation_config, "eos_token_id", None)
    return frozenset([found] if isinstance(found, int) else found or [])
