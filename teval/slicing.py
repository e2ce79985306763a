"""Where in a solution path each ability is asked, and what is known there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from teval.errors import DataError
from teval.schema import FINISH, SolutionPath, Step, Tool


@dataclass(frozen=True)
class PlannedStep:
    """One call of the plan that can be made before anything was seen."""

    step: Step
    needs: tuple[int, ...]
    """Positions in the plan of all calls that must come before, indirect ones included."""


def tool_of(path: SolutionPath, name: str) -> Tool:
    """Return the path's tool of that name.

    Raises:
        DataError: The path does not list the tool.
    """
    for tool in path.tools:
        if tool.name == name:
            return tool
    raise DataError(f"path {path.id}: calls {name!r}, which its tool list lacks; add the tool")


def decision_steps(path: SolutionPath) -> tuple[Step, ...]:
    """Return the steps at which the next move is asked for: sound ones, finish included."""
    return tuple(s for s in path.steps if s.sound)


def call_steps(path: SolutionPath) -> tuple[Step, ...]:
    """Return the sound steps that call a real tool."""
    return tuple(s for s in decision_steps(path) if s.call.name != FINISH)


def review_steps(path: SolutionPath) -> tuple[Step, ...]:
    """Return the steps whose tool response is reviewed, unsound ones included."""
    answered = (s for s in path.steps if s.observation is not None and s.review is not None)
    return tuple(step for step in answered if step.reviewed)


def history(path: SolutionPath, step: Step) -> tuple[Step, ...]:
    """Return all steps before one, unsound ones included."""
    return tuple(s for s in path.steps if s.id < step.id)


def now(path: SolutionPath) -> datetime | None:
    """Return the frozen present of the path's world, or None where there is no world."""
    return None if path.world is None else datetime.fromisoformat(path.world.clock)


def has_graph(path: SolutionPath) -> bool:
    """Return whether the path says which step depends on which."""
    return any(s.needs for s in path.steps)


def planned(path: SolutionPath) -> tuple[PlannedStep, ...]:
    """Return the plan: planned calls in order, finish left out, needs renumbered and closed."""
    steps = [s for s in path.steps if s.planned and s.call.name != FINISH]
    place = {s.id: i for i, s in enumerate(steps)}
    closed = _closure(path)
    return tuple(
        PlannedStep(s, tuple(sorted(place[n] for n in closed[s.id] if n in place))) for s in steps
    )


def _closure(path: SolutionPath) -> dict[int, set[int]]:
    """All direct and indirect needs by step.

    A needed step that is not planned stands for the planned one that makes the same call.
    """
    closed: dict[int, set[int]] = {}
    for step in path.steps:
        direct = set(step.needs)
        calls = [path.steps[n].call for n in direct if not path.steps[n].planned]
        direct |= {s.id for s in path.steps[: step.id] if s.planned and s.call in calls}
        direct.discard(step.id)
        closed[step.id] = direct.union(*(closed[n] for n in direct))
    return closed


def ready_steps(path: SolutionPath, step: Step) -> tuple[Step, ...]:
    """Return the later steps that could be made as well as this one now.

    A step is ready when it is sound, its call is part of the plan, and everything it needs was
    called before and went well. Of several steps with one call the first still ahead counts. A
    path that states no dependencies has no ready steps: its order is the only one known to be
    right.
    """
    if not has_graph(path):
        return ()
    before = history(path, step)
    planned_calls = [s.call for s in path.steps if s.planned and s.call.name != FINISH]
    found: list[Step] = []
    for later in path.steps:
        ahead = later.id > step.id and later.sound and later.call in planned_calls
        new = all(later.call != s.call for s in (step, *found))
        if ahead and new and all(_done(path.steps[n], before) for n in later.needs):
            found.append(later)
    return tuple(found)


def _done(need: Step, before: tuple[Step, ...]) -> bool:
    """Whether a step's call stands in the history as a success."""
    return any(s.call == need.call and s.review == "A" for s in before)


def siblings(path: SolutionPath, name: str) -> tuple[Tool, ...]:
    """Return the other tools of a tool's toolkit; for finish, and where there are none, all others.

    The finish pseudo-tool is nobody's sibling.
    """
    others = tuple(t for t in path.tools if t.name not in (name, FINISH))
    kit = _toolkit(tool_of(path, name))
    return tuple(t for t in others if _toolkit(t) == kit) or others


def _toolkit(tool: Tool) -> str:
    return tool.toolkit or tool.name.rpartition(".")[0]


def case_id(path: str, step: int | None, ability: str, form: str) -> str:
    """Return the label of a case; facts about the case are its fields, never pieces of this.

    >>> case_id("trip_01", 2, "retrieve", "json")
    'trip_01:2:retrieve:json'
    >>> case_id("trip_01", None, "plan", "string")
    'trip_01:plan:string'
    """
    return ":".join([path, *([] if step is None else [str(step)]), ability, form])
