"""What was found wrong in gold data after it was published."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from teval.schema.stored import Frozen, JsonObject


class Erratum(Frozen):
    """One case that is not to be scored as it stands."""

    case: str
    """The case's id."""
    hash: str
    """Of the case's prompt and gold, so that nothing happens to one that was mended since."""
    action: Literal["exclude", "amend"]
    gold: JsonObject = {}
    """For ``amend``: the fields of the gold that change, other right answers among them."""
    reason: str = Field(min_length=1)

    @model_validator(mode="after")
    def _tell_what_changes(self) -> Self:
        if (self.action == "amend") != bool(self.gold):
            raise ValueError("amend needs gold, and exclude has none")
        return self
