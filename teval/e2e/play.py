"""Playing episodes: all of them side by side, one turn of each a wave."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from teval.e2e.agent import ANSWER, FILE, Agent
from teval.errors import DataError
from teval.prompting import Prompts, prompt_hash
from teval.schema import (
    FINISH,
    Call,
    Completion,
    End,
    Episode,
    Mistake,
    Observation,
    Request,
    Sampling,
    SolutionPath,
    Turn,
)
from teval.world import World
from teval.world.check import check, unknown_tool
from teval.world.values import InputError


class Task(NamedTuple):
    """One episode to be played."""

    path: SolutionPath
    trial: int = 0


class Asked(NamedTuple):
    """One question of a wave, and where in its episode it stands."""

    task: Task
    turns: tuple[Turn, ...]
    request: Request


Speaker = Callable[[Sequence[Asked]], Iterable[Completion]]
"""Whoever answers a wave: one completion a question, in any order."""


@dataclass(frozen=True)
class Rules:
    """How episodes are played."""

    agent: Agent
    prompts: Prompts
    sampling: Sampling
    seed: int = 0
    steps: int = 20
    """The most turns that act, at least 1; a plan is not counted."""


def play(tasks: Sequence[Task], rules: Rules, speaker: Speaker) -> Iterator[Episode]:
    """Yield each task's episode as soon as it ends.

    Every wave asks for one turn of all episodes that still go on, so that an engine is given as
    much at once as there is. What the model does wrong becomes an observation and is noted.

    Raises:
        DataError: A path has no world to be played in.
        EngineError: The speaker can't go on.
    """
    live = [_Live(task, rules, _world(task.path)) for task in tasks]
    while live:
        asked = [episode.ask() for episode in live]
        heard = {completion.request: completion for completion in speaker(asked)}
        going: list[_Live] = []
        for episode, question in zip(live, asked, strict=True):
            ended = episode.hear(heard[question.request.key])
            if ended is None:
                going.append(episode)
            else:
                yield ended
        live = going


def _world(path: SolutionPath) -> World:
    if path.world is None:
        raise DataError(f"path {path.id}: has no world to be played in; add the field 'world'")
    return World.build(path.world)


@dataclass
class _Live:
    """An episode that still goes on."""

    task: Task
    rules: Rules
    world: World
    turns: list[Turn] = field(default_factory=list)

    def ask(self) -> Asked:
        """Return the next question."""
        messages = self.rules.agent.messages(self.task.path, self.turns)
        request = Request(
            prompt=prompt_hash(messages),
            messages=messages,
            sampling=self.rules.sampling,
            seed=self.rules.seed,
            repeat=self.task.trial,
        )
        return Asked(self.task, tuple(self.turns), request)

    def hear(self, said: Completion) -> Episode | None:
        """Take the answer in; return the episode if it ended it."""
        if said.finish == "overflow":
            return self._end("context_overflow", error=said.error)
        if said.finish == "error":
            return self._end("engine_error", error=said.error)
        move = self.rules.agent.read(said.answer, self.turns)
        turn = Turn(
            request=said.request,
            text=said.text,
            thought=move.thought,
            call=move.call,
            hit_limit=said.finish == "length",
            prompt_tokens=said.prompt_tokens,
            completion_tokens=said.completion_tokens,
        )
        if move.kind == "plan":
            lost: Mistake | None = None if move.plan else "unreadable"
            shown = {"kind": "plan", "plan": move.plan, "mistake": lost}
            self.turns.append(turn.model_copy(update=shown))
            return None
        if move.call is not None and move.call.name == FINISH:
            self.turns.append(turn)
            told = move.call.args.get(ANSWER)
            return self._end("finished", answer=told if isinstance(told, str) else "")
        mistake, observation = call_world(self.world, self.task.path, move.call, self.rules.prompts)
        update = {"mistake": mistake, "observation": observation}
        self.turns.append(turn.model_copy(update=update))
        acts = sum(turn.kind == "act" for turn in self.turns)
        return self._end("out_of_steps") if acts >= self.rules.steps else None

    def _end(self, end: End, *, answer: str = "", error: str = "") -> Episode:
        return Episode(
            path=self.task.path.id,
            family=self.task.path.family,
            agent=self.rules.agent.name,
            trial=self.task.trial,
            turns=tuple(self.turns),
            answer=answer,
            end=end,
            error=error,
        )


def call_world(
    world: World, path: SolutionPath, call: Call | None, prompts: Prompts
) -> tuple[Mistake | None, Observation]:
    """Return what was wrong with a call, if anything, and what the world answers."""
    if call is None:
        return "unreadable", _refused(prompts.part(FILE, "unreadable"))
    tools = {tool.name: tool for tool in path.tools}
    if call.name not in tools:
        return "unknown_tool", _refused(unknown_tool(call.name, tools))
    try:
        check(tools[call.name], call.args)
    except InputError as error:
        return "invalid_arguments", _refused(str(error))
    observation = world.call(call)
    return ("refused" if observation.status == "input_error" else None), observation


def _refused(message: str) -> Observation:
    return Observation(status="input_error", content={"error": message})
