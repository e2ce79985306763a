"""How models mark their thoughts, and whether they are to have any."""

from __future__ import annotations

from typing import Literal, TypeAlias

Thinking: TypeAlias = Literal["auto", "on", "off"]
"""``auto`` leaves it to the chat template, ``on`` and ``off`` set the template's own switch."""

THOUGHT_TAGS: tuple[tuple[str, str], ...] = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),
    ("◁think▷", "◁/think▷"),
)
"""What opens a thought and what closes it, in the tongues of different models."""
