"""The transformers engine: batches on any device, with shared beginnings computed once."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib.metadata import version
from itertools import islice
from typing import TYPE_CHECKING, Any

from teval.engines.attention import use_grouped_attention
from teval.engines.chat import Chat, draw_seed, load_chat
from teval.engines.checkpoint import first_line, import_extra, loading, require_extra, revision
from teval.engines.completions import overflow
from teval.engines.precision import on_cpu, prepare_torch, resolve_dtype
from teval.engines.prefixes import SharedPrefixes
from teval.engines.thinking import THOUGHT_TOKENS, Wish
from teval.errors import EngineError
from teval.schema import Completion, Json, JsonObject, Request, Thinking

if TYPE_CHECKING:
    from teval.engines.decoding import Decoder, Row


class TransformersEngine:
    """Answers requests with transformers, in batches, in the order given.

    The model is loaded by the first :meth:`generate` and not before. Answers come from a loop of
    this project and not from the library's ``generate``, so that no sampling default of the model
    can creep in and each request draws with a seed of its own.

    Args:
        model: A folder in Hugging Face format, or a name on the hub.
        dtype: Precision of weights and activations. ``"auto"`` is the checkpoint's own, but
            float32 on a CPU without bfloat16 instructions, where bfloat16 is several times slower.
        device: ``"cpu"``, ``"cuda"``, ``"cuda:1"``, …; ``"auto"`` is the accelerator if any.
        batch_size: How many answers are written side by side.
        max_model_len: The most tokens of prompt and answer together; the model's own if None.
        deterministic: Whether each answer hangs on its request alone: one at a time, and nothing
            that was computed for another prompt is used again.
        seed: Noted in the run's record; each answer is drawn with a seed of its own request.
        template_options: Further variables of the chat template.
        thinking: Whether the model is to think; ``auto`` leaves it to the chat template.
        thinking_tokens: The most tokens of a thought, beside those of the answer.
    """

    def __init__(
        self,
        *,
        model: str,
        dtype: str = "auto",
        device: str = "auto",
        batch_size: int = 16,
        max_model_len: int | None = None,
        deterministic: bool = False,
        seed: int = 0,
        template_options: Mapping[str, Json] | None = None,
        thinking: Thinking = "auto",
        thinking_tokens: int = THOUGHT_TOKENS,
    ) -> None:
        prepare_torch()
        require_extra("torch", "transformers")
        self._model = model
        self._chat: Chat = load_chat(
            model,
            template_options or {},
            extra="transformers",
            wish=Wish(thinking, thinking_tokens),
        )
        self._device = ("cpu" if on_cpu() else "cuda") if device == "auto" else device
        self._settings: JsonObject = {
            "dtype": resolve_dtype(dtype, cpu=self._device == "cpu"),
            "batch_size": 1 if deterministic else batch_size,
            "max_model_len": max_model_len,
            "seed": seed,
        }
        self._batch_size = 1 if deterministic else batch_size
        self._deterministic = deterministic
        self._max_model_len = max_model_len

    def describe(self) -> JsonObject:
        """Return kind, model, versions, settings, device and how messages are rendered."""
        return {
            "kind": "transformers",
            "model": self._model,
            "revision": revision(self._model),
            "device": self._device.partition(":")[0],
            "deterministic": self._deterministic,
            "versions": {name: version(name) for name in ("torch", "transformers")},
            "settings": dict(self._settings),
            "chat": self._chat.describe(),
        }

    def generate(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Yield one completion a request, batch by batch, each answer when it ends.

        Raises:
            EngineError: The model can't be loaded, or the device ran out of memory.
        """
        waiting, prefixes = iter(requests), SharedPrefixes()
        while batch := list(islice(waiting, self._batch_size)):
            fitting: list[Row] = []
            for request in batch:
                ids = self._chat.encode(request.messages, request.functions)
                if len(ids) >= self._window:
                    yield overflow(request, len(ids), self._window)
                else:
                    fitting.append(self._row(request, ids, prefixes.add(ids)))
            yield from self._answer(fitting)

    def close(self) -> None:
        """Free the model and its device memory; a later request loads it again."""
        self.__dict__.pop("_decoder", None)
        gc.collect()
        import torch

        if torch.cuda.is_available():
            torch.cuda.empty_cache()

    def _row(self, request: Request, ids: list[int], common: int) -> Row:
        """Return a request made ready."""
        from teval.engines.decoding import Row

        return Row(
            request=request,
            prompt=ids,
            room=self._window - len(ids),
            meter=self._chat.thought.meter(request.sampling.max_tokens),
            seed=draw_seed(request),
            common=common,
        )

    def _answer(self, rows: list[Row]) -> Iterator[Completion]:
        try:
            for row in self._decoder.decode(rows):
                text, thought = self._chat.told(row.answer, calls=bool(row.request.functions))
                yield Completion(
                    request=row.request.key,
                    prompt=row.request.prompt,
                    text=text,
                    thought=thought,
                    finish="stop" if row.stopped else "length",
                    prompt_tokens=len(row.prompt),
                    completion_tokens=len(row.answer),
                    cached_tokens=row.shared,
                    shared_tokens=row.common,
                )
        except RuntimeError as error:
            raise EngineError(
                f"{self._model}: {first_line(error)}; what was answered is kept;"
                " if memory ran out, lower batch_size or max_model_len"
            ) from error

    @cached_property
    def _decoder(self) -> Decoder:
        from teval.engines.decoding import Decoder

        transformers = import_extra("transformers", "transformers")
        transformers.utils.logging.disable_progress_bar()
        with loading(self._model):
            model: Any = transformers.AutoModelForCausalLM.from_pretrained(
                self._model, dtype=self._settings["dtype"], trust_remote_code=False
            )
            model.to(self._device).eval()
            if self._device == "cpu":
                use_grouped_attention(model)
        return Decoder(model, self._chat.stops, reuse=not self._deterministic)

    @cached_property
    def _window(self) -> int:
        """The most tokens of prompt and answer together."""
        if self._max_model_len is not None:
            return self._max_model_len
        config = self._decoder.model.config.get_text_config()
        return int(getattr(config, "max_position_embeddings", None) or 2**31)
