"""Agents: what the model is shown at each turn, and what its answer means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, cast

from teval import slicing
from teval.formats import json_format, reasoning
from teval.lookup import load
from teval.prompting import Prompts
from teval.schema import (
    FINISH,
    Argument,
    Call,
    Field,
    Message,
    Shape,
    SolutionPath,
    Tool,
    Turn,
)

ANSWER = "answer"
"""The one argument of the call that ends an episode."""
FILE = "agent"
"""Name of the prompt file."""

CALL = Shape(
    (
        Field("name", "string"),
        Field("args", "object", required=False),
        Field("thought", "string", required=False),
    )
)
PLAN = Shape((Field("id", "integer"), Field("name", "string"), Field("args", "object")), many=True)


class Move(NamedTuple):
    """What an answer means."""

    kind: str
    """``plan`` or ``act``."""
    thought: str = ""
    call: Call | None = None
    plan: tuple[Call, ...] = ()


class Agent(Protocol):
    """A way of solving tasks with any model."""

    @property
    def name(self) -> str:
        """Its name in configs and records."""
        ...

    def messages(self, path: SolutionPath, turns: Sequence[Turn]) -> tuple[Message, ...]:
        """Return what the model is shown next."""
        ...

    def read(self, text: str, turns: Sequence[Turn]) -> Move:
        """Return what an answer means after these turns; never raises."""
        ...


@dataclass(frozen=True)
class ReAct:
    """Thinks and calls in turns (Yao et al. 2023, arXiv 2210.03629), each call one JSON object."""

    prompts: Prompts
    name: str = "react"

    def messages(self, path: SolutionPath, turns: Sequence[Turn]) -> tuple[Message, ...]:
        """Return the task, then each answer and what it led to."""
        first = _task(self.prompts, path, self.prompts.part(FILE, "act"))
        return (first, *_talk(self.prompts, turns))

    def read(self, text: str, turns: Sequence[Turn]) -> Move:
        """Return the call that an answer makes."""
        return _read_call(text)


@dataclass(frozen=True)
class PlanAct:
    """Plans all calls first, then carries the plan out as :class:`ReAct` does."""

    prompts: Prompts
    name: str = "plan_act"

    def messages(self, path: SolutionPath, turns: Sequence[Turn]) -> tuple[Message, ...]:
        """Return the task; once there is a plan, the plan and the turns after it."""
        first = _task(self.prompts, path, self.prompts.part(FILE, "plan"))
        if not turns:
            return (first,)
        plan, *acts = turns
        begin = self.prompts.part(FILE, "follow")
        if not plan.plan:
            begin = f"{self.prompts.part(FILE, 'no_plan')}\n\n{begin}"
        return (
            first,
            Message(role="assistant", content=reasoning.cut(plan.text).answer),
            Message(role="user", content=begin),
            *_talk(self.prompts, acts),
        )

    def read(self, text: str, turns: Sequence[Turn]) -> Move:
        """Return the plan where there is none yet, else the call that an answer makes."""
        if turns:
            return _read_call(text)
        reply = reasoning.read(text, lambda answer: json_format.parse(answer, PLAN))
        steps = reply.values.get("steps")
        calls = steps if isinstance(steps, list) else []
        return Move("plan", plan=tuple(Call.model_validate(call) for call in calls))


AGENTS = {
    "plan_act": "teval.e2e.agent:PlanAct",
    "react": "teval.e2e.agent:ReAct",
}
"""Agents by name."""


def make_agent(name: str, prompts: Prompts) -> Agent:
    """Return the agent of that name.

    Raises:
        UnknownNameError: There is none.
    """
    made = cast(Callable[[Prompts], Agent], load("agent", name, AGENTS))
    return made(prompts)


def finishing(path: SolutionPath, prompts: Prompts) -> tuple[Tool, ...]:
    """Return the path's tools, the one that ends the episode with the argument for the answer."""
    told = Argument(name=ANSWER, type="string", description=prompts.part(FILE, "answer"))
    return tuple(
        tool.model_copy(update={"arguments": (told,)}) if tool.name == FINISH else tool
        for tool in path.tools
    )


def _task(prompts: Prompts, path: SolutionPath, instruction: str) -> Message:
    opening = prompts.opening(
        tools=finishing(path, prompts), query=path.query, now=slicing.now(path)
    )
    return Message(role="user", content=f"{opening}\n\n{instruction}")


def _talk(prompts: Prompts, turns: Sequence[Turn]) -> tuple[Message, ...]:
    """Each answer without its reasoning, and what the world said to it."""
    told: list[Message] = []
    for turn in turns:
        told.append(Message(role="assistant", content=reasoning.cut(turn.text).answer))
        said = prompts.part(FILE, "returned", observation=turn.observation)
        told.append(Message(role="user", content=said))
    return tuple(told)


def _read_call(text: str) -> Move:
    reply = reasoning.read(text, lambda answer: json_format.parse(answer, CALL))
    name, args = reply.values.get("name"), reply.values.get("args", {})
    thought = reply.values.get("thought", "")
    call = Call.model_validate({"name": name, "args": args}) if isinstance(name, str) else None
    return Move("act", thought=thought if isinstance(thought, str) else "", call=call)
