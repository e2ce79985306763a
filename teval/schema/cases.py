"""Test cases: one scored unit each, with the messages the model will see."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Literal, TypeAlias, TypeVar

from pydantic import (
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)

from teval.schema.paths import Call
from teval.schema.stored import Frozen, Json, JsonObject

Ability: TypeAlias = str
Format: TypeAlias = Literal["json", "string", "tools"]
"""Form of an answer; ``tools`` is a call in the model's own syntax."""
History: TypeAlias = Literal["log", "turns"]
"""How the steps made so far are shown: in words within the one user turn, or as turns."""
Gold = TypeVar("Gold", bound=Frozen)


class Message(Frozen):
    """One turn of a chat."""

    role: Literal["system", "user", "assistant", "tool", "function"]
    content: str
    name: str | None = None
    calls: tuple[Call, ...] = ()
    """Calls that an assistant's turn makes; their results follow right after it, in order."""

    @field_validator("calls", mode="before")
    @classmethod
    def _read_calls(cls, calls: object) -> object:
        """Take calls as chat interfaces spell them too."""
        return tuple(map(_plain_call, calls)) if isinstance(calls, list | tuple) else calls

    @model_serializer(mode="wrap")
    def _leave_out_no_calls(self, write: SerializerFunctionWrapHandler) -> dict[str, object]:
        """Write ``calls`` only where there are any, so that other messages' hashes stay."""
        written: dict[str, object] = write(self)
        if not self.calls:
            del written["calls"]
        return written


def _plain_call(call: object) -> object:
    """A call with name and arguments, out of ``{"function": {"name": …, "arguments": "…"}}``."""
    if not isinstance(call, dict) or not isinstance(call.get("function"), dict):
        return call
    spelled = call["function"]
    args = spelled.get("arguments")
    if isinstance(args, str):
        try:
            read = json.loads(args or "{}")
        except ValueError:
            read = None
        args = read if isinstance(read, dict) else {RAW: args}
    return {"name": spelled.get("name"), "args": args or {}}


def ordered(messages: Sequence[Message]) -> bool:
    """Tell whether the results of each call follow it, one each, before anybody else speaks."""
    open_calls = 0
    for message in messages:
        if message.role in ("tool", "function"):
            open_calls = max(0, open_calls - 1)
        elif open_calls or (message.calls and message.role != "assistant"):
            return False
        else:
            open_calls = len(message.calls)
    return True


RAW = "_raw"
"""Name under which arguments are kept that could not be read."""


class Function(Frozen):
    """One tool as it is offered through a model's own interface for calls."""

    name: str
    """As templates and servers take it: letters, digits, ``_`` and ``-``, at most 64."""
    tool: str
    """The tool's own name, which the other one is read back into."""
    description: str
    parameters: JsonObject
    """JSON Schema of the arguments."""

    @property
    def offer(self) -> JsonObject:
        """The function in the form that templates and servers take."""
        told = self.model_dump(mode="json", exclude={"tool"})
        return {"type": "function", "function": told}


OWN_KEY = "teval"
"""Key beside the release's own, under which a record of ours says what that layout can't."""


class Release(Frozen):
    """What the layout of the T-Eval release says of a case besides its prompt."""

    set: str = ""
    """Name of the set, and so of the file: ``plan_json_v2``."""
    id: str = ""
    """The record's key in that file."""
    ground_truth: Json
    template: dict[str, str] = {}
    """Keys or labels that instruct asks for."""
    names: tuple[str, ...] | None = None
    """``API_list``, the names of the tools; None where the record has none."""
    more: JsonObject = {}
    """All other keys of the record, unchanged."""


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
    """Names of all tools listed in the messages or offered beside them, finish included."""
    functions: tuple[Function, ...] = ()
    """Offered beside the messages, in the format ``tools``; there the messages list none."""
    constraint: JsonObject | None = None
    """JSON Schema that the answer is held to while it is written; None where it is free."""
    gold: JsonObject
    """What is right, as a JSON mapping of the ability's gold type."""
    prompt: str
    """Hash of messages and functions; cases with one hash are answered by one request."""
    release: Release | None = None
    """The record of a published file that the case was read from; None for our own cases."""

    @model_validator(mode="after")
    def _check_order(self) -> Case:
        """Refuse messages in which something comes between a call and its result.

        Raises:
            ValueError: Something does.
        """
        if not ordered(self.messages):
            raise ValueError(
                f"case {self.id}: the order of turns must be call, result, answer; mend messages"
            )
        return self

    def right(self, model: type[Gold]) -> Gold:
        """Return :attr:`gold` as the ability's gold type; read once.

        Raises:
            ValidationError: It is none.
        """
        found = self._right.get(model)
        if not isinstance(found, model):
            found = self._right[model] = model.model_validate(self.gold)
        return found

    @cached_property
    def _right(self) -> dict[type[Frozen], Frozen]:
        return {}
