"""Thoughts of a real model on vLLM and transformers: told by token, budgeted, never read."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from teval.engines.chat import Chat, load_chat
from teval.engines.models import get_model
from teval.engines.thinking import Wish
from teval.engines.transformers import TransformersEngine
from teval.engines.vllm import VllmEngine
from teval.run.score import read_answer
from teval.schema import Case, Completion, Engine, Message, Request, Sampling, digest

pytestmark = [pytest.mark.engine, pytest.mark.long, pytest.mark.filterwarnings("ignore")]

THOUGHT, ANSWER = 40, 6
RENAMED = {"<|im_end|>": "[/THINK]", "<issue_start>": "[THINK]"}
"""The token that ends a turn of the small model becomes the one that ends its thought."""
QUESTIONS = ("What is the capital of France?", "Say hello.", "Tell me a long story of a town.")


@pytest.fixture(scope="module")
def thinker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small model, with a template that opens a thought and tokens for its tags."""
    model, folder = get_model("smollm2-135m-instruct"), tmp_path_factory.mktemp("thinker")
    for file in model.iterdir():
        if file.suffix == ".safetensors":
            (folder / file.name).symlink_to(file)
            continue
        text = file.read_text(encoding="utf-8")
        if file.name.startswith("tokenizer_config"):
            text = text.replace("<|im_end|>", "<|endoftext|>")
        for old, new in RENAMED.items():
            text = text.replace(old, new)
        text = text.replace('"eos_token_id": 2', '"eos_token_id": 0')
        text = text.replace("assistant\n'", "assistant\n[THINK]Well,'")
        (folder / file.name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def chat(thinker: Path) -> Chat:
    return load_chat(str(thinker), {}, extra="transformers", wish=Wish("auto", THOUGHT))


Answers = dict[str, Completion]


def answer(engine: Engine) -> Answers:
    """What the engine makes of the questions, with room for a thought and with none."""
    requests = []
    for text in QUESTIONS:
        messages = (Message(role="user", content=text),)
        prompt = digest([message.model_dump() for message in messages])
        sampling = Sampling(max_tokens=ANSWER)
        requests.append(Request(prompt=prompt, messages=messages, sampling=sampling))
    names = {request.key: request.messages[0].content for request in requests}
    found = {names[completion.request]: completion for completion in engine.generate(requests)}
    engine.close()
    return found


@pytest.fixture(scope="module")
def by_transformers(thinker: Path) -> Answers:
    return answer(
        TransformersEngine(
            model=str(thinker), dtype="float32", max_model_len=256, thinking_tokens=THOUGHT
        )
    )


@pytest.fixture(scope="module")
def by_vllm(thinker: Path) -> Answers:
    if importlib.util.find_spec("vllm") is None:
        pytest.skip("vLLM is not installed here; the transformers engine is tested alone")
    return answer(
        VllmEngine(
            model=str(thinker),
            dtype="float32",
            max_model_len=256,
            kv_cache_gib=0.5,
            thinking_tokens=THOUGHT,
        )
    )


@pytest.fixture(params=["transformers", "vllm"])
def answers(request: pytest.FixtureRequest) -> Answers:
    found: Answers = request.getfixturevalue(f"by_{request.param}")
    return found


def review_case(gold: str = "B") -> Case:
    return Case(
        id="c",
        ability="review",
        format="string",
        language="en",
        family="f",
        path="f_01",
        messages=(Message(role="user", content="q"),),
        tools=(),
        gold={"review": gold},
        prompt="c",
    )


CLOSED, LONG = QUESTIONS[0], QUESTIONS[2]


def test_the_closing_token_ends_the_thought_although_decoding_would_hide_it(
    answers: Answers,
) -> None:
    answer = answers[CLOSED]
    assert answer.text[: answer.thought].startswith("[THINK]")
    assert answer.text[: answer.thought].endswith("Paris.[/THINK]")
    assert not answer.unclosed


def test_an_answer_has_its_own_budget_behind_the_thought(answers: Answers, chat: Chat) -> None:
    answer = answers[CLOSED]
    written = answer.text.removeprefix("[THINK]")
    ids = chat.tokenizer.encode(written, add_special_tokens=False)
    closed = ids.index(chat.tokenizer.get_added_vocab()["[/THINK]"]) + 1
    assert answer.completion_tokens == closed + ANSWER
    assert answer.finish == "length"


def test_a_thought_that_uses_up_its_budget_is_no_answer(answers: Answers) -> None:
    answer = answers[LONG]
    assert (answer.completion_tokens, answer.finish) == (THOUGHT, "length")
    assert (answer.unclosed, answer.answer) == (True, "")
    for gold in "ABCDE":
        reading = read_answer(review_case(gold), answer)
        assert reading.status == "truncated_in_reasoning"
        assert reading.reply.flags[0] == "reasoning_unclosed"


def test_both_engines_tell_the_same_thought(by_transformers: Answers, by_vllm: Answers) -> None:
    assert by_transformers[CLOSED].text == by_vllm[CLOSED].text
    assert by_transformers[CLOSED].thought == by_vllm[CLOSED].thought


def test_the_template_that_opens_the_thought_is_in_the_record(chat: Chat) -> None:
    thinking = chat.describe()["thinking"]
    assert isinstance(thinking, dict)
    assert thinking["opened"] == "[THINK]"
    assert (thinking["thinks"], thinking["thinking_tokens"]) == (True, THOUGHT)
    assert thinking["tags"] == "by token"


def test_no_text_ends_an_answer(answers: Answers) -> None:
    """A line feed, which often serves as a stop string, stands in the middle of an answer."""
    answer = answers[CLOSED].answer
    assert "\n" in answer.strip("\n") or answer.startswith("\n")
    assert len(answer.strip()) > 0
