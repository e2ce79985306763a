"""Episodes of the shipped paths, played by scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from teval.e2e.agent import make_agent
from teval.e2e.outcome import Standard, outcome
from teval.e2e.play import Rules, Task, play
from teval.e2e.scripts import Script, speak
from teval.prompting import Prompts
from teval.schema import Episode, Outcome, Sampling, SolutionPath
from teval.sources.native import read_paths


@cache
def lite() -> tuple[SolutionPath, ...]:
    """The small set that ships."""
    return tuple(read_paths("lite"))


@cache
def _full() -> Mapping[str, SolutionPath]:
    return {path.id: path for path in read_paths("full")}


def shipped(path: str) -> SolutionPath:
    """One of all paths that ship, by its id."""
    return _full()[path]


@cache
def standard(path: str) -> Standard:
    """What episodes of a shipped path are held against."""
    return Standard(shipped(path))


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
