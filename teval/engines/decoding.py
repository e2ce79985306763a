"""Writing answers token by token with a transformers model, over a shared beginning."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from teval.engines.drawing import draw
from teval.schema import Request


@dataclass
class Row:
    """One request on its way through a batch."""

    request: Request
    prompt: list[int]
    limit: int
    """The most tokens that the answer may have, at least 1."""
    seed: int
    answer: list[int] = field(default_factory=list)
    stopped: bool = False
    """Whether the model itself ended the answer."""
    shared: int = 0
    """Prompt tokens that had been computed for an earlier request."""
    source: Any = None
    """Where the row's chances come from."""


class Head:
    """Keys and values of the prompt tokens that neighbouring requests share."""

    def __init__(self) -> None:
        self._ids: list[int] = []
        self._cache: Any = None

    def extend(self, model: Any, ids: list[int], rows: int) -> tuple[Any, int]:
        """Return a cache of these tokens for so many rows, and how many were there already.

        Args:
            model: The model that the cache belongs to.
            ids: The tokens, maybe none.
            rows: How many copies the cache shall hold.
        """
        import torch
        from transformers import DynamicCache

        kept = self._keep(shared_length([self._ids, ids]))
        if kept == 0:
            self._cache = DynamicCache(config=model.config)
        if ids[kept:]:
            fresh = torch.tensor([ids[kept:]], device=model.device)
            model(fresh, past_key_values=self._cache, use_cache=True, **last_logits(model))
        self._ids = list(ids)
        cache = copy.deepcopy(self._cache)
        cache.batch_repeat_interleave(rows)
        return cache, kept

    def _keep(self, length: int) -> int:
        """Cut the cache back to its first tokens; return how many are left, 0 if it can't be."""
        surplus = len(self._ids) - length
        if surplus == 0:
            return length
        if length == 0 or not getattr(self._cache, "is_croppable", False):
            return 0
        self._cache.crop(-surplus)
        return length


class Decoder:
    """Writes the answers of one model.

    Args:
        model: A causal language model of transformers, on its device.
        stops: Ids of the tokens that end an answer.
    """

    def __init__(self, model: Any, stops: frozenset[int]) -> None:
        self.model = model
        self._stops = stops | _end_tokens(model)
        self._head = Head()

    def decode(self, rows: Sequence[Row]) -> Iterator[Row]:
        """Yield each row when its answer is complete.

        The tokens that all prompts begin with are computed once; what remains of each prompt is
        padded on the left, masked, and given the positions it would have alone.
        """
        import torch

        if not rows:
            return
        with torch.inference_mode():
            yield from self._decode(list(rows))

    def _decode(self, rows: list[Row]) -> Iterator[Row]:
        import torch

        head = rows[0].prompt[: shared_length([row.prompt[:-1] for row in rows])]
        cache, shared = self._head.extend(self.model, head, len(rows))
        ids, mask = self._pad([row.prompt[len(head) :] for row in rows], len(head))
        for row in rows:
            row.shared = shared if row is rows[0] else len(head)
        while rows:
            logits = self._forward(ids, mask, cache)
            tokens = draw(logits, rows)
            for row, token in zip(rows, tokens, strict=True):
                row.answer.append(token)
                row.stopped = token in self._stops
            going = [i for i, row in enumerate(rows) if not _ended(row)]
            yield from (row for row in rows if _ended(row))
            if len(going) < len(rows):
                left = torch.tensor(going, dtype=torch.long, device=mask.device)
                cache.batch_select_indices(left)
                mask = mask[left]
                rows = [rows[i] for i in going]
            ids = torch.tensor([[row.answer[-1]] for row in rows], device=mask.device)
            mask = torch.cat([mask, mask.new_ones(len(rows), 1)], dim=1)

    def _pad(self, tails: list[list[int]], head: int) -> tuple[Any, Any]:
        """Return token ids (rows x longest tail) and mask (rows x head + longest tail)."""
        import torch

        width = max(map(len, tails))
        ids = [[0] * (width - len(tail)) + tail for tail in tails]
        mask = [[1] * head + [0] * (width - len(tail)) + [1] * len(tail) for tail in tails]
        device = self.model.device
        return torch.tensor(ids, device=device), torch.tensor(mask, device=device)

    def _forward(self, ids: Any, mask: Any, cache: Any) -> Any:
        """Return the logits after the last token of each row: float32, rows x vocabulary."""
        positions = (mask.cumsum(dim=1) - 1).clamp(min=0)[:, -ids.shape[1] :]
        output = self.model(
            ids,
            attention_mask=mask,
            position_ids=positions,
            past_key_values=cache,
            use_cache=True,
            **last_logits(self.model),
        )
        return output.logits[:, -1, :].float()


def shared_length(rows: Sequence[list[int]]) -> int:
    """Return how many tokens all rows begin with alike.

    >>> shared_length([[1, 2, 3], [1, 2, 4, 5]])
    2
    """
    pairs = zip(min(rows), max(rows), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def last_logits(model: Any) -> dict[str, int]:
    """Return the argument that spares the logits of all tokens but the last, if there is one."""
    known = inspect.signature(model.forward).parameters
    return {"logits_to_keep": 1} if "logits_to_keep" in known else {}


def _ended(row: Row) -> bool:
    return row.stopped or len(row.answer) >= row.limit


def _end_tokens(model: Any) -> frozenset[int]:
    """Return the end tokens that the model's own files name."""
    found = getattr(model.generation_config, "eos_token_id", None)
    return frozenset([found] if isinstance(found, int) else found or [])
