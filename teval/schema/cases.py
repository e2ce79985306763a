"""Test cases: one scored unit each, with the messages the model will see."""

from __future__ import annotations

from typing import Literal, TypeAlias

from teval.schema.stored import Frozen, JsonObject

Ability: TypeAlias = str
Format: TypeAlias = Literal["json", "string"]


class Message(Frozen):
    """One turn of a chat."""

    role: Literal["system", "user", "assistant", "tool", "function"]
    content: str
    name: str | None = None


class Case(Frozen):
    """One scored unit: step x ability x format. Its messages are final."""

    id: str
    ability: Ability
    format: Format
    language: str
    family: str
    path: str
    step: int | None = None
    """The path's step that the case is about; None for a plan."""
    tags: tuple[str, ...] = ()
    messages: tuple[Message, ...]
    tools: tuple[str, ...]
    """Names of all tools listed in the messages, finish included."""
    gold: JsonObject
    """What is right, as a JSON mapping of the ability's gold type."""
    prompt: str
    """Hash of the messages; cases with one hash are answered by one request."""
