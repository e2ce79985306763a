"""Choosing tokens: hand-computed cases on a vocabulary of four."""

from __future__ import annotations

import math

import pytest

from teval.engines.decoding import Row
from teval.engines.drawing import draw, narrow, penalise
from teval.engines.thinking import Meter
from teval.schema import Request, Sampling

pytestmark = [pytest.mark.engine, pytest.mark.filterwarnings("ignore")]

CHANCES = [0.5, 0.3, 0.15, 0.05]


def row(sampling: Sampling, seed: int = 0, answer: tuple[int, ...] = ()) -> Row:
    request = Request(prompt="p", messages=(), sampling=sampling)
    meter = Meter(0, 9, {}, opened=False)
    return Row(request=request, prompt=[0], meter=meter, room=9, seed=seed, answer=list(answer))


@pytest.mark.parametrize(
    ("sampling", "kept"),
    [
        (Sampling(), [0.5, 0.3, 0.15, 0.05]),
        (Sampling(top_k=2), [0.5, 0.3, 0, 0]),
        (Sampling(top_k=9), [0.5, 0.3, 0.15, 0.05]),
        (Sampling(top_p=0.5), [0.5, 0, 0, 0]),
        (Sampling(top_p=0.51), [0.5, 0.3, 0, 0]),
        (Sampling(top_p=1e-9), [0.5, 0, 0, 0]),
        (Sampling(min_p=0.2), [0.5, 0.3, 0.15, 0]),
        (Sampling(min_p=0.2, top_k=3, top_p=0.6), [0.5, 0.3, 0, 0]),
    ],
)
def test_unlikely_tokens_are_left_out(sampling: Sampling, kept: list[float]) -> None:
    import torch

    left = narrow(torch.tensor(CHANCES), sampling)
    assert (left / left.sum()).tolist() == pytest.approx([x / sum(kept) for x in kept])


@pytest.mark.parametrize(
    ("sampling", "expected"),
    [
        (Sampling(), [2.0, -2.0, 1.0, 0.0]),
        (Sampling(repetition_penalty=2.0), [1.0, -4.0, 1.0, 0.0]),
        (Sampling(presence_penalty=0.5), [2.0, -2.5, 1.0, 0.0]),
        (Sampling(frequency_penalty=0.5), [2.0, -3.0, 1.0, 0.0]),
    ],
)
def test_repeated_tokens_become_less_likely(sampling: Sampling, expected: list[float]) -> None:
    import torch

    logits = torch.tensor([2.0, -2.0, 1.0, 0.0])
    assert penalise(logits, [0], [1, 1], sampling).tolist() == expected
    assert logits.tolist() == [2.0, -2.0, 1.0, 0.0]


def test_greedy_takes_the_likeliest_after_penalties() -> None:
    import torch

    logits = torch.tensor([[2.0, 1.9, 0.0, 0.0], [2.0, 1.9, 0.0, 0.0]])
    rows = [row(Sampling()), row(Sampling(presence_penalty=0.5), answer=(0,))]
    assert draw(logits, rows) == [0, 1]


def test_draws_follow_the_chances_and_their_own_seed() -> None:
    import torch

    logits = torch.tensor([[math.log(x) for x in CHANCES]])
    hot = Sampling(temperature=1.0)
    drawn = [draw(logits, [row(hot, seed)])[0] for seed in range(400)]
    assert drawn == [draw(logits, [row(hot, seed)])[0] for seed in range(400)]
    for token, chance in enumerate(CHANCES):
        assert drawn.count(token) / 400 == pytest.approx(chance, abs=0.08)


def test_one_row_goes_on_in_its_own_stream() -> None:
    import torch

    logits = torch.zeros(2, 4)
    alone, among = row(Sampling(temperature=1.0), 7), row(Sampling(temperature=1.0), 7)
    other = row(Sampling(temperature=1.0), 8)
    one = [draw(logits[:1], [alone])[0] for _ in range(20)]
    two = [draw(logits, [other, among])[1] for _ in range(20)]
    assert one == two
    assert len(set(one)) > 1
