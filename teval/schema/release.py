"""A record of a published T-Eval file, as sources hand it to the abilities."""

from __future__ import annotations

from dataclasses import dataclass

from teval.schema.cases import Ability, Format, Message, Release
from teval.schema.paths import Tool
from teval.schema.stored import Json


@dataclass(frozen=True)
class PublishedRecord:
    """One record, read but not understood by any ability yet."""

    release: Release
    abilities: tuple[Ability, ...]
    """Those that the answer is scored for; three for a joint reply."""
    format: Format
    language: str
    family: str
    path: str
    step: int | None = None
    messages: tuple[Message, ...] = ()
    """``origin_prompt``, turn by turn; empty where the file leaves it out."""
    tools: tuple[Tool, ...] = ()
    """The tools that the prompt lists, as far as they could be read from it."""
    answered: bool = False
    """Whether the record has a ``prediction``."""
    prediction: Json = None
    """The answer; text, but for files that a faulty run left behind. Not checked in any way."""
