"""What is the order of requests worth, with prefix caching on?

    python benchmarks/prefix_order.py [--limit 240] [--kv-cache-gib 0.375] [--rounds 2]

The same requests go through one vLLM engine in the order of a run, which is that of their text,
and in a shuffled order, in turn, each with an empty cache. Answers are one token long, so that
what is measured is the reading of prompts. Printed are the tokens that were computed, against the
size of the prefix tree in whole blocks of the cache (the least that can be computed), and the time
by the clock. The cache is as small, against all distinct tokens, as that of a large model
on a GPU is; where all distinct tokens fit into it, no order computes more than another.

Measured on 2 shared cores, without a GPU: 201 requests of 339,411 prompt tokens, a cache of 17,472
tokens. In order 33,907 tokens were computed, 1.000 times the tree; shuffled 52,723, 1.555 times,
which took 1.5 times as long by the clock.
"""

from __future__ import annotations

import argparse
import random
from statistics import median

from engine_work import MODEL, blocks_of, forget, offline, timing, vllm_engine, work

from teval.schema import Request


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=240)
    parser.add_argument("--kv-cache-gib", type=float, default=0.375)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--model", default=MODEL)
    given = parser.parse_args()
    offline()
    _, planned = work(given.limit)
    requests = [one_token(request) for request in planned]
    engine = vllm_engine(given.model, max_model_len=8192, kv_cache_gib=given.kv_cache_gib)
    cache = engine._llm.llm_engine.vllm_config.cache_config
    prompts = [engine._chat.encode(request.messages) for request in requests]
    least = blocks_of(prompts, cache.block_size)
    print(f"{len(requests)} requests, {sum(map(len, prompts)):,} prompt tokens,", end=" ")
    print(f"cache of {cache.num_gpu_blocks * cache.block_size:,} tokens")
    print(f"prefix tree in blocks of {cache.block_size}: {least:,} tokens")
    shuffled = random.Random(0).sample(requests, len(requests))
    walls: dict[str, list[float]] = {"in order": [], "shuffled": []}
    for _ in range(given.rounds):
        for name, order in (("in order", requests), ("shuffled", shuffled)):
            forget(engine)
            with timing() as clock:
                answers = list(engine.generate(order))
            computed = sum(answer.prompt_tokens - answer.cached_tokens for answer in answers)
            walls[name].append(clock.wall)
            print(f"{name}: {computed:,} computed, {computed / least:.3f} × the tree", end=", ")
            print(f"{clock.wall:.1f} s")
    ratio = median(walls["shuffled"]) / median(walls["in order"])
    print(f"ratio of the clock, shuffled to in order: {ratio:.2f}")
    engine.close()


def one_token(request: Request) -> Request:
    sampling = request.sampling.model_copy(update={"max_tokens": 1})
    return request.model_copy(update={"sampling": sampling})


if __name__ == "__main__":
    main()
