"""A real `vllm serve` on this machine with the small chat model."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from teval.engines.models import get_model
from teval.engines.openai import OpenAIEngine
from teval.engines.vllm import VllmEngine
from teval.errors import EngineError
from teval.schema import Completion, Message, Request, Sampling, digest

pytestmark = [pytest.mark.engine, pytest.mark.filterwarnings("ignore")]

WINDOW = 512
START = 900
"""Seconds that a server may take to start on a slow machine."""
QUESTIONS = ("What is the capital of France?", "Say hello.", "Name a colour.", "What is 2 + 2?")


def ask(text: str, max_tokens: int = 16, temperature: float = 0.0) -> Request:
    messages = (
        Message(role="system", content="Answer in a few words."),
        Message(role="user", content=text),
    )
    prompt = digest([message.model_dump() for message in messages])
    sampling = Sampling(max_tokens=max_tokens, temperature=temperature)
    return Request(prompt=prompt, messages=messages, sampling=sampling)


REQUESTS = tuple(map(ask, QUESTIONS))


@pytest.fixture(scope="module")
def model() -> Path:
    return get_model("smollm2-135m-instruct")


@pytest.fixture(scope="module")
def url(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if importlib.util.find_spec("vllm") is None:
        pytest.skip("vLLM is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("serve") / "log"
    # What `vllm serve` starts; that command itself asks for a package of the name "vllm", which the
    # CPU build does not have.
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", str(model)]
    command += ["--host", "127.0.0.1", "--port", str(port), "--served-model-name", "small"]
    command += ["--max-model-len", str(WINDOW), "--dtype", "float32", "--enforce-eager"]
    command += ["--generation-config", "vllm", "--enable-prompt-tokens-details"]
    environ = {**os.environ, "VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_NO_USAGE_STATS": "1"}
    with log.open("w", encoding="utf-8") as out:
        server = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=environ)
    try:
        wait_for(f"http://127.0.0.1:{port}/health", server, log)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        try:
            server.wait(60)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def wait_for(health: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START
    while time.monotonic() < end and server.poll() is None:
        try:
            if httpx.get(health, trust_env=False).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(1)
    pytest.fail(f"vllm serve did not start:\n{log.read_text(encoding='utf-8')[-3000:]}")


@pytest.fixture(scope="module")
def engine(url: str) -> Iterator[OpenAIEngine]:
    made = OpenAIEngine(base_url=url, model="small", concurrency=4)
    yield made
    made.close()


def by_key(completions: Iterator[Completion]) -> dict[str, Completion]:
    return {completion.request: completion for completion in completions}


def test_answers_are_those_of_the_engine_in_process(engine: OpenAIEngine, model: Path) -> None:
    served = by_key(engine.generate(REQUESTS))
    inside = VllmEngine(model=str(model), max_model_len=WINDOW, dtype="float32", kv_cache_gib=0.5)
    try:
        own = by_key(inside.generate(REQUESTS))
    finally:
        inside.close()
    for request in REQUESTS:
        one, other = served[request.key], own[request.key]
        assert one.prompt_tokens == other.prompt_tokens
        assert (one.text, one.finish) == (other.text, other.finish)


def test_a_prompt_that_is_too_long_overflows_and_the_rest_is_answered(
    engine: OpenAIEngine,
) -> None:
    long = ask("word " * 2 * WINDOW)
    got = by_key(engine.generate([long, REQUESTS[0]]))
    assert got[long.key].finish == "overflow"
    assert "context length" in got[long.key].error
    assert got[REQUESTS[0].key].finish in ("stop", "length")


def test_an_answer_at_its_limit_says_so(engine: OpenAIEngine) -> None:
    (completion,) = engine.generate([ask("Count from one to a hundred.", max_tokens=3)])
    assert (completion.finish, completion.completion_tokens) == ("length", 3)


def test_the_same_request_is_drawn_alike(engine: OpenAIEngine) -> None:
    request = ask("Tell me of the sea.", temperature=1.0)
    (one,), (other,) = engine.generate([request]), engine.generate([request])
    assert one.text == other.text


def test_further_sampling_parameters_are_taken(url: str) -> None:
    extra = {"top_k": -1, "min_p": 0.0, "repetition_penalty": 1.0}
    engine = OpenAIEngine(base_url=url, model="small", extra_body=extra)
    try:
        (completion,) = engine.generate([REQUESTS[0]])
    finally:
        engine.close()
    assert completion.finish in ("stop", "length")


def test_a_model_that_is_not_served_stops_the_run(url: str) -> None:
    engine = OpenAIEngine(base_url=url, model="large")
    try:
        with pytest.raises(EngineError, match=r"HTTP 404: .*large.* does not exist"):
            list(engine.generate(REQUESTS))
    finally:
        engine.close()


def test_a_dead_server_beside_it_does_not_matter(url: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        dead = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        engine = OpenAIEngine(base_url=[dead, url], model="small")
        try:
            got = by_key(engine.generate(REQUESTS))
        finally:
            engine.close()
    assert {completion.finish for completion in got.values()} <= {"stop", "length"}
    assert len(got) == len(REQUESTS)
