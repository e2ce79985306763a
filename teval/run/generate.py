"""Asking the model: from cases to requests to stored completions."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from teval.run.answers import Answers
from teval.run.requests import Requests
from teval.run.store import RunFolder
from teval.schema import Completion, Engine, JsonObject


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


def generate(
    folder: RunFolder,
    engine: Engine,
    requests: Requests,
    progress: Progress,
    *,
    cases: int = 0,
) -> Counts:
    """Ask what is still unanswered, store each answer as it comes, and return the counts.

    Args:
        folder: Where completions are kept; those already there are not asked again, unless the
            engine failed at them.
        engine: Who answers.
        requests: All requests of the run.
        progress: Who is told.
        cases: How many cases the requests answer, for those who are told.

    Raises:
        EngineError: The engine can't go on; what came before is stored.
        DataError: The stored completions can't be read.
    """
    left = unanswered(requests, Answers(folder.completion_file()))
    number = int(left.sum())
    progress.started(Workload(cases, len(requests), len(requests) - number))
    if number:
        with folder.appending() as out:
            for completion in engine.generate(requests.those(left)):
                out.add(completion)
                progress.answered(completion)
    return count(requests, Answers(folder.completion_file()))


def unanswered(requests: Requests, answers: Answers) -> NDArray[np.bool_]:
    """Return of each request whether it is to be asked: it never was, or the engine failed."""
    return ~answers.ended(requests, "stop", "length", "overflow")


def count(requests: Requests, answers: Answers) -> Counts:
    """Return how the requests ended; one without completion has failed."""
    answered = int(answers.ended(requests, "stop", "length").sum())
    overflowed = int(answers.ended(requests, "overflow").sum())
    return Counts(len(requests), answered, overflowed, len(requests) - answered - overflowed)
