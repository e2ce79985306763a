"""How the first try at each gold step of a free run went, as the abilities' step cases ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from teval.e2e.course import Course, tools_named
from teval.e2e.walk import Act, repair, walk
from teval.schema import FINISH, Episode, Mark, SolutionPath, Step


def marks(path: SolutionPath, episode: Episode, course: Course) -> tuple[Mark, ...]:
    """Return how the first try at each gold step went, at most one mark a step and ability.

    A turn is a try at the step that it makes, else at the first step due that its tool is for, else
    at the first step due; where none is left, at the one that ends the path. It marks

    - instruct: whether a call could be read
    - retrieve, where one could: whether its tool was due
    - understand, where it was: whether its arguments were right
    - review, at a gold step whose error was met: whether the step that repairs it was tried before
      the agent ended or did anything else that was not due

    A mistake that the gold path makes as well is no try. Reason and plan are not marked.

    Args:
        path: The gold solution.
        episode: A try at it.
        course: Of the path.
    """
    acts = walk(path, episode, course)
    found: dict[tuple[int, str], bool] = {}
    for place, act in enumerate(acts):
        for step, ability, right in (*_tried(act, path), *_reviewed(acts[place:], course)):
            found.setdefault((step, ability), right)
    return tuple(Mark(step=s, ability=a, right=right) for (s, a), right in found.items())


def _tried(act: Act, path: SolutionPath) -> Iterator[tuple[int, str, bool]]:
    """Yield step, ability and whether it was right, of the step that a turn is a try at."""
    if act.kind == "detour":
        return
    due = [s for s in act.due if act.turn.call and act.turn.call.name in tools_named(s)]
    fitting = [s for s in due if s == act.step]
    ends = [path.steps[-1]] if not act.due and path.steps[-1].call.name == FINISH else []
    step = next(iter([*fitting, *due, *act.due, *ends]), None)
    if step is None:
        return
    yield step.id, "instruct", act.kind != "unreadable"
    if act.kind != "unreadable":
        yield step.id, "retrieve", bool(due) or (act.kind == "finish" and not act.due)
    if due:
        yield step.id, "understand", act.kind in {"made", "failed"} and bool(fitting)


def _reviewed(acts: Sequence[Act], course: Course) -> Iterator[tuple[int, str, bool]]:
    """Yield how the gold error that the first of these turns met was reviewed, if it met one."""
    error, *later = acts
    gold, due = _met(error, course), repair(error, course)
    if gold is None or due is None:
        return
    for act in later:
        name = "" if act.turn.call is None else act.turn.call.name
        if act.step == due or (act.kind == "arguments" and name in tools_named(due)):
            yield gold.id, "review", True
            return
        if act.kind in {"tool", "arguments", "finish"}:
            yield gold.id, "review", False
            return


def _met(act: Act, course: Course) -> Step | None:
    """The gold step whose error a turn met."""
    if act.kind in {"made", "detour"}:
        return act.step
    if act.kind != "failed" or act.turn.call is None:
        return None
    for step in course.path.steps:
        unplanned = step.id not in course.needs and step.call.name != FINISH
        if unplanned and course.repair(step) == act.step and course.right(step, act.turn.call):
            return step
    return None
