"""What a run stores: requests, completions, scores."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from pydantic import Field

from teval.schema.cases import Function, Message
from teval.schema.stored import Frozen, Json, JsonObject, digest
from teval.schema.thinking import THOUGHT_TAGS

Status: TypeAlias = Literal[
    "ok", "unparsed", "truncated", "truncated_in_reasoning", "context_overflow", "engine_error"
]
STATUSES: tuple[Status, ...] = get_args(Status)


class Sampling(Frozen):
    """Complete sampling parameters: an engine never adds a default of its own."""

    temperature: float = Field(default=0.0, ge=0)
    """0 is greedy."""
    top_p: float = Field(default=1.0, gt=0, le=1)
    top_k: int = Field(default=0, ge=0)
    """0 keeps all tokens."""
    min_p: float = Field(default=0.0, ge=0, le=1)
    repetition_penalty: float = Field(default=1.0, gt=0)
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    max_tokens: int = Field(default=256, ge=1)
    """The most tokens one answer may have, at least 1."""


class Request(Frozen):
    """One question to a model; several cases may read its answer."""

    prompt: str
    """Hash of messages and functions."""
    messages: tuple[Message, ...]
    functions: tuple[Function, ...] = ()
    """Tools that the model may call in its own syntax."""
    constraint: JsonObject | None = None
    """JSON Schema that the answer is held to; None where it is free."""
    sampling: Sampling
    seed: int = 0
    repeat: int = 0

    @property
    def key(self) -> str:
        """What a completion is stored and resumed by; moves with all that could move an answer."""
        parts: list[Json] = [self.prompt, self.sampling.model_dump(), self.seed, self.repeat]
        return digest(parts if self.constraint is None else [*parts, self.constraint])


class Completion(Frozen):
    """An engine's answer to one request, as stored."""

    request: str
    """The request's key."""
    prompt: str
    text: str = ""
    """All that the model wrote, its thought included; where the chat template itself opens the
    thought, the opening tag stands before it."""
    thought: int = Field(default=0, ge=0)
    """How many characters at the beginning of the text are the thought and its tags, where the
    engine knows it for certain: by the tags' own tokens, or because a server had split them."""
    flags: tuple[str, ...] = ()
    """What the engine noticed: ``reasoning_as_answer``, a server took the whole answer for a
    thought although the model was not to think."""
    finish: Literal["stop", "length", "overflow", "error"]
    error: str = ""
    """Why the engine failed; empty but for ``overflow`` and ``error``."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    """Prompt tokens that the engine took from its prefix cache."""
    shared_tokens: int | None = None
    """Prompt tokens that the prompt begins with like the one handed over before it; None where
    the engine can't tell."""

    @property
    def answer(self) -> str:
        """What was written after the thought, as far as the engine knows where that ends."""
        return self.text[self.thought :]

    @property
    def unclosed(self) -> bool:
        """Whether the engine knows that the thought never ended."""
        closed = self.text.endswith(tuple(close for _, close in THOUGHT_TAGS))
        return 0 < self.thought == len(self.text) and not closed


class Score(Frozen):
    """What one case got."""

    case: str
    ability: str
    format: str
    family: str
    path: str
    step: int | None = None
    repeat: int = 0
    """Which of several answers to the same case this is, from 0."""
    status: Status
    parsed: bool
    well_formed: bool
    rule: str = ""
    flags: tuple[str, ...] = ()
    corrected: dict[str, float]
    """Metric name to value in [0, 1], the ability's headline metric among them."""
    published: dict[str, float] | None = None
    """The same by the released T-Eval code's rules, under its own metric names."""
    cause: str | None = None
    """Why points were lost; None where none were."""
    why: str = ""
    """The cause as a sentence."""
