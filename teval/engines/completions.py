"""Completions that need no engine to be made."""

from __future__ import annotations

from teval.schema import Completion, Request


def overflow(request: Request, tokens: int, window: int) -> Completion:
    """Return the completion of a request whose prompt leaves no room for an answer.

    Args:
        request: The request.
        tokens: Length of its prompt.
        window: The most tokens of prompt and answer together.
    """
    return Completion(
        request=request.key,
        prompt=request.prompt,
        finish="overflow",
        error=f"the prompt has {tokens} tokens, the model takes {window}",
        prompt_tokens=tokens,
    )
