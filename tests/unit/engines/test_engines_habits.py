"""Ten chat templates of one habit each: whatever it is, prompts come out whole."""

from __future__ import annotations

import pytest
from chat_templates import (
    ANY_JSON,
    BOS,
    EMPTY_CALLS,
    JSON_TEXT,
    MAPPING,
    NO_TOOL,
    TAGS,
    TEMPLATES,
    Letters,
)
from conversations import SEARCH, assert_whole, conversations, say

from teval.engines.chat import Chat
from teval.engines.turns import Roles, adapt
from teval.errors import EngineError
from teval.schema import Message

WORKING = {name: text for name, text in TEMPLATES.items() if text}
USER = (say("user", "first ask"),)
HISTORY = (
    say("user", "hi"),
    say("assistant", "search first", None, SEARCH),
    say("function", '{"trains": []}', "Rail.search"),
    say("user", "and now?"),
)


def chat_of(habit: str) -> Chat:
    bos = BOS if "BOS" in habit else None
    return Chat(Letters(TEMPLATES[habit], bos_token_id=bos, adds_bos=habit == "BOS outside"))


@pytest.mark.parametrize("habit", WORKING)
def test_no_conversation_loses_anything(habit: str) -> None:
    chat = chat_of(habit)
    for messages in conversations(longest=2):
        assert_whole(chat, messages)


@pytest.mark.parametrize("habit", WORKING)
def test_the_model_answers_right_after_the_templates_own_words(habit: str) -> None:
    """Nothing is put into the model's mouth."""
    end = "<|assistant|><think>" if habit == "opens the thought" else "<|assistant|>"
    assert chat_of(habit).render(USER).endswith(f"<|user|>first ask\n{end}")


@pytest.mark.parametrize(
    ("habit", "roles"),
    [
        ("refuses system", Roles(system="merged", calls="text")),
        ("strict alternation", Roles(same_role="merged", calls="text")),
        ("no tool role", Roles(tool="user", calls="text")),
        ("BOS inside", Roles(calls="text")),
        ("BOS outside", Roles(calls="text")),
        ("opens the thought", Roles(calls="text")),
        ("arguments as mapping", Roles()),
        ("empty tool_calls raises", Roles()),
        ("default system turn", Roles(calls="text")),
    ],
)
def test_messages_are_fitted_only_where_the_template_needs_it(habit: str, roles: Roles) -> None:
    assert chat_of(habit).roles == roles


@pytest.mark.parametrize(
    ("habit", "bos"), [("BOS inside", "template"), ("BOS outside", "tokenizer")]
)
def test_a_prompt_has_one_bos_wherever_it_comes_from(habit: str, bos: str) -> None:
    chat = chat_of(habit)
    assert chat.describe()["bos"] == bos
    ids = chat.encode(USER)
    assert ids[0] == BOS
    assert ids.count(BOS) == 1


def test_a_model_without_bos_gets_none() -> None:
    chat = chat_of("refuses system")
    assert chat.describe()["bos"] is None
    assert BOS not in chat.encode(USER)


def test_a_template_that_opens_the_thought_is_known_by_that() -> None:
    template = TEMPLATES["opens the thought"]
    assert Chat(Letters(template, tags=TAGS)).thought.opened == "<think>"


def test_a_default_system_turn_gives_way_to_one_of_ours() -> None:
    chat = chat_of("default system turn")
    assert chat.render(USER).startswith("<|system|>You are helpful.\n<|user|>")
    assert "helpful" not in chat.render([say("system", "S"), *USER])


def test_no_template_at_all_is_refused_with_the_way_out() -> None:
    with pytest.raises(EngineError, match=r"no chat template.*put the template"):
        chat_of("none at all").render(USER)


@pytest.mark.parametrize(
    ("template", "form", "shown"),
    [
        (MAPPING, "mapping", "to=Lyon;seats=2;"),
        (ANY_JSON, "mapping", '{"to": "Lyon", "seats": 2}'),
        (JSON_TEXT, "string", '{"to": "Lyon", "seats": 2}'),
    ],
)
def test_arguments_are_given_as_the_template_wants_them(
    template: str, form: str, shown: str
) -> None:
    chat = Chat(Letters(template))
    assert chat.roles.calls == form
    assert chat.render(HISTORY) == (
        f"<|user|>hi\n<|assistant|>search first<call>Rail.search {shown}</call>\n"
        '<|tool|>{"trains": []}\n<|user|>and now?\n<|assistant|>'
    )


def test_arguments_that_a_template_would_quote_twice_are_told_in_words() -> None:
    quoting = JSON_TEXT.replace(
        "'' + call.function.arguments", "('' + call.function.arguments) | tojson"
    )
    chat = Chat(Letters(quoting))
    assert chat.roles.calls == "text"
    assert '{"to": "Lyon", "seats": 2}' in chat.render(HISTORY)


@pytest.mark.parametrize(
    ("template", "tool"),
    [
        ("{{ m.content | tojson if m.role == 'tool' else m.content }}", "user"),
        (
            "{% if m.role == 'tool' and messages[loop.index0 - 1].role == 'user' %}"
            "{{ raise_exception('no call') }}{% endif %}{{ m.content }}",
            "user",
        ),
        ("{{ m.content }}", "tool"),
    ],
)
def test_a_result_is_a_tools_turn_only_where_it_comes_out_whole(template: str, tool: str) -> None:
    chat = Chat(Letters("{% for m in messages %}<" + template + ">{% endfor %}"))
    assert chat.roles.tool == tool
    for talk in ((*USER, HISTORY[2]), (*USER, say("assistant", "a"), HISTORY[2])):
        assert '{"trains": []}' in chat.render(talk)


def test_a_template_that_knows_no_calls_gets_them_behind_a_marker() -> None:
    assert Chat(Letters(NO_TOOL)).render(HISTORY) == (
        "<|user|>hi\n<|assistant|>search first\n[tool call: Rail.search]\n"
        '{"to": "Lyon", "seats": 2}\n<|user|>[tool result: Rail.search]\n{"trains": []}\n'
        "<|user|>and now?\n<|assistant|>"
    )


def test_the_key_for_calls_is_there_only_with_calls() -> None:
    turns = adapt([say("assistant", "no call"), *HISTORY], Roles())
    assert ["tool_calls" in turn for turn in turns] == [False, False, True, False, False]
    assert Chat(Letters(EMPTY_CALLS)).render([*USER, say("assistant", "a"), *USER])


def test_results_bear_the_ids_of_their_calls() -> None:
    pair = (SEARCH, SEARCH.model_copy(update={"name": "Rail.book"}))
    talk = [
        say("assistant", "", None, *pair),
        say("tool", "one"),
        say("tool", "two"),
        say("assistant", "", None, SEARCH),
        say("tool", "three"),
    ]
    turns = adapt(talk, Roles(same_role="merged"))
    asked = [call["id"] for turn in turns for call in turn.get("tool_calls", [])]  # type: ignore[index,call-overload]
    answered = [turn["tool_call_id"] for turn in turns if "tool_call_id" in turn]
    assert asked == answered == ["call00000", "call00001", "call00002"]
    names = [turn["name"] for turn in turns if turn["role"] == "tool"]
    assert names == ["Rail.search", "Rail.book", "Rail.search"]


@pytest.mark.parametrize(
    ("arguments", "args"),
    [
        ('{"city": "Paris"}', {"city": "Paris"}),
        ({"city": "Paris"}, {"city": "Paris"}),
        ('{city: "Paris"', {"_raw": '{city: "Paris"'}),
        ('["Paris"]', {"_raw": '["Paris"]'}),
        ("", {}),
    ],
)
def test_arguments_written_as_text_are_read_once(arguments: object, args: object) -> None:
    spelled = {"id": "x", "type": "function", "function": {"name": "find", "arguments": arguments}}
    message = Message.model_validate({"role": "assistant", "content": "", "calls": [spelled]})
    assert [(call.name, call.args) for call in message.calls] == [("find", args)]
    text = Chat(Letters(MAPPING)).render([*USER, message, say("tool", "done"), *USER])
    assert "Paris" in text or not args
    assert '\\"' not in text


def test_a_call_in_words_can_be_read_back() -> None:
    (turn,) = adapt([say("assistant", "search first", None, SEARCH)], Roles(calls="text"))
    thought, marked, args = turn["content"].split("\n")
    read = {"name": marked.removeprefix("[tool call: ").removesuffix("]"), "args": args}
    assert thought == "search first"
    assert Message.model_validate(
        {
            "role": "assistant",
            "content": thought,
            "calls": [{"function": {"name": read["name"], "arguments": read["args"]}}],
        }
    ).calls == (SEARCH,)
