"""Deviations in words: one sentence each, turns counted from 1."""

from __future__ import annotations

from collections.abc import Sequence

from teval.e2e.course import Course
from teval.e2e.walk import Act
from teval.schema import FINISH, REVIEW_LABELS, Call, Episode, Json, ReviewLabel, Step
from teval.world.notices import NOTICES

LONGEST = 80
"""Characters of a value or message that are told at most."""
MOST = 3
"""Wrong arguments that are told at most."""


def arguments(act: Act, step: Step, course: Course) -> str:
    """Return which arguments of a step's tool were wrong, and what was right."""
    call = act.turn.call
    assert call is not None  # a turn without a call has no arguments to be wrong
    found = course.nearest(step, call)
    assert found is not None  # the call's tool is one that the step can be made by
    gold, verdicts = found
    told = [
        _argument(name, call.args, gold.args) for name, said in verdicts.items() if said != "right"
    ]
    more = f" and {len(told) - MOST} more" if len(told) > MOST else ""
    return f"{_turn(act)}: {gold.name} was called {' and '.join(told[:MOST])}{more}."


def tool(act: Act, due: Step | None) -> str:
    """Return which tool was called and what was due."""
    unlisted = ", which is no listed tool," if act.turn.mistake == "unknown_tool" else ""
    again = " again" if act.kind == "again" else ""
    return f"{_turn(act)}: {_name(act)}{unlisted} was called{again} where {_due(due)} was due."


def unreadable(act: Act, due: Step | None) -> str:
    """Return where no call could be read."""
    return f"{_turn(act)}: no call could be read where {_due(due)} was due."


def review(act: Act, error: Act, due: Step) -> str:
    """Return which error was passed over, and by what call."""
    passed = f"as though {_name(error)} had gone well in turn {error.number + 1}"
    return (
        f"{_turn(act)}: {_name(act)} was called {passed} ({_answered(error)}); {_due(due)} was due."
    )


def plan(number: int, planned: int | None, needed: int, due: Step) -> str:
    """Return what a plan lacks.

    Args:
        number: The plan's turn, from 0.
        planned: How many calls of the step's tool it has; None where no plan could be read.
        needed: How many the course needs.
        due: The step that was never made.
    """
    has = f"has {planned} of {needed} calls of {due.call.name}"
    said = "no plan could be read" if planned is None else f"the plan {has}"
    return f"Turn {number + 1}: {said}, and {_due(due)} was never made."


def broken(episode: Episode, due: Step | None) -> str:
    """Return why the engine gave no more answers."""
    reasons = {"context_overflow": "the conversation became too long for the model"}
    why = reasons.get(episode.end, "the engine failed")
    error = f" ({_cut(episode.error)})" if episode.error else ""
    when = f"After turn {len(episode.turns)}" if episode.turns else "At the first turn"
    return f"{when} {why}{error}; {_due(due)} was due."


def used_up(due: Step | None) -> str:
    """Return that there was no turn left."""
    return f"All turns were used up before {_due(due)} was called."


def unanswered(act: Act, argument: str) -> str:
    """Return that the last call tells nothing."""
    return f"{_turn(act)}: {FINISH} was called without a text for {argument}."


def untold(lacking: Sequence[str]) -> str:
    """Return what the answer lacks, or that the state differs all the same."""
    if lacking:
        return f"All steps were made, but the answer lacks {', '.join(map(_value, lacking))}."
    return "All steps were made and all facts told, yet the state is not as after the gold path."


def _turn(act: Act) -> str:
    return f"Turn {act.number + 1}"


def _name(act: Act) -> str:
    return "nothing" if act.turn.call is None else _cut(repr(act.turn.call.name)[1:-1])


def _due(step: Step | None) -> str:
    return FINISH if step is None else _call(step.call)


def _call(call: Call) -> str:
    args = ", ".join(f"{name}={_value(value)}" for name, value in call.args.items())
    return f"{call.name}({args})"


def _argument(name: str, given: dict[str, Json], right: dict[str, Json]) -> str:
    shown = _cut(repr(name)[1:-1])
    if name not in given:
        return f"without {shown}={_value(right[name])}"
    if name not in right:
        return f"with {shown}={_value(given[name])} where it had to be left out"
    return f"with {shown}={_value(given[name])} where {_value(right[name])} was right"


def _answered(error: Act) -> str:
    label = REVIEW_LABELS[_label(error)].lower()
    content = {} if error.turn.observation is None else error.turn.observation.content
    told = content.get("error", content.get(NOTICES))
    message = "; ".join(map(str, told)) if isinstance(told, list) else told
    return f"{label}: {_cut(message)}" if isinstance(message, str) else label


def _label(error: Act) -> ReviewLabel:
    """What the answer amounts to, told by the gold path where it stands there."""
    seen = error.turn.observation
    if error.kind == "detour" and error.step is not None and error.step.review is not None:
        return error.step.review
    if seen is not None and seen.status == "internal_error":
        return "B"
    return "D" if error.well else "C"


def _value(value: Json) -> str:
    return _cut(repr(value))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
