"""What does a run cost beside the engine?

    python benchmarks/engine_overhead.py [--limit 120] [--pairs 5]

Pairs of a whole generation as a run makes it (render, tokenise, hand over, decode, store) and of a
bare ``vllm.LLM.generate`` on the same token ids with the same sampling parameters, in turn, in one
process with one engine, each with an empty cache of prompts. Printed are the processor's seconds of
both and the median of how much more ours took.

"""

from __future__ import annotations

import argparse
from statistics import median
from typing import Any

from engine_work import MODEL, ask, forget, offline, timing, vllm_engine, work


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=120)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--model", default=MODEL)
    given = parser.parse_args()
    offline()
    _, requests = work(given.limit)
    engine = vllm_engine(given.model, max_model_len=8192, max_num_seqs=64)
    from teval.engines.vllm import _parameters

    prompts: Any = [{"prompt_token_ids": engine._chat.encode(r.messages)} for r in requests]
    parameters = [_parameters(request) for request in requests]
    shares = []
    for number in range(given.pairs + 1):
        forget(engine)
        with timing() as bare:
            engine._llm.generate(prompts, parameters, use_tqdm=False)
        forget(engine)
        with timing() as ours:
            ask(engine, requests)
        if number == 0:
            continue  # the first pair warms up
        shares.append((ours.cpu - bare.cpu) / bare.cpu)
        print(f"bare {bare.cpu:.2f} s, ours {ours.cpu:.2f} s of the processor", end=", ")
        print(f"{bare.wall:.2f} s and {ours.wall:.2f} s by the clock: {100 * shares[-1]:+.1f} %")
    print(f"ratio: {100 * median(shares):+.1f} % beside the engine, median of {len(shares)} pairs")
    engine.close()


if __name__ == "__main__":
    main()
