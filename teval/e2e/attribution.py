"""Where a failed episode left every accepted course for good, and which ability that was.

What was made good later is no deviation. So only the steps that were due and never made are looked
at, each over the turns since it was due, since the last error that making it would have repaired,
and since the gold path's own mistake just before it. The first of these turns names its ability:

- understand: its tool with other arguments, even where another of these came before
- review: a later step made after an error
- retrieve: a tool that was not due, even where the turns before it could not be read
- instruct: nothing that could be read
- review after an error, else retrieve: the end of the episode

A turn of the last three kinds counts for the first step that was due.
Where the agent planned and the plan has too few calls of the step's tool, plan stands for retrieve
and review. Of several steps the one that was lost in the earliest turn counts.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from teval.e2e import words
from teval.e2e.agent import ANSWER
from teval.e2e.course import Course, tools_named
from teval.e2e.walk import Act, made_in, repair, walk
from teval.metrics.text_facts import tells
from teval.schema import Deviation, Episode, SolutionPath, Step

NEVER = 10**9
"""A turn after all others."""


def deviation(
    path: SolutionPath, episode: Episode, course: Course, *, success: bool
) -> Deviation | None:
    """Return where an episode left every accepted course for good, None where it succeeded.

    Args:
        path: The gold solution.
        episode: A try at it.
        course: Of the path.
        success: Whether the episode solved the task.
    """
    if success:
        return None
    acts = walk(path, episode, course)
    lost = _lost(acts, course)
    if episode.end in {"context_overflow", "engine_error"}:
        due = lost[0] if lost else None
        return _none(words.broken(episode, due), due)
    if not lost:
        return _after_all(path, episode, acts, course)
    aside = _passed(acts, course) - {step.id for step in lost}
    found = [_Loss(step, acts, course, episode, aside).found() for step in lost]
    return min(found, key=lambda loss: loss.at).deviation


class _Found(NamedTuple):
    """A deviation, and the number of the turn in which its step was lost."""

    at: int
    deviation: Deviation


@dataclass(frozen=True)
class _Loss:
    """A step that was due and never made."""

    step: Step
    acts: Sequence[Act]
    course: Course
    episode: Episode
    aside: Set[int]
    """Ids of steps that do not count, though they are due."""

    def found(self) -> _Found:
        """Return how it came to that."""
        errors = [act for act in self.acts if repair(act, self.course) == self.step]
        error = errors[-1] if errors else None
        since = max((act.number for act in (*errors, *self._astray())), default=-1)
        after = [act for act in self.acts if self.step in act.due and act.number > since]
        tries = [act for act in after if act.kind == "arguments" and act.step == self.step]
        left = tries[0] if tries else self._left(after, error)
        if left is None:
            return _Found(NEVER, _none(words.used_up(self.step), self.step))
        return _Found(left.number, self._deviation(left, error))

    def _astray(self) -> list[Act]:
        """The turns that went wrong as the gold path did, just before this step."""
        detours = [(a, a.step) for a in self.acts if a.kind == "detour" and a.step is not None]
        return [act for act, step in detours if self.course.after(step) == self.step]

    def _left(self, after: Sequence[Act], error: Act | None) -> Act | None:
        """The turn that went on without the step, or None where no turn did."""
        telling = [act for act in after if self._tells(act) or self._passes(act, error)]
        if not telling:
            return next((act for act in after if act.kind == "again"), None)
        first, *later = telling
        gone = [a.number for a in after if a.number > first.number and self._is_elsewhere(a)]
        tools = [a for a in later if a.kind == "tool" and a.number < min(gone, default=NEVER)]
        return tools[0] if first.kind == "unreadable" and tools else first

    def _is_elsewhere(self, act: Act) -> bool:
        """Whether a turn was under way to another step, whatever it was answered with."""
        under_way = act.kind in {"made", "failed", "detour"}
        return under_way and self.step not in (act.step, repair(act, self.course))

    def _tells(self, act: Act) -> bool:
        """Whether a turn went wrong here: at the first step that was due."""
        first = next(step for step in act.due if step.id not in self.aside)
        return act.kind in {"tool", "unreadable", "finish"} and first == self.step

    def _passes(self, act: Act, error: Act | None) -> bool:
        """Whether a turn made a step that had to come after this one."""
        if act.kind != "made" or act.step is None:
            return False
        plain = error is not None and (error.kind == "failed" or not error.well)
        needed = self.step.id in self.course.needs[act.step.id]
        return needed or (plain and act.step.id > self.step.id)

    def _deviation(self, act: Act, error: Act | None) -> Deviation:
        name = "" if act.turn.call is None else act.turn.call.name
        if act.kind in {"arguments", "again"} and name in tools_named(self.step):
            return _at(act, self.step, "understand", words.arguments(act, self.step, self.course))
        if act.kind == "unreadable":
            return _at(act, self.step, "instruct", words.unreadable(act, self.step))
        plan = self._plan()
        if plan is not None:
            return plan
        if error is not None and act.kind in {"made", "finish"}:
            return _at(act, self.step, "review", words.review(act, error, self.step))
        return _at(act, self.step, "retrieve", words.tool(act, self.step))

    def _plan(self) -> Deviation | None:
        """The plan as the deviation, where it has too few calls of the step's tool."""
        number = next((n for n, turn in enumerate(self.episode.turns) if turn.kind == "plan"), None)
        if number is None:
            return None
        tools, plan = tools_named(self.step), self.episode.turns[number].plan
        planned = sum(call.name in tools for call in plan)
        needed = sum(tools_named(step) <= tools for step in self.course.steps)
        if planned >= needed:
            return None
        why = words.plan(number, planned if plan else None, needed, self.step)
        return Deviation(turn=number, step=self.step.id, ability="plan", why=why)


def _lost(acts: Sequence[Act], course: Course) -> list[Step]:
    """The steps that were due and never made; passed ones only where there are no others."""
    lost, passed = course.ready(made_in(acts)), _passed(acts, course)
    return [step for step in lost if step.id not in passed] or list(lost)


def _passed(acts: Sequence[Act], course: Course) -> frozenset[int]:
    """Ids of the steps without which others were made that need them."""
    made = made_in(acts)
    return frozenset(needed for step in made for needed in course.needs[step]) - made


def _after_all(
    path: SolutionPath, episode: Episode, acts: Sequence[Act], course: Course
) -> Deviation:
    """What went wrong where all steps were made."""
    wrong = _unwanted(path, acts) or _overrun(acts)
    if wrong is not None and wrong.kind == "unreadable":
        return _at(wrong, None, "instruct", words.unreadable(wrong, None))
    if wrong is not None and wrong.kind == "arguments" and wrong.step is not None:
        return _at(wrong, None, "understand", words.arguments(wrong, wrong.step, course))
    if wrong is not None:
        return _at(wrong, None, "retrieve", words.tool(wrong, next(iter(wrong.due), None)))
    if episode.end == "out_of_steps" or not acts:
        return _none(words.used_up(None), None)
    if not episode.answer:
        return _at(acts[-1], None, "understand", words.unanswered(acts[-1], ANSWER))
    told = tells(episode.answer, path.answer.facts)
    lacking = [fact for fact, said in zip(path.answer.facts, told, strict=True) if not said]
    return Deviation(turn=acts[-1].number, step=None, ability=None, why=words.untold(lacking))


def _unwanted(path: SolutionPath, acts: Sequence[Act]) -> Act | None:
    """The first turn that changed something without making a step."""
    writes = {tool.name for tool in path.tools if tool.effect == "write"}
    for act in acts:
        name = "" if act.turn.call is None else act.turn.call.name
        if act.kind in {"arguments", "tool", "again"} and act.well and name in writes:
            return act
    return None


def _overrun(acts: Sequence[Act]) -> Act | None:
    """The turn that went on when all steps were made, where the agent never ended."""
    late = [act for act in acts if not act.due and act.kind != "detour"]
    if any(act.kind == "finish" for act in late):
        return None
    readable = [act for act in late if act.kind != "unreadable"]
    return next(iter([*readable, *late]), None)


def _at(act: Act, step: Step | None, ability: str, why: str) -> Deviation:
    number = None if step is None else step.id
    return Deviation(turn=act.number, step=number, ability=ability, why=why)


def _none(why: str, step: Step | None) -> Deviation:
    """A deviation that no turn and no ability stand for."""
    return Deviation(turn=None, step=None if step is None else step.id, ability=None, why=why)
