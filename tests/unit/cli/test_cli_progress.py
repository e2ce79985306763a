from __future__ import annotations

from collections.abc import Iterator

import pytest

from teval.api import RunConfig, Workload
from teval.cli.progress import Watcher, name_engine
from teval.run.config import EngineConfig
from teval.schema import Completion, JsonObject

ANSWER = Completion(request="r", prompt="p", finish="stop", prompt_tokens=1200)


def ticking(*seconds: float) -> Iterator[float]:
    yield from seconds


def watch(seconds: list[float], workload: Workload, *, bar: bool = False) -> None:
    clock = ticking(*seconds)
    with Watcher(clock=lambda: next(clock), bar=bar) as watcher:
        watcher.started(workload)
        for _ in seconds:
            watcher.answered(ANSWER)


def test_what_lies_ahead_is_told_first(capsys: pytest.CaptureFixture[str]) -> None:
    watch([], Workload(cases=12, requests=10, done=0))
    watch([], Workload(cases=12, requests=10, done=4))
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "12 cases, 10 requests",
        "12 cases, 10 requests (4 answered before)",
    ]


def test_an_estimate_follows_the_first_answers_then_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # Loading took 100 seconds, which the rate must not count.
    watch([100, 105, 110, 115, 120, 125, 130], Workload(200, 200, 0))
    assert capsys.readouterr().err.splitlines()[1:] == [
        "3 of 200 answered, 0.2 a second, 3,600 prompt tokens read, about 16 min 25 s to go",
        "7 of 200 answered, 0.2 a second, 8,400 prompt tokens read, about 16 min 5 s to go",
        "tokens: 8,400 read, 0 written",
    ]


def test_a_quick_run_is_left_in_peace(capsys: pytest.CaptureFixture[str]) -> None:
    watch([0.1, 0.2, 0.3], Workload(3, 3, 0))
    told = capsys.readouterr().err.splitlines()
    assert told == ["3 cases, 3 requests", "tokens: 3,600 read, 0 written"]


def test_the_tokens_that_answers_took_are_told_even_of_a_run_that_broke(
    capsys: pytest.CaptureFixture[str],
) -> None:
    used = {"prompt_tokens": 1000, "completion_tokens": 20}

    def break_off() -> None:
        with Watcher(bar=False) as watcher:
            watcher.started(Workload(3, 3, 0))
            watcher.answered(ANSWER.model_copy(update=used))
            watcher.answered(ANSWER.model_copy(update={**used, "cached_tokens": 960}))
            raise LookupError

    with pytest.raises(LookupError):
        break_off()
    told = capsys.readouterr().err.splitlines()
    assert told[1:] == ["tokens: 2,000 read (960 of them from the cache), 40 written"]
    with Watcher(bar=False) as watcher:
        watcher.answered(ANSWER.model_copy(update=used))
    assert capsys.readouterr().err.splitlines() == ["tokens: 1,000 read, 20 written"]


def test_a_bar_shows_how_many_are_answered(capsys: pytest.CaptureFixture[str]) -> None:
    watch([0, 5, 11, 60, 90], Workload(8, 5, 0), bar=True)
    err = capsys.readouterr().err
    assert "5/5" in err
    assert err.count("to go") == 1


@pytest.mark.parametrize(
    ("engine", "line"),
    [
        (EngineConfig(kind="oracle"), "engine oracle → d"),
        (EngineConfig(kind="vllm", model="m"), "engine vllm, model m → d"),
    ],
)
def test_the_first_line_names_who_answers(engine: EngineConfig, line: str) -> None:
    assert name_engine(RunConfig(engine=engine, out="d")) == line


CHAT: JsonObject = {
    "template": "abc",
    "roles": {"system": "merged", "tool": "user"},
    "bos": None,
    "thinking": {"mode": "auto", "thinks": True, "thinking_tokens": 99, "note": "beware"},
    "example": "<|user|>S\nU",
    "example_call": "<|user|>U",
}


def test_what_there_is_to_know_of_thoughts_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    Watcher(bar=False).described({"kind": "vllm", "chat": CHAT})
    Watcher(bar=False).described({"kind": "oracle"})
    Watcher(bar=False).described({"chat": {"thinking": {"thinking_tokens": None, "note": ""}}})
    assert capsys.readouterr().err.splitlines() == [
        "thinking auto: 99 tokens a thought, beside those of the answer",
        "warning: beware",
    ]


def test_a_person_may_see_the_template_and_the_first_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Watcher(clock=lambda: 1.0, bar=False, verbose=True) as watcher:
        watcher.described({"chat": CHAT})
        for text in ("first\nanswer", "second"):
            watcher.answered(ANSWER.model_copy(update={"text": text}))
    assert capsys.readouterr().err.splitlines()[2:] == [
        "template: abc",
        "roles: system merged, tool user",
        "thinking: mode auto, thinks True, thinking_tokens 99, note beware",
        "example:",
        "  | <|user|>S",
        "  | U",
        "example with a call:",
        "  | <|user|>U",
        "first answer:",
        "  | first",
        "  | answer",
        "tokens: 2,400 read, 0 written",
    ]
