"""The executable world: state, tools, clock and planned faults behind one call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, lru_cache
from random import Random

from teval.errors import DataError
from teval.schema import ASK, Call, Fault, JsonObject, Observation, Tool, WorldRef, canonical
from teval.world.check import check, unknown_tool
from teval.world.faults import BODIES, body, failure, without
from teval.world.notices import with_notices
from teval.world.setting import Setting
from teval.world.state import Snapshot, State
from teval.world.substitute import Answer, Stock, saved_refusals
from teval.world.tool import Method, describe, marked
from teval.world.toolkit import Toolkit
from teval.world.toolkits import TOOLKITS
from teval.world.values import InputError


@dataclass(frozen=True)
class _Bound:
    """A tool together with the method and the toolkit that answer it."""

    tool: Tool
    method: Method
    toolkit: Toolkit
    decoy: str


class World:
    """One seeded world. Equal references give equal worlds, in every process.

    Made by :meth:`build`. Calls change its state and count towards its planned faults, so a world
    serves one path or one episode.
    """

    def __init__(
        self, setting: Setting, state: State, toolkits: Mapping[str, Toolkit], ref: WorldRef
    ) -> None:
        self._setting = setting
        self._state = state
        self._toolkits = toolkits
        self._bound = {
            bound.tool.name: bound for name, kit in toolkits.items() for bound in _bind(name, kit)
        }
        self._faults = _planned(ref, self._bound)
        self._calls: Counter[str] = Counter()
        self._refusals: Counter[str] = Counter()

    @classmethod
    def build(cls, ref: WorldRef) -> World:
        """Return the world of a reference, before any call.

        Raises:
            DataError: The clock is no ISO 8601 time without zone, or a fault can't happen.
        """
        seeded = Setting(ref.seed, _clock(ref.clock))
        setting, state = replace(seeded, replies=ref.replies), State()
        state.restore(_seeded(seeded))
        return cls(setting, state, _toolkits(setting, state), ref)

    @property
    def now(self) -> datetime:
        """The frozen present."""
        return self._setting.now

    @property
    def tools(self) -> tuple[Tool, ...]:
        """All tools of all toolkits, sorted by name."""
        return tuple(self._bound[name].tool for name in sorted(self._bound))

    def call(self, call: Call) -> Observation:
        """Return the answer to a call, whatever it holds.

        A call that does not fit the tool's description, or that the tool refuses, is an
        ``input_error`` and leaves the state as it was. The n-th fault of a tool counts the calls
        that fit its description, those that it then refuses among them.
        """
        bound = self._bound.get(call.name)
        if bound is None:
            return _refused(unknown_tool(call.name, self._bound))
        try:
            args = check(bound.tool, call.args)
        except InputError as error:
            return self._refuse(bound, call.args, str(error))
        nth = self._calls[call.name]
        self._calls[call.name] += 1
        seen = self._answer(bound, args, nth)
        if seen.status == "input_error":
            return self._refuse(bound, call.args, str(seen.content["error"]))
        return seen

    def state_hash(self) -> str:
        """Return the SHA-256 of the state: all that calls can change, in whatever order."""
        return self._state.hash()

    def records(self) -> Snapshot:
        """Return all that calls can change: table to id to record, as it is now."""
        return self._state.snapshot()

    def view(self) -> JsonObject:
        """Return the whole world as JSON: one list a kind of record, and the fixed facts.

        For those who write tasks and check outcomes; it tells what no tool would.
        """
        fixed = {k: v for kit in self._toolkits.values() for k, v in kit.view().items()}
        return {"now": self.now.isoformat(), **fixed, **self._state.dump()}

    def _answer(self, bound: _Bound, args: JsonObject, nth: int) -> Observation:
        """Return the answer to the n-th call that fits, under what is planned for it."""
        fault = self._faults.get((bound.tool.name, nth, "fault"))
        if fault is not None and fault.kind in BODIES and not fault.lost:
            return Observation(status="internal_error", content=body(fault))
        seen = self._run(bound, args)
        if fault is not None and fault.kind == "misrouted":
            seen = self._misroute(bound, args, seen)
        elif fault is not None:
            return self._partial(bound, args, seen, fault)
        if (bound.tool.name, nth, "noise") in self._faults and seen.status == "ok":
            return self._noted(bound, args, seen)
        return seen

    def _run(self, bound: _Bound, args: JsonObject) -> Observation:
        before = self._state.snapshot()
        try:
            return Observation(status="ok", content=bound.method(**args))
        except InputError as error:
            self._state.restore(before)
            return _refused(str(error))

    def _partial(
        self, bound: _Bound, args: JsonObject, seen: Observation, fault: Fault
    ) -> Observation:
        """Return an answer without what a failure took of it."""
        if seen.status != "ok":
            return Observation(status="internal_error", content=body(fault))
        rng = self._rng("partial", bound, args)
        told = failure(", ".join(fault.lost), fault.kind, rng)
        left = Observation(status="internal_error", content=without(seen.content, fault.lost))
        return self._noted(bound, args, left, failures=[told])

    def _refuse(self, bound: _Bound, args: JsonObject, message: str) -> Observation:
        """Return the refusal of a call, or what is planned to stand for it."""
        nth = self._refusals[bound.tool.name]
        self._refusals[bound.tool.name] += 1
        if (bound.tool.name, nth, "substituted") not in self._faults:
            return _refused(message)
        found = self._stock("substitute", bound, args).substitute(
            bound.tool, bound.toolkit, args, self._asked(bound)
        )
        if found is None:
            return _refused(message)
        seen = Observation(status="input_error", content=found.content)
        return self._noted(bound, args, seen, refusals=[found.notice(message)])

    def _noted(
        self,
        bound: _Bound,
        args: JsonObject,
        seen: Observation,
        failures: Sequence[str] = (),
        refusals: Sequence[str] = (),
    ) -> Observation:
        """Return an answer with notices, those given and others of no matter."""
        stock = self._stock("notices", bound, args)
        near = [b for b in self._bound.values() if b.tool.effect == "read" and b.tool.arguments]
        stock.rng.shuffle(near)
        near.sort(key=lambda other: other.toolkit is not bound.toolkit)
        tools = [
            (other.tool, other.toolkit, self._asked(other))
            for other in near
            if other.tool.name not in (bound.tool.name, ASK)  # the user is not asked for this
        ]
        saved = saved_refusals(stock, tools, args)
        content = with_notices(seen.content, stock.rng, saved, failures, refusals)
        return seen.model_copy(update={"content": content})

    def _stock(self, topic: str, bound: _Bound, args: JsonObject) -> Stock:
        return Stock(self._setting, _names(self._state), self._rng(topic, bound, args))

    def _rng(self, topic: str, bound: _Bound, args: JsonObject) -> Random:
        return self._setting.rng(f"{topic}:{bound.tool.name}:{canonical(args)}")

    def _asked(self, bound: _Bound) -> Answer:
        """What a read tool answers, without a trace in what the world counts."""

        def answer(args: JsonObject) -> Observation:
            try:
                return self._run(bound, check(bound.tool, args))
            except InputError as error:
                return _refused(str(error))

        return answer

    def _misroute(self, bound: _Bound, args: JsonObject, right: Observation) -> Observation:
        """Return the first good answer about another entity, from a drawn start, that differs."""
        needed = {a.name: args[a.name] for a in bound.tool.arguments if a.required}
        others = sorted(bound.toolkit.others(bound.decoy))
        turn = self._rng("misrouted", bound, args).randrange(len(others))
        for other in others[turn:] + others[:turn]:
            answer = self._run(bound, {**needed, bound.decoy: other})
            if answer.status == "ok" and answer != right:
                return answer
        return Observation(status="internal_error", content=body(_MALFORMED))


_MALFORMED = Fault(tool="", nth=0, kind="malformed")


def _toolkits(setting: Setting, state: State) -> dict[str, Toolkit]:
    return {name: kind(setting, state) for name, kind in TOOLKITS.items()}


@lru_cache(maxsize=256)
def _seeded(setting: Setting) -> Snapshot:
    """All records that a world begins with; many episodes begin in the same one."""
    state = State()
    for toolkit in _toolkits(setting, state).values():
        toolkit.seed()
    return state.snapshot()


def _bind(name: str, toolkit: Toolkit) -> list[_Bound]:
    # mypy looks for the hash of an instance where the class is meant.
    described = _described(name, type(toolkit))  # type: ignore[arg-type]
    return [
        _Bound(tool, getattr(toolkit, attribute), toolkit, decoy)
        for attribute, decoy, tool in described
    ]


@cache
def _described(name: str, kind: type[Toolkit]) -> tuple[tuple[str, str, Tool], ...]:
    """Return attribute, decoy and description of each tool of a toolkit; all worlds share them."""
    marks = {attribute: marked(getattr(kind, attribute)) for attribute in dir(kind)}
    return tuple(
        (attribute, mark.decoy, describe(getattr(kind, attribute), name))
        for attribute, mark in marks.items()
        if mark is not None
    )


def _planned(ref: WorldRef, bound: Mapping[str, _Bound]) -> dict[tuple[str, int, str], Fault]:
    """Return the plans of a world by tool, number of the call, and what kind of plan it is."""
    faults: dict[tuple[str, int, str], Fault] = {}
    for fault in ref.faults:
        if fault.tool not in bound:
            raise DataError(f"fault of call {fault.nth}: {unknown_tool(fault.tool, bound)}")
        _check(fault, bound[fault.tool])
        kind = fault.kind if fault.kind in ("substituted", "noise") else "fault"
        if (fault.tool, fault.nth, kind) in faults or fault.nth < 0:
            raise DataError(f"{fault.tool}: call {fault.nth} has two faults or is below 0")
        faults[fault.tool, fault.nth, kind] = fault
    return faults


def _check(fault: Fault, bound: _Bound) -> None:
    if fault.kind == "misrouted" and not bound.decoy:
        raise DataError(f"{fault.tool} can't be misrouted: it names no entity to mix up")
    partly = fault.lost or fault.kind in ("substituted", "noise")
    if partly and bound.tool.effect == "write":
        raise DataError(f"{fault.tool} changes something: it fails as a whole, or not at all")
    if fault.lost and fault.kind not in BODIES:
        raise DataError(f"{fault.tool}: {fault.kind} loses no part of an answer")


def _names(state: State) -> list[str]:
    """What the records of a world are called by."""
    records = (record for table in state.snapshot().values() for record in table.values())
    found = {getattr(r, key, "") for r in records for key in ("name", "title", "subject")}
    return sorted(found - {""})


def _clock(text: str) -> datetime:
    try:
        now = datetime.fromisoformat(text)
    except ValueError:
        now = None
    if now is None or now.tzinfo is not None:
        raise DataError(f"clock {text!r} must be ISO 8601 without zone: 2031-05-04T09:00:00")
    return now


def _refused(message: str) -> Observation:
    return Observation(status="input_error", content={"error": message})
