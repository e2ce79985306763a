"""The engine for servers: any endpoint that speaks OpenAI's chat completions."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from itertools import chain
from typing import Literal

import httpx

from teval.engines.background import Background
from teval.engines.openai_servers import (
    NETWORK,
    Outside,
    Server,
    Servers,
    check_url,
    is_loopback,
    make_server,
)
from teval.engines.openai_wire import Body, Refusal, Trouble, failed, one_line, read_response
from teval.engines.thinking import THOUGHT_TOKENS
from teval.engines.turns import Roles
from teval.errors import ConfigError, EngineError
from teval.schema import Completion, Json, JsonObject, Request, Thinking

FIRST_RETRIES = 2
"""Retries while no server has ever answered: a wrong port shall not take a minute to show."""

SECRET = 8
"""Shorter keys are none, but words that servers without keys want to see."""


class OpenAIEngine:
    """Answers requests through vLLM serve, SGLang, llama.cpp, Ollama or a hosted endpoint.

    Requests go out side by side, to whichever server has the least to do, and are tried again
    after what may pass: no connection, a time-out, a reset, a body that is no chat completion, or
    one of the statuses 408, 409, 429, 500, 502, 503 and 504. ``Retry-After`` is honoured. A
    prompt that the server calls too long gets ``overflow``, any other refused request ``error``;
    401, 402, 403, 404 and redirects stop the run. The server's own chat template counts.

    Temperature, top_p, penalties, seed and token limit are always sent. ``top_k``, ``min_p`` and
    ``repetition_penalty`` are not part of the protocol and many servers refuse fields that they
    do not know, so they are sent only where they differ from neutral. A server may have defaults
    of its own for them, vLLM for one takes the model's unless it is started with
    ``--generation-config vllm``; ``extra_body`` can name them for certain.

    Args:
        outside: Transport, clock, sleep, jitter and environment.
        base_url: One address or several, up to and with ``/v1``.
        model: The model's name at the server.
        api_key_env: Name of the environment variable that holds the key; no key if empty.
        concurrency: The most requests in flight, over all servers together.
        timeout: Seconds that one try may take, from connecting to the last byte.
        retries: How often a request is tried again.
        deterministic: Whether requests are sent one at a time, so that none shares a batch with
            another of this run. What else a server does is its own affair.
        seed: Noted in the run's record; each answer is drawn with a seed of its own request.
        template_options: Further variables of the chat template, sent as
            ``chat_template_kwargs``, for instance ``{"enable_thinking": False}``.
        thinking: ``on`` and ``off`` send the switches that chat templates know, unless
            ``template_options`` says otherwise.
        thinking_tokens: The most tokens of a thought, added to those of the answer, since servers
            know one limit alone. None: 4096 where thinking is ``on``, else none.
        merge_turns: Whether the system turn is put at the head of the first user turn and turns
            of one role become one, for models whose template refuses them.
        limit_field: What the server calls the most tokens of an answer: ``max_tokens``, or
            ``max_completion_tokens``.
        extra_body: Further fields of each request, over those above; None leaves a field out.

    Raises:
        ConfigError: A setting can't be used, or the variable of the key is not set.
    """

    HOLDS_TO_SCHEMA = True

    def __init__(
        self,
        outside: Outside = NETWORK,
        /,
        *,
        base_url: str | Sequence[str],
        model: str,
        api_key_env: str = "",
        concurrency: int = 32,
        timeout: float = 600.0,
        retries: int = 6,
        deterministic: bool = False,
        seed: int = 0,
        template_options: Mapping[str, Json] | None = None,
        thinking: Thinking = "auto",
        thinking_tokens: int | None = None,
        merge_turns: bool = False,
        limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens",
        extra_body: Mapping[str, Json] | None = None,
    ) -> None:
        _check_number("concurrency", concurrency, least=1, whole=True)
        _check_number("timeout", timeout, least=0.001)
        _check_number("retries", retries, least=0, whole=True)
        urls = base_url if isinstance(base_url, list | tuple) else [base_url]
        self._urls = tuple(dict.fromkeys(check_url(str(url)) for url in urls))
        if not self._urls:
            raise ConfigError("engine.options.base_url: names no server")
        merged: Literal["kept", "merged"] = "merged" if merge_turns else "kept"
        self._body = Body(
            model,
            # Which turns the server's template knows can't be probed, but words it knows.
            Roles(system=merged, same_role=merged, tool="user", calls="text"),
            limit_field,
            _check_mapping("template_options", template_options),
            _check_extra(extra_body, thinking),
            thinking,
            _thinking_tokens(thinking, thinking_tokens),
        )
        self._outside = outside
        self._key_env = api_key_env
        self._key = _read_key(api_key_env, outside.environ)
        self._deterministic = deterministic
        self._concurrency = 1 if deterministic else concurrency
        self._timeout, self._retries = timeout, retries
        self._seed = seed
        self._running: tuple[Background, Servers] | None = None

    def describe(self) -> JsonObject:
        """Return kind, model, settings and how messages and tokens are treated.

        Where the servers are and how fast they are asked is left out: it moves no answer, and a
        run may go on elsewhere.
        """
        body = self._body
        return {
            "kind": "openai",
            "model": body.model,
            "versions": {"httpx": version("httpx")},
            "deterministic": self._deterministic,
            "settings": {
                "seed": self._seed,
                "limit_field": body.limit_field,
                "extra_body": dict(body.extra),
            },
            "chat": {
                "template": "the server's own",
                "template_options": body.options,
                "roles": dict(body.roles._asdict()),
                "thinking": {
                    "mode": body.thinking,
                    "switch": "sent, not probed" if body.thinking != "auto" else None,
                    "thinking_tokens": body.thinking_tokens or None,
                },
            },
            "tokens": "as the server counts",
        }

    def generate(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Yield one completion a request, each as soon as it is there.

        Raises:
            EngineError: No server can be reached, or one refuses every request.
        """
        waiting = iter(requests)
        first = next(waiting, None)
        if first is None:
            return
        waiting = chain([first], waiting)
        background, servers = self._start()

        async def job(put: Callable[[Completion], None]) -> None:
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(self._concurrency):
                        group.create_task(self._work(servers, waiting, put))
            except BaseExceptionGroup as failures:
                # Of several that failed at once, one tells enough.
                raise failures.exceptions[0] from None

        yield from background.stream(job)

    def close(self) -> None:
        """Drop requests in flight and close all connections; a later request opens them again."""
        if self._running is None:
            return
        background, servers = self._running
        self._running = None
        background.close(servers.close())

    def _start(self) -> tuple[Background, Servers]:
        if self._running is None:
            self._running = Background(), Servers([*map(self._server, self._urls)], self._outside)
        return self._running

    def _server(self, url: str) -> Server:
        if self._key and url.startswith("http:") and not is_loopback(url):
            sys.stderr.write(f"the key in {self._key_env} goes to {url} unencrypted\n")
        return make_server(
            url,
            key=self._key,
            timeout=self._timeout,
            connections=self._concurrency,
            outside=self._outside,
        )

    async def _work(
        self, servers: Servers, waiting: Iterator[Request], put: Callable[[Completion], None]
    ) -> None:
        for request in waiting:
            put(await self._answer(servers, request))

    async def _answer(self, servers: Servers, request: Request) -> Completion:
        """Return the completion of one request, which is tried until the tries are used up."""
        server: Server | None = None
        tries = 0
        while True:
            server = await servers.ready(avoid=server)
            outcome = await self._ask(server, request)
            if isinstance(outcome, Completion):
                return outcome
            if isinstance(outcome, Refusal):
                raise EngineError(
                    f"{server.url}: {outcome.line}; {outcome.way_out}; what was answered is kept"
                )
            servers.note(server, outcome)
            if tries == (min(FIRST_RETRIES, self._retries) if servers.strange else self._retries):
                return self._give_up(servers, request, outcome, tries + 1)
            await servers.pause(outcome, tries)
            tries += 1

    def _give_up(
        self, servers: Servers, request: Request, trouble: Trouble, tries: int
    ) -> Completion:
        if servers.unreachable:
            raise EngineError(
                f"{', '.join(self._urls)}: no server can be reached ({trouble.line}); start it or"
                " mend engine.options.base_url, then give the same command again: what was"
                " answered is kept"
            )
        return failed(request, f"{trouble.line} (tried {tries} times)")

    async def _ask(self, server: Server, request: Request) -> Completion | Trouble | Refusal:
        """Try once."""
        server.busy += 1
        server.asked += 1
        try:
            async with asyncio.timeout(self._timeout):
                response = await server.client.post(
                    "chat/completions", json=self._body.write(request)
                )
        except (TimeoutError, httpx.ReadTimeout):
            return Trouble(
                f"no whole answer within {self._timeout:g} s; see engine.options.timeout"
            )
        except httpx.RequestError as error:
            unreachable = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
            line = one_line(f"{type(error).__name__}: {error}")
            return Trouble(self._hide(line), unreachable=unreachable)
        finally:
            server.busy -= 1
        server.answered()
        outcome = read_response(
            request, response, now=self._outside.clock(), thinks=self._body.thinks
        )
        if isinstance(outcome, Completion):
            shown = {"text": self._hide(outcome.text), "error": self._hide(outcome.error)}
            return outcome.model_copy(update=shown)
        return outcome._replace(line=self._hide(outcome.line))

    def _hide(self, text: str) -> str:
        """Return a text without the key, which some servers repeat in their complaints."""
        return text.replace(self._key, "***") if len(self._key) >= SECRET else text


def _check_number(name: str, value: float, *, least: float, whole: bool = False) -> None:
    kinds = (int,) if whole else (int, float)
    if not isinstance(value, kinds) or isinstance(value, bool) or not value >= least:
        kind = "a whole number" if whole else "a number"
        raise ConfigError(f"engine.options.{name}: must be {kind} of at least {least:g}")


def _check_mapping(name: str, value: Mapping[str, Json] | None) -> dict[str, Json]:
    if value is not None and not isinstance(value, Mapping):
        raise ConfigError(f"engine.options.{name}: must be a mapping, such as {{name: value}}")
    return dict(value or {})


def _check_extra(value: Mapping[str, Json] | None, thinking: Thinking) -> dict[str, Json]:
    extra = _check_mapping("extra_body", value)
    if extra.get("stop") and thinking != "off":
        raise ConfigError(
            "engine.options.extra_body.stop: a stop string may end an answer inside its thought;"
            " leave it out, or set engine.thinking=off for a model that does not think"
        )
    return extra


def _thinking_tokens(thinking: Thinking, tokens: int | None) -> int:
    if thinking == "off":
        return 0
    return tokens or (THOUGHT_TOKENS if thinking == "on" else 0)


def _read_key(name: str, environ: Mapping[str, str]) -> str:
    """Return the key in an environment variable; messages never repeat what may be a key itself."""
    if not name:
        return ""
    if not re.fullmatch(r"[A-Z_][A-Z0-9_]{0,63}", name):
        raise ConfigError(
            "engine.options.api_key_env: must be the name of an environment variable, such as"
            " OPENAI_API_KEY, and never the key itself"
        )
    key = environ.get(name, "").strip()
    if not key:
        raise ConfigError(f"engine.options.api_key_env: {name} is not set; run: export {name}=…")
    if not key.isascii() or not key.isprintable():
        raise ConfigError(f"engine.options.api_key_env: {name} holds characters that no key has")
    return key
