"""Hand-made end-to-end runs that tests of several rooms share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from factories import make_path

from teval.e2e.summary import Planned, Player, summarise_outcomes
from teval.run.store import RunFolder
from teval.schema import (
    FINISH,
    Call,
    Deviation,
    End,
    Episode,
    Mistake,
    Observation,
    Outcome,
    SolutionPath,
    Turn,
)


def make_outcome(
    path: str = "trip_01",
    *,
    trial: int = 0,
    success: bool = False,
    state: float = 0.0,
    facts: float = 0.0,
    unwanted: int = 0,
    end: End = "finished",
    ability: str | None = "retrieve",
    turns: int = 3,
    mistakes: dict[Mistake, int] | None = None,
) -> Outcome:
    """An outcome; a failed one left the course at an ability."""
    lost = Deviation(turn=1, step=1, ability=ability, why="Turn 2: went astray.")
    return Outcome(
        path=path,
        family=path.split("_")[0],
        agent="react",
        trial=trial,
        success=success,
        state=1.0 if success else state,
        facts=1.0 if success else facts,
        unwanted=unwanted,
        end=end,
        turns=turns,
        calls=turns - 1,
        mistakes=mistakes or {},
        prompt_tokens=100 * turns,
        completion_tokens=10 * turns,
        deviation=None if success else lost,
    )


def make_episode(path: SolutionPath, trial: int = 0) -> Episode:
    """A try that goes wrong in its second turn, cannot be read twice, and gives up."""
    forecast = Call(name="weather.get_forecast", args={"city": "Oslo", "days": 2})
    unread = Observation(status="input_error", content={"error": "no call could be read"})
    turns = (
        _turn("…", "Oslo first.", forecast, Observation(status="ok", content={"rain": "5 pm"})),
        _turn("…", "", Call(name="weather.get_currant"), _unknown(), "unknown_tool"),
        _turn("I will\n\x1b[31mmail it", "", None, unread, "unreadable"),
        _turn("I will\n\x1b[31mmail it", "", None, unread, "unreadable"),
        _turn("…", "I give up.", Call(name=FINISH, args={"answer": "Rain at 5 pm."}), None),
    )
    return Episode(
        path=path.id,
        family=path.family,
        agent="react",
        trial=trial,
        turns=turns,
        answer="Rain at 5 pm.",
        end="finished",
    )


def _unknown() -> Observation:
    return Observation(status="input_error", content={"error": "no tool weather.get_currant"})


def _turn(
    text: str,
    thought: str,
    call: Call | None,
    observation: Observation | None,
    mistake: Mistake | None = None,
) -> Turn:
    return Turn(
        request="r",
        text=text,
        thought=thought,
        call=call,
        observation=observation,
        mistake=mistake,
    )


def store_episodes(
    folder: Path,
    outcomes: Sequence[Outcome],
    paths: Sequence[SolutionPath],
    *,
    trials: int = 1,
    name: str = "",
    model: str = "",
) -> Path:
    """Write an end-to-end run's records, an episode for each outcome, and return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    run = RunFolder(folder)
    by_id = {path.id: path for path in paths}
    planned = [Planned(p.id, p.family, trial) for p in paths for trial in range(trials)]
    player = Player(name or folder.name, model, "react", "data:x|teval:0")
    run.write_paths(paths)
    run.write_episodes([make_episode(by_id[o.path], o.trial) for o in outcomes])
    run.write_outcomes(outcomes)
    run.write_outcome_summary(summarise_outcomes(outcomes, planned, player))
    return folder


def make_paths(*names: str) -> list[SolutionPath]:
    """Paths by id; what stands before ``_`` is the family."""
    return [make_path(name, name.split("_")[0]) for name in names]
