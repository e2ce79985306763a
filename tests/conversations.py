"""Conversations of every shape that a prompt can have, and what must hold of each rendering."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from teval.engines.chat import Chat
from teval.schema import Call, Message

SEARCH = Call(name="Rail.search", args={"to": "Lyon", "seats": 2})


def say(role: str, content: str, name: str | None = None, *calls: Call) -> Message:
    """One turn."""
    found = {"role": role, "content": content, "name": name, "calls": calls}
    return Message.model_validate(found)


_MIDDLES = ("user", "assistant", "call", "two calls", "function")


def conversations(longest: int) -> Iterator[tuple[Message, ...]]:
    """Yield all conversations of up to so many parts between the first and the last user turn.

    Each comes with and without a system turn; where its last part is a tool's result, also
    without the last user turn. Every turn says something that stands nowhere else.
    """
    for length in range(longest + 1):
        for parts in product(_MIDDLES, repeat=length):
            middle = [message for n, part in enumerate(parts) for message in _part(part, n)]
            talk = (say("user", "first ask"), *middle)
            ends = [(*talk, say("user", "last ask"))]
            if talk[-1].role in ("tool", "function"):
                ends.append(talk)
            for end in ends:
                yield end
                yield (say("system", "the rules"), *end)


def _part(kind: str, number: int) -> list[Message]:
    if kind == "function":
        return [say("function", f'{{"found": {number}}}', f"Kit{number}.get")]
    if kind in ("user", "assistant"):
        return [say(kind, f"{kind} says {number}")]
    calls = [
        Call(name=f"Kit{number}.verb{n}", args={f"key{number}{n}": f"value {number}{n}"})
        for n in range(1 + (kind == "two calls"))
    ]
    results = [say("tool", f"result {number}{n}", call.name) for n, call in enumerate(calls)]
    return [say("assistant", f"thought {number}", None, *calls), *results]


def assert_whole(chat: Chat, messages: tuple[Message, ...]) -> None:
    """Hold that nothing of a conversation is lost, out of order, or quoted twice.

    Where the system's words stand is the template's own affair.
    """
    text = chat.render(messages)
    place = -1
    for message in messages:
        if message.role == "system":
            assert message.content in text
            continue
        found = text.find(message.content, place + 1)
        assert found >= 0, f"{message.content!r} is lost or out of order in {text!r}"
        place = found
        for call in message.calls:
            for part in (call.name, *call.args, *map(str, call.args.values())):
                assert text.find(part, place) >= 0, f"{part!r} is lost in {text!r}"
    assert '\\"' not in text
    ids = chat.encode(messages)
    begin = chat.tokenizer.bos_token_id
    assert begin is None or ids.count(begin) <= 1
