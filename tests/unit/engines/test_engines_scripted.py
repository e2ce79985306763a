"""The scripted engine and recordings."""

from __future__ import annotations

from pathlib import Path

import pytest

from teval.engines import EMBEDDERS, ENGINES
from teval.engines.completions import overflow
from teval.engines.scripted import ScriptedEngine, recorded_answers
from teval.errors import DataError
from teval.lookup import load
from teval.schema import Completion, Engine, Message, Request, Sampling


def ask(prompt: str, text: str = "two words") -> Request:
    messages = (Message(role="user", content=text), Message(role="user", content="and more"))
    return Request(prompt=prompt, messages=messages, sampling=Sampling())


def test_each_request_gets_the_answer_of_its_prompt() -> None:
    engine: Engine = ScriptedEngine(answers={"p1": "a b c", "p2": "d"}, kind="oracle")
    got = list(engine.generate([ask("p2"), ask("p1")]))
    assert [(c.prompt, c.text, c.finish) for c in got] == [
        ("p2", "d", "stop"),
        ("p1", "a b c", "stop"),
    ]
    assert [c.request for c in got] == [ask("p2").key, ask("p1").key]
    assert (got[1].prompt_tokens, got[1].completion_tokens) == (4, 3)
    engine.close()
    engine.close()


def test_a_prompt_without_answer_is_silence_or_an_error() -> None:
    (silent,) = ScriptedEngine(answers={}).generate([ask("p")])
    assert (silent.text, silent.finish, silent.error) == ("", "stop", "")
    (failed,) = ScriptedEngine(answers={}, missing="error").generate([ask("p")])
    assert (failed.finish, failed.error) == ("error", "no answer is scripted for this prompt")


def test_tokens_are_words() -> None:
    engine = ScriptedEngine(answers={})
    assert [c.prompt_tokens for c in engine.generate([ask("p"), ask("q", "x")])] == [4, 3]
    assert engine.describe()["tokens"] == "words"


def test_the_description_depends_on_every_answer() -> None:
    one = ScriptedEngine(answers={"p": "a"}, kind="recorded").describe()
    other = ScriptedEngine(answers={"p": "b"}, kind="recorded").describe()
    assert one["kind"] == "recorded"
    assert one["answers"] != other["answers"]


def write(folder: Path, *completions: Completion) -> Path:
    file = folder / "completions.jsonl"
    file.write_text("".join(c.model_dump_json() + "\n" for c in completions), encoding="utf-8")
    return file


def test_a_recording_keeps_the_first_answer_that_did_not_fail(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        Completion(request="1", prompt="p", finish="error", error="x"),
        Completion(request="2", prompt="p", text="first", finish="length"),
        Completion(request="3", prompt="p", text="second", finish="stop"),
        Completion(request="4", prompt="q", finish="overflow", error="x"),
    )
    assert recorded_answers(file) == {"p": "first"}
    assert recorded_answers(tmp_path) == {"p": "first"}


def test_a_missing_recording_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file; name a run folder"):
        recorded_answers(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("line", "field"), [("{", "line"), ('{"request":"1","prompt":"p"}', "finish")]
)
def test_a_broken_recording_is_told_with_its_line(tmp_path: Path, line: str, field: str) -> None:
    file = write(tmp_path, Completion(request="1", prompt="p", finish="stop"))
    file.write_text(file.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=rf"line 2: not a completion \({field}"):
        recorded_answers(file)


def test_an_overflow_names_both_lengths() -> None:
    got = overflow(ask("p"), 9000, 8192)
    assert (got.finish, got.prompt_tokens, got.text) == ("overflow", 9000, "")
    assert got.error == "the prompt has 9000 tokens, the model takes 8192"


@pytest.mark.parametrize(
    ("kind", "name", "table"),
    [("engine", name, ENGINES) for name in ENGINES]
    + [("embedder", name, EMBEDDERS) for name in EMBEDDERS],
)
def test_every_row_of_the_tables_leads_to_a_class(
    kind: str, name: str, table: dict[str, str]
) -> None:
    assert isinstance(load(kind, name, table), type)
