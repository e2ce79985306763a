"""Who answers the waves: an engine, with everything that was answered before kept and reused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from teval.e2e.play import Asked, Speaker
from teval.run.store import Appender
from teval.schema import Completion, Engine


def engine_speaker(engine: Engine) -> Speaker:
    """Return the speaker that hands each wave to an engine."""
    return lambda asked: engine.generate([question.request for question in asked])


class Recorder:
    """Answers from what is stored, and has another speaker answer and stores the rest.

    Episodes are played from their first turn whenever a run starts. What was said before is not
    asked again, and the world does the same again, so that a run goes on where it was stopped.

    Args:
        done: Stored completions by the request's key.
        out: Where new ones are written.
        speaker: Who answers what is not stored, or what an engine failed at.
        watch: Told how many episodes still go on and how many turns of this wave are to be asked.
    """

    def __init__(
        self,
        done: Mapping[str, Completion],
        out: Appender,
        speaker: Speaker,
        watch: Callable[[int, int], None],
    ) -> None:
        self._done = dict(done)
        self._out = out
        self._speaker = speaker
        self._watch = watch

    def __call__(self, asked: Sequence[Asked]) -> Iterator[Completion]:
        """Yield one completion a question, in the order given."""
        left = {q.request.key: q for q in asked if not self._settled(q.request.key)}
        self._watch(len(asked), len(left))
        if left:
            for completion in self._speaker(list(left.values())):
                self._out.add(completion)
                self._done[completion.request] = completion
        for question in asked:
            yield self._done[question.request.key]

    def _settled(self, key: str) -> bool:
        return key in self._done and self._done[key].finish != "error"
