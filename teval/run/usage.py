"""What a run's answers took, in tokens: how much was read, and how much had to be computed."""

from __future__ import annotations

from collections.abc import Iterable

from teval.schema import Completion, Usage


def usage_of(completions: Iterable[Completion]) -> Usage | None:
    """Return what all completions took together; None where none is an answer.

    Args:
        completions: One a request, in any order. Those that failed or did not fit took nothing.
    """
    answers = prompt = cached = written = shared = 0
    sees_tokens = True
    for completion in completions:
        if completion.finish not in ("stop", "length"):
            continue
        answers += 1
        prompt += completion.prompt_tokens
        cached += completion.cached_tokens
        written += completion.completion_tokens
        shared += completion.shared_tokens or 0
        sees_tokens = sees_tokens and completion.shared_tokens is not None
    if not answers:
        return None
    return Usage(
        prompt_tokens=prompt,
        distinct_tokens=prompt - shared if sees_tokens else None,
        computed_tokens=prompt - cached,
        completion_tokens=written,
    )
