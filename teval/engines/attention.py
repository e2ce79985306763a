"""Attention on a CPU for models whose queries share keys: without copying the keys."""

from __future__ import annotations

from typing import Any

NAME = "sdpa_grouped"


def use_grouped_attention(model: Any) -> None:
    """Let a model compute attention without repeating keys and values for each query head.

    transformers repeats them wherever there is padding, which suits a GPU; on a CPU that copying
    took ten times as long as all else in the attention of a batch. The numbers are the same.
    Models that do not use torch's own attention stay as they are.

    Args:
        model: A causal language model of transformers, on a CPU.
    """
    if getattr(model.config, "_attn_implementation", "") != "sdpa":
        return
    from transformers import AttentionInterface
    from transformers.masking_utils import AttentionMaskInterface, sdpa_mask

    AttentionInterface.register(NAME, _grouped)
    AttentionMaskInterface.register(NAME, sdpa_mask)
    model.set_attn_implementation(NAME)


def _grouped(
    module: Any, query: Any, key: Any, value: Any, attention_mask: Any, **more: Any
) -> tuple[Any, None]:
    """Return the attention's output, tokens x heads, as transformers' own function does."""
    from torch.nn.functional import scaled_dot_product_attention
    from transformers.integrations.sdpa_attention import sdpa_attention_forward

    if attention_mask is None or more.get("position_bias") is not None:
        found: tuple[Any, None] = sdpa_attention_forward(
            module, query, key, value, attention_mask, **more
        )
        return found
    output = scaled_dot_product_attention(
        query,
        key,
        value,
        attn_mask=attention_mask,
        scale=more.get("scaling"),
        enable_gqa=query.shape[1] != key.shape[1],
    )
    return output.transpose(1, 2).contiguous(), None
