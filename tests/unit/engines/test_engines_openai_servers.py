"""Which server is asked next, and which is left alone."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from openai_server import Time

from teval.engines.openai_servers import Outside, Server, Servers, is_loopback
from teval.engines.openai_wire import Trouble

LOST = Trouble("nobody", unreachable=True)


class Pool:
    """Servers by letter, on a clock of their own."""

    def __init__(self, letters: str) -> None:
        self.time = Time()
        outside = Outside(clock=self.time.clock, sleep=self.time.sleep, jitter=lambda: 0.5)
        self.by = {letter: Server(letter, httpx.AsyncClient()) for letter in letters}
        self.all = Servers(list(self.by.values()), outside)

    def next(self, avoid: str = "") -> str:
        return asyncio.run(self.all.ready(self.by.get(avoid))).url


def test_the_one_with_the_least_to_do_is_next_and_turns_are_taken() -> None:
    pool = Pool("ab")
    pool.by["a"].asked = 1
    assert pool.next() == "b"
    pool.by["b"].busy = 1
    assert pool.next() == "a"


def test_one_to_avoid_is_asked_only_where_there_is_no_other() -> None:
    pool = Pool("ab")
    pool.by["b"].busy = 9
    assert pool.next(avoid="a") == "b"
    assert Pool("a").next(avoid="a") == "a"


def test_one_that_was_lost_is_tried_by_one_request_at_a_time() -> None:
    pool = Pool("ab")
    pool.by["b"].busy = 9
    pool.all.note(pool.by["a"], LOST)
    assert pool.next() == "b"
    pool.time.now += 1
    assert pool.next() == "a"
    pool.by["a"].busy = 1
    assert pool.next() == "b"
    pool.by["a"].answered()
    assert pool.next() == "a"


def test_a_burst_of_losses_counts_once() -> None:
    pool = Pool("a")
    for _ in range(20):
        pool.all.note(pool.by["a"], LOST)
    assert pool.by["a"].failures == 1
    assert pool.next() == "a"
    assert pool.time.slept == [0.75]
    pool.all.note(pool.by["a"], LOST)
    assert pool.next() == "a"
    assert pool.time.slept == [0.75, 1.5]


def test_all_must_be_lost_before_none_can_be_reached() -> None:
    pool = Pool("ab")
    assert not pool.all.unreachable
    pool.all.note(pool.by["a"], LOST)
    assert not pool.all.unreachable
    pool.all.note(pool.by["b"], LOST)
    assert pool.all.unreachable
    assert pool.all.strange
    pool.by["a"].answered()
    assert not pool.all.unreachable
    assert not pool.all.strange


def test_a_server_that_asks_for_peace_gets_it_and_the_other_is_asked() -> None:
    pool = Pool("ab")
    pool.all.note(pool.by["a"], Trouble("slow down", wait=30.0))
    pool.all.note(pool.by["a"], Trouble("slow down", wait=1.0))
    pool.by["b"].busy = 9
    assert pool.next() == "b"
    pool.time.now += 31
    assert pool.next() == "a"


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("http://localhost/v1", True),
        ("http://[::1]:1/v1", True),
        ("http://10.0.0.1/v1", False),
        ("https://localhost.example/v1", False),
    ],
)
def test_loopback(url: str, here: bool) -> None:
    assert is_loopback(url) is here
