"""What does a run cost beside the engine?

    python benchmarks/engine_overhead.py [--limit 120] [--pairs 5]

Pairs of a whole generation as a run makes it (render, tokenise, hand over, decode, store) and of a
bare ``vllm.LLM.generate`` on the same token ids with the same sampling parameters, in turn, in one
process with one engine, each with an empty cache of prompts. Printed are the processor's seconds of
both and the median of how much more ours took; and, since the engine's own seconds vary from one
time to the next by more than the difference, the seconds that were counted outside its calls.

Measured on 2 shared cores, without a GPU, with ``--limit 60``, about 50 s of the processor each:
-0.2 % more than bare, median of 5 pairs; 0.34 % counted outside the engine's own calls.
"""

from __future__ import annotations

import argparse
from statistics import median
from typing import Any

from engine_work import MODEL, ask, cpu_seconds, forget, offline, timing, vllm_engine, work

from teval.engines.vllm import VllmEngine, _parameters
from teval.schema import Request


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=120)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--model", default=MODEL)
    given = parser.parse_args()
    offline()
    _, requests = work(given.limit)
    engine = vllm_engine(given.model, WatchedEngine, max_model_len=8192, max_num_seqs=64)
    assert isinstance(engine, WatchedEngine)
    bare = Bare(engine, list(requests))
    more, beside = [], []
    for number in range(given.pairs + 1):
        engine.inside = 0.0
        clocks = {}
        # Which one goes first changes from pair to pair.
        for name in ("bare", "ours")[:: 1 if number % 2 else -1]:
            forget(engine)
            with timing() as clocks[name]:
                bare.generate() if name == "bare" else ask(engine, requests)
        if number == 0:
            continue  # the first pair warms up
        theirs, ours = clocks["bare"], clocks["ours"]
        more.append((ours.cpu - theirs.cpu) / theirs.cpu)
        beside.append((ours.cpu - engine.inside) / engine.inside)
        print(f"bare {theirs.cpu:.2f} s, ours {ours.cpu:.2f} s of the processor", end=", ")
        print(f"{theirs.wall:.2f} s and {ours.wall:.2f} s by the clock: ", end="")
        print(f"{100 * more[-1]:+.1f} %; counted outside vLLM's calls {100 * beside[-1]:.2f} %")
    print(
        f"ratio: {100 * median(more):+.1f} % more than bare, median of {len(more)} pairs;", end=" "
    )
    print(f"{100 * median(beside):.2f} % counted outside the engine's own calls")
    engine.close()


class WatchedEngine(VllmEngine):
    """Adds up the processor's seconds inside vLLM's own calls."""

    inside = 0.0

    def _hand_over(self, *given: Any) -> Any:
        start = cpu_seconds()
        failed = super()._hand_over(*given)
        self.inside += cpu_seconds() - start
        return failed

    def _step(self, engine: Any) -> list[Any]:
        start = cpu_seconds()
        finished = super()._step(engine)
        self.inside += cpu_seconds() - start
        return finished


class Bare:
    """``vllm.LLM.generate`` on the same token ids."""

    def __init__(self, engine: VllmEngine, requests: list[Request]) -> None:
        chat = engine._chat
        self._llm = engine._llm
        self._prompts: Any = [{"prompt_token_ids": chat.encode(r.messages)} for r in requests]
        limits = [chat.thought.meter(r.sampling.max_tokens).most for r in requests]
        self._parameters = [_parameters(r, m) for r, m in zip(requests, limits, strict=True)]

    def generate(self) -> None:
        self._llm.generate(self._prompts, self._parameters, use_tqdm=False)


if __name__ == "__main__":
    main()
