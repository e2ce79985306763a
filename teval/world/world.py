"""The executable world: state, tools, clock and planned faults behind one call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, lru_cache

from teval.errors import DataError
from teval.schema import Call, Fault, JsonObject, Observation, Tool, WorldRef, canonical
from teval.world.check import check, unknown_tool
from teval.world.faults import body
from teval.world.setting import Setting
from teval.world.state import Snapshot, State
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
            return _refused(str(error))
        nth = self._calls[call.name]
        self._calls[call.name] += 1
        fault = self._faults.get((call.name, nth))
        if fault is None:
            return self._run(bound, args)
        if fault.kind == "misrouted":
            return self._misroute(bound, args)
        return Observation(status="internal_error", content=body(fault))

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

    def _run(self, bound: _Bound, args: JsonObject) -> Observation:
        before = self._state.snapshot()
        try:
            return Observation(status="ok", content=bound.method(**args))
        except InputError as error:
            self._state.restore(before)
            return _refused(str(error))

    def _misroute(self, bound: _Bound, args: JsonObject) -> Observation:
        """Return the first good answer about another entity, from a drawn start, that differs."""
        right = self._run(bound, args)
        needed = {a.name: args[a.name] for a in bound.tool.arguments if a.required}
        others = sorted(bound.toolkit.others(bound.decoy))
        start = self._setting.rng(f"misrouted:{bound.tool.name}:{canonical(args)}")
        turn = start.randrange(len(others))
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


def _planned(ref: WorldRef, bound: Mapping[str, _Bound]) -> dict[tuple[str, int], Fault]:
    faults: dict[tuple[str, int], Fault] = {}
    for fault in ref.faults:
        if fault.tool not in bound:
            raise DataError(f"fault of call {fault.nth}: {unknown_tool(fault.tool, bound)}")
        if fault.kind == "misrouted" and not bound[fault.tool].decoy:
            raise DataError(f"{fault.tool} can't be misrouted: it names no entity to mix up")
        if (fault.tool, fault.nth) in faults or fault.nth < 0:
            raise DataError(f"{fault.tool}: call {fault.nth} has two faults or is below 0")
        faults[fault.tool, fault.nth] = fault
    return faults


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
