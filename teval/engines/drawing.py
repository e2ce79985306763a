"""Choosing the next token of each row by its own sampling parameters and seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from teval.schema import Sampling

if TYPE_CHECKING:
    from teval.engines.decoding import Row


def draw(logits: Any, rows: Sequence[Row]) -> list[int]:
    """Return the next token of each row.

    Args:
        logits: float32, rows x vocabulary.
        rows: What has been written so far, with sampling parameters and seed.
    """
    greedy: list[int] = logits.argmax(dim=-1).tolist()
    plain = Sampling().model_dump(exclude={"max_tokens"})
    return [
        token
        if row.request.sampling.model_dump(exclude={"max_tokens"}) == plain
        else _draw_one(logits[i].cpu(), row)
        for i, (token, row) in enumerate(zip(greedy, rows, strict=True))
    ]


def _draw_one(logits: Any, row: Row) -> int:
    import torch

    sampling = row.request.sampling
    logits = penalise(logits, row.prompt, row.answer, sampling)
    if sampling.temperature == 0:
        return int(logits.argmax())
    if row.source is None:
        row.source = torch.Generator().manual_seed(row.seed)
    chances = narrow(torch.softmax(logits / sampling.temperature, dim=-1), sampling)
    return int(torch.multinomial(chances, 1, generator=row.source))


def penalise(logits: Any, prompt: list[int], answer: list[int], sampling: Sampling) -> Any:
    """Return logits with repeated tokens made less likely, as vLLM does it.

    The repetition penalty counts tokens of prompt and answer, the two others of the answer alone.

    Args:
        logits: float32, one a token of the vocabulary.
        prompt: Token ids of the prompt.
        answer: Token ids written so far.
        sampling: Its three penalties are used.
    """
    import torch

    logits = logits.clone()
    if sampling.repetition_penalty != 1.0:
        seen = torch.tensor(sorted({*prompt, *answer}))
        old = logits[seen]
        penalty = sampling.repetition_penalty
        logits[seen] = torch.where(old > 0, old / penalty, old * penalty)
    counts = torch.bincount(torch.tensor(answer, dtype=torch.long), minlength=len(logits))
    logits -= sampling.frequency_penalty * counts
    logits -= sampling.presence_penalty * (counts > 0)
    return logits


def narrow(chances: Any, sampling: Sampling) -> Any:
    """Return chances with unlikely tokens at 0, but never the likeliest.

    The rest need not add up to 1.

    Args:
        chances: float32, one a token of the vocabulary, adding up to 1.
        sampling: Its ``min_p``, ``top_k`` and ``top_p`` are used, in this order.
    """
    import torch

    chances = torch.where(chances < sampling.min_p * chances.max(), 0.0, chances)
    ordered, places = chances.sort(descending=True)
    if 0 < sampling.top_k < len(ordered):
        ordered[sampling.top_k :] = 0.0
    ordered = ordered / ordered.sum()
    before = ordered.cumsum(dim=-1) - ordered
    ordered[1:][before[1:] >= sampling.top_p] = 0.0
    return torch.zeros_like(chances).scatter(0, places, ordered)
