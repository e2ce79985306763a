"""Worlds of single toolkits, and the properties that every toolkit must hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime

from hypothesis import strategies as st
from world_cases import CLOCK, ask, good

from teval.schema import Call, Fault, Json, JsonObject, Tool, WorldRef, canonical
from teval.world import World
from teval.world.setting import Setting
from teval.world.state import State
from teval.world.toolkit import Toolkit
from teval.world.toolkits.contacts import Contacts
from teval.world.values import size

MOST_BYTES = 1500
Writes = Mapping[str, tuple[JsonObject, JsonObject]]
"""By write tool: arguments of a call that succeeds, and another good value of each argument."""
Values = Mapping[str, list[Json]]
"""Likely values by argument name."""
ODD: list[Json] = [
    None, True, -1, 0, 10**400, 1e308, float("nan"), float("inf"), "", " ", "x" * 5000, "\ud800",
    "\x00" * 90, "2031-05-07", "2031-05-07T10:00", "9999-12-31T23:59", "0001-01-01", "23:59",
    "٣", "😀" * 40, [], {}, [[]], {"a": {"b": [1]}}, ["x"] * 9, [""], ["a", "a"], 30, 480,
]  # fmt: skip


def small(
    kits: Mapping[str, type[Toolkit]], seed: int = 7, *faults: Fault, clock: str = CLOCK
) -> World:
    """A world of some toolkits alone, the address book before them."""
    setting, state = Setting(seed, datetime.fromisoformat(clock)), State()
    kinds: dict[str, type[Toolkit]] = {"contacts": Contacts, **kits}
    toolkits = {name: kind(setting, state) for name, kind in kinds.items()}
    for toolkit in toolkits.values():
        toolkit.seed()
    return World(setting, state, toolkits, WorldRef(seed=seed, clock=clock, faults=faults))


def own_tools(kits: Mapping[str, type[Toolkit]]) -> tuple[Tool, ...]:
    """The tools of the toolkits named."""
    return tuple(tool for tool in small(kits).tools if tool.toolkit in kits)


def listed(content: JsonObject, name: str) -> list[JsonObject]:
    """A list of records in an answer."""
    rows = content[name]
    assert isinstance(rows, list)
    return [row for row in rows if isinstance(row, dict)]


def part(content: JsonObject, name: str) -> JsonObject:
    """A record in an answer."""
    row = content[name]
    assert isinstance(row, dict)
    return row


def number(record: JsonObject, key: str) -> float:
    """A field that is a number."""
    value = record[key]
    assert isinstance(value, int | float)
    assert not isinstance(value, bool)
    return value


def check_writes(make: Callable[[], World], tools: tuple[Tool, ...], writes: Writes) -> None:
    """Every write changes the state, every argument of it lands there, defaults said or unsaid."""
    assert writes.keys() == {tool.name for tool in tools if tool.effect == "write"}
    for tool in tools:
        if tool.effect == "read":
            continue
        args, others = writes[tool.name]
        assert others.keys() == {a.name for a in tool.arguments}, tool.name
        plain = _hash_after(make, tool.name, args)
        assert plain == _hash_after(make, tool.name, args)
        assert plain != make().state_hash()
        for name, other in others.items():
            assert _hash_after(make, tool.name, {**args, name: other}) != plain, (tool.name, name)
        defaults = {a.name: a.default for a in tool.arguments if a.has_default}
        assert _hash_after(make, tool.name, {**defaults, **args}) == plain, tool.name


def _hash_after(make: Callable[[], World], tool: str, args: JsonObject) -> str:
    world = make()
    good(world, tool, **args)
    return world.state_hash()


def check_misrouted(make: Callable[[Fault], World], reads: Mapping[str, JsonObject]) -> None:
    """A misrouted answer is a good one of the same form about another entity."""
    for tool, args in reads.items():
        world = make(Fault(tool=tool, nth=0, kind="misrouted"))
        before = world.state_hash()
        wrong, right = ask(world, tool, **args), ask(world, tool, **args)
        assert wrong.status == right.status == "ok", (tool, wrong, right)
        assert wrong.content != right.content, tool
        assert wrong.content.keys() - {"shown"} == right.content.keys() - {"shown"}, tool
        assert world.state_hash() == before


def check_described(
    tools: tuple[Tool, ...], reads: Mapping[str, JsonObject], bare: set[str]
) -> None:
    """Every tool tells what comes back; every read but the bare ones can be misrouted."""
    assert reads.keys() | bare == {tool.name for tool in tools if tool.effect == "read"}
    for tool in tools:
        assert tool.returns, tool.name
        assert len(canonical(tool.model_dump(mode="json"))) < 3500, tool.name
        assert all(len(a.description) > 9 for a in tool.arguments), tool.name


@st.composite
def calls(draw: st.DrawFn, tools: tuple[Tool, ...], values: Values) -> Call:
    """A call of a tool, mostly a plausible one."""
    tool = draw(st.sampled_from(tools))
    wild = draw(st.integers(0, 3)) == 3
    args: JsonObject = {}
    for a in tool.arguments:
        usual = st.sampled_from(list(a.enum) or values.get(a.name, [True, False]))
        if a.required or draw(st.booleans()):
            args[a.name] = draw(st.one_of(usual, _odd()) if wild else usual)
    return Call.model_construct(name=tool.name, args=args)


def _odd() -> st.SearchStrategy[Json]:
    anything = (st.integers(), st.floats(), st.text(max_size=700), st.booleans())
    return st.one_of(st.sampled_from(ODD), *anything)


def check_answers(world: World, some: list[Call]) -> None:
    """Whatever is called is answered, briefly, and only a write that succeeds changes anything."""
    writes = {tool.name for tool in world.tools if tool.effect == "write"}
    for call in some:
        before = world.state_hash()
        seen = world.call(call)
        assert size(seen.content) <= MOST_BYTES, call
        assert json.loads(canonical(seen.content)) == seen.content
        changed = world.state_hash() != before
        assert changed == (seen.status == "ok" and call.name in writes), call
        if seen.status != "ok":
            assert isinstance(seen.content["error"], str)
