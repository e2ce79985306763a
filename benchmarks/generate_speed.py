"""How many cases a second, beside a plain loop over ``transformers.generate``?

    python benchmarks/generate_speed.py [--limit 120] [--nth 11] [--model smollm2-135m-instruct]

- plain: one case after another, batch 1, as T-Eval's own script works: the prompt is rendered with
  the chat template, tokenised, and handed to ``generate`` with the same token limit. With
  ``--nth`` every nth case only, spread over all abilities; its rate is per case, so that is fair;
- teval: this project's vLLM run of all the cases, answers stored as they come.

Both use the same precision, threads and cases. Loading is not counted; the cache of prompts is
empty at the start.

Measured on 2 shared cores, without a GPU: 120 cases in 100 requests, 1.87 cases a second; the plain
loop 0.11. 17.6 times as many by the clock, 16.1 by the processor.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

from engine_work import MODEL, Clock, ask, offline, timing, vllm_engine, work

from teval.schema import Case, Request


def plain(path: str, dtype: str, cases: list[Case], limits: dict[str, int]) -> Clock:
    """Answer the cases one by one."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(path)
    model: Any = AutoModelForCausalLM.from_pretrained(path, dtype=dtype).eval()
    with timing() as clock, torch.inference_mode():
        for case in cases:
            turns = [{"role": m.role, "content": m.content} for m in case.messages]
            ids = tokenizer.apply_chat_template(
                turns, add_generation_prompt=True, return_tensors="pt", return_dict=True
            )
            written = model.generate(
                **ids, do_sample=False, max_new_tokens=limits[case.prompt], pad_token_id=0
            )
            tokenizer.decode(written[0, ids["input_ids"].shape[1] :], skip_special_tokens=True)
    return clock


def limits_of(requests: Iterable[Request]) -> dict[str, int]:
    return {request.prompt: request.sampling.max_tokens for request in requests}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=120)
    parser.add_argument("--nth", type=int, default=11)
    parser.add_argument("--model", default=MODEL)
    parser.add_argument("--dtype", default="auto")
    given = parser.parse_args()
    offline()
    cases, requests = work(given.limit)
    engine = vllm_engine(given.model, dtype=given.dtype, max_model_len=8192, max_num_seqs=64)
    with timing() as ours:
        ask(engine, requests)
    settings = engine._settings
    engine.close()
    rates = [len(cases) / ours.wall]
    print(f"{len(cases)} cases, {len(requests)} requests, {settings['dtype']}")
    told = f"teval  {rates[0]:7.2f} cases a second ({ours.wall:.1f} s, cpu {ours.cpu:.1f} s)"
    print(told, flush=True)
    some = cases[:: given.nth]
    theirs = plain(engine._model, str(settings["dtype"]), some, limits_of(requests))
    rates.append(len(some) / theirs.wall)
    print(f"plain  {rates[1]:7.2f} cases a second ({theirs.wall:.1f} s, cpu {theirs.cpu:.1f} s)")
    print(f"ratio  {rates[0] / rates[1]:7.1f} by the clock,", end=" ")
    print(f"{theirs.cpu / len(some) / (ours.cpu / len(cases)):.1f} by the processor")


if __name__ == "__main__":
    main()
