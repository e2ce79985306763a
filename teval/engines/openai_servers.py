"""Several servers that answer alike: which to ask next, and which to leave alone for a while."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import httpx

from teval.engines.openai_wire import Trouble
from teval.errors import ConfigError

LONGEST_PAUSE = 60.0
"""Seconds that back-off grows to."""

CONNECT = 10.0
"""Seconds after which a server that takes no connection counts as unreachable."""


class Outside(NamedTuple):
    """All that an engine of requests takes from the world, to be handed in by tests."""

    transport: httpx.AsyncBaseTransport | None = None
    """Carries requests; the network if None."""
    clock: Callable[[], float] = time.time
    """Returns seconds since 1970."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    jitter: Callable[[], float] = random.random
    """Returns numbers in [0, 1)."""
    environ: Mapping[str, str] = os.environ


NETWORK = Outside()
"""The world as it is."""


@dataclass
class Server:
    """One address, and how it fared."""

    url: str
    client: httpx.AsyncClient
    busy: int = 0
    """Requests that it is working on."""
    asked: int = 0
    until: float = 0.0
    """It is left alone before this time, in seconds since 1970."""
    failures: int = 0
    """How often in a row it could not be reached, a burst counting once."""
    met: bool = False
    """Whether it has ever answered anything."""

    def answered(self) -> None:
        """Note that it could be reached."""
        self.failures, self.met = 0, True


class Servers:
    """The servers of one engine.

    Args:
        servers: At least one.
        outside: Clock, sleep and jitter.
    """

    def __init__(self, servers: Sequence[Server], outside: Outside) -> None:
        self._servers = servers
        self._outside = outside

    @property
    def unreachable(self) -> bool:
        """Whether none could be reached when it was last tried."""
        return all(server.failures for server in self._servers)

    @property
    def strange(self) -> bool:
        """Whether none has ever answered."""
        return not any(server.met for server in self._servers)

    async def ready(self, avoid: Server | None = None) -> Server:
        """Return the server to ask next, waiting until one may be asked.

        It is the one with the fewest requests in hand. One that could not be reached gets a
        single request to show that it is back, and the one to avoid none while another is there.
        """
        while True:
            now = self._outside.clock()
            ready = [server for server in self._servers if server.until <= now]
            if ready:
                return min(
                    ready,
                    key=lambda s: (s is avoid, bool(s.failures and s.busy), s.busy, s.asked),
                )
            first = min(server.until for server in self._servers)
            await self._outside.sleep(min(first - now, 2 * LONGEST_PAUSE))

    def note(self, server: Server, trouble: Trouble) -> None:
        """Leave a server alone for a while, if the trouble is one of its own."""
        now = self._outside.clock()
        if trouble.unreachable:
            if server.until <= now:
                server.until = now + self._back_off(server.failures)
                server.failures += 1
        elif trouble.wait is not None:
            # A little later than asked for, so that not all come back at one moment.
            server.until = max(server.until, now + trouble.wait + self._outside.jitter())

    async def pause(self, trouble: Trouble, tries: int) -> None:
        """Let a request wait, if the trouble is not one that all wait for.

        Args:
            trouble: What happened.
            tries: How often the request was tried before, from 0.
        """
        if trouble.wait is None and not trouble.unreachable:
            await self._outside.sleep(self._back_off(tries))

    async def close(self) -> None:
        """Close all connections."""
        for server in self._servers:
            await server.client.aclose()

    def _back_off(self, tries: int) -> float:
        """Return 1, 2, 4, … seconds up to 60, of which the upper half is drawn by lot."""
        whole: float = min(LONGEST_PAUSE, 2.0 ** min(tries, 10))
        return whole * (1 + self._outside.jitter()) / 2


def make_server(
    url: str, *, key: str, timeout: float, connections: int, outside: Outside
) -> Server:
    """Return a server that was not asked yet.

    Args:
        url: As :func:`check_url` returns it.
        key: Sent as a bearer token; nothing is sent if empty.
        timeout: Seconds that one try may take.
        connections: The most at once.
        outside: Its transport counts.
    """
    client = httpx.AsyncClient(
        base_url=url,
        headers={"Authorization": f"Bearer {key}"} if key else {},
        timeout=httpx.Timeout(timeout, connect=min(CONNECT, timeout), pool=None),
        limits=httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
        transport=outside.transport,
        # A proxy, which the environment may name, does not lead to this machine itself.
        trust_env=not is_loopback(url),
    )
    return Server(url, client)


def check_url(url: str) -> str:
    """Return a server's address without what may be left out of it.

    Raises:
        ConfigError: It is none, or holds a secret; the address itself is told only where it can
            hold none.
    """
    if set(url) & set("@?#"):
        raise ConfigError(
            "engine.options.base_url: may hold no user, password or query, since it is written"
            " into the run's record; name the variable with the key in engine.options.api_key_env"
        )
    try:
        parsed = httpx.URL(url.strip())
        usable = parsed.scheme in ("http", "https") and bool(parsed.host)
    except httpx.InvalidURL:
        usable = False
    if not usable:
        raise ConfigError(
            f"engine.options.base_url: {url!r} is no address of a server;"
            " write for instance http://127.0.0.1:8000/v1"
        )
    return url.strip().rstrip("/").removesuffix("/chat/completions")


def is_loopback(url: str) -> bool:
    """Tell whether an address is on this machine itself."""
    host = httpx.URL(url).host
    return host in ("localhost", "::1") or host.startswith("127.")
