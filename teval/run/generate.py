"""Asking the model: from cases to requests to stored completions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from teval.run.store import RunFolder
from teval.schema import Case, Completion, Engine, Format, JsonObject, Request, Sampling


class Workload(NamedTuple):
    """What lies ahead, told before the first request."""

    cases: int
    """Planned cases."""
    requests: int
    """Requests in all; several cases may read one answer."""
    done: int
    """Of these, answered already."""


class Counts(NamedTuple):
    """How many requests ended in which way, those of earlier starts included."""

    requests: int
    answered: int
    overflowed: int
    """Too long for the model; they are not asked again."""
    failed: int
    """Left over: the engine failed at them; the next start asks them again."""


class Progress(Protocol):
    """Someone who watches the work."""

    def described(self, engine: JsonObject) -> None:
        """Hear who answers, as the engine describes itself."""
        ...

    def started(self, workload: Workload) -> None:
        """Hear what lies ahead."""
        ...

    def answered(self, completion: Completion) -> None:
        """Hear of one completion, which is stored by now."""
        ...


class Quiet:
    """Watches and says nothing."""

    def described(self, engine: JsonObject) -> None:
        """Say nothing."""

    def started(self, workload: Workload) -> None:
        """Say nothing."""

    def answered(self, completion: Completion) -> None:
        """Say nothing."""


def plan_requests(
    cases: Iterable[Case],
    sampling: Sampling,
    max_tokens: Mapping[str, int | Mapping[Format, int]],
    *,
    seed: int = 0,
    repeats: int = 1,
) -> list[Request]:
    """Return the requests that answer all cases, in the order of their text.

    Cases with the same messages share one request, which may have as many tokens as the most
    generous of their abilities. The order is that of a walk through the tree of common
    beginnings, so that an engine can keep what it computed for the last one.

    Args:
        cases: The planned cases.
        sampling: Sampling parameters of all requests.
        max_tokens: Token limits by ability, or by ability and format; ``sampling.max_tokens`` for
            all others.
        seed: Seed of all requests; their repeats differ by number.
        repeats: How often each is asked, at least 1.
    """
    limits: dict[str, int] = defaultdict(int)
    asked: dict[str, Case] = {}
    for case in cases:
        limit = _limit(case, max_tokens, sampling.max_tokens)
        limits[case.prompt] = max(limits[case.prompt], limit)
        asked[case.prompt] = case
    return [
        Request(
            prompt=case.prompt,
            messages=case.messages,
            functions=case.functions,
            constraint=case.constraint,
            sampling=sampling.model_copy(update={"max_tokens": limits[case.prompt]}),
            seed=seed,
            repeat=repeat,
        )
        for case in sorted(asked.values(), key=_text)
        for repeat in range(repeats)
    ]


def _text(case: Case) -> tuple[list[str], list[tuple[str, str]]]:
    """What a prompt is ordered by: what is offered, which templates put first, and the turns."""
    return (
        [function.name for function in case.functions],
        [(message.role, message.content) for message in case.messages],
    )


def _limit(case: Case, max_tokens: Mapping[str, int | Mapping[Format, int]], default: int) -> int:
    given = max_tokens.get(case.ability, default)
    return given if isinstance(given, int) else given.get(case.format, default)


def unanswered(requests: Sequence[Request], done: Mapping[str, Completion]) -> list[Request]:
    """Return the requests still to be asked: never asked, or the engine failed at them."""
    return [r for r in requests if r.key not in done or done[r.key].finish == "error"]


def generate(
    folder: RunFolder,
    engine: Engine,
    requests: Sequence[Request],
    progress: Progress,
    *,
    cases: int = 0,
) -> Counts:
    """Ask what is still unanswered, store each answer as it comes, and return the counts.

    Args:
        folder: Where completions are kept; those already there are not asked again.
        engine: Who answers.
        requests: All requests of the run.
        progress: Who is told.
        cases: How many cases the requests answer, for those who are told.

    Raises:
        EngineError: The engine can't go on; what came before is stored.
        DataError: The stored completions can't be read.
    """
    done = folder.completions()
    left = unanswered(requests, done)
    already = len(requests) - len(left)
    progress.started(Workload(cases, len(requests), already))
    if left:
        with folder.appending() as out:
            for completion in engine.generate(left):
                out.add(completion)
                done[completion.request] = completion
                progress.answered(completion)
    return count(requests, done)


def count(requests: Sequence[Request], done: Mapping[str, Completion]) -> Counts:
    """Return how the requests ended; one without completion has failed."""
    ends = [done[r.key].finish if r.key in done else "error" for r in requests]
    failed, overflowed = ends.count("error"), ends.count("overflow")
    return Counts(len(ends), len(ends) - failed - overflowed, overflowed, failed)


def answers_by_prompt(
    requests: Sequence[Request], done: Mapping[str, Completion]
) -> dict[str, tuple[Completion | None, ...]]:
    """Return the completions of each prompt in the order of its repeats, None where missing."""
    found: dict[str, list[Completion | None]] = defaultdict(list)
    for request in requests:
        found[request.prompt].append(done.get(request.key))
    return {prompt: tuple(completions) for prompt, completions in found.items()}
