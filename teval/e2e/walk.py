"""An episode's turns held against the course: what each of them was, when it was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence, Set
from typing import Literal, NamedTuple, TypeAlias

from teval.e2e.course import Course, tools_named
from teval.schema import FINISH, Call, Episode, SolutionPath, Step, Turn

Kind: TypeAlias = Literal[
    "made", "failed", "detour", "again", "arguments", "tool", "unreadable", "finish"
]
"""What a turn was.

- made: the right call of a step, answered as it should be
- failed: the right call of a step, answered with an error or with something else
- detour: a mistake that the gold path makes as well, for the first time
- again: the right call of a step that was made before
- arguments: the tool of a step that was due, not its arguments
- tool: a tool that no step due then can be made by
- unreadable: no call
- finish: the call that ends the episode
"""


class Act(NamedTuple):
    """A turn that acts, as the course sees it."""

    number: int
    """Place among the episode's turns, from 0."""
    turn: Turn
    kind: Kind
    due: tuple[Step, ...]
    """The steps that could be made now, in the path's order; none where all were made."""
    step: Step | None = None
    """The step that was made, failed or repeated; of a detour the mistake; of wrong arguments the
    step due that they come nearest to; else the first step ahead that the tool is for."""

    @property
    def well(self) -> bool:
        """Whether the world gave a good answer."""
        return self.turn.observation is not None and self.turn.observation.status == "ok"


def walk(path: SolutionPath, episode: Episode, course: Course) -> tuple[Act, ...]:
    """Return what each turn that acts was, in order.

    A right call makes its step even where steps that it needs were left out.

    Args:
        path: The gold solution.
        episode: A try at it.
        course: Of the path.
    """
    made: set[int] = set()
    visited: set[int] = set()
    acts: list[Act] = []
    odd = _misrouted(path, episode)
    for number, turn in enumerate(episode.turns):
        if turn.kind == "plan":
            continue
        due = course.ready(made)
        act = Act(number, turn, "unreadable", due)
        if turn.call is not None:
            well = act.well and number not in odd
            kind, step = _look(turn.call, well, course, made, visited)
            act = act._replace(kind=kind, step=step)
        if act.step is not None and act.kind in {"made", "detour"}:
            (made if act.kind == "made" else visited).add(act.step.id)
        acts.append(act)
    return tuple(acts)


def made_in(acts: Sequence[Act]) -> frozenset[int]:
    """Return the ids of the steps that were made."""
    return frozenset(a.step.id for a in acts if a.kind == "made" and a.step is not None)


def repair(act: Act, course: Course) -> Step | None:
    """Return the step that makes good what a turn met, None where there is nothing to make good.

    An early call of a step's tool that went wrong is made good by that step.
    """
    if act.step is None or act.kind == "failed":
        return act.step
    if act.kind in {"made", "detour"}:
        return course.repair(act.step)
    return act.step if act.kind == "tool" and not act.well else None


def _look(
    call: Call, well: bool, course: Course, made: Set[int], visited: Set[int]
) -> tuple[Kind, Step | None]:
    """What a call was and the step that it stands for, the first that fits."""
    if call.name == FINISH:
        return "finish", None
    due = course.ready(made)
    early = [s for s in course.steps if s.id not in made and s not in due]
    right = [s for s in course.steps if course.right(s, call)]
    near = sorted((s for s in due if call.name in tools_named(s)), key=_wrong(call, course))
    looks: list[tuple[Kind, list[Step]]] = [
        ("made" if well else "failed", [s for s in due if s in right]),
        ("made", [s for s in early if s in right and well]),
        ("detour", [s for s in _mistakes(course, visited) if _same(s, call, course)]),
        ("failed", [s for s in early if s in right]),
        ("again", [s for s in right if s.id in made]),
        ("arguments", near),
        ("tool", [s for s in early if call.name in tools_named(s)]),
    ]
    return next(((kind, steps[0]) for kind, steps in looks if steps), ("tool", None))


def _wrong(call: Call, course: Course) -> Callable[[Step], int]:
    """How many arguments of a call are not right for a step that its tool is for."""

    def count(step: Step) -> int:
        found = course.nearest(step, call)
        return 0 if found is None else sum(said != "right" for said in found[1].values())

    return count


def _mistakes(course: Course, visited: Set[int]) -> list[Step]:
    """The gold path's own mistakes that were not made yet."""
    return [s for s in course.path.steps if not s.sound and s.id not in visited]


def _same(mistake: Step, call: Call, course: Course) -> bool:
    """Whether a call makes the same mistake; a mistyped argument is no comparator's business."""
    return call == mistake.call or course.right(mistake, call)


def _misrouted(path: SolutionPath, episode: Episode) -> frozenset[int]:
    """Numbers of the turns that a planned fault answered with something else.

    The world counts the calls that fit their tool's description.
    """
    faults = () if path.world is None else path.world.faults
    planned = {(fault.tool, fault.nth) for fault in faults if fault.kind == "misrouted"}
    calls: Counter[str] = Counter()
    found = set()
    for number, turn in enumerate(episode.turns):
        if turn.call is None or turn.mistake not in {None, "refused"}:
            continue
        if (turn.call.name, calls[turn.call.name]) in planned:
            found.add(number)
        calls[turn.call.name] += 1
    return frozenset(found)
