"""Solution paths rebuilt from published T-Eval files whose prompts carry whole histories.

Records of one path differ in how far they got: the prompt of the last one holds all calls and
observations before it. What the files do not tell stays open: which step needs which, other right
calls and values, how arguments are compared, and any world to replay in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from teval.formats import json_format, string_format
from teval.formats.json_values import literal
from teval.schema import (
    FINISH,
    REVIEW_LABELS,
    Answer,
    Call,
    Field,
    JsonObject,
    Message,
    Observation,
    PublishedRecord,
    ReviewLabel,
    Shape,
    SolutionPath,
    Step,
    Tool,
    finish_tool,
)

TAG = "t-eval"
"""Of all paths rebuilt here."""
FINISH_ADDED = "finish-added"
"""Of paths whose files end before the finish; that step is then asked of nobody."""

_JOINT = Shape((Field("thought", "string"), Field("name", "string"), Field("args", "object")))
_LABELS = (
    ("Thought:", "Name:", "Args:"),
    ("Thought:", "Action:", "Action Input:"),
    ("Thought:", "Tool:", "Parameters:"),
    ("thought:", "name:", "args:"),
    ("思考：", "工具：", "参数："),
    ("思考：", "动作：", "参数："),
)
"""Labels under which an assistant's turn may tell thought, tool and arguments."""


class Rebuilt(NamedTuple):
    """Paths, and why there are not more."""

    paths: list[SolutionPath]
    problems: list[str]
    """One line for each path that could not be rebuilt."""


class _Move(NamedTuple):
    """What one step says, as far as it is known."""

    thought: str = ""
    name: str = ""
    args: JsonObject | None = None

    @property
    def known(self) -> bool:
        return bool(self.thought and self.name) and self.args is not None


class _Turn(NamedTuple):
    """An assistant's turn and what came back."""

    said: str
    seen: str


def rebuild_paths(records: Sequence[PublishedRecord]) -> Rebuilt:
    """Return the solution paths that records tell whole, and why others are left out."""
    groups: dict[tuple[str, str], list[PublishedRecord]] = defaultdict(list)
    for record in records:
        groups[record.path, record.language].append(record)
    rebuilt = Rebuilt([], [])
    for (name, language), group in groups.items():
        told = _path(name if language == "en" else f"{name}_{language}", group)
        if isinstance(told, SolutionPath):
            rebuilt.paths.append(told)
        else:
            rebuilt.problems.append(f"{name} ({language}): {told}")
    return rebuilt


def _path(name: str, group: Sequence[PublishedRecord]) -> SolutionPath | str:
    """Return a path, or why there is none."""
    asked = [r for r in group if r.step is not None and {"reason", "retrieve"} & {*r.abilities}]
    if not asked:
        return "no record of it has a history"
    last = max(asked, key=lambda r: (r.step or 0, len(r.messages), len(r.abilities)))
    turns = list(_turns(last.messages))
    if last.step != len(turns):
        return f"its last record is of step {last.step}, but has a history of {len(turns)} steps"
    golds, letters = _golds(group), _letters(group)
    moves = [_told(place, turn, golds) for place, turn in enumerate(turns)]
    moves.append(golds.get(last.step, _Move()))
    tools = {tool.name: tool for tool in last.tools if tool.name != FINISH}
    for place, move in enumerate(moves):
        if not move.known:
            return f"thought, tool and arguments of step {place} are nowhere told together"
        if move.name not in (*tools, FINISH):
            return f"step {place} calls {move.name!r}, which the prompt does not list"
    steps = [
        _step(place, move, turn, letters.get(place))
        for place, (move, turn) in enumerate(zip(moves, [*turns, None], strict=True))
    ]
    ended = moves[-1].name == FINISH
    if not ended:
        steps.append(Step(id=len(steps), thought="Done.", call=Call(name=FINISH), sound=False))
    return SolutionPath(
        id=name,
        family=last.family,
        language=last.language,
        query=next((m.content for m in last.messages if m.role == "user"), ""),
        tools=(*(tools[key] for key in sorted(tools)), _finish(last)),
        steps=tuple(steps),
        answer=Answer(text=moves[-1].thought if ended else ""),
        tags=(TAG,) if ended else (TAG, FINISH_ADDED),
    )


def _finish(record: PublishedRecord) -> Tool:
    listed = (tool for tool in record.tools if tool.name == FINISH)
    return next(listed, finish_tool("Ends the task."))


def _turns(messages: Iterable[Message]) -> Iterator[_Turn]:
    """Yield each assistant's turn with what came back; runs of one role are one turn."""
    said: list[str] = []
    seen: list[str] = []
    for message in messages:
        if message.role == "assistant":
            if seen:
                yield _Turn("\n".join(said), "\n".join(seen))
                said, seen = [], []
            said.append(message.content)
        elif said:
            seen.append(message.content)
    if said and seen:
        yield _Turn("\n".join(said), "\n".join(seen))


def _golds(group: Iterable[PublishedRecord]) -> dict[int, _Move]:
    """Return what is right by step, put together from all records of a path."""
    golds: dict[int, _Move] = defaultdict(_Move)
    for record in group:
        if record.step is not None and "review" not in record.abilities:
            golds[record.step] = _joined(golds[record.step], _right(record))
    return golds


def _right(record: PublishedRecord) -> _Move:
    value = record.release.ground_truth
    read = literal(value) if isinstance(value, str) else None
    told = value if read is None else read.value
    if not isinstance(told, dict):
        return _Move()
    args = told.get("args")
    whole = len(record.abilities) > 1 or "instruct" in record.abilities
    return _Move(
        str(told.get("thought") or ""),
        str(told.get("name") or told.get("action") or ""),
        args if whole and isinstance(args, dict) else None,
    )


def _joined(one: _Move, other: _Move) -> _Move:
    args = other.args if one.args is None else one.args
    return _Move(one.thought or other.thought, one.name or other.name, args)


def _letters(group: Iterable[PublishedRecord]) -> dict[int, ReviewLabel]:
    found: dict[int, ReviewLabel] = {}
    for record in group:
        right = record.release.ground_truth
        said = right.get("answer") if isinstance(right, dict) else None
        for letter in REVIEW_LABELS:
            if record.step is not None and "review" in record.abilities and said == letter:
                found[record.step] = letter
    return found


def _told(place: int, turn: _Turn, golds: Mapping[int, _Move]) -> _Move:
    """Return what a step says: by the records that ask for it, else by the history."""
    gold = golds.get(place, _Move())
    return gold if gold.known else _joined(gold, _read(turn.said))


def _read(said: str) -> _Move:
    values = json_format.parse(said, _JOINT).values
    for labels in _LABELS:
        if "name" in values:
            break
        fields = zip(_JOINT.fields, labels, strict=True)
        shape = Shape(tuple(Field(f.name, f.type, label) for f, label in fields))
        values = string_format.parse(said, shape).values
    args = values.get("args")
    return _Move(
        str(values.get("thought", "")),
        str(values.get("name", "")),
        args if isinstance(args, dict) else None,
    )


def _step(place: int, move: _Move, turn: _Turn | None, letter: ReviewLabel | None) -> Step:
    finish = move.name == FINISH
    return Step(
        id=place,
        thought=move.thought,
        call=Call(name=move.name, args={} if finish else move.args or {}),
        observation=None if turn is None or finish else _observation(turn.seen, letter),
        review=None if turn is None or finish else letter,
    )


def _observation(seen: str, letter: ReviewLabel | None) -> Observation:
    """Return what came back; only a review tells whether it was an error."""
    read = literal(seen)
    value = None if read is None else read.value
    if letter in {"B", "C"}:
        content = value if isinstance(value, dict) and "error" in value else {"error": seen}
        status = "internal_error" if letter == "B" else "input_error"
        return Observation.model_validate({"status": status, "content": content})
    return Observation(
        status="ok", content=value if isinstance(value, dict) else {"result": value or seen}
    )
