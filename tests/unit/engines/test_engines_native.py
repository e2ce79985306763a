"""Functions offered and schemas sent: through chat templates and to servers."""

from __future__ import annotations

import json

import pytest
from chat_templates import CHATML, Letters
from native_examples import FUNCTION, SCHEMA, offer
from openai_server import Played, Reply, Time, chat, in_process
from test_engines_chat import say

from teval.engines.chat import Chat
from teval.engines.openai import OpenAIEngine
from teval.engines.openai_servers import Outside
from teval.errors import EngineError
from teval.formats.tool_calls import parse
from teval.schema import Completion, Json, JsonObject, Request

WITH_TOOLS = (
    "{% if tools %}<|tools|>{% for t in tools %}{{ t | tojson }}\n{% endfor %}{% endif %}" + CHATML
)
REFUSING = "{% if tools %}{{ refuse('no tools') }}{% endif %}" + CHATML
CALL: JsonObject = {"name": "weather_ask", "arguments": '{"city": "Oslo"}'}


def test_functions_reach_the_template() -> None:
    text = Chat(Letters(WITH_TOOLS)).render([say("user", "hi")], [FUNCTION])
    head, _, rest = text.removeprefix("<|tools|>").partition("\n")
    assert json.loads(head) == FUNCTION.offer
    assert json.loads(head)["function"].keys() == {"name", "description", "parameters"}
    assert rest == "<|user|>hi\n<|assistant|>"


def test_without_functions_the_template_hears_of_none() -> None:
    plain = Chat(Letters("{{ 'told' if tools is defined else '' }}" + CHATML))
    assert plain.render([say("user", "hi")]) == "<|user|>hi\n<|assistant|>"


def test_offered_functions_are_among_the_tokens() -> None:
    native = Chat(Letters(WITH_TOOLS))
    messages = offer().messages
    assert len(native.encode(messages, (FUNCTION,))) == len(native.render(messages, (FUNCTION,)))


@pytest.mark.parametrize("template", [CHATML, REFUSING])
def test_a_template_without_a_place_for_tools_is_told_with_the_way_out(template: str) -> None:
    chat = Chat(Letters(template))
    assert not chat.takes_tools
    with pytest.raises(EngineError, match=r"no place for tools.*cases\.formats=\[json,string\]"):
        chat.encode(offer().messages, (FUNCTION,))
    assert chat.encode(offer().messages)


def test_marks_of_a_call_stay_and_the_end_comes_off() -> None:
    tokens = [ord(c) for c in "[CALL]x"]
    chat = Chat(Letters(CHATML, eos_token_id=2))
    assert chat.decode([1, *tokens, 2, 2], calls=True) == "\x01[CALL]x"
    assert chat.decode([1, *tokens, 2]) == "[CALL]x"


def ask(played: Played, *requests: Request) -> list[Completion]:
    moment = Time()
    outside = Outside(in_process({"server": played}), moment.clock, moment.sleep, lambda: 0.5, {})
    engine = OpenAIEngine(outside, base_url="http://server/v1", model="m")
    try:
        return list(engine.generate(requests))
    finally:
        engine.close()


def answer(finish: str = "tool_calls", text: str | None = None, *calls: Json) -> Played:
    told: list[Json] = [{"id": "1", "type": "function", "function": call} for call in calls]
    return Played(lambda _: Reply(chat(text, finish, tool_calls=told)))


def test_functions_are_sent_only_where_there_are_any() -> None:
    played = answer("tool_calls", None, CALL)
    ask(played, offer(), offer(constraint=SCHEMA))
    by_text = {"tools" in asked.fields: asked.fields for asked in played.asked}
    assert by_text[True]["tools"] == [FUNCTION.offer]
    assert "response_format" not in by_text[True]
    assert by_text[False]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True},
    }


@pytest.mark.parametrize("text", [None, "", "I look."])
@pytest.mark.parametrize("finish", ["tool_calls", "stop", "function_call"])
def test_calls_that_a_server_read_are_read_as_any_other(text: str | None, finish: str) -> None:
    (completion,) = ask(answer(finish, text, CALL), offer())
    assert completion.finish == "stop"
    assert completion.text.startswith(text or "<tool_call>")
    reply = parse(completion.text, [FUNCTION])
    assert reply.values == {"name": "weather.ask", "args": {"city": "Oslo"}}
    assert reply.well_formed
    assert reply.flags == ()


@pytest.mark.parametrize(
    ("arguments", "args", "well_formed"),
    [
        ({"city": "Oslo"}, {"city": "Oslo"}, True),
        (None, {}, True),
        ("", {}, True),
        ('{"city": "Close </tool_call> it"}', {"city": "Close </tool_call> it"}, True),
        ('{"city": "Oslo",}', {"city": "Oslo"}, False),
        ('{"city": "Os', {"city": "Os"}, False),
    ],
)
def test_arguments_stand_as_the_model_wrote_them(
    arguments: Json, args: Json, well_formed: bool
) -> None:
    call = {"name": "weather_ask", "arguments": arguments}
    (completion,) = ask(answer("tool_calls", None, call), offer())
    reply = parse(completion.text, [FUNCTION])
    assert reply.values["args"] == args
    assert reply.well_formed == well_formed


def test_several_calls_are_all_kept() -> None:
    (completion,) = ask(answer("tool_calls", None, CALL, CALL), offer())
    assert parse(completion.text, [FUNCTION]).flags == ("several_calls",)


@pytest.mark.parametrize(
    ("status", "line"),
    [
        (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser'),
        (400, "registry.ollama.ai/library/some:latest does not support tools"),
        (500, "tools param requires --jinja flag"),
        (404, "No endpoints found that support tool use; tools are not supported"),
    ],
)
def test_a_server_that_takes_no_tools_stops_the_run(status: int, line: str) -> None:
    played = Played(lambda _: Reply({"error": {"message": line}}, status))
    with pytest.raises(EngineError, match=r"enable-auto-tool-choice.*cases\.formats"):
        ask(played, offer())
    assert len(played.asked) == 1
