"""Scripted agents: what they will say at each turn, known beforehand.

They go the same way as a model: their words are read, executed and scored by the same code. Each
ability has its own way into an episode, except reason, of which a script has none:

- instruct: a call that can't be read
- retrieve: a tool that no step of the path uses
- understand: a wrong value
- review: an error taken for success, where the gold path meets one
- plan: a step missing from the plan, for agents that plan first
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random

from teval.e2e.agent import ANSWER, CALL, PLAN
from teval.e2e.course import Course, tools_named
from teval.e2e.play import Asked, Task
from teval.errors import ConfigError
from teval.formats import json_format
from teval.schema import FINISH, Call, Completion, Json, Step, Tool
from teval.slicing import siblings

Script = Callable[[Task, str], Sequence[str]]
"""From a task and the agent's name to what is said at each turn."""

FAILING = ("instruct", "plan", "retrieve", "review", "understand")
"""Abilities that a scripted agent can fail at."""

SORRY = "I am sorry, I could not do that."
DONE = "All of it is done."


def speak(script: Script, agent: str) -> Callable[[Sequence[Asked]], Iterator[Completion]]:
    """Return the speaker that follows a script; after its last line it says nothing more.

    Args:
        script: Who speaks.
        agent: Name of the agent that is spoken for.
    """

    def answer(asked: Sequence[Asked]) -> Iterator[Completion]:
        for question in asked:
            lines = script(question.task, agent)
            turn = len(question.turns)
            text = lines[turn] if turn < len(lines) else ""
            yield Completion(
                request=question.request.key,
                prompt=question.request.prompt,
                text=text,
                finish="stop",
                completion_tokens=len(text.split()),
            )

    return answer


def gold(task: Task, agent: str) -> list[str]:
    """Make every call of the gold path and tell its answer."""
    return [*_opening(task, agent, ()), *_acts(task.path.steps), _finish(task.path.answer.text)]


def apologiser(task: Task, agent: str) -> list[str]:
    """Give up at once."""
    return [*_opening(task, agent, ()), _finish(SORRY)]


def parrot(task: Task, agent: str) -> list[str]:
    """Tell the gold answer without a single call."""
    return [*_opening(task, agent, ()), _finish(task.path.answer.text)]


def random_caller(task: Task, agent: str) -> list[str]:
    """Call listed tools at random, as often as the gold path does, with the query's own words."""
    rng = Random(f"{task.path.id}:{task.trial}")
    tools = [tool for tool in task.path.tools if tool.name != FINISH]
    words = task.path.query.split()
    drawn = [rng.choice(tools) for _ in task.path.steps[:-1]]
    calls = [Call(name=tool.name, args=_random_args(tool, words, rng)) for tool in drawn]
    return [*_opening(task, agent, ()), *map(_call, calls), _finish(task.path.query)]


def degraded(ability: str, rate: float, seed: int = 0) -> Script:
    """Return the gold agent that fails at one ability.

    At each of its chances (:func:`chances`) it fails with the given rate, and never finds back:
    what needs the lost step is left out, all else is done, and the answer's facts are not told.
    So an episode succeeds with a chance of ``(1 - rate) ** chances``.

    Args:
        ability: One of :data:`FAILING`.
        rate: Chance of failing at each chance, in [0, 1].
        seed: Other seeds fail elsewhere.

    Raises:
        ConfigError: A script can't fail at that ability.
    """
    if ability not in FAILING:
        raise ConfigError(
            f"engine.ability={ability!r}: a scripted agent can fail at {', '.join(FAILING)}"
        )

    def script(task: Task, agent: str) -> list[str]:
        rng = Random(f"{seed}:{ability}:{task.path.id}:{task.trial}")
        failing = {id_: rng for id_ in chances(task, ability, agent) if rng.random() < rate}
        return _Fall(task, ability, failing).lines(agent)

    return script


def chances(task: Task, ability: str, agent: str) -> list[int]:
    """Return the ids of the steps at which an ability can fail in an episode.

    For plan it is one step, drawn by the task, and none where the agent does not plan.
    """
    course = _course(task)
    if ability == "plan":
        drawn = Random(f"{task.path.id}:{task.trial}").choice(course.steps)
        return [drawn.id] if agent == "plan_act" else []
    if ability == "review":
        return [step.id for step in task.path.steps if course.repair(step) is not None]
    if ability == "understand":
        return [step.id for step in course.steps if step.call.args]
    return [step.id for step in course.steps]


SCRIPTS: Mapping[str, Script] = {
    "apologiser": apologiser,
    "oracle": gold,
    "parrot": parrot,
    "random": random_caller,
}
"""Scripted agents by kind; ``degraded`` is made by :func:`degraded`."""

FLOORS = ("apologiser", "parrot", "random")
"""Those that need no ability."""


class _Fall:
    """A gold agent that fails at some steps, and what it says."""

    def __init__(self, task: Task, ability: str, failing: Mapping[int, Random]) -> None:
        self._path = task.path
        self._task = task
        self._ability = ability
        self._failing = failing
        self._course = _course(task)
        self._lost: set[int] = set()

    def lines(self, agent: str) -> list[str]:
        dropped = tuple(self._failing) if self._ability == "plan" else ()
        self._lost = set(dropped)
        said = [line for step in self._path.steps[:-1] for line in self._at(step)]
        answer = self._path.answer.text
        if self._lost:
            answer = DONE if self._ability == "review" else SORRY
        return [*_opening(self._task, agent, dropped), *said, _finish(answer)]

    def _at(self, step: Step) -> list[str]:
        """What is said at one step, nothing where it is left out."""
        if self._is_lost(step):
            self._lost |= {step.id} & self._course.needs.keys()
            return []
        if step.id not in self._failing or self._ability == "plan":
            return _acts([step])
        if self._ability == "review":
            repair = self._course.repair(step)
            assert repair is not None  # a chance is a step that has one
            self._lost.add(repair.id)
            return _acts([step])
        self._lost.add(step.id)
        return [self._spoil(step)]

    def _is_lost(self, step: Step) -> bool:
        if step.id in self._lost:
            return True
        if step.id in self._course.needs:
            return bool(self._course.needs[step.id] & self._lost)
        # A mistake, or a try that a fault undoes: made on the way to the step that makes it good.
        repair = self._course.repair(step)
        needed = set(step.needs) | (set() if repair is None else {repair.id})
        if repair is not None:
            needed |= self._course.needs[repair.id]
        return bool(needed & self._lost)

    def _spoil(self, step: Step) -> str:
        if self._ability == "instruct":
            return f"Thought: {step.thought} I call {step.call.name} for it now."
        rng = self._failing[step.id]
        if self._ability == "retrieve":
            wrong = rng.choice(_unused(self._task, step))
            return _call(Call(name=wrong.name, args=step.call.args), step.thought)
        calls = [
            Call(name=step.call.name, args={**step.call.args, name: other})
            for name, value in sorted(step.call.args.items())
            for other in (_other(value), "something else")
        ]
        # However alike texts are found to be, the changed value must not pass for right.
        lenient = Course(self._path, lambda a, b: 1.0)
        return _call(rng.choice([c for c in calls if not lenient.right(step, c)]), step.thought)


def _course(task: Task) -> Course:
    return Course(task.path, lambda a, b: float(a == b))


def _unused(task: Task, step: Step) -> list[Tool]:
    """The tools that no step of the path uses, those of the step's own toolkit if there are any."""
    used = {name for other in task.path.steps for name in tools_named(other)}
    near = [t for t in siblings(task.path, step.call.name) if t.name not in used]
    rest = [t for t in task.path.tools if t.name not in used | {FINISH}]
    return near or rest


def _other(value: Json) -> Json:
    """A value of the same type that is another one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, list):
        return [_other(value[0]), *value[1:]] if value else ["none"]
    if isinstance(value, str):
        turned = "".join(str((int(c) + 1) % 10) if c in "123456780" else c for c in value)
        return turned if turned != value else f"not {value}"
    return "none"


def _random_args(tool: Tool, words: Sequence[str], rng: Random) -> dict[str, Json]:
    values: dict[str, Callable[[], Json]] = {
        "string": lambda: rng.choice(words),
        "integer": lambda: rng.randint(1, 10),
        "number": lambda: rng.randint(1, 10),
        "boolean": lambda: rng.random() < 0.5,
        "array": lambda: [rng.choice(words)],
        "object": dict,
    }
    return {
        a.name: rng.choice(a.enum) if a.enum else values[a.type]()
        for a in tool.arguments
        if a.required
    }


def _opening(task: Task, agent: str, dropped: Iterable[int]) -> list[str]:
    """The gold plan without some of its steps, for an agent that plans first."""
    if agent != "plan_act":
        return []
    left_out = set(dropped)
    steps = [step.call for step in _course(task).steps if step.id not in left_out]
    calls = [*steps, Call(name=FINISH)]
    return [json_format.render([{"name": c.name, "args": c.args} for c in calls], PLAN)]


def _acts(steps: Iterable[Step]) -> list[str]:
    return [_call(s.call, s.thought) for s in steps if s.call.name != FINISH]


def _call(call: Call, thought: str = "") -> str:
    return json_format.render({"thought": thought, "name": call.name, "args": call.args}, CALL)


def _finish(answer: str) -> str:
    return _call(Call(name=FINISH, args={ANSWER: answer}), "I tell the person.")
