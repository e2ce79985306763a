"""vLLM and transformers on the small chat model; where vLLM is missing, transformers alone."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from teval import api
from teval.abilities import card_of
from teval.api.job import requests_of
from teval.engines.chat import Chat, load_chat
from teval.engines.models import get_model
from teval.engines.prefixes import shared_length
from teval.engines.transformers import TransformersEngine
from teval.engines.vllm import VllmEngine
from teval.errors import EngineError
from teval.run.record_file import Spooled
from teval.schema import Case, Completion, Engine, Message, Request, Sampling, digest

pytestmark = [pytest.mark.engine, pytest.mark.filterwarnings("ignore")]

WINDOW = 512
GREEDY = Sampling(max_tokens=16)
GAP = 0.05
"""Largest difference of two logits that rounding may turn round."""

TOOLS = "\n".join(
    f"- {kit}.{verb}: {verb}s one {kit} by its id"
    for kit in ("flight", "mail", "event", "note")
    for verb in ("get", "list", "create", "delete")
)
QUESTIONS = (
    "Which tool finds a flight?",
    "Name the tool that deletes a mail, and only that.",
    "I would like to know which of all these tools writes something down for later. Name it.",
    "What is the capital of France?",
    "Say hello.",
)


def ask(text: str, sampling: Sampling = GREEDY, repeat: int = 0) -> Request:
    messages = (
        Message(role="system", content=f"You have these tools:\n{TOOLS}"),
        Message(role="user", content=text),
    )
    prompt = digest([message.model_dump() for message in messages])
    return Request(prompt=prompt, messages=messages, sampling=sampling, repeat=repeat)


REQUESTS = tuple(map(ask, QUESTIONS))


@pytest.fixture(scope="session")
def model() -> Path:
    return get_model("smollm2-135m-instruct")


@pytest.fixture(scope="session")
def transformers_engine(model: Path) -> Iterator[Engine]:
    engine = TransformersEngine(
        model=str(model), dtype="float32", batch_size=3, max_model_len=WINDOW
    )
    yield engine
    engine.close()


@pytest.fixture(scope="session")
def vllm_engine(model: Path) -> Iterator[Engine]:
    if importlib.util.find_spec("vllm") is None:
        pytest.skip("vLLM is not installed here; the transformers engine is tested alone")
    engine = VllmEngine(model=str(model), dtype="float32", max_model_len=WINDOW, kv_cache_gib=0.5)
    yield engine
    engine.close()


@pytest.fixture(params=["transformers", "vllm"])
def engine(request: pytest.FixtureRequest) -> Engine:
    found: Engine = request.getfixturevalue(f"{request.param}_engine")
    return found


@pytest.fixture(scope="session")
def chat(model: Path) -> Chat:
    return load_chat(str(model), {}, extra="transformers")


@pytest.fixture(scope="session")
def plain(model: Path) -> Any:
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(model, dtype="float32").eval()


def by_request(engine: Engine, *requests: Request) -> dict[str, Completion]:
    found = {completion.request: completion for completion in engine.generate(requests)}
    assert set(found) == {request.key for request in requests}
    return found


def greedy(plain: Any, ids: list[int], tokens: int) -> list[int]:
    """What the library's own loop writes for one prompt alone, without any reuse."""
    import torch

    written = plain.generate(
        torch.tensor([ids]),
        attention_mask=torch.ones(1, len(ids), dtype=torch.long),
        do_sample=False,
        max_new_tokens=tokens,
        pad_token_id=0,
    )
    return [int(i) for i in written[0, len(ids) :]]


def assert_near(plain: Any, prompt: list[int], one: list[int], other: list[int]) -> None:
    """Accept two answers that part only where two tokens are equally likely but for rounding."""
    import torch

    if one == other:
        return
    alike = next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    assert alike < min(len(one), len(other)), "one answer is the beginning of the other"
    with torch.inference_mode():
        logits = plain(torch.tensor([prompt + one[:alike]])).logits[0, -1]
    assert abs(float(logits[one[alike]] - logits[other[alike]])) < GAP


@pytest.fixture(scope="session")
def expected(plain: Any, chat: Chat) -> dict[str, list[int]]:
    """Token ids that the library's own loop writes, by request."""
    return {
        request.key: greedy(plain, chat.encode(request.messages), GREEDY.max_tokens)
        for request in REQUESTS
    }


def test_greedy_answers_are_those_of_the_plain_loop(
    engine: Engine, plain: Any, chat: Chat, expected: dict[str, list[int]]
) -> None:
    answers = by_request(engine, *REQUESTS)
    for request in REQUESTS:
        prompt, answer = chat.encode(request.messages), answers[request.key]
        tokens = expected[request.key]
        stopped = tokens[-1] in chat.stops
        assert answer.prompt_tokens == len(prompt)
        if answer.text == chat.decode(tokens):
            assert answer.completion_tokens == len(tokens)
            assert answer.finish == ("stop" if stopped else "length")
        else:
            got = chat.tokenizer.encode(answer.text, add_special_tokens=False)
            assert_near(plain, prompt, got, tokens[:-1] if stopped else tokens)
    cached = sum(answer.cached_tokens for answer in answers.values())
    assert cached > sum(answer.prompt_tokens for answer in answers.values()) / 2
    prompts = [chat.encode(request.messages) for request in REQUESTS]
    shared = [answers[request.key].shared_tokens or 0 for request in REQUESTS]
    assert shared == [0, *(shared_length(*pair) for pair in pairwise(prompts))]
    assert all(answer.cached_tokens < answer.prompt_tokens for answer in answers.values())


def test_the_prompt_begins_with_exactly_one_bos(chat: Chat) -> None:
    ids = chat.encode(REQUESTS[0].messages)
    begin = chat.tokenizer.bos_token_id
    assert ids[0] == begin
    assert ids[1] != begin


def test_an_overlong_prompt_is_set_aside_and_the_rest_runs(engine: Engine) -> None:
    long = ask("word " * 2 * WINDOW)
    found = by_request(engine, REQUESTS[3], long, REQUESTS[4])
    assert found[long.key].finish == "overflow"
    assert found[long.key].prompt_tokens > WINDOW
    assert str(WINDOW) in found[long.key].error
    assert found[REQUESTS[3].key].text
    assert found[REQUESTS[4].key].text


def test_an_answer_ends_at_its_limit_and_at_the_windows(engine: Engine, chat: Chat) -> None:
    def count(request: Request) -> int:
        return len(chat.encode(request.messages))

    short = ask("Count from one to a hundred.", Sampling(max_tokens=3))
    (answer,) = by_request(engine, short).values()
    assert (answer.finish, answer.completion_tokens) == ("length", 3)
    room = 5
    filled = WINDOW - room - count(ask(""))
    tight = ask(" a" * filled, Sampling(max_tokens=50))
    tight = ask(" a" * (filled - count(tight) + WINDOW - room), tight.sampling)
    assert count(tight) == WINDOW - room
    (answer,) = by_request(engine, tight).values()
    assert answer.completion_tokens <= room


def test_repeats_draw_differently_and_the_same_request_alike(engine: Engine) -> None:
    hot = Sampling(temperature=1.0, top_p=0.95, top_k=50, min_p=0.01, max_tokens=12)
    requests = [ask("Tell me a story.", hot, repeat) for repeat in range(3)]
    first, second = by_request(engine, *requests), by_request(engine, *requests[::-1])
    assert len({c.text for c in first.values()}) == 3
    assert {k: c.text for k, c in first.items()} == {k: c.text for k, c in second.items()}


def test_a_deterministic_answer_hangs_on_its_request_alone(model: Path) -> None:
    engine = TransformersEngine(model=str(model), max_model_len=WINDOW, deterministic=True)
    told = engine.describe()
    assert told["deterministic"] is True
    first = by_request(engine, *REQUESTS)
    assert {answer.cached_tokens for answer in first.values()} == {0}
    assert {k: c.text for k, c in by_request(engine, *REQUESTS[::-1]).items()} == {
        key: answer.text for key, answer in first.items()
    }
    engine.close()


def test_deterministic_vllm_reuses_nothing_on_a_cpu(model: Path) -> None:
    if importlib.util.find_spec("vllm") is None:
        pytest.skip("vLLM is not installed here")
    told = VllmEngine(model=str(model), deterministic=True).describe()
    assert told["deterministic"] is True
    assert isinstance(told["settings"], dict)
    assert told["settings"]["enable_prefix_caching"] is (told["device"] != "cpu")


def test_no_requests_is_a_normal_case(engine: Engine) -> None:
    assert list(engine.generate([])) == []


def test_a_run_that_is_given_up_leaves_the_engine_usable(engine: Engine) -> None:
    completions = engine.generate(REQUESTS)
    next(iter(completions))
    del completions
    assert by_request(engine, REQUESTS[4])[REQUESTS[4].key].text


def test_the_description_names_what_could_move_an_answer(engine: Engine) -> None:
    told = engine.describe()
    assert told["kind"] in ("vllm", "transformers")
    assert {"model", "revision", "device", "versions", "settings", "chat"} <= told.keys()
    settings, chat = told["settings"], told["chat"]
    assert isinstance(settings, dict)
    assert isinstance(chat, dict)
    assert settings["dtype"] == "float32"
    roles = {"system": "kept", "same_role": "kept", "tool": "tool", "calls": "text"}
    assert chat["roles"] == roles


def test_vllm_turns_one_refused_request_into_an_error(vllm_engine: Engine) -> None:
    bad = ask("hi", Sampling(presence_penalty=9.0))
    found = by_request(vllm_engine, bad, REQUESTS[4])
    assert found[bad.key].finish == "error"
    assert "presence_penalty" in found[bad.key].error
    assert found[REQUESTS[4].key].text


def test_penalties_mean_the_same_to_both(vllm_engine: Engine, transformers_engine: Engine) -> None:
    strict = Sampling(
        repetition_penalty=1.3, presence_penalty=0.5, frequency_penalty=0.5, max_tokens=16
    )
    request = ask("List the tools.", strict)
    (one,) = by_request(vllm_engine, request).values()
    (other,) = by_request(transformers_engine, request).values()
    assert one.text == other.text
    (free,) = by_request(vllm_engine, ask("List the tools.")).values()
    assert one.text != free.text


@pytest.mark.parametrize("kind", [TransformersEngine, VllmEngine])
def test_a_folder_without_weights_is_one_clear_line(
    kind: type[TransformersEngine] | type[VllmEngine], model: Path, tmp_path: Path
) -> None:
    for file in model.iterdir():
        if file.suffix != ".safetensors":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    if kind is VllmEngine and importlib.util.find_spec("vllm") is None:
        pytest.skip("vLLM is not installed here")
    broken = kind(model=str(tmp_path))
    with pytest.raises(EngineError, match="can't be loaded") as told:
        list(broken.generate([REQUESTS[4]]))
    assert "\n" not in str(told.value)
    broken.close()


def test_a_closed_engine_loads_again(model: Path) -> None:
    engine = TransformersEngine(model=str(model), max_model_len=WINDOW)
    before = by_request(engine, REQUESTS[4])
    engine.close()
    engine.close()
    assert by_request(engine, REQUESTS[4]) == before
    engine.close()


@pytest.mark.parametrize("name", ["quickstart", "lite"])
def test_small_runs_leave_room_for_every_right_answer(name: str, chat: Chat) -> None:
    config = api.load_config([name])
    cases = api.slice_cases(config)
    room: dict[str, int] = {}
    for request in requests_of(config, Spooled(cases, Case)):
        room[request.prompt] = request.sampling.max_tokens
    assert len(cases) == (config.cases.limit or len(cases)) > 0
    for case in cases:
        answer = card_of(case.ability).answer(case)
        # One more token ends the answer.
        tokens = chat.tokenizer.encode(answer, add_special_tokens=False)
        assert len(tokens) < room[case.prompt], case.id
