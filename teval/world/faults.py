"""Planned failures: what a tool answers when the service behind it breaks."""

from __future__ import annotations

from teval.schema import Fault, JsonObject

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
"""Answer by kind of fault; ``misrouted`` has none, since it answers well but for another entity."""


def body(fault: Fault) -> JsonObject:
    """Return what the tool answers under a fault that is not ``misrouted``."""
    return dict(BODIES[fault.kind])
