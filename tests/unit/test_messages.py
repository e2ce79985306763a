"""Turns with calls: how they are stored, and in which order they may stand."""

from __future__ import annotations

import pytest
from conversations import SEARCH, say
from pydantic import ValidationError

from teval.prompting import prompt_hash
from teval.schema import Case, Message

USER, CALL, RESULT = say("user", "q"), say("assistant", "t", None, SEARCH), say("tool", "r")
BOTH = say("assistant", "t", None, SEARCH, SEARCH)
TOLD = say("assistant", "done")


def case_of(*messages: Message) -> Case:
    return Case(
        id="c7",
        ability="review",
        format="json",
        language="en",
        family="f",
        path="p",
        messages=messages,
        tools=(),
        gold={"review": "A"},
        prompt="x",
    )


@pytest.mark.parametrize(
    "messages",
    [
        (USER, CALL, RESULT, TOLD),
        (USER, CALL, RESULT, USER),
        (USER, BOTH, RESULT, RESULT, TOLD),
        (USER, TOLD, RESULT, USER),
        (USER, RESULT, USER),
        (USER, CALL),
    ],
)
def test_results_follow_their_calls(messages: tuple[Message, ...]) -> None:
    assert case_of(*messages).messages == messages


@pytest.mark.parametrize(
    "messages",
    [
        (USER, TOLD, CALL, USER, RESULT),
        (USER, CALL, TOLD, RESULT),
        (USER, BOTH, RESULT, TOLD),
        (say("user", "q", None, SEARCH), RESULT),
    ],
)
def test_another_order_is_refused_with_the_case(messages: tuple[Message, ...]) -> None:
    with pytest.raises(ValidationError, match="case c7: the order of turns"):
        case_of(*messages)


def test_messages_come_back_as_they_were() -> None:
    for message in (USER, CALL, RESULT, BOTH):
        assert Message.model_validate_json(message.model_dump_json()) == message


def test_only_a_message_with_calls_tells_of_them() -> None:
    assert set(USER.model_dump()) == {"role", "content", "name"}
    assert CALL.model_dump()["calls"] == ({"name": "Rail.search", "args": SEARCH.args},)
    assert prompt_hash([CALL]) != prompt_hash([say("assistant", "t")])
