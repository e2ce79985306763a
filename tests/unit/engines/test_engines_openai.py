"""Answers from servers, in this process and over real sockets alike."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from email.utils import formatdate

import pytest
from openai_server import Asked, Played, Reply, Script, Time, chat, reach

from teval.engines.openai import OpenAIEngine
from teval.engines.openai_servers import Outside
from teval.engines.openai_wire import retry_after
from teval.errors import ConfigError, EngineError
from teval.formats.reasoning import cut
from teval.schema import Completion, Engine, Json, Message, Request, Sampling, Thinking

KEY = "sk-0123456789abcdef"
ENVIRON = {"TEST_KEY": KEY}
GREEDY = Sampling()


def ask(text: str, sampling: Sampling = GREEDY, system: str = "You help.") -> Request:
    messages = (Message(role="system", content=system), Message(role="user", content=text))
    return Request(prompt=text, messages=messages, sampling=sampling)


QUESTIONS = tuple(ask(f"question {i}") for i in range(12))


def echo(asked: Asked) -> Reply:
    return Reply(chat(asked.text.upper()))


def first_then_echo(*first: Reply) -> Script:
    return lambda asked: first[asked.number - 1] if asked.number <= len(first) else echo(asked)


class Bench:
    """Makes engines that reach played servers by one kind of link."""

    def __init__(self, link: str, stack: ExitStack) -> None:
        self.link = link
        self.time = Time()
        self.urls: list[str] = []
        self._stack = stack

    def engine(
        self, *servers: Played | None, environ: Mapping[str, str] = ENVIRON, **settings: object
    ) -> OpenAIEngine:
        place = self._stack.enter_context(reach(self.link, servers, self.time, environ))
        self.urls = place.urls
        given: dict[str, object] = {"model": "m", "timeout": 20.0, **settings}
        engine = OpenAIEngine(place.outside, base_url=place.urls, **given)  # type: ignore[arg-type]
        self._stack.callback(engine.close)
        return engine


@pytest.fixture(params=["mock", "http"])
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    with ExitStack() as stack:
        yield Bench(request.param, stack)


@pytest.fixture
def mock() -> Iterator[Bench]:
    with ExitStack() as stack:
        yield Bench("mock", stack)


def answers(engine: Engine, requests: Sequence[Request]) -> dict[str, Completion]:
    got = {completion.request: completion for completion in engine.generate(requests)}
    assert got.keys() == {request.key for request in requests}
    return got


def one(engine: Engine, text: str = "hello") -> Completion:
    (completion,) = engine.generate([ask(text)])
    return completion


def failed(completion: Completion) -> tuple[str, str]:
    return completion.finish, completion.error


# What is sent and what is kept


def test_an_answer_is_kept_with_its_usage(bench: Bench) -> None:
    played = Played(echo)
    completion = one(bench.engine(played, api_key_env="TEST_KEY"))
    assert completion == Completion(
        request=ask("hello").key,
        prompt="hello",
        text="HELLO",
        finish="stop",
        prompt_tokens=11,
        completion_tokens=3,
        cached_tokens=8,
    )
    (asked,) = played.asked
    assert asked.path == "/v1/chat/completions"
    assert {name.lower(): v for name, v in asked.headers.items()}[
        "authorization"
    ] == f"Bearer {KEY}"


def test_no_key_is_sent_where_none_is_named(bench: Bench) -> None:
    played = Played(echo)
    one(bench.engine(played, environ={"OPENAI_API_KEY": KEY}))
    assert KEY not in str(played.asked)
    assert "authorization" not in {name.lower() for name in played.asked[0].headers}


def test_sampling_is_sent_whole_and_nothing_that_servers_may_refuse(mock: Bench) -> None:
    played = Played(echo)
    engine = mock.engine(played)
    one(engine)
    fields = dict(played.asked[0].fields)
    seed = fields.pop("seed")
    assert isinstance(seed, int)
    assert 0 <= seed < 2**31
    assert fields == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "You help."},
            {"role": "user", "content": "hello"},
        ],
        "temperature": 0.0,
        "top_p": 1.0,
        "presence_penalty": 0.0,
        "frequency_penalty": 0.0,
        "max_tokens": 256,
        "n": 1,
        "stream": False,
    }
    one(engine)
    assert played.asked[1].fields["seed"] == seed


def test_what_the_protocol_lacks_is_sent_where_it_says_something(mock: Bench) -> None:
    played = Played(echo)
    engine = mock.engine(
        played,
        extra_body={"seed": None, "min_tokens": 2},
        template_options={"enable_thinking": False},
        limit_field="max_completion_tokens",
    )
    sampling = Sampling(temperature=0.7, top_k=20, min_p=0.1, repetition_penalty=1.1, max_tokens=9)
    list(engine.generate([ask("x", sampling)]))
    fields = played.asked[0].fields
    assert "seed" not in fields
    assert "max_tokens" not in fields
    expected: dict[str, Json] = {
        "top_k": 20,
        "min_p": 0.1,
        "repetition_penalty": 1.1,
        "temperature": 0.7,
        "min_tokens": 2,
        "max_completion_tokens": 9,
        "chat_template_kwargs": {"enable_thinking": False},
    }
    assert {name: fields.get(name) for name in expected} == expected


def test_turns_stay_as_they_are_but_for_results_of_tools(mock: Bench) -> None:
    messages = (
        Message(role="system", content="s"),
        Message(role="user", content="a"),
        Message(role="user", content="b\ud83c"),
        Message(role="function", name="mail.send", content="done"),
    )
    request = Request(prompt="p", messages=messages, sampling=Sampling())
    result = "[tool result: mail.send]\ndone"
    for merge, expected in (
        (False, [("system", "s"), ("user", "a"), ("user", "b\ufffd"), ("user", result)]),
        (True, [("user", f"s\n\na\n\nb\ufffd\n\n{result}")]),
    ):
        played = Played(echo)
        list(mock.engine(played, merge_turns=merge).generate([request]))
        turns = played.asked[0].fields["messages"]
        assert turns == [{"role": role, "content": content} for role, content in expected]


@pytest.mark.parametrize(
    ("body", "text", "finish"),
    [
        (chat("A", "length"), "A", "length"),
        (chat("A", "eos_token"), "A", "stop"),
        (chat("A", None), "A", "stop"),
        (chat(None), "", "stop"),
        (chat("half \ud83c pair"), "half \ufffd pair", "stop"),
        (chat("A", reasoning_content="why"), "<think>why</think>A", "stop"),
        (chat("A", reasoning="why"), "<think>why</think>A", "stop"),
        (chat("A", reasoning_content=None), "A", "stop"),
        (chat(None, "length", reasoning_content="why"), "<think>why", "length"),
        (chat("", reasoning_content="why"), "<think>why</think>", "stop"),
    ],
)
def test_text_and_finish(mock: Bench, body: Json, text: str, finish: str) -> None:
    completion = one(mock.engine(Played(lambda _: Reply(body))))
    assert (completion.text, completion.finish) == (text, finish)


def test_a_thought_is_cut_as_with_every_engine(mock: Bench) -> None:
    body = chat("B", reasoning_content="A or B?")
    assert cut(one(mock.engine(Played(lambda _: Reply(body)))).text).answer == "B"
    body = chat(None, "length", reasoning_content="A or")
    assert cut(one(mock.engine(Played(lambda _: Reply(body)))).text) == (
        "",
        ("reasoning_unclosed",),
    )


def test_without_thinking_a_lone_thought_is_the_answer(mock: Bench) -> None:
    body = chat(None, reasoning_content="B")
    engine = mock.engine(Played(lambda _: Reply(body)), template_options={"enable_thinking": False})
    assert one(engine).text == "B"
    assert one(mock.engine(Played(lambda _: Reply(body)), thinking="off")).flags == (
        "reasoning_as_answer",
    )


@pytest.mark.parametrize(
    ("thinking", "tokens", "kwargs", "limit"),
    [
        ("auto", None, None, 256),
        ("auto", 1000, None, 1256),
        ("on", None, {"enable_thinking": True, "thinking": True}, 4352),
        ("on", 1000, {"enable_thinking": True, "thinking": True}, 1256),
        ("off", 1000, {"enable_thinking": False, "thinking": False}, 256),
    ],
)
def test_thinking_sets_the_switches_and_the_sum_of_both_budgets(
    mock: Bench, thinking: Thinking, tokens: int | None, kwargs: Json, limit: int
) -> None:
    played = Played(echo)
    one(mock.engine(played, thinking=thinking, thinking_tokens=tokens))
    fields = played.asked[0].fields
    assert (fields.get("chat_template_kwargs"), fields["max_tokens"]) == (kwargs, limit)


@pytest.mark.parametrize(
    ("thinking", "body", "text", "thought"),
    [
        ("auto", chat("B", reasoning_content="A?"), "<think>A?</think>B", 17),
        ("on", chat("B", reasoning="A?"), "<think>A?</think>B", 17),
        ("on", chat("Is it B or", "length"), "<think>Is it B or", 17),
        ("on", chat("B"), "B", 0),
        ("on", chat("A?</think>B", "length"), "A?</think>B", 0),
        ("auto", chat("Is it B or", "length"), "Is it B or", 0),
    ],
)
def test_what_is_surely_a_thought(
    mock: Bench, thinking: Thinking, body: Json, text: str, thought: int
) -> None:
    completion = one(mock.engine(Played(lambda _: Reply(body)), thinking=thinking))
    assert (completion.text, completion.thought) == (text, thought)


def test_stop_strings_are_refused_where_they_may_end_a_thought(mock: Bench) -> None:
    for thinking in ("auto", "on"):
        with pytest.raises(ConfigError, match=r"extra_body\.stop"):
            mock.engine(Played(echo), thinking=thinking, extra_body={"stop": ["\n\n"]})
    played = Played(echo)
    one(mock.engine(played, thinking="off", extra_body={"stop": ["\n\n"]}))
    assert played.asked[0].fields["stop"] == ["\n\n"]


def test_an_answer_that_a_filter_ended_has_failed(mock: Bench) -> None:
    body = chat("A", "content_filter")
    assert failed(one(mock.engine(Played(lambda _: Reply(body))))) == (
        "error",
        "the server ended the answer: content_filter",
    )


def test_usage_may_be_missing(mock: Bench) -> None:
    body = {name: value for name, value in chat("A").items() if name != "usage"}
    completion = one(mock.engine(Played(lambda _: Reply(body))))
    assert (completion.text, completion.prompt_tokens, completion.cached_tokens) == ("A", 0, 0)


# What may pass


@pytest.mark.parametrize(
    "trouble",
    [
        Reply({"error": {"message": "busy"}}, 500),
        Reply({}, 408),
        Reply({}, 409),
        Reply(b"<html>bad gateway</html>", 502),
        Reply({}, 503),
        Reply({}, 504),
        Reply({}, 429),
        Reply(None, reset=True),
        Reply(b"{not json"),
        Reply(b""),
        Reply({"choices": []}),
        Reply({"choices": [{"message": {"content": 7}}]}),
        Reply([]),
        Reply(b"[" * 100_000),
        Reply({"error": {"message": "overloaded"}}),
    ],
    ids=lambda r: f"{r.status}{'-reset' if r.reset else ''}-{r.content[:14].decode()}",
)
def test_what_may_pass_is_tried_again(bench: Bench, trouble: Reply) -> None:
    played = Played(first_then_echo(trouble, trouble))
    assert one(bench.engine(played)).text == "HELLO"
    assert len(played.asked) == 3
    assert bench.time.slept == [0.75, 1.5]


def test_a_body_that_never_ends_is_given_up(bench: Bench) -> None:
    played = Played(first_then_echo(Reply({}, drip=True)))
    begun = time.monotonic()
    assert one(bench.engine(played, timeout=0.4)).text == "HELLO"
    assert time.monotonic() - begun < 10
    assert len(played.asked) == 2


@pytest.mark.parametrize(
    ("reply", "line"),
    [
        (Reply({"error": {"message": "no  memory\n"}}, 500), "HTTP 500: no memory (tried 3 times)"),
        (Reply(b"", 503), "HTTP 503: Service Unavailable (tried 3 times)"),
        (Reply(b"oops"), "HTTP 200, but no chat completion: oops (tried 3 times)"),
        (Reply({"error": "bad"}), "HTTP 200 with an error: bad (tried 3 times)"),
        (
            Reply({}, drip=True),
            "no whole answer within 0.3 s; see engine.options.timeout (tried 3 times)",
        ),
    ],
)
def test_tries_end_in_one_line(bench: Bench, reply: Reply, line: str) -> None:
    engine = bench.engine(Played(lambda _: reply), retries=2, timeout=0.3)
    assert failed(one(engine)) == ("error", line)


def test_back_off_doubles_up_to_a_minute(mock: Bench) -> None:
    engine = mock.engine(Played(lambda _: Reply({}, 500)), retries=9)
    assert one(engine).finish == "error"
    assert mock.time.slept == [0.75 * min(60, 2**i) for i in range(6)] + [45.0] * 3


def test_retry_after_is_honoured(bench: Bench) -> None:
    date = formatdate(bench.time.now + 31, usegmt=True)
    played = Played(
        first_then_echo(
            Reply({}, 429, {"Retry-After": "7"}),
            Reply({}, 503, {"Retry-After": date}),
        )
    )
    assert one(bench.engine(played)).text == "HELLO"
    # Half a second more than asked for, by the lot that is always a half here.
    assert bench.time.slept == [7.5, pytest.approx(31 - 7.5 + 0.5)]


def test_retry_after_holds_for_all_requests_to_that_server(mock: Bench) -> None:
    played = Played(first_then_echo(Reply({}, 429, {"Retry-After": "9"})))
    assert len(answers(mock.engine(played, concurrency=1), QUESTIONS)) == 12
    assert mock.time.slept == [9.5]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("nan", None),
        ("0", 0.0),
        ("1.5", 1.5),
        ("-4", 0.0),
        ("86400", 120.0),
        ("Thu, 01 Jan 1970 00:02:00 GMT", 20.0),
        ("Thu, 01 Jan 1970 00:02:00 -0000", 20.0),
        ("Thu, 01 Jan 1970 00:00:01 GMT", 0.0),
        ("Fri, 01 Jan 2100 00:00:00 GMT", 120.0),
    ],
)
def test_retry_after_is_seconds_or_a_date_and_has_a_limit(
    value: str | None, seconds: float | None
) -> None:
    assert retry_after(value, 100.0) == seconds


# What does not pass


@pytest.mark.parametrize(
    ("status", "error"),
    [
        # OpenAI
        (
            400,
            {
                "message": "This model's maximum context length is 8192 tokens. However, your"
                " messages resulted in 9001 tokens.",
                "code": "context_length_exceeded",
            },
        ),
        (
            400,
            {
                "message": "Input tokens exceed the configured limit",
                "code": "context_length_exceeded",
            },
        ),
        # vLLM
        (
            400,
            {
                "message": "This model's maximum context length is 512 tokens. However, your prompt"
                " contains at least 513 input tokens, which exceeds this limit",
                "type": "BadRequestError",
                "code": 400,
            },
        ),
        (
            400,
            {
                "message": "The decoder prompt (length 10) is longer than the maximum model"
                " length of 8"
            },
        ),
        # SGLang
        (
            400,
            {
                "message": "The input (617 tokens) is longer than the model's context length"
                " (400 tokens)."
            },
        ),
        (
            400,
            {
                "message": "Input length (160 tokens) exceeds the maximum allowed length"
                " (59 tokens)."
            },
        ),
        # llama.cpp
        (
            400,
            {
                "code": 400,
                "message": "request (4390 tokens) exceeds the available context size (4096 tokens),"
                " try increasing it",
                "type": "exceed_context_size_error",
            },
        ),
        (400, {"message": "Requested tokens (2285) exceed context window of 2048"}),
        (200, {"code": 400, "message": "too big", "type": "exceed_context_size_error"}),
        # Ollama
        (400, "input length exceeds the context length"),
        (400, "prompt too long; exceeded max context length by 17 tokens"),
        # Others
        (413, {"message": "prompt is too long: 210000 tokens > 200000 maximum"}),
        (422, {"message": "input length and `max_tokens` exceed context limit: 17 + 64 > 20"}),
    ],
)
def test_a_prompt_that_is_too_long_overflows(bench: Bench, status: int, error: Json) -> None:
    played = Played(
        lambda asked: Reply({"error": error}, status) if asked.text == "long" else echo(asked)
    )
    requests = [ask("long"), ask("short")]
    got = answers(bench.engine(played), requests)
    overflowed = got[requests[0].key]
    assert overflowed.finish == "overflow"
    assert (error if isinstance(error, str) else str(dict(error)["message"])) in overflowed.error  # type: ignore[arg-type]
    assert got[requests[1].key].text == "SHORT"
    assert len(played.asked) == 2


@pytest.mark.parametrize(
    ("reply", "line"),
    [
        (
            Reply({"error": {"message": "unknown field top_k"}}, 400),
            "HTTP 400: unknown field top_k",
        ),
        (Reply({"object": "error", "message": "no system role"}, 400), "HTTP 400: no system role"),
        (Reply({"detail": "bad seed"}, 422), "HTTP 422: bad seed"),
        (Reply({"detail": [{"input": "context length exceeded"}]}, 422), "HTTP 422: "),
        (Reply({"error": "max_tokens is too large"}, 400), "HTTP 400: max_tokens is too large"),
        (Reply(b"I'm a teapot\n" * 999, 418), "HTTP 418: I'm a teapot"),
        (Reply(b"", 501), "HTTP 501: Not Implemented"),
    ],
)
def test_another_refusal_is_that_request_s_alone(bench: Bench, reply: Reply, line: str) -> None:
    played = Played(lambda asked: reply if asked.text == "odd" else echo(asked))
    requests = [ask("odd"), ask("even")]
    got = answers(bench.engine(played), requests)
    error = got[requests[0].key]
    assert error.finish == "error"
    assert error.error.startswith(line)
    assert "\n" not in error.error
    assert len(error.error) < 400
    assert got[requests[1].key].text == "EVEN"
    assert len(played.asked) == 2


@pytest.mark.parametrize(
    ("reply", "way_out"),
    [
        (Reply({"error": {"message": "no key"}}, 401), "api_key_env"),
        (Reply({"error": {"message": "no credit"}}, 402), "credit"),
        (Reply({"error": {"message": "not yours"}}, 403), "engine.model"),
        (Reply({"error": {"message": "no such model"}}, 404), "end in /v1"),
        (Reply(b"", 302, {"Location": "http://elsewhere/"}), "base_url"),
        (Reply({"error": {"message": "pay", "code": "insufficient_quota"}}, 429), "credit"),
    ],
)
def test_what_meets_all_requests_stops_the_run(bench: Bench, reply: Reply, way_out: str) -> None:
    played = Played(lambda asked: reply if asked.number > 2 else echo(asked))
    engine = bench.engine(played, concurrency=1)
    got: list[Completion] = []
    with pytest.raises(EngineError) as caught:
        got.extend(completion for completion in _each(engine, got))
    line = str(caught.value)
    assert [completion.text for completion in got] == ["QUESTION 0", "QUESTION 1"]
    assert f"{bench.urls[0]}: HTTP {reply.status}" in line
    assert way_out in line
    assert "\n" not in line
    assert len(played.asked) == 3


def _each(engine: Engine, got: list[Completion]) -> Iterator[Completion]:
    for completion in engine.generate(QUESTIONS):
        got.append(completion)
    yield from ()


# Several at once


def test_a_dead_server_does_not_matter_while_another_lives(bench: Bench) -> None:
    alive = [Played(echo), Played(echo)]
    got = answers(bench.engine(alive[0], None, alive[1], concurrency=4), QUESTIONS)
    assert {completion.finish for completion in got.values()} == {"stop"}
    assert min(len(played.asked) for played in alive) >= 3


def test_a_server_that_dies_midway_hands_its_requests_over(bench: Bench) -> None:
    dying = Played(lambda asked: Reply(None, reset=True) if asked.number > 2 else echo(asked))
    got = answers(bench.engine(dying, Played(echo), concurrency=4), QUESTIONS)
    assert {completion.finish for completion in got.values()} == {"stop"}


def test_when_no_server_can_be_reached_the_run_stops_soon(bench: Bench) -> None:
    engine = bench.engine(None, None, concurrency=1)
    with pytest.raises(EngineError) as caught:
        list(engine.generate(QUESTIONS))
    line = str(caught.value)
    assert all(url in line for url in bench.urls)
    assert "no server can be reached" in line
    assert bench.time.slept == [0.75]


def test_a_lost_server_is_waited_for_as_long_as_retries_say(mock: Bench) -> None:
    played = Played(echo)
    engine = mock.engine(played, retries=4)
    assert one(engine).text == "HELLO"
    played.dead = True
    with pytest.raises(EngineError, match="ConnectError: connection refused"):
        one(engine)
    assert mock.time.slept == [0.75, 1.5, 3.0, 6.0]
    played.dead = False
    assert one(engine).text == "HELLO"


def test_no_more_than_the_bound_are_in_flight(bench: Bench) -> None:
    servers = [Played(lambda asked: echo(asked)._replace(delay=0.02)) for _ in range(2)]
    answers(bench.engine(*servers, concurrency=3), QUESTIONS)
    assert 2 <= sum(played.most for played in servers) <= 4
    assert sum(len(played.asked) for played in servers) == 12
    single = Played(lambda asked: echo(asked)._replace(delay=0.02))
    answers(bench.engine(single, concurrency=3), QUESTIONS)
    assert single.most == 3


def test_answers_come_as_they_are_there_and_to_their_own_request(bench: Bench) -> None:
    slow = {"question 0": 0.3, "question 5": 0.15}
    played = Played(lambda asked: echo(asked)._replace(delay=slow.get(asked.text, 0.0)))
    got = list(bench.engine(played, concurrency=12).generate(QUESTIONS))
    assert [c.text for c in got[-2:]] == ["QUESTION 5", "QUESTION 0"]
    assert {c.request: c.text for c in got} == {r.key: r.prompt.upper() for r in QUESTIONS}


# The key


def test_the_key_shows_nowhere(bench: Bench) -> None:
    def blabber(asked: Asked) -> Reply:
        heard = f"key {KEY} heard"
        return {
            "say": Reply(chat(heard)),
            "bad": Reply({"error": {"message": heard}}, 400),
            "down": Reply(heard.encode(), 500),
            "long": Reply({"error": {"message": f"context_length_exceeded {KEY}"}}, 400),
            "junk": Reply(heard.encode()),
        }[asked.text]

    texts = ("say", "bad", "down", "long", "junk")
    engine = bench.engine(Played(blabber), api_key_env="TEST_KEY", retries=1)
    got = answers(engine, [ask(text) for text in texts])
    for completion in got.values():
        assert KEY not in completion.model_dump_json()
        assert "***" in completion.text + completion.error
    assert KEY not in json.dumps(engine.describe()) + repr(engine)
    refused = bench.engine(
        Played(lambda _: Reply({"error": f"wrong key {KEY}"}, 401)), api_key_env="TEST_KEY"
    )
    with pytest.raises(EngineError) as caught:
        one(refused)
    assert KEY not in str(caught.value)
    assert "wrong key ***" in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "parts"),
    [
        ({"api_key_env": "TEST_KEY"}, ["TEST_KEY is not set", "export TEST_KEY="]),
        ({"api_key_env": KEY}, ["api_key_env", "never the key itself"]),
        ({"base_url": f"http://user:{KEY}@host/v1"}, ["api_key_env"]),
        ({"base_url": f"user:{KEY}@host/v1"}, ["api_key_env"]),
        ({"base_url": f"http://host/v1?key={KEY}"}, ["api_key_env"]),
        ({"base_url": "127.0.0.1:8000/v1"}, ["no address", "http://127.0.0.1:8000/v1"]),
        ({"base_url": "ftp://host/v1"}, ["no address"]),
        ({"base_url": "http://"}, ["no address"]),
        ({"base_url": "http://host:x/v1"}, ["no address"]),
        ({"base_url": []}, ["names no server"]),
        ({"base_url": 8000}, ["no address"]),
        ({"concurrency": 0}, ["concurrency", "whole number of at least 1"]),
        ({"concurrency": "many"}, ["concurrency"]),
        ({"retries": True}, ["retries"]),
        ({"timeout": 0}, ["timeout"]),
        ({"extra_body": "top_k"}, ["extra_body", "mapping"]),
    ],
)
def test_a_setting_that_can_not_be_used_is_one_line(
    settings: dict[str, object], parts: list[str]
) -> None:
    given = {"base_url": "http://host/v1", "model": "m", **settings}
    with pytest.raises(ConfigError) as caught:
        OpenAIEngine(Outside(environ={}), **given)  # type: ignore[arg-type]
    line = str(caught.value)
    assert all(part in line for part in parts)
    assert KEY not in line
    assert "\n" not in line


def test_a_key_that_no_header_can_carry_is_refused() -> None:
    with pytest.raises(ConfigError, match="characters that no key has"):
        OpenAIEngine(
            Outside(environ={"K": "a\u2028b"}), base_url="http://h/v1", model="m", api_key_env="K"
        )


def test_a_key_that_goes_out_unencrypted_is_told(
    mock: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    one(mock.engine(Played(echo), api_key_env="TEST_KEY"))
    told = capsys.readouterr().err
    assert "TEST_KEY" in told
    assert "unencrypted" in told
    assert KEY not in told


# Stopping


def stuck(asked: Asked) -> Reply:
    return Reply(chat("late"), delay=0.0 if asked.text == "question 0" else 30.0)


def test_an_interrupt_ends_at_once(bench: Bench) -> None:
    engine = bench.engine(Played(stuck))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    begun = time.monotonic()
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            list(engine.generate(QUESTIONS))
        engine.close()
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - begun < 5


def test_who_stops_listening_stops_the_requests(bench: Bench) -> None:
    engine = bench.engine(Played(stuck))
    begun = time.monotonic()
    for completion in engine.generate(QUESTIONS):
        assert completion.prompt == "question 0"
        break
    engine.close()
    assert time.monotonic() - begun < 5


def test_nothing_more_is_asked_for_who_stops_listening(mock: Bench) -> None:
    played = Played(lambda asked: echo(asked)._replace(delay=0.05))
    answering = mock.engine(played, concurrency=1).generate(QUESTIONS)
    next(answering)
    del answering
    time.sleep(0.4)
    assert len(played.asked) <= 3


def test_no_proxy_stands_before_this_machine_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with ExitStack() as stack:
        assert one(Bench("http", stack).engine(Played(echo))).text == "HELLO"


def test_an_engine_can_be_closed_twice_and_used_again(bench: Bench) -> None:
    engine = bench.engine(Played(echo))
    engine.close()
    assert one(engine).text == "HELLO"
    engine.close()
    engine.close()
    assert one(engine).text == "HELLO"
    assert list(engine.generate([])) == []


def test_it_works_where_a_loop_runs_already(mock: Bench) -> None:
    engine = mock.engine(Played(echo))

    async def notebook() -> str:
        return one(engine).text

    assert asyncio.run(notebook()) == "HELLO"


def test_a_fault_of_ours_is_not_swallowed(mock: Bench) -> None:
    def broken(asked: Asked) -> Reply:
        raise LookupError(asked.text)

    with pytest.raises(LookupError, match="hello"):
        one(mock.engine(Played(broken)))


# Description


def test_the_description_says_what_moves_an_answer_and_no_more() -> None:
    def described(**settings: object) -> object:
        given = {"base_url": "http://host/v1", "model": "m", **settings}
        return OpenAIEngine(Outside(environ=ENVIRON), **given).describe()  # type: ignore[arg-type]

    plain = described()
    assert plain == described(base_url=["http://a/v1", "http://b/v1"], concurrency=2, timeout=5)
    assert plain == described(api_key_env="TEST_KEY", retries=0)
    assert plain != described(model="n")
    assert plain != described(extra_body={"top_k": 5})
    assert plain != described(template_options={"enable_thinking": False})
    assert plain != described(merge_turns=True)
