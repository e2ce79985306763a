"""One contract, kept by a scripted server in this process and by vLLM's own over sockets."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from openai_server import Asked, Played, Reply, Time, chat, free_port, reach

from teval.engines.models import get_model
from teval.engines.openai import OpenAIEngine
from teval.errors import EngineError
from teval.schema import Completion, Json, JsonObject, Message, Request, Sampling, digest

pytestmark = [pytest.mark.engine, pytest.mark.long, pytest.mark.filterwarnings("ignore")]

MODEL, KEY, WINDOW = "small", "sk-contract-0123456789", 512
SERVER = (
    *("-m", "vllm.entrypoints.openai.api_server", "--host", "127.0.0.1"),
    *("--served-model-name", MODEL, "--max-model-len", str(WINDOW), "--dtype", "float32"),
    *("--enforce-eager", "--generation-config", "vllm", "--max-num-seqs", "8"),
)
QUIET = {"VLLM_LOGGING_LEVEL": "ERROR", "VLLM_NO_USAGE_STATS": "1", "VLLM_CPU_KVCACHE_SPACE": "1"}
PATIENCE = 240.0
"""Seconds that a server may take to start."""


class Upstream:
    """A server that takes what a proxy hands on."""

    def answer(self, asked: Asked) -> Reply:
        raise NotImplementedError


class Scripted(Upstream):
    """Does by a few rules what vLLM's server does with a model."""

    def answer(self, asked: Asked) -> Reply:
        fields, headers = asked.fields, {k.lower(): v for k, v in asked.headers.items()}
        if headers.get("authorization") != f"Bearer {KEY}":
            return Reply({"error": "Unauthorized"}, 401)
        if fields["model"] != MODEL:
            return Reply({"error": {"message": "The model does not exist.", "code": 404}}, 404)
        if len(asked.text.split()) >= WINDOW:
            said = f"This model's maximum context length is {WINDOW} tokens."
            return Reply({"error": {"message": said, "code": 400}}, 400)
        if fields["presence_penalty"] == 9.0:
            return Reply({"error": {"message": "presence_penalty must be in [-2, 2]"}}, 400)
        return Reply(self._body(fields, asked.text))

    def _body(self, fields: JsonObject, text: str) -> JsonObject:
        drawn = digest([text, fields["temperature"] and fields["seed"]])
        words = list(drawn)[: int(str(fields["max_tokens"]))]
        body = chat("".join(words), "length" if len(words) < 16 else "stop")
        return {**body, "usage": {"prompt_tokens": 11, "completion_tokens": len(words)}}


@dataclass(frozen=True)
class Real(Upstream):
    """vLLM's server, which is handed everything as it came."""

    url: str

    def answer(self, asked: Asked) -> Reply:
        kept = {k: v for k, v in asked.headers.items() if k.lower() == "authorization"}
        got = httpx.post(
            f"{self.url}/chat/completions",
            json=asked.fields,
            headers=kept,
            timeout=PATIENCE,
            trust_env=False,
        )
        return Reply(got.content, got.status_code)


@pytest.fixture(scope="module")
def vllm_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of vLLM's server with the small model, which ends with the tests."""
    if importlib.util.find_spec("vllm") is None:
        pytest.skip("vLLM is not installed here; the scripted server is tested alone")
    port, log = free_port(), tmp_path_factory.mktemp("server") / "log"
    words = [*SERVER, "--port", str(port), "--model", str(get_model("smollm2-135m-instruct"))]
    environment = {**os.environ, **QUIET, "VLLM_API_KEY": KEY}
    with (
        log.open("wb") as file,
        subprocess.Popen(
            [sys.executable, *words], stdout=file, stderr=file, env=environment
        ) as server,
    ):
        try:
            wait_for(f"http://127.0.0.1:{port}/health", server, log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()


def wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        assert server.poll() is None, log.read_text(encoding="utf-8", errors="replace")
        try:
            if httpx.get(url, trust_env=False).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.2)
    raise AssertionError(log.read_text(encoding="utf-8", errors="replace"))


Proxied = Callable[..., OpenAIEngine]
"""Makes an engine that reaches a server through proxies, each with a script of faults."""


@pytest.fixture(params=["scripted", "vllm"])
def engine_of(request: pytest.FixtureRequest) -> Iterator[Proxied]:
    upstream: Upstream = Scripted()
    link = "mock"
    if request.param == "vllm":
        upstream, link = Real(request.getfixturevalue("vllm_server")), "http"
    with ExitStack() as stack:

        def make(
            *proxies: Mapping[int, Reply], key: str = KEY, dead: int = 0, **more: object
        ) -> OpenAIEngine:
            def script(faults: Mapping[int, Reply]) -> Played:
                return Played(lambda asked: faults.get(asked.number) or upstream.answer(asked))

            servers = [*map(script, proxies or ({},)), *[None] * dead]
            place = stack.enter_context(reach(link, servers, Time(), {"TEST_KEY": key}))
            given: dict[str, object] = {"model": MODEL, "timeout": 60.0, "concurrency": 8, **more}
            engine = OpenAIEngine(
                place.outside,
                base_url=place.urls,
                api_key_env="TEST_KEY",
                **given,  # type: ignore[arg-type]
            )
            stack.callback(engine.close)
            return engine

        yield make


def ask(text: str, sampling: Sampling | None = None, repeat: int = 0) -> Request:
    messages = (
        Message(role="system", content="You name one tool of: maps.find, mail.send, notes.add."),
        Message(role="user", content=text),
    )
    prompt = digest([message.model_dump() for message in messages])
    chosen = sampling or Sampling(max_tokens=8)
    return Request(prompt=prompt, messages=messages, sampling=chosen, repeat=repeat)


QUESTIONS = tuple(ask(f"Which tool is for task {i}?") for i in range(9))


def answers(engine: OpenAIEngine, requests: Sequence[Request] = QUESTIONS) -> list[Completion]:
    """Completions in the order of the requests, one each."""
    got = [*engine.generate(requests)]
    found = {completion.request: completion for completion in got}
    assert len(got) == len(found) == len(requests)
    return [found[request.key] for request in requests]


def test_every_request_is_answered_and_its_tokens_counted(engine_of: Proxied) -> None:
    for completion in answers(engine_of()):
        assert completion.finish in ("stop", "length")
        assert completion.text
        assert completion.error == ""
        assert 0 < completion.completion_tokens <= 8
        assert completion.prompt_tokens > 0


BUSY: Json = {"error": {"message": "busy"}}
FAULTS = {
    "429": Reply(BUSY, 429),
    "429 with a time": Reply(BUSY, 429, {"Retry-After": "3"}),
    "500": Reply(b"Internal Server Error", 500),
    "503": Reply(BUSY, 503, {"Retry-After": "Thu, 01 Jan 1970 00:01:00 GMT"}),
    "reset": Reply(None, reset=True),
    "no JSON": Reply(b"<html>Bad gateway</html>"),
    "half of the JSON": Reply(b'{"choices": [{"message": {"content": "ma'),
    "another JSON": Reply({"choices": []}),
    "nothing": Reply(b""),
}


def test_what_may_pass_leaves_the_answers_as_they_are(engine_of: Proxied) -> None:
    whole = answers(engine_of())
    # Each request meets another fault, and its second try none.
    faults = {1 + 2 * i: fault for i, fault in enumerate(FAULTS.values())}
    found = answers(engine_of(faults, concurrency=1))
    assert texts(found) == texts(whole)
    assert len(FAULTS) == len(QUESTIONS)


def texts(completions: Sequence[Completion]) -> list[tuple[str, str, int]]:
    return [(c.text, c.finish, c.completion_tokens) for c in completions]


def test_a_body_that_comes_too_slowly_is_asked_for_again(engine_of: Proxied) -> None:
    request = QUESTIONS[:1]
    whole = answers(engine_of(), request)
    assert texts(answers(engine_of({1: Reply(b"", drip=True)}, timeout=5.0), request)) == texts(
        whole
    )


def test_what_does_not_pass_is_that_request_s_error(engine_of: Proxied) -> None:
    faults = dict.fromkeys((1, 2), Reply(BUSY, 500))
    first, second = answers(engine_of(faults, retries=1, concurrency=1), QUESTIONS[:2])
    assert (first.finish, first.error) == ("error", "HTTP 500: busy (tried 2 times)")
    assert second.text


def test_a_prompt_that_is_too_long_overflows_and_the_rest_runs(engine_of: Proxied) -> None:
    long = ask("word " * 2 * WINDOW)
    found = answers(engine_of(), [QUESTIONS[0], long, QUESTIONS[1]])
    assert [completion.finish == "overflow" for completion in found] == [False, True, False]
    assert str(WINDOW) in found[1].error
    assert found[0].text
    assert found[2].text


def test_one_refused_request_is_an_error_of_its_own(engine_of: Proxied) -> None:
    bad = ask("hi", Sampling(presence_penalty=9.0))
    found = answers(engine_of(), [bad, QUESTIONS[0]])
    assert found[0].finish == "error"
    assert "presence_penalty" in found[0].error
    assert found[1].text


def test_an_answer_ends_at_its_limit(engine_of: Proxied) -> None:
    (found,) = answers(engine_of(), [ask("Count to a hundred.", Sampling(max_tokens=3))])
    assert (found.finish, found.completion_tokens) == ("length", 3)


def test_repeats_draw_differently_and_the_same_request_alike(engine_of: Proxied) -> None:
    hot = Sampling(temperature=1.0, top_p=0.95, max_tokens=12)
    requests = [ask("Tell me a story.", hot, repeat) for repeat in range(3)]
    first = answers(engine_of(), requests)
    assert len({completion.text for completion in first}) == 3
    assert texts(answers(engine_of(), requests)) == texts(first)


@pytest.mark.parametrize(
    ("setting", "status"), [({"model": "other"}, "HTTP 404"), ({"key": "sk-wrong"}, "HTTP 401")]
)
def test_what_meets_all_requests_stops_the_run(
    engine_of: Proxied, setting: dict[str, str], status: str
) -> None:
    engine = engine_of(**setting)
    with pytest.raises(EngineError, match=status) as told:
        answers(engine)
    assert "sk-wrong" not in str(told.value)


def test_several_servers_share_the_work_and_a_dead_one_does_not_matter(engine_of: Proxied) -> None:
    whole = answers(engine_of())
    found = answers(engine_of({}, {}, dead=1))
    assert texts(found) == texts(whole)


def test_what_is_no_text_to_most_is_sent_all_the_same(engine_of: Proxied) -> None:
    odd = ask('half a pair \ud83d, a zero \0, "quotes" and \u2028 lines')
    (found,) = answers(engine_of(), [odd])
    assert found.finish in ("stop", "length")
