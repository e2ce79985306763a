"""From messages to the turns that a chat template takes, fitted just as far as it needs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Literal, NamedTuple, Required, TypedDict

from teval.schema import Call, Json, JsonObject, Message

JOIN = "\n\n"
"""What stands between turns that were merged."""

CALL_ID = "call{:05}"
"""Id of the n-th call of a prompt: nine letters and digits, which all templates take."""


class Turn(TypedDict, total=False):
    """One message as chat templates take it."""

    role: Required[str]
    content: Required[str]
    name: str
    tool_calls: list[Json]
    tool_call_id: str


class Roles(NamedTuple):
    """How messages are fitted to a template."""

    system: Literal["kept", "merged"] = "kept"
    """``merged``: the system turn stands at the head of the first user turn."""
    same_role: Literal["kept", "merged"] = "kept"
    """``merged``: consecutive turns of one role become one."""
    tool: Literal["tool", "user"] = "tool"
    """``user``: a tool's result is a user turn that begins with a marker."""
    calls: Literal["mapping", "string", "text"] = "mapping"
    """How an assistant's calls are given: their arguments as a mapping or as JSON text, or
    ``text``: behind a marker in what the assistant says."""


def adapt(messages: Iterable[Message], roles: Roles) -> list[Turn]:
    r"""Return the messages as turns that a template of these habits accepts.

    >>> say = Message(role="system", content="You have tools X.")
    >>> ask = Message(role="user", content="Weather in Oslo?")
    >>> adapt([say, ask], Roles(system="merged"))
    [{'role': 'user', 'content': 'You have tools X.\n\nWeather in Oslo?'}]
    """
    turns: list[Turn] = []
    calls: list[Call] = []
    due: list[tuple[str, str]] = []
    open_system = False
    for message in messages:
        if message.role in ("tool", "function"):
            turn = _result(message, roles, due)
        else:
            ids = [CALL_ID.format(len(calls) + n) for n in range(len(message.calls))]
            calls += message.calls
            due = [(i, call.name) for i, call in zip(ids, message.calls, strict=True)]
            turn = _turn(message, roles, ids)
        same = bool(turns) and turns[-1]["role"] == turn["role"]
        if same and "tool_call_id" not in turn and (open_system or roles.same_role == "merged"):
            _merge(turns[-1], turn)
        else:
            turns.append(turn)
        open_system = message.role == "system" and roles.system == "merged"
    return turns


def _turn(message: Message, roles: Roles, ids: list[str]) -> Turn:
    role = "user" if message.role == "system" and roles.system == "merged" else message.role
    if not message.calls:
        return {"role": role, "content": message.content}
    if roles.calls == "text":
        told = [f"[tool call: {call.name}]\n{_written(call.args)}" for call in message.calls]
        return {"role": role, "content": "\n".join(filter(None, [message.content, *told]))}
    return {
        "role": role,
        "content": message.content,
        "tool_calls": [
            {"id": i, "type": "function", "function": _function(call, roles)}
            for i, call in zip(ids, message.calls, strict=True)
        ],
    }


def _function(call: Call, roles: Roles) -> JsonObject:
    args: Json = _written(call.args) if roles.calls == "string" else call.args
    return {"name": call.name, "arguments": args}


def _written(args: JsonObject) -> str:
    return json.dumps(args, ensure_ascii=False)


def _result(message: Message, roles: Roles, due: list[tuple[str, str]]) -> Turn:
    """A tool's result; it answers the first of the calls that are due, if there is any."""
    call, name = due.pop(0) if due else ("", "tool")
    name = message.name or name
    if call and roles.calls != "text":
        content = message.content
        return {"role": "tool", "name": name, "content": content, "tool_call_id": call}
    if not call and roles.tool == "tool":
        return {"role": "tool", "name": name, "content": message.content}
    return {"role": "user", "content": f"[tool result: {name}]\n{message.content}"}


def _merge(turn: Turn, more: Turn) -> None:
    turn["content"] += JOIN + more["content"]
    if "tool_calls" in more:
        turn["tool_calls"] = turn.get("tool_calls", []) + more["tool_calls"]
