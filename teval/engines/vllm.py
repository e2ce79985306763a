"""The vLLM engine: one load, all requests in flight, answers as they finish."""

from __future__ import annotations

import gc
import logging
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib.metadata import version
from itertools import chain
from typing import Any, Literal, NamedTuple

from teval.engines.chat import Chat, draw_seed, load_chat
from teval.engines.checkpoint import first_line, import_extra, loading, require_extra, revision
from teval.engines.completions import overflow
from teval.engines.precision import count_cpus, on_cpu, prepare_torch, resolve_dtype
from teval.engines.prefixes import SharedPrefixes
from teval.engines.thinking import THOUGHT_TOKENS, Wish
from teval.errors import EngineError
from teval.schema import Completion, Json, JsonObject, Request, Thinking

ENVIRONMENT = {
    "VLLM_LOGGING_LEVEL": "ERROR",
    "VLLM_LOGGING_STREAM": "ext://sys.stderr",
    "VLLM_NO_USAGE_STATS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
"""What vLLM reads from the environment; only what is not set there already."""

CPU_ENVIRONMENT = {
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
    "OMP_NUM_THREADS": str(count_cpus()),
}
"""The same on a CPU: one process starts four times as fast as three, and vLLM computes on one
core alone unless the number of threads is given."""

CPU_SEQUENCES = 32
"""Answers written side by side on a CPU, where more bring no speed but need more memory."""

COMPACT: JsonObject = {"backend": "xgrammar", "disable_any_whitespace": True}
"""How answers are held to a schema: with no white space between their parts."""

DETERMINISTIC = {"VLLM_ENABLE_V1_MULTIPROCESSING": "0"}
"""The same where answers must be alike each time: requests are scheduled in step with their being
handed over, whatever the clock says."""

BATCH_INVARIANT = {"VLLM_BATCH_INVARIANT": "1"}
"""The same on a GPU: kernels whose results hang neither on the batch nor on what was cached."""

CPU_BLOCK = 32
"""Tokens that the cache of prompts is kept by on a CPU: vLLM's own 128 forget more of each."""


class _Handed(NamedTuple):
    """A request that vLLM works at."""

    request: Request
    prompt_tokens: int
    shared_tokens: int


class VllmEngine:
    """Answers requests with vLLM, on a GPU or a CPU.

    The model is loaded by the first :meth:`generate` and not before, so that describing and
    counting cost little more than the tokenizer.

    Args:
        model: A folder in Hugging Face format, or a name on the hub.
        dtype: Precision of weights and activations. ``"auto"`` is the checkpoint's own, but
            float32 on a CPU without bfloat16 instructions, where bfloat16 is several times slower.
        max_model_len: The most tokens of prompt and answer together; the model's own if None.
        seed: Seeds the engine; each answer is drawn with a seed of its own request.
        gpu_memory_utilization: Share of a GPU's memory that weights and cache may take, in (0, 1].
        tensor_parallel_size: Over how many devices one model is spread.
        enforce_eager: Whether to skip compiling. None: only on a CPU, where compiling takes longer
            than it saves in a run of some thousand requests.
        max_num_seqs: The most answers written side by side; vLLM's own choice if None, 32 on a CPU.
        prefix_caching: Whether prompts reuse what was computed for an earlier equal beginning.
        deterministic: Whether the same requests in the same order give the same answers each time:
            by batch-invariant kernels on a GPU; on a CPU, which has none, by fixed batches and
            without prefix caching.
        kv_cache_gib: Size of that cache on a CPU, in GiB; a GPU takes what is free.
        template_options: Further variables of the chat template.
        constrained: Whether requests may bring a schema that their answer is held to; white space
            is then left out of it, for small models write little else where it may stand.
        thinking: Whether the model is to think; ``auto`` leaves it to the chat template.
        thinking_tokens: The most tokens of a thought, beside those of the answer.
        options: Further arguments of ``vllm.LLM``, by their names there.
    """

    HOLDS_TO_SCHEMA = True

    def __init__(
        self,
        *,
        model: str,
        dtype: str = "auto",
        max_model_len: int | None = None,
        seed: int = 0,
        gpu_memory_utilization: float = 0.9,
        tensor_parallel_size: int = 1,
        enforce_eager: bool | None = None,
        max_num_seqs: int | None = None,
        prefix_caching: bool = True,
        deterministic: bool = False,
        kv_cache_gib: float = 2.0,
        template_options: Mapping[str, Json] | None = None,
        constrained: bool = False,
        thinking: Thinking = "auto",
        thinking_tokens: int = THOUGHT_TOKENS,
        options: Mapping[str, Json] | None = None,
    ) -> None:
        prepare_torch()
        require_extra("vllm", "vllm")
        self._model = model
        self._chat: Chat = load_chat(
            model,
            template_options or {},
            extra="vllm",
            wish=Wish(thinking, thinking_tokens),
        )
        self._cpu = on_cpu()
        self._deterministic = deterministic
        self._settings: JsonObject = {
            "dtype": resolve_dtype(dtype, cpu=self._cpu),
            "max_model_len": max_model_len,
            "seed": seed,
            "gpu_memory_utilization": gpu_memory_utilization,
            "tensor_parallel_size": tensor_parallel_size,
            "enforce_eager": self._cpu if enforce_eager is None else enforce_eager,
            "max_num_seqs": max_num_seqs or (CPU_SEQUENCES if self._cpu else None),
            "enable_prefix_caching": prefix_caching and not (deterministic and self._cpu),
            "block_size": CPU_BLOCK if self._cpu else None,
            "kv_cache_memory_bytes": int(kv_cache_gib * 2**30) if self._cpu else None,
            "generation_config": "vllm",
            "trust_remote_code": False,
            **({"structured_outputs_config": COMPACT} if constrained else {}),
            **(options or {}),
        }

    def describe(self) -> JsonObject:
        """Return kind, model, versions, settings, device and how messages are rendered."""
        return {
            "kind": "vllm",
            "model": self._model,
            "revision": revision(self._model),
            "device": "cpu" if self._cpu else "gpu",
            "deterministic": self._deterministic,
            "versions": _versions(),
            "settings": dict(self._settings),
            "chat": self._chat.describe(),
        }

    def generate(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Yield one completion a request, each as soon as it is there.

        Raises:
            EngineError: vLLM can't load the model, or stopped while it ran.
        """
        waiting = iter(requests)
        first = next(waiting, None)
        if first is None:
            return
        self._chat.encode(first.messages, first.functions)  # what can't be is told before loading
        engine = self._llm.llm_engine
        stream = enumerate(chain([first], waiting))
        prefixes = SharedPrefixes()
        running: dict[str, _Handed] = {}
        try:
            while True:
                yield from self._fill(engine, stream, prefixes, running)
                if not running:
                    return
                for output in self._step(engine):
                    yield self._completion(running.pop(output.request_id), output)
        finally:
            if running:
                engine.abort_request(list(running))

    def close(self) -> None:
        """Stop vLLM and its processes and free the device; a later request starts it again."""
        llm = self.__dict__.pop("_llm", None)
        if llm is None:
            return
        llm.llm_engine.engine_core.shutdown()
        del llm
        gc.collect()
        import torch

        if torch.cuda.is_available():
            torch.cuda.empty_cache()

    @cached_property
    def _llm(self) -> Any:
        for name, value in (ENVIRONMENT | (CPU_ENVIRONMENT if self._cpu else {})).items():
            os.environ.setdefault(name, value)
        if self._deterministic:
            os.environ.update(DETERMINISTIC | ({} if self._cpu else BATCH_INVARIANT))
        logging.getLogger("vllm").setLevel(os.environ["VLLM_LOGGING_LEVEL"])
        given = {name: value for name, value in self._settings.items() if value is not None}
        with warnings.catch_warnings(), loading(self._model):
            warnings.simplefilter("ignore")  # about vLLM's own inside
            vllm = import_extra("vllm", "vllm")
            return vllm.LLM(self._model, use_tqdm_on_load=False, **given)

    @cached_property
    def _window(self) -> int:
        """The most tokens of prompt and answer together."""
        return int(self._llm.llm_engine.model_config.max_model_len)

    @property
    def _ahead(self) -> int:
        """How many requests are handed over at most, so that a free place is never idle."""
        return 2 * int(self._llm.llm_engine.vllm_config.scheduler_config.max_num_seqs)

    def _fill(
        self,
        engine: Any,
        waiting: Iterator[tuple[int, Request]],
        prefixes: SharedPrefixes,
        running: dict[str, _Handed],
    ) -> Iterator[Completion]:
        """Hand over requests until enough are running; yield those that can't be answered."""
        while len(running) < self._ahead:
            index, request = next(waiting, (-1, None))
            if request is None:
                return
            ids = self._chat.encode(request.messages, request.functions)
            failed = self._hand_over(engine, str(index), request, ids)
            if failed is None:
                running[str(index)] = _Handed(request, len(ids), prefixes.add(ids))
            else:
                yield failed

    def _hand_over(
        self, engine: Any, name: str, request: Request, ids: list[int]
    ) -> Completion | None:
        """Give one request to vLLM; return a completion only if it can't be answered."""
        if len(ids) >= self._window:
            return overflow(request, len(ids), self._window)
        most = self._chat.thought.meter(request.sampling.max_tokens).most
        try:
            engine.add_request(name, {"prompt_token_ids": ids}, _parameters(request, most))
        except Exception as error:  # noqa: BLE001 - one refused request must not end the run
            return Completion(
                request=request.key,
                prompt=request.prompt,
                finish="error",
                error=first_line(error),
                prompt_tokens=len(ids),
            )
        return None

    def _step(self, engine: Any) -> list[Any]:
        """Return what finished in one step of vLLM."""
        from vllm.v1.engine.exceptions import EngineDeadError

        try:
            return [output for output in engine.step() if output.finished]
        except (EngineDeadError, RuntimeError) as error:
            raise EngineError(
                f"{self._model}: vLLM stopped ({first_line(error)}); what was answered is kept;"
                " set VLLM_LOGGING_LEVEL=INFO to see why, or lower max_num_seqs"
            ) from error

    def _completion(self, handed: _Handed, output: Any) -> Completion:
        answer = output.outputs[0]
        known: dict[str, Literal["stop", "length"]] = {"stop": "stop", "length": "length"}
        ids = self._chat.thought.meter(handed.request.sampling.max_tokens).cut(answer.token_ids)
        finish = known.get(answer.finish_reason if len(ids) == len(answer.token_ids) else "length")
        text, thought = self._chat.told(ids, calls=bool(handed.request.functions))
        return Completion(
            request=handed.request.key,
            prompt=handed.request.prompt,
            text=text,
            thought=thought,
            finish=finish or "error",
            error="" if finish else f"vLLM ended the answer: {answer.finish_reason}",
            prompt_tokens=handed.prompt_tokens,
            completion_tokens=len(ids),
            cached_tokens=output.num_cached_tokens or 0,
            shared_tokens=handed.shared_tokens,
        )


def _parameters(request: Request, most: int) -> Any:
    """Return vLLM's sampling parameters, none of which is left to a default of the model.

    Args:
        request: What is asked.
        most: The most tokens of thought and answer together.
    """
    from vllm import SamplingParams
    from vllm.sampling_params import RequestOutputKind, StructuredOutputsParams

    held = request.constraint
    return SamplingParams(
        **request.sampling.model_dump(exclude={"max_tokens"}),
        max_tokens=most,
        n=1,
        seed=draw_seed(request),
        stop=[],
        stop_token_ids=[],
        ignore_eos=False,
        min_tokens=0,
        detokenize=False,
        skip_special_tokens=True,
        output_kind=RequestOutputKind.FINAL_ONLY,
        structured_outputs=held and StructuredOutputsParams(json=held),
    )


def _versions() -> JsonObject:
    from importlib.metadata import packages_distributions

    owner = packages_distributions().get("vllm", ["vllm"])[0]
    return {name: version(name) for name in (owner, "torch", "transformers")}
