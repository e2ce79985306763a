"""What the later steps of a path need of an answer: what a failed part of it takes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from teval.authoring.family import Family, FamilyStep, binding
from teval.schema import Call, Json, JsonObject, SolutionPath, Step, canonical
from teval.world.faults import without

TOTAL = "total"
"""Key of the number of rows; where a family only counts them to check itself, no step needs it."""
TELLING = 4
"""Fewest characters of a text that is told where another holds it."""
_BLOCK = re.compile(r"{[{%].*?[%}]}", re.DOTALL)
_WORD = re.compile(r"\w+")


class Needs:
    """What the steps of a path need of the answers before them.

    Args:
        path: As it is with the family's own faults.
        family: What it was made from.
        story: The family's steps that it was made from.
    """

    def __init__(self, path: SolutionPath, family: Family, story: Sequence[FamilyStep]) -> None:
        self._path = path
        self._story = story
        told = [*story, family.finish, family.answer]
        self._expressions = [text for part in told for text in _expressions(part.model_dump())]

    def lost(self, place: int) -> tuple[str, ...]:
        """Return the keys that a failure takes of the answer to a step, by its place.

        Those are the ones that the family names, or else, as the same call made again shows it,
        those that it reads, those whose values are told later, and those that would tell the same:
        texts that hold a lost one, the number of lost rows, rows whose number is lost. None where
        nothing would be left.

        Raises:
            ValueError: The answer has no key that the family names.
        """
        failed, named = self._path.steps[place], self._story[place].lost
        later = self._path.steps[place + 1 : -1]
        again = next((step for step in later if _as_hoped(step, failed.call)), None)
        if again is None or again.observation is None:
            return ()
        content = again.observation.content
        for key in named:
            if without(content, [key]) == content:
                raise ValueError(f"step {self._story[place].id}: lost: no {key} in the answer")
        lost = named or tuple(sorted(self._needed(content, place, again)))
        return lost if without(content, lost) else ()

    def _needed(self, content: JsonObject, place: int, again: Step) -> set[str]:
        read = self._read_of(self._story[again.id].id)
        told = _Told(self._path, place)
        given = canonical(again.call.args)
        leaves = [(k, v) for k, v in _leaves(content) if k in read or not _occurs(str(v), given)]
        lost = {k for k, v in leaves if k in read or (k != TOTAL and told.takes(v))}
        gone = [v for k, v in leaves if k in lost and isinstance(v, str) and len(v) >= TELLING]
        lost |= {k for k, v in leaves if isinstance(v, str) and any(part in v for part in gone)}
        lost = lost or set(read & content.keys())
        counted = {TOTAL, *(key for key, part in content.items() if isinstance(part, list))}
        return lost | counted if TOTAL in content and lost & counted else lost

    def _read_of(self, name: str) -> frozenset[str]:
        """Return the words of all expressions that read the step of that name."""
        found = (text for text in self._expressions if _occurs(name, text))
        return frozenset(word for text in found for word in _WORD.findall(text))


class _Told:
    """What a path tells from a step on: in thoughts, in later arguments and in the answer."""

    def __init__(self, path: SolutionPath, start: int) -> None:
        steps = path.steps[start:]
        given = [value for step in steps[1:] for value in step.call.args.values()]
        self._literals = [*path.answer.facts, *(v for v in given if isinstance(v, str))]
        thoughts = [thought for step in steps for thought in (step.thought, *step.thoughts)]
        self._text = "\n".join([*thoughts, canonical(given), path.answer.text, *self._literals])

    def takes(self, value: Json) -> bool:
        """Whether a value, or a part of a text, is told."""
        if isinstance(value, bool) or value is None:
            return False
        whole = str(value)
        forms = {whole, f"{value:g}", f"{value:.2f}"} if isinstance(value, float) else {whole}
        told = any(_occurs(form, self._text) for form in forms)
        return told or any(_occurs(part, whole) for part in self._literals)


def _as_hoped(step: Step, call: Call) -> bool:
    return step.call == call and step.review == "A"


def _occurs(part: str, text: str) -> bool:
    return bool(part) and re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None


def _leaves(value: Json, key: str = "") -> Iterator[tuple[str, Json]]:
    """Yield key and value of all that holds no further keys; of a list each element."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _leaves(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(part, key)
    else:
        yield key, value


def _expressions(value: object, key: str = "") -> Iterator[str]:
    """Yield the expressions of a part of a family, without the count of rows in its checks."""
    if isinstance(value, str) and key == "expect":
        yield re.sub(rf"\b{TOTAL}\b", "", value)
    elif isinstance(value, str):
        yield from _BLOCK.findall(value)
    elif isinstance(value, dict):
        bound = binding(value) if "from" in value else None
        if bound is not None:
            yield f"{bound.source} {bound.path}"
        for name, part in value.items():
            yield from _expressions(part, name)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _expressions(part, key)
