"""What an answer must hold, and what reading made of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from teval.schema.stored import Json


@dataclass(frozen=True)
class Field:
    """One field of an answer."""

    name: str
    """Canonical name in :attr:`Reply.values`: ``thought``, ``name``, ``args``, ``review``, …"""
    type: Literal["string", "integer", "boolean", "object"]
    label: str = ""
    """The key (JSON) or the label at a line's start (string) that the answer must use; the
    canonical name where empty."""
    required: bool = True
    end: str = ""
    """What closes the field in labelled text (``</args>``); nothing where the next label does."""

    @property
    def key(self) -> str:
        """The key or label as it stands in the answer."""
        return self.label or self.name


@dataclass(frozen=True)
class Shape:
    """All fields of an answer, in order."""

    fields: tuple[Field, ...]
    many: bool = False
    """Whether the answer is a list of such objects (a plan)."""


@dataclass(frozen=True)
class Reply:
    """What reading made of one answer."""

    values: Mapping[str, Json] = field(default_factory=dict)
    """Canonical field name to value; only fields that could be read. A plan's steps stand
    under ``steps``."""
    parsed: bool = False
    """Whether all fields that the ability is scored by could be read."""
    well_formed: bool = False
    """Whether the answer is exactly what was asked for."""
    rule: str = ""
    """Which rule read it: ``json``, ``python``, ``repaired``, ``labels``, ``mention``, …"""
    candidates: int = 0
    """How many values of the right shape the answer held."""
    repairs: int = 0
    flags: tuple[str, ...] = ()
    """Remarks: ``reasoning_cut``, ``reasoning_unclosed``, ``observation_cut``, ``ambiguous``, …"""
