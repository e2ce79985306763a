from __future__ import annotations

import pytest

from teval.engines.ray import Room, fit
from teval.engines.ray_worker import PART, in_order, parts, read, written
from teval.engines.shards import cut
from teval.errors import ConfigError
from teval.schema import Completion, Function, Message, Request, Sampling

TOPICS = ("maps and flights: ", "mail and notes: ", "hotels and rooms: ")


def ask(text: str) -> Request:
    messages = (Message(role="system", content="S"), Message(role="user", content=text))
    return Request(prompt=text, messages=messages, sampling=Sampling())


def asked(*sizes: int) -> list[Request]:
    """Requests of some topics, as many each, in the order of their text."""
    pairs = zip(sorted(TOPICS), sizes, strict=False)
    return [ask(f"{topic}{i:03}") for topic, size in pairs for i in range(size)]


def answer(request: Request) -> Completion:
    return Completion(request=request.key, prompt=request.prompt, text="yes", finish="stop")


@pytest.mark.parametrize("size", [1, 2, 3, 7, 10, 100])
def test_shards_are_the_requests_in_their_order(size: int) -> None:
    requests = asked(9, 13, 8)
    shards = cut(requests, size)
    assert [request for shard in shards for request in shard] == requests
    assert all(max(1, size // 2) <= len(s) <= size + size // 2 for s in shards[:-1])
    assert 1 <= len(shards[-1]) <= size + size // 2
    assert cut([], size) == []


def test_requests_with_a_common_beginning_stay_in_one_shard() -> None:
    requests = asked(9, 13, 8)
    assert [len(shard) for shard in cut(requests, 10)] == [9, 13, 8]


def test_requests_that_offer_the_same_tools_stay_in_one_shard() -> None:
    maps, mail = (
        Function(name=name, tool=name, description="", parameters={}) for name in ("maps", "mail")
    )
    texts = [ask(f"the same to the last letter {i:02}") for i in range(10)]
    requests = [text.model_copy(update={"functions": (maps,)}) for text in texts[:4]]
    requests += [text.model_copy(update={"functions": (mail,)}) for text in texts[4:]]
    assert [len(shard) for shard in cut(requests, 5)] == [4, 6]


def test_without_a_better_place_shards_have_the_size_asked_for() -> None:
    requests = [ask(f"the same to the last letter {chr(ord('a') + i)}") for i in range(20)]
    assert [len(shard) for shard in cut(requests, 8)] == [8, 12]


def test_completions_come_in_the_order_of_their_requests() -> None:
    requests = asked(5)
    come = iter([answer(requests[i]) for i in (1, 0, 3, 4, 2)])
    ordered = in_order(requests, come)
    assert next(ordered).request == requests[0].key
    # The second one was there, so nothing more was waited for.
    assert next(ordered).request == requests[1].key
    assert next(come).request == requests[3].key
    found = in_order(requests, map(answer, reversed(requests)))
    assert [completion.request for completion in found] == [r.key for r in requests]


def test_parts_have_one_size_but_for_the_last() -> None:
    completions = [answer(request) for request in asked(PART, PART, 3)]
    found = list(parts(completions, PART))
    assert [len(part) for part in found] == [PART, PART, 3]
    assert [completion for part in found for completion in part] == completions


def test_requests_travel_whole() -> None:
    requests = [*asked(2), ask("half a pair \ud83d, a zero \0")]
    assert read(written(requests)) == requests


NODES = [{"CPU": 8.0, "GPU": 2.0}, {"CPU": 4.0}, {"memory": 9.0}]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Room(), (2, 1, 1)),
        (Room(gpus=0.5), (4, 1, 0.5)),
        (Room(gpus=0), (3, 4, 0)),
        (Room(cpus=3, gpus=0), (3, 3, 0)),
        (Room(workers=5), (5, 1, 1)),
        (Room(cpus=6), (1, 6, 1)),
    ],
)
def test_a_cluster_is_filled_with_workers(wanted: Room, found: tuple[int, float, float]) -> None:
    assert fit(wanted, NODES) == found


@pytest.mark.parametrize("wanted", [Room(gpus=3), Room(cpus=16, gpus=0), Room(cpus=9)])
def test_a_cluster_without_room_is_one_line(wanted: Room) -> None:
    with pytest.raises(ConfigError, match=r"lower engine\.options\.cpus"):
        fit(wanted, NODES)
