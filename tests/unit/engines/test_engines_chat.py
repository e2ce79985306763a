"""Rendering and tokenising with templates of several habits, without any model."""

from __future__ import annotations

import pytest
from chat_templates import ALTERNATING, CHATML, MAPPING, NO_SYSTEM, NO_TOOL, Letters

from teval.engines.chat import Chat, draw_seed
from teval.engines.turns import Roles, adapt
from teval.errors import EngineError
from teval.schema import Message, Request, Sampling

STRICT = "{% if messages[0].role == 'system' %}{{ raise_exception('no') }}{% endif %}" + (
    ALTERNATING.replace("{% if not", "{% if m.role == 'tool' or not")
)
FORGETFUL = (
    "{% for m in messages %}{% if m.role in ['user', 'assistant'] %}<|{{ m.role }}|>"
    "{{ m.content }}\n{% endif %}{% endfor %}"
)


def say(role: str, content: str, name: str | None = None) -> Message:
    return Message.model_validate({"role": role, "content": content, "name": name})


SYSTEM_AND_USER = (say("system", "You have tools X."), say("user", "Weather in Oslo?"))
TWICE = (
    say("system", "S"),
    say("user", "a"),
    say("user", "b"),
    say("assistant", "c"),
    say("assistant", "d"),
    say("user", "e"),
)
TOOL_RESULT = (
    say("user", "hi"),
    say("assistant", "Rail.search"),
    say("function", '{"trains": []}', "Rail.search"),
)


@pytest.mark.parametrize(
    ("template", "roles"),
    [
        (MAPPING, Roles()),
        (CHATML, Roles(calls="text")),
        (NO_SYSTEM, Roles(system="merged", calls="text")),
        (NO_TOOL, Roles(tool="user", calls="text")),
        (ALTERNATING, Roles(same_role="merged", calls="text")),
        (STRICT, Roles(system="merged", same_role="merged", tool="user", calls="text")),
        (FORGETFUL, Roles(system="merged", tool="user", calls="text")),
    ],
)
def test_probing_finds_what_a_template_accepts(template: str, roles: Roles) -> None:
    assert Chat(Letters(template)).roles == roles


def test_a_refused_system_turn_stands_at_the_head_of_the_first_user_turn() -> None:
    text = Chat(Letters(NO_SYSTEM)).render(SYSTEM_AND_USER)
    assert text == "<|user|>You have tools X.\n\nWeather in Oslo?\n<|assistant|>"


def test_an_accepted_system_turn_stays() -> None:
    text = Chat(Letters(CHATML)).render(SYSTEM_AND_USER)
    assert text == "<|system|>You have tools X.\n<|user|>Weather in Oslo?\n<|assistant|>"


@pytest.mark.parametrize(
    ("template", "turns"),
    [
        (ALTERNATING, ["system S", "user a\n\nb", "assistant c\n\nd", "user e"]),
        (STRICT, ["user S\n\na\n\nb", "assistant c\n\nd", "user e"]),
        (NO_SYSTEM, ["user S\n\na", "user b", "assistant c", "assistant d", "user e"]),
        (CHATML, ["system S", "user a", "user b", "assistant c", "assistant d", "user e"]),
    ],
)
def test_turns_of_one_role_are_merged_only_where_they_must_be(
    template: str, turns: list[str]
) -> None:
    adapted = adapt(TWICE, Chat(Letters(template)).roles)
    assert [f"{turn['role']} {turn['content']}" for turn in adapted] == turns


def test_a_tool_result_is_a_tool_turn_where_the_template_knows_it() -> None:
    assert adapt(TOOL_RESULT, Roles())[-1] == {
        "role": "tool",
        "name": "Rail.search",
        "content": '{"trains": []}',
    }


@pytest.mark.parametrize("template", [NO_TOOL, STRICT, FORGETFUL])
def test_a_tool_result_is_never_lost(template: str) -> None:
    text = Chat(Letters(template)).render(TOOL_RESULT)
    assert '<|user|>[tool result: Rail.search]\n{"trains": []}' in text


def test_a_nameless_tool_result_has_a_marker_too() -> None:
    turn = adapt([say("tool", "4")], Roles(tool="user"))[0]
    assert turn == {"role": "user", "content": "[tool result: tool]\n4"}


@pytest.mark.parametrize(
    ("tokenizer", "begin"),
    [
        (Letters("<s>" + CHATML, bos_token_id=1, adds_bos=True), [1]),
        (Letters("<s>" + CHATML, bos_token_id=1), [1]),
        (Letters(CHATML, bos_token_id=1, adds_bos=True), [1]),
        (Letters(CHATML, bos_token_id=1), []),
        (Letters(CHATML), []),
    ],
)
def test_a_prompt_begins_with_one_bos_or_none(tokenizer: Letters, begin: list[int]) -> None:
    ids = Chat(tokenizer).encode([say("user", "hi")])
    assert ids == begin + [ord(c) for c in "<|user|>hi\n<|assistant|>"]


def test_two_bos_in_a_template_are_refused() -> None:
    chat = Chat(Letters("<s><s>" + CHATML, bos_token_id=1))
    with pytest.raises(EngineError, match="two BOS tokens"):
        chat.encode([say("user", "hi")])


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("", "has no chat template"),
        ("{{ raise_exception('never') }}", "can't render one plain user turn"),
    ],
)
def test_a_useless_template_is_told_with_the_way_out(template: str, message: str) -> None:
    with pytest.raises(EngineError, match=message):
        Chat(Letters(template)).describe()


def test_template_options_reach_the_template_and_the_description() -> None:
    template = CHATML + "{% if think is defined and not think %}<nothink>{% endif %}"
    chat = Chat(Letters(template), {"think": False})
    assert chat.render([say("user", "q")]).endswith("<|assistant|><nothink>")
    assert chat.describe()["template_options"] == {"think": False}


def test_the_description_changes_with_the_template() -> None:
    one, other = Chat(Letters(CHATML)).describe(), Chat(Letters(CHATML + " ")).describe()
    assert one["template"] != other["template"]
    assert one["roles"] == {
        "system": "kept",
        "same_role": "kept",
        "tool": "tool",
        "calls": "text",
    }
    assert one["example"] == "<|system|>S\n<|user|>U\n<|assistant|>"


def test_answers_are_decoded_without_steering_tokens() -> None:
    assert Chat(Letters(CHATML)).decode([1, ord("o"), ord("k"), 2]) == "ok"


@pytest.mark.parametrize(("end", "stops"), [(None, frozenset()), (2, frozenset({2}))])
def test_an_answer_ends_where_the_tokenizer_says(end: int | None, stops: frozenset[int]) -> None:
    assert Chat(Letters(CHATML, eos_token_id=end)).stops == stops


def test_each_request_draws_with_a_seed_of_its_own() -> None:
    ask = Request(prompt="p", messages=(), sampling=Sampling(temperature=1.0))
    seeds = {draw_seed(ask.model_copy(update={"repeat": i})) for i in range(20)}
    assert len(seeds) == 20
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert draw_seed(ask) == draw_seed(ask.model_copy())
