"""A server that answers by a script, in this process or over a real socket."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

import httpx

from teval.engines.openai_servers import Outside
from teval.schema import Json, JsonObject


class Asked(NamedTuple):
    """One request as it arrived."""

    number: int
    """Counted from 1."""
    fields: JsonObject
    headers: Mapping[str, str]
    path: str

    @property
    def text(self) -> str:
        """Content of the last message."""
        messages = self.fields["messages"]
        assert isinstance(messages, list)
        assert isinstance(messages[-1], dict)
        return str(messages[-1]["content"])


class Reply(NamedTuple):
    """What is sent back."""

    body: Json | bytes
    status: int = 200
    headers: Mapping[str, str] = {}
    reset: bool = False
    """The connection is torn down instead."""
    drip: bool = False
    """The body comes so slowly that it never ends."""
    delay: float = 0.0

    @property
    def content(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


Script = Callable[[Asked], Reply]


class Played:
    """A script, and all that it was asked."""

    def __init__(self, script: Script) -> None:
        self.asked: list[Asked] = []
        self.most = 0
        self.dead = False
        self._busy = 0
        self._script = script
        self._lock = threading.Lock()

    def begin(self, headers: Mapping[str, str], path: str, content: bytes) -> Reply:
        with self._lock:
            self._busy += 1
            self.most = max(self.most, self._busy)
            asked = Asked(len(self.asked) + 1, json.loads(content), headers, path)
            self.asked.append(asked)
        return self._script(asked)

    def end(self) -> None:
        with self._lock:
            self._busy -= 1


def chat(text: str | None, finish: str | None = "stop", **message: Json) -> JsonObject:
    """A chat completion."""
    return {
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, **message},
                "finish_reason": finish,
            }
        ],
        "usage": {
            "prompt_tokens": 11,
            "completion_tokens": 3,
            "prompt_tokens_details": {"cached_tokens": 8},
        },
    }


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 1_000_000.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


def in_process(servers: Mapping[str, Played | None]) -> httpx.MockTransport:
    """A transport to the servers by host; those that are None take no connection."""

    async def handle(request: httpx.Request) -> httpx.Response:
        played = servers[request.url.host]
        if played is None or played.dead:
            raise httpx.ConnectError("connection refused", request=request)
        reply = played.begin(request.headers, request.url.path, await request.aread())
        try:
            await asyncio.sleep(reply.delay)
        finally:
            played.end()
        if reply.reset:
            raise httpx.ReadError("connection reset", request=request)
        if reply.drip:
            raise httpx.ReadTimeout("slow", request=request)
        return httpx.Response(reply.status, headers=reply.headers, content=reply.content)

    return httpx.MockTransport(handle)


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def over_http(played: Played | None) -> Iterator[str]:
    """The address of a server on a free port of this machine; nobody listens there if None."""
    if played is None:
        # The port is kept, lest somebody else should listen there by and by.
        with socket.socket() as kept:
            kept.bind(("127.0.0.1", 0))
            yield f"http://127.0.0.1:{kept.getsockname()[1]}/v1"
        return
    server = _Server(("127.0.0.1", 0), _handler(played))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _reset(connection: BaseHTTPRequestHandler, reply: Reply) -> None:
    linger = struct.pack("ii", 1, 0)
    connection.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    connection.connection.close()
    connection.close_connection = True


def _send(connection: BaseHTTPRequestHandler, reply: Reply) -> None:
    connection.send_response(reply.status)
    for name, value in reply.headers.items():
        connection.send_header(name, value)
    size = 10_000 if reply.drip else len(reply.content)
    connection.send_header("Content-Length", str(size))
    connection.end_headers()
    if not reply.drip:
        connection.wfile.write(reply.content)
        return
    for _ in range(size):
        connection.wfile.write(b" ")
        connection.wfile.flush()
        time.sleep(0.02)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64


def _handler(played: Played) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            reply = played.begin(dict(self.headers.items()), self.path, content)
            try:
                time.sleep(reply.delay)
            finally:
                played.end()
            (_reset if reply.reset else _send)(self, reply)

        def handle(self) -> None:
            with contextlib.suppress(OSError, ValueError):
                super().handle()

        def finish(self) -> None:
            with contextlib.suppress(OSError, ValueError):
                super().finish()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler


class Place(NamedTuple):
    """Where servers are reached, and by what."""

    urls: list[str]
    outside: Outside


@contextlib.contextmanager
def reach(
    link: str, servers: Sequence[Played | None], moment: Time, environ: Mapping[str, str]
) -> Iterator[Place]:
    """The servers in this process (``mock``) or over sockets (``http``)."""
    outside = Outside(
        clock=moment.clock, sleep=moment.sleep, jitter=lambda: 0.5, environ=dict(environ)
    )
    if link == "mock":
        hosts = {f"server{i}": played for i, played in enumerate(servers)}
        urls = [f"http://{host}/v1" for host in hosts]
        yield Place(urls, outside._replace(transport=in_process(hosts)))
        return
    with contextlib.ExitStack() as stack:
        yield Place([stack.enter_context(over_http(played)) for played in servers], outside)
