from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from teval.engines import ScriptedEngine
from teval.errors import EngineError
from teval.run.generate import Quiet, generate
from teval.run.record_file import Spooled
from teval.run.requests import Asking, Requests
from teval.run.store import RunFolder
from teval.schema import Case, Completion, Message, Request

TEXTS = st.lists(st.text(st.characters(codec="utf-8"), max_size=6), unique=True, max_size=8)
STOPS = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 40)), max_size=4)


class StoppingEngine(ScriptedEngine):
    """Answers as many requests as it is told to, then stops for good."""

    def __init__(self, answers: dict[str, str], after: int) -> None:
        super().__init__(answers=answers)
        self._after = after

    def generate(self, requests: Iterable[Request]) -> Iterator[Completion]:
        for number, completion in enumerate(super().generate(requests)):
            if number == self._after:
                raise EngineError("stopped")
            yield completion


def make_case(text: str) -> Case:
    return Case(
        id=text,
        ability="review",
        format="string",
        language="en",
        family="f",
        path="p",
        messages=(Message(role="user", content=text),),
        tools=(),
        gold={},
        prompt=text,
    )


def run_until(folder: RunFolder, engine: ScriptedEngine, requests: Requests) -> None:
    try:
        generate(folder, engine, requests, Quiet())
    except EngineError:
        return


def lines_of(folder: RunFolder) -> list[bytes]:
    file = folder.path / "completions.jsonl"
    return file.read_bytes().splitlines() if file.exists() else []


@settings(deadline=None, max_examples=60)
@given(TEXTS, STOPS)
def test_however_a_run_is_stopped_and_torn_it_ends_in_the_same_records(
    texts: list[str], stops: list[tuple[int, int]]
) -> None:
    requests = Requests(Spooled(map(make_case, texts), Case), Asking())
    answers = {text: f"{text}\n“{text}”" for text in texts}
    with tempfile.TemporaryDirectory() as place:
        whole, parts = RunFolder(Path(place, "whole")), RunFolder(Path(place, "parts"))
        whole.path.mkdir()
        parts.path.mkdir()
        generate(whole, ScriptedEngine(answers=answers), requests, Quiet())
        for after, torn in stops:
            run_until(parts, StoppingEngine(answers, after), requests)
            file = parts.path / "completions.jsonl"
            if file.exists():
                *lines, last = file.read_bytes().splitlines(keepends=True) or [b""]
                file.write_bytes(b"".join(lines) + last[: max(0, len(last) - torn)])
        generate(parts, ScriptedEngine(answers=answers), requests, Quiet())
        assert list(parts.completions().values()) == list(whole.completions().values())
        assert lines_of(parts) == lines_of(whole)
