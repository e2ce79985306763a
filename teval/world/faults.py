"""Planned failures: what a tool answers when the service behind it breaks."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from teval.schema import Fault, Json, JsonObject

BODIES: dict[str, JsonObject] = {
    "timeout": {
        "error": "Gateway timeout: the service did not answer within 30 s.",
        "code": 504,
    },
    "rate_limit": {
        "error": "Too many requests: the service is over its quota.",
        "code": 429,
        "retry_after_seconds": 20,
    },
    "unavailable": {
        "error": "Service unavailable: the server is down for maintenance.",
        "code": 503,
    },
    "malformed": {
        "error": "Bad gateway: the response could not be decoded.",
        "code": 502,
        "raw": '{"status": "ok", "data": [{"id": ',
    },
}
"""Answer by kind of fault where the whole of it is lost."""

WORDINGS: dict[str, tuple[str, ...]] = {
    "timeout": (
        "timed out after {n} s",
        "no answer within {n} s",
        "gateway timeout, code 504",
        "connection dropped after {n} s",
    ),
    "rate_limit": (
        "too many requests, code 429",
        "over its quota for {n} s more",
        "refused for load, next try in {n} s",
        "busy, {n} requests before this one",
    ),
    "unavailable": (
        "service unavailable, code 503",
        "server down for maintenance",
        "its database is locked",
        "restarting since {n} s",
    ),
    "malformed": (
        "response could not be decoded",
        "bad gateway, code 502",
        "cut off after {n} bytes",
        "checksum of {n} blocks is wrong",
    ),
}
"""How a notice tells that a part of an answer failed, by kind of fault."""

_NUMBERS = (5, 10, 20, 30, 60)


def body(fault: Fault) -> JsonObject:
    """Return what the tool answers under a fault that takes the whole answer."""
    return dict(BODIES[fault.kind])


def failure(part: str, kind: str, rng: Random) -> str:
    """Return the notice that a part of an answer failed.

    Args:
        part: What is missing.
        kind: A key of :data:`WORDINGS`.
        rng: Picks the wording.
    """
    return f"{part}: {rng.choice(WORDINGS[kind]).format(n=rng.choice(_NUMBERS))}"


def without(content: JsonObject, lost: Collection[str]) -> JsonObject:
    """Return an answer without the values under some keys, at whatever depth.

    What holds nothing any more goes as well.

    >>> without({"city": "Ivyton", "days": [{"high": 3}, {"high": 5}], "total": 2}, ["high"])
    {'city': 'Ivyton', 'total': 2}
    """
    kept = {key: _without(part, lost) for key, part in content.items() if key not in lost}
    return {key: part for key, part in kept.items() if part not in ({}, []) or part == content[key]}


def _without(value: Json, lost: Collection[str]) -> Json:
    if isinstance(value, dict):
        return without(value, lost)
    if isinstance(value, list):
        parts = [_without(part, lost) for part in value]
        return [part for part, whole in zip(parts, value, strict=True) if part or part == whole]
    return value
