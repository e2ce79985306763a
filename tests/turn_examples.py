"""Hand-made episodes of the path of ``factories``, turn by turn."""

from __future__ import annotations

from factories import make_path

from teval.e2e.course import Course
from teval.schema import (
    FINISH,
    Call,
    End,
    Episode,
    Fault,
    JsonObject,
    Mistake,
    Observation,
    SolutionPath,
    Turn,
    WorldRef,
)

ALERTS = Call(name="weather.list_alerts")
SEARCH = Call(name="mail.search", args={"sender": "Ana"})
MISTAKE = Call(name="mail.send", args={"to": [], "subject": "Trip"})
"""The one that the gold path makes as well."""
EARLY = Call(name="mail.send", args={"to": ["Ana"], "subject": "Trip", "body": "It rains."})


def forecast(city: str, days: int = 2) -> Call:
    """A forecast."""
    return Call(name="weather.get_forecast", args={"city": city, "days": days})


def did(call: Call) -> Turn:
    """A turn whose call was answered well."""
    return _turn(call, Observation(status="ok", content={"result": "fine"}))


def refused(call: Call, mistake: Mistake = "refused") -> Turn:
    """A turn whose call was not accepted."""
    seen = Observation(status="input_error", content={"error": "not so"})
    return _turn(call, seen, mistake)


def broke(call: Call) -> Turn:
    """A turn whose call met an internal error."""
    content: JsonObject = {"error": "Service unavailable.", "code": 503}
    return _turn(call, Observation(status="internal_error", content=content))


def mumbled() -> Turn:
    """A turn without a readable call."""
    seen = Observation(status="input_error", content={"error": "no call could be read"})
    return _turn(None, seen, "unreadable")


def ended(answer: str = "Rain in Oslo.") -> Turn:
    """The turn that ends an episode."""
    return _turn(Call(name=FINISH, args={"answer": answer}), None)


def planned(*calls: Call) -> Turn:
    """A plan; one that could not be read where there are no calls."""
    mistake: Mistake | None = None if calls else "unreadable"
    return Turn(request="r", text="…", kind="plan", plan=calls, mistake=mistake)


def episode(*turns: Turn, end: End = "finished", error: str = "") -> Episode:
    """An episode of these turns, with the answer of its last one."""
    last = turns[-1].call if turns else None
    answer = last.args.get("answer", "") if last is not None and last.name == FINISH else ""
    return Episode(
        path="trip_01",
        family="trip",
        agent="react",
        turns=turns,
        answer=str(answer),
        end=end,
        error=error,
    )


def misrouting(nth: int) -> SolutionPath:
    """The path in a world that answers the n-th forecast with one for another city."""
    fault = Fault(tool="weather.get_forecast", nth=nth, kind="misrouted")
    world = WorldRef(seed=1, clock="2031-05-04T09:00:00", faults=(fault,))
    return make_path().model_copy(update={"world": world})


def course_of(path: SolutionPath) -> Course:
    """The path's course, to which all texts are alike."""
    return Course(path, lambda a, b: 1.0)


def _turn(call: Call | None, seen: Observation | None, mistake: Mistake | None = None) -> Turn:
    return Turn(request="r", text="…", call=call, observation=seen, mistake=mistake)
