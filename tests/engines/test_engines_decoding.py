"""The decoding loop against the library's own, on tiny models with random weights."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from teval.engines.attention import NAME, use_grouped_attention
from teval.engines.decoding import Decoder, Row
from teval.engines.thinking import Meter
from teval.schema import Request, Sampling

pytestmark = [pytest.mark.engine, pytest.mark.filterwarnings("ignore")]

SIZES = {
    "vocab_size": 96,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 128,
    "eos_token_id": 5,
    "bos_token_id": 1,
    "pad_token_id": 0,
}
HEAD = [1, *range(20, 60)]
PROMPTS = ([*HEAD, 7], [*HEAD, 8, 9, 10, 11], [*HEAD, 8, 9, 12], [1, 20, 77], [*HEAD[:30], 3])
KINDS = {
    "grouped queries": ("Llama", {}),
    "sliding window": ("Mistral", {"sliding_window": 8}),
}


@pytest.fixture(scope="module", params=KINDS)
def model(request: pytest.FixtureRequest) -> Any:
    import torch

    family, more = KINDS[request.param]
    transformers = importlib.import_module("transformers")
    torch.manual_seed(1)
    config = getattr(transformers, f"{family}Config")(**SIZES, **more)
    return getattr(transformers, f"{family}ForCausalLM")(config).eval()


def plain(model: Any, prompt: list[int], tokens: int) -> list[int]:
    import torch

    ids = torch.tensor([prompt])
    written = model.generate(
        ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=tokens
    )
    return [int(i) for i in written[0, len(prompt) :]]


def rows(*limits: int) -> list[Row]:
    request = Request(prompt="p", messages=(), sampling=Sampling())
    return [
        Row(
            request=request,
            prompt=list(prompt),
            meter=Meter(0, limit, {}, opened=False),
            room=limit,
            seed=0,
        )
        for prompt, limit in zip(PROMPTS, limits, strict=True)
    ]


def test_batches_write_what_each_prompt_alone_would_get(model: Any) -> None:
    limits = (4, 24, 16, 24, 1)
    decoder = Decoder(model, frozenset())
    for _ in range(2):
        done = list(decoder.decode(rows(*limits)))
        assert len(done) == len(PROMPTS)
        for row in done:
            expected = plain(model, row.prompt, row.room)
            assert row.answer == expected
            assert row.stopped == (expected[-1] == SIZES["eos_token_id"])


def test_short_answers_come_before_long_ones(model: Any) -> None:
    done = list(Decoder(model, frozenset()).decode(rows(9, 2, 5, 7, 1)))
    lengths = [len(row.answer) for row in done]
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[-1]


def test_a_batch_left_half_way_does_not_spoil_the_next(model: Any) -> None:
    decoder = Decoder(model, frozenset())
    started = decoder.decode(rows(1, 9, 9, 9, 9))
    next(started)
    again = {len(row.prompt): row.answer for row in decoder.decode(rows(6, 6, 6, 6, 6))}
    assert again[len(PROMPTS[0])] == plain(model, list(PROMPTS[0]), 6)


def test_a_token_may_be_named_as_the_end(model: Any) -> None:
    first = plain(model, list(PROMPTS[0]), 1)[0]
    (row, *_) = Decoder(model, frozenset([first])).decode(rows(9, 9, 9, 9, 9))
    assert row.stopped
    assert row.answer[-1] == first


def test_what_a_prompt_shares_is_read_once() -> None:
    transformers = importlib.import_module("transformers")
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**SIZES)).eval()
    decoder = Decoder(model, frozenset())
    shared = [row.shared for row in sorted(decoder.decode(rows(1, 2, 3, 4, 5)), key=limit_of)]
    assert shared == [0, len(HEAD), len(HEAD) + 2, 2, 2]


def limit_of(row: Row) -> int:
    return row.room


def test_grouped_attention_changes_no_logit(model: Any) -> None:
    import torch

    ids = torch.tensor([[0, 0, *HEAD], [*HEAD, 4, 5]])
    mask = torch.tensor([[0, 0, *[1] * len(HEAD)], [1] * (len(HEAD) + 2)])
    with torch.inference_mode():
        before = model(ids, attention_mask=mask).logits
        use_grouped_attention(model)
        after = model(ids, attention_mask=mask).logits
    assert model.config._attn_implementation == NAME
    model.set_attn_implementation("sdpa")
    torch.testing.assert_close(before[0, 2:], after[0, 2:], atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(before[1], after[1], atol=1e-5, rtol=1e-5)


def test_a_model_with_attention_of_its_own_is_left_alone() -> None:
    transformers = importlib.import_module("transformers")
    config = transformers.LlamaConfig(**SIZES, attn_implementation="eager")
    model = transformers.LlamaForCausalLM(config)
    use_grouped_attention(model)
    assert model.config._attn_implementation == "eager"
