"""What must hold for each toolkit of a world."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from hypothesis import strategies as st
from world_cases import build, good

from teval.schema import Call, Fault, Json, JsonObject, Tool, canonical
from teval.world import World

MOST_BYTES = 1500
ODD: list[Json] = [
    None, True, -1, 0, 10**400, 1e308, float("nan"), float("inf"), "", " ", "x" * 5000, "\ud800",
    "\x00" * 90, "2031-05-07", "2031-05-07T10:00", "9999-12-31T23:59", "0001-01-01", "23:59",
    "٣", "😀" * 40, [], {}, [[]], {"a": {"b": [1]}}, ["x"] * 9, [""], ["a", "a"], 30, 480, 1.5,
]  # fmt: skip
Writes = Mapping[str, tuple[JsonObject, JsonObject]]
"""By write tool: arguments of a call that succeeds, and another good value of each argument."""


def tools_of(toolkit: str) -> list[Tool]:
    """The tools of one toolkit."""
    return [tool for tool in build().tools if tool.toolkit == toolkit]


def rows(content: JsonObject, name: str) -> list[JsonObject]:
    """A listing of an answer."""
    found = content[name]
    assert isinstance(found, list)
    return [row for row in found if isinstance(row, dict)]


def part(content: JsonObject, name: str) -> JsonObject:
    """A mapping within an answer."""
    found = content[name]
    assert isinstance(found, dict)
    return found


def holds_for_writes(
    toolkit: str, prepared: Callable[[], World], writes: Writes, apart: tuple[str, ...] = ()
) -> None:
    """Every argument of every write lands in the state, and a default is what it says.

    Args:
        toolkit: The toolkit whose writes are meant.
        prepared: Makes a world in which all the calls succeed.
        writes: The calls.
        apart: Tools that are left out since they need another world.
    """
    listed = {t.name: t for t in tools_of(toolkit) if t.effect == "write"}
    assert {*writes, *apart} == listed.keys()
    untouched = prepared().state_hash()
    for name, (args, others) in writes.items():
        tool = listed[name]
        assert others.keys() == {a.name for a in tool.arguments}, name
        plain = _hash_after(prepared, name, args)
        assert plain == _hash_after(prepared, name, args) != untouched, name
        defaults = {a.name: a.default for a in tool.arguments if a.has_default}
        assert _hash_after(prepared, name, {**args, **defaults}) == plain, name
        for argument, other in others.items():
            changed = {**args, argument: other}
            assert _hash_after(prepared, name, changed) != plain, (name, argument)


def _hash_after(prepared: Callable[[], World], tool: str, args: JsonObject) -> str:
    world = prepared()
    good(world, tool, **args)
    return world.state_hash()


def holds_for_descriptions(toolkit: str) -> None:
    """Every tool says what it does, takes and returns; one that can refuse says when."""
    for tool in tools_of(toolkit):
        assert len(tool.description) > 40, tool.name
        assert tool.returns.endswith("."), tool.name
        assert "Errors: " in tool.description or tool.effect == "read", tool.name
        assert all(a.description.endswith(".") for a in tool.arguments), tool.name


def holds_for_mix_ups(toolkit: str, args: Mapping[str, JsonObject]) -> None:
    """A misrouted answer is a good answer about something else.

    Args:
        toolkit: The toolkit whose tools are asked.
        args: By tool: a call that succeeds.
    """
    for name, given in args.items():
        right = good(build(), name, **given)
        seen = build(7, Fault(tool=name, nth=0, kind="misrouted")).call(Call(name=name, args=given))
        assert name.startswith(f"{toolkit}.")
        assert seen.status == "ok", name
        assert seen.content != right, name


@st.composite
def calls(draw: st.DrawFn, toolkit: str, plausible: Mapping[str, list[Json]]) -> Call:
    """A call of a tool of the toolkit, mostly a plausible one."""
    tool = draw(st.sampled_from(tools_of(toolkit)))
    wild = draw(st.integers(0, 3)) == 3
    odd = st.one_of(st.sampled_from(ODD), st.integers(), st.floats(), st.text(max_size=700))
    args: JsonObject = {}
    for a in tool.arguments:
        usual = st.sampled_from(list(a.enum) or plausible.get(a.name, [True, False]))
        if a.required or draw(st.booleans()):
            args[a.name] = draw(st.one_of(usual, odd) if wild else usual)
    return Call.model_construct(name=tool.name, args=args)


def holds_for_calls(world: World, some: list[Call]) -> None:
    """Whatever is called, the world answers briefly, and only a good write changes it."""
    writes = {tool.name for tool in world.tools if tool.effect == "write"}
    for call in some:
        before = world.state_hash()
        seen = world.call(call)
        told = canonical(seen.content)
        assert len(told.encode("utf-8", "surrogatepass")) <= MOST_BYTES, call
        assert json.loads(told) == seen.content
        assert seen.status in ("ok", "input_error")
        changed = world.state_hash() != before
        assert changed == (seen.status == "ok" and call.name in writes), call
