from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from teval.engines import ScriptedEngine
from teval.errors import EngineError
from teval.run.answers import Answers
from teval.run.generate import (
    Counts,
    Quiet,
    Workload,
    count,
    generate,
    unanswered,
)
from teval.run.record_file import Spooled
from teval.run.requests import Asking, Requests
from teval.run.store import RunFolder
from teval.schema import (
    Case,
    Completion,
    Format,
    Function,
    JsonObject,
    Message,
    Request,
    Sampling,
    digest,
)


def make_case(ability: str, text: str, form: Format = "json") -> Case:
    messages = (Message(role="user", content=text),)
    return Case(
        id=f"{ability}:{text}:{form}",
        ability=ability,
        format=form,
        language="en",
        family="f",
        path="p",
        messages=messages,
        tools=(),
        gold={},
        prompt=digest([m.model_dump() for m in messages]),
    )


CASES = [
    make_case("plan", "b"),
    make_case("reason", "a"),
    make_case("retrieve", "a"),
    make_case("review", "c"),
]


class FailingEngine(ScriptedEngine):
    """Stops for good after some answers, as a killed process does."""

    def __init__(self, answers: dict[str, str], after: int) -> None:
        super().__init__(answers=answers)
        self._after = after

    def generate(self, requests: Iterable[Request]) -> Iterator[Completion]:
        for number, completion in enumerate(super().generate(requests)):
            if number == self._after:
                raise EngineError("gone")
            yield completion


class Listener(Quiet):
    """Writes down what it hears."""

    def __init__(self) -> None:
        self.workloads: list[Workload] = []
        self.texts: list[str] = []

    def started(self, workload: Workload) -> None:
        self.workloads.append(workload)

    def answered(self, completion: Completion) -> None:
        self.texts.append(completion.text)


def plan(
    cases: Iterable[Case],
    sampling: Sampling | None = None,
    max_tokens: Mapping[str, int | Mapping[Format, int]] | None = None,
    **more: int,
) -> Requests:
    asking = Asking(
        sampling or Sampling(), max_tokens or {}, more.get("seed", 0), more.get("repeats", 1)
    )
    return Requests(Spooled(cases, Case), asking, at_once=more.get("at_once", 1000))


def stored(*completions: Completion) -> Answers:
    return Answers(Spooled(completions, Completion))


def answers_to(requests: Iterable[Request]) -> dict[str, str]:
    return {r.prompt: f"to {r.messages[0].content}" for r in requests}


def test_requests_are_unique_and_in_the_order_of_their_text() -> None:
    requests = plan(CASES, Sampling(max_tokens=9), {})
    assert [r.messages[0].content for r in requests] == ["a", "b", "c"]
    assert {r.sampling.max_tokens for r in requests} == {9}


def test_a_shared_request_takes_the_largest_limit_of_its_abilities() -> None:
    requests = plan(CASES, Sampling(max_tokens=9), {"reason": 3, "retrieve": 5, "plan": 40})
    assert [r.sampling.max_tokens for r in requests] == [5, 40, 9]


def test_a_limit_may_depend_on_the_format() -> None:
    cases = [make_case("plan", "a", "string"), make_case("plan", "b", "json")]
    limits: dict[str, int | Mapping[Format, int]] = {"plan": {"string": 4}}
    requests = plan(cases, Sampling(max_tokens=9), limits)
    assert [r.sampling.max_tokens for r in requests] == [4, 9]


def test_repeats_have_keys_of_their_own() -> None:
    requests = list(plan(CASES, seed=7, repeats=3))
    assert len({r.key for r in requests}) == 9
    assert [r.repeat for r in requests[:3]] == [0, 1, 2]
    assert {r.seed for r in requests} == {7}


def test_the_order_of_cases_does_not_matter() -> None:
    assert list(plan(CASES)) == list(plan(CASES[::-1]))


def test_answers_are_stored_and_told(tmp_path: Path) -> None:
    folder, listener = RunFolder(tmp_path), Listener()
    requests = plan(CASES)
    engine = ScriptedEngine(answers=answers_to(requests))
    counts = generate(folder, engine, requests, listener, cases=4)
    assert counts == Counts(requests=3, answered=3, overflowed=0, failed=0)
    assert listener.workloads == [Workload(cases=4, requests=3, done=0)]
    assert listener.texts == ["to a", "to b", "to c"]
    assert [c.text for c in folder.completions().values()] == ["to a", "to b", "to c"]


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_stopped_run_goes_on_to_the_same_records(tmp_path: Path, after: int) -> None:
    requests = plan(CASES)
    answers = answers_to(requests)
    whole, parts = RunFolder(tmp_path / "whole"), RunFolder(tmp_path / "parts")
    whole.path.mkdir()
    parts.path.mkdir()
    generate(whole, ScriptedEngine(answers=answers), requests, Quiet())
    with pytest.raises(EngineError):
        generate(parts, FailingEngine(answers, after), requests, Quiet())
    assert len(parts.completions()) == after
    listener = Listener()
    generate(parts, ScriptedEngine(answers=answers), requests, listener)
    assert len(listener.texts) == 3 - after
    file = "completions.jsonl"
    assert (whole.path / file).read_bytes() == (parts.path / file).read_bytes()


def test_a_finished_run_asks_nothing(tmp_path: Path) -> None:
    requests = plan(CASES)
    generate(RunFolder(tmp_path), ScriptedEngine(answers={}), requests, Quiet())
    listener = Listener()
    counts = generate(RunFolder(tmp_path), FailingEngine({}, 0), requests, listener)
    assert counts.answered == 3
    assert listener.workloads[0].done == 3
    assert listener.texts == []


def test_failures_are_asked_again_and_overflows_are_not(tmp_path: Path) -> None:
    requests = plan(CASES)
    a, b, _ = requests
    failed = Completion(request=a.key, prompt=a.prompt, finish="error", error="e")
    long = Completion(request=b.key, prompt=b.prompt, finish="overflow", error="long")
    done = stored(failed, long)
    assert unanswered(requests, done).tolist() == [True, False, True]
    assert count(requests, done) == Counts(requests=3, answered=0, overflowed=1, failed=2)
    folder = RunFolder(tmp_path)
    with folder.appending() as out:
        out.add(failed)
        out.add(long)
    counts = generate(folder, ScriptedEngine(answers={}), requests, Quiet())
    assert counts == Counts(requests=3, answered=2, overflowed=1, failed=0)


def test_answers_stand_by_prompt_in_the_order_of_repeats() -> None:
    requests = plan(CASES[:1], repeats=2)
    first, second = requests
    done = Completion(request=second.key, prompt=second.prompt, finish="stop")
    assert stored(done).to(requests, first.prompt) == (None, done)
    assert stored(done).to(requests, "nobody asked") == ()
    assert stored().to(requests, first.prompt) == (None, None)


@pytest.mark.parametrize("at_once", [1, 10_000])
def test_requests_bring_what_is_offered_and_those_of_one_offer_stand_together(
    at_once: int,
) -> None:
    def offering(name: str, *functions: str) -> Case:
        offers = tuple(Function(name=f, tool=f, description="", parameters={}) for f in functions)
        return make_case("retrieve", name, "tools").model_copy(update={"functions": offers})

    cases = [offering("d", "f"), offering("b"), offering("c", "e"), offering("a", "f")]
    cases.append(offering("0", "e", "a"))
    requests = list(plan(cases, at_once=at_once))
    assert [r.messages[0].content for r in requests] == ["b", "c", "0", "a", "d"]
    offers = [[f.name for f in r.functions] for r in requests]
    assert offers == [[], ["e"], ["e", "a"], ["f"], ["f"]]


@pytest.mark.parametrize("at_once", [1, 10_000])
def test_answers_to_requests_that_hold_to_a_schema_are_found_again(at_once: int) -> None:
    held: JsonObject = {"constraint": {"type": "object", "title": "é"}}
    cases = [make_case("plan", text).model_copy(update=held) for text in "ab"]
    requests = plan(cases, at_once=at_once)
    for request in requests:
        assert request.constraint == held["constraint"]
        done = Completion(request=request.key, prompt=request.prompt, finish="stop")
        assert stored(done).to(requests, request.prompt) == (done,)
    free = plan([make_case("plan", text) for text in "ab"])
    assert not set(requests.keys.tolist()) & set(free.keys.tolist())


def test_of_a_request_the_latest_answer_counts() -> None:
    requests = plan(CASES)
    a, b, c = (Completion(request=r.key, prompt=r.prompt, finish="error") for r in requests)
    again = a.model_copy(update={"finish": "stop", "text": "at last"})
    answers = stored(a, b, again, c)
    assert list(answers) == [b, again, c]
    assert answers.to(requests, a.prompt) == (again,)
    assert count(requests, answers).answered == 1


@pytest.mark.parametrize("at_once", [1, 30, 10_000])
def test_more_prompts_than_fit_into_memory_are_in_the_same_order(at_once: int) -> None:
    texts = [f"{n * 7 % 20:02} is “é”\n" for n in range(40)]
    cases = [make_case("plan", text) for text in texts]
    got = [r.messages[0].content for r in plan(cases, at_once=at_once)]
    assert got == sorted(set(texts))
