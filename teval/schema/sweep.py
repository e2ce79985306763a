"""What a sweep over many models comes to: how each one ended, and its numbers where it has some."""

from __future__ import annotations

from typing import Literal

from teval.schema.stored import Frozen
from teval.schema.summary import Summary


class SweptModel(Frozen):
    """One model of a sweep."""

    label: str
    """The shortest end of the model's name that no other model of the sweep shares."""
    model: str
    """A folder, or a name on a hub or of the catalogue."""
    state: Literal["done", "left_over", "failed"]
    """``left_over``: scored, but the engine left requests unanswered."""
    why: str = ""
    """What went wrong; empty where nothing did."""
    changed: tuple[str, ...] = ()
    """Settings made smaller after a start for which there was not enough memory."""
    folder: str
    """The run's folder."""
    log: str
    """The file that holds all that the run said."""
    summary: Summary | None = None
    """The run's numbers; None where it failed."""


class Sweep(Frozen):
    """A sweep, done: its models in the order in which they were named."""

    name: str
    models: tuple[SweptModel, ...]
