"""What every stored record shares: frozen models, JSON values, canonical text, digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Self, TypeAlias

from pydantic import BaseModel, ConfigDict, JsonValue

Json: TypeAlias = JsonValue
JsonObject: TypeAlias = dict[str, JsonValue]


class Frozen(BaseModel):
    """A stored record: can't be changed, and refuses keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def model_copy(self, *, update: Mapping[str, object] | None = None, deep: bool = False) -> Self:
        """Return a copy, without what was worked out from the original's fields and kept."""
        copied = super().model_copy(update=update, deep=deep)
        for name in vars(copied).keys() - type(self).model_fields.keys():
            del vars(copied)[name]
        return copied


_ENCODER = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
)


def canonical(value: object) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, no ASCII escapes.

    Args:
        value: Anything ``json`` can write; not-a-number and infinities are refused.

    Raises:
        ValueError: The value holds a number that JSON has no text for.

    >>> canonical({"b": 1, "a": "é"})
    '{"a":"é","b":1}'
    """
    return _ENCODER.encode(value)


def whole_text(text: str) -> str:
    r"""Return a text that can be stored: half a surrogate pair, which JSON can spell, is replaced.

    >>> whole_text("cut \ud83c off") == "cut \ufffd off"
    True
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def digest(value: object, length: int = 16) -> str:
    """Return the first hex digits of the SHA-256 of a value's canonical text.

    Args:
        value: Anything :func:`canonical` takes.
        length: How many hex digits, 1 to 64.
    """
    text = canonical(value).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:length]
