from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from teval.engines import ScriptedEngine
from teval.errors import EngineError
from teval.run.generate import (
    Counts,
    Quiet,
    Workload,
    answers_by_prompt,
    count,
    generate,
    plan_requests,
    unanswered,
)
from teval.run.store import RunFolder
from teval.schema import Case, Completion, Format, Function, Message, Request, Sampling, digest


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


def answers_to(requests: Sequence[Request]) -> dict[str, str]:
    return {r.prompt: f"to {r.messages[0].content}" for r in requests}


def test_requests_are_unique_and_in_the_order_of_their_text() -> None:
    requests = plan_requests(CASES, Sampling(max_tokens=9), {})
    assert [r.messages[0].content for r in requests] == ["a", "b", "c"]
    assert {r.sampling.max_tokens for r in requests} == {9}


def test_a_shared_request_takes_the_largest_limit_of_its_abilities() -> None:
    requests = plan_requests(
        CASES, Sampling(max_tokens=9), {"reason": 3, "retrieve": 5, "plan": 40}
    )
    assert [r.sampling.max_tokens for r in requests] == [5, 40, 9]


def test_a_limit_may_depend_on_the_format() -> None:
    cases = [make_case("plan", "a", "string"), make_case("plan", "b", "json")]
    limits: dict[str, int | Mapping[Format, int]] = {"plan": {"string": 4}}
    requests = plan_requests(cases, Sampling(max_tokens=9), limits)
    assert [r.sampling.max_tokens for r in requests] == [4, 9]


def test_repeats_have_keys_of_their_own() -> None:
    requests = plan_requests(CASES, Sampling(), {}, seed=7, repeats=3)
    assert len({r.key for r in requests}) == 9
    assert [r.repeat for r in requests[:3]] == [0, 1, 2]
    assert {r.seed for r in requests} == {7}


def test_the_order_of_cases_does_not_matter() -> None:
    assert plan_requests(CASES, Sampling(), {}) == plan_requests(CASES[::-1], Sampling(), {})


def test_answers_are_stored_and_told(tmp_path: Path) -> None:
    folder, listener = RunFolder(tmp_path), Listener()
    requests = plan_requests(CASES, Sampling(), {})
    engine = ScriptedEngine(answers=answers_to(requests))
    counts = generate(folder, engine, requests, listener, cases=4)
    assert counts == Counts(requests=3, answered=3, overflowed=0, failed=0)
    assert listener.workloads == [Workload(cases=4, requests=3, done=0)]
    assert listener.texts == ["to a", "to b", "to c"]
    assert [c.text for c in folder.completions().values()] == ["to a", "to b", "to c"]


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_stopped_run_goes_on_to_the_same_records(tmp_path: Path, after: int) -> None:
    requests = plan_requests(CASES, Sampling(), {})
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
    requests = plan_requests(CASES, Sampling(), {})
    generate(RunFolder(tmp_path), ScriptedEngine(answers={}), requests, Quiet())
    listener = Listener()
    counts = generate(RunFolder(tmp_path), FailingEngine({}, 0), requests, listener)
    assert counts.answered == 3
    assert listener.workloads[0].done == 3
    assert listener.texts == []


def test_failures_are_asked_again_and_overflows_are_not(tmp_path: Path) -> None:
    a, b, c = plan_requests(CASES, Sampling(), {})
    done = {
        a.key: Completion(request=a.key, prompt=a.prompt, finish="error", error="e"),
        b.key: Completion(request=b.key, prompt=b.prompt, finish="overflow", error="long"),
    }
    assert unanswered([a, b, c], done) == [a, c]
    assert count([a, b, c], done) == Counts(requests=3, answered=0, overflowed=1, failed=2)
    folder = RunFolder(tmp_path)
    with folder.appending() as out:
        for completion in done.values():
            out.add(completion)
    counts = generate(folder, ScriptedEngine(answers={}), [a, b, c], Quiet())
    assert counts == Counts(requests=3, answered=2, overflowed=1, failed=0)


def test_answers_stand_by_prompt_in_the_order_of_repeats() -> None:
    requests = plan_requests(CASES[:1], Sampling(), {}, repeats=2)
    second = Completion(request=requests[1].key, prompt=requests[1].prompt, finish="stop")
    assert answers_by_prompt(requests, {second.request: second}) == {
        requests[0].prompt: (None, second)
    }


def test_requests_bring_what_is_offered_and_those_of_one_offer_stand_together() -> None:
    def offering(name: str, *functions: str) -> Case:
        offers = tuple(Function(name=f, tool=f, description="", parameters={}) for f in functions)
        return make_case("retrieve", name, "tools").model_copy(update={"functions": offers})

    cases = [offering("d", "f"), offering("b"), offering("c", "e"), offering("a", "f")]
    requests = plan_requests(cases, Sampling(), {})
    assert [r.messages[0].content for r in requests] == ["b", "c", "a", "d"]
    assert [[f.name for f in r.functions] for r in requests] == [[], ["e"], ["f"], ["f"]]
