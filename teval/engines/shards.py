"""Where a list of requests is cut so that shared beginnings stay together."""

from __future__ import annotations

from collections.abc import Sequence

from teval.engines.prefixes import shared_length
from teval.schema import Request


def cut(requests: Sequence[Request], size: int) -> list[Sequence[Request]]:
    """Return contiguous shards that together are the requests.

    Each cut stands where two neighbours have the shortest beginning in common, which in a list
    in the order of its text is where the next path or tool list begins.

    Args:
        requests: In the order of their text.
        size: Requests in a shard, about: half as many at least, but for the last one, and half as
            many more at most; at least 1.
    """
    shards: list[Sequence[Request]] = []
    start = 0
    while len(requests) - start > size + size // 2:
        ends = range(start + max(1, size // 2), start + size + size // 2 + 1)
        # Of equally good cuts the one that gives the size asked for.
        end = min(
            ends, key=lambda i: (_shared(requests[i - 1], requests[i]), abs(i - start - size))
        )
        shards.append(requests[start:end])
        start = end
    return [*shards, requests[start:]] if start < len(requests) else shards


def _shared(one: Request, other: Request) -> int:
    """Return how many characters two prompts have in common at their beginning."""
    if one.functions != other.functions:  # which templates put first
        return 0
    total = 0
    for a, b in zip(one.messages, other.messages, strict=False):
        if a != b:
            alike = a.role == b.role
            return total + (shared_length(a.content, b.content) if alike else 0)
        total += len(a.content)
    return total
