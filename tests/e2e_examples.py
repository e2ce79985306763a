"""Episodes of the shipped paths, played by scripts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from teval.assets import find
from teval.e2e.agent import make_agent
from teval.e2e.outcome import Standard, outcome
from teval.e2e.play import Rules, Task, play
from teval.e2e.scripts import Script, speak
from teval.prompting import Prompts
from teval.schema import Episode, Outcome, Sampling, SolutionPath
from teval.sources.native import read_paths


@cache
def sample() -> tuple[SolutionPath, ...]:
    """The paths that ship."""
    return tuple(read_paths(str(find("data", "sample", "paths.jsonl"))))


@cache
def standard(path: str) -> Standard:
    """What episodes of a shipped path are held against."""
    return Standard(next(p for p in sample() if p.id == path))


def rules(agent: str = "react", steps: int = 20) -> Rules:
    """How episodes are played in tests."""
    prompts = Prompts.load("en")
    return Rules(make_agent(agent, prompts), prompts, Sampling(), steps=steps)


def played(
    tasks: Sequence[Task], script: Script, agent: str = "react", steps: int = 20
) -> list[Episode]:
    """The episodes of a script, in the order in which they end."""
    return list(play(tasks, rules(agent, steps), speak(script, agent)))


def says(*texts: str) -> Script:
    """A script that says the same whatever the task is."""
    return lambda task, agent: texts


def outcomes(tasks: Sequence[Task], script: Script, agent: str = "react") -> list[Outcome]:
    """What comes of a script's episodes."""
    return [outcome(e, standard(e.path)) for e in played(tasks, script, agent)]
