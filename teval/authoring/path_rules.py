"""What can be wrong with one gold path although it replays.

Each rule yields findings: the step, or None where the path as a whole is meant, and what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from teval.authoring.derivation import derivable, is_date, leaves, says
from teval.authoring.family import STATUSES
from teval.authoring.phrasing import common_run, pairs, slot_values, words
from teval.metrics.text_facts import NO, tells
from teval.schema import ASK, FINISH, Argument, Call, Json, SolutionPath, Step, Tool, canonical

MAX_OBSERVATION = 1500
"""The most bytes of an observation's canonical JSON text."""
CALLS = (2, 10)
"""Fewest and most calls of a path, finish left out."""
TOOLS = (12, 20)
"""Fewest and most tools of a path, finish among them."""

Finding: TypeAlias = tuple[int | None, str]
"""Step and message."""


def shape(path: SolutionPath) -> Iterator[Finding]:
    """Tools and steps are as many as they should be, in their order, and nothing is blank."""
    names = [tool.name for tool in path.tools]
    if not TOOLS[0] <= len(names) <= TOOLS[1]:
        yield None, f"lists {len(names)} tools, not {TOOLS[0]} to {TOOLS[1]}"
    if names[-1:] != [FINISH] or names[:-1] != sorted(set(names[:-1])):
        yield None, "tools are not sorted by name with finish last"
    calls = [step.call.name for step in path.steps]
    if calls[-1:] != [FINISH] or FINISH in calls[:-1]:
        yield None, "finish is not the last step and only there"
    if not CALLS[0] <= len(calls) - 1 <= CALLS[1]:
        yield None, f"has {len(calls) - 1} calls, not {CALLS[0]} to {CALLS[1]}"
    if [step.id for step in path.steps] != list(range(len(calls))):
        yield None, "step ids are not 0, 1, 2, …"
    if path.world and not is_date(path.world.clock[:10]):
        yield None, f"the world's clock {path.world.clock!r} is no ISO 8601 moment"
    if not all(map(words, (path.query, *(step.thought for step in path.steps)))):
        yield None, "the query or a thought is blank"


def needs(path: SolutionPath) -> Iterator[Finding]:
    """Steps depend on earlier ones only, and those that take a value depend on one."""
    for step in path.steps:
        late = [need for need in step.needs if not 0 <= need < step.id]
        if late:
            yield step.id, f"needs {late[0]}, which does not come earlier"
        if step.observed and not step.needs:
            yield step.id, f"takes {step.observed[0]} from an observation, but needs no step"


def arguments(path: SolutionPath) -> Iterator[Finding]:
    """Calls, alternatives and other right values fit the tools' descriptions."""
    tools = {tool.name: tool for tool in path.tools}
    for step in path.steps:
        for call in (step.call, *step.alternatives) if step.sound else ():
            if call.name not in tools:
                yield step.id, f"calls {call.name}, which is not listed"
            else:
                yield from ((step.id, m) for m in _misfits(call, tools[call.name]))
        for name, values in step.accepts.items() if step.call.name in tools else ():
            for value in values:
                yield from ((step.id, m) for m in _misfit(name, value, tools[step.call.name]))


def _misfits(call: Call, tool: Tool) -> Iterator[str]:
    for argument in tool.arguments:
        if argument.required and argument.name not in call.args:
            yield f"{tool.name} misses the argument {argument.name}"
    for name, value in call.args.items():
        yield from _misfit(name, value, tool)


def _misfit(name: str, value: Json, tool: Tool) -> Iterator[str]:
    known = tool.argument(name)
    if known is None:
        yield f"{tool.name} has no argument {name}"
    elif not _fits(value, known):
        yield f"{name}={canonical(value)} does not fit {tool.name}: {known.type}" + (
            f" of {list(known.enum)}" if known.enum else ""
        )


_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


def _is(value: Json, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES[kind])


def _fits(value: Json, argument: Argument) -> bool:
    if argument.enum and value not in argument.enum:
        return False
    if isinstance(value, list) and argument.items is not None:
        items = argument.items
        return argument.type == "array" and all(_is(part, items) for part in value)
    return _is(value, argument.type)


def underivable(path: SolutionPath) -> Iterator[Finding]:
    """Whoever reads query and observations can know every value; questions are one's own."""
    today = _today(path)
    tools = {tool.name: tool for tool in path.tools}
    known = path.query
    for step in path.steps:
        tool = tools.get(step.call.name) if step.call.name != ASK else None
        for name, value in step.call.args.items() if step.sound and tool else ():
            argument = tool.argument(name) if tool else None
            if argument and argument.has_default and argument.default == value:
                continue
            source = known if name in step.observed else path.query
            lost = [leaf for leaf in leaves(value) if not derivable(leaf, source, today)]
            if lost:
                yield step.id, f"{name}: nobody can know {lost[0]!r} here"
        known += "\n" + _told(step)


def _today(path: SolutionPath) -> str:
    today = path.world.clock[:10] if path.world else ""
    return today if is_date(today) else "1970-01-01"


def _told(step: Step) -> str:
    if step.observation is None:
        return ""
    return "\n".join(str(leaf) for leaf in leaves(step.observation.content))


def texts(path: SolutionPath) -> Iterator[Finding]:
    """Free-text arguments list facts, and tell them."""
    tools = {tool.name: tool for tool in path.tools}
    for step in path.steps:
        tool = tools.get(step.call.name)
        for argument in tool.arguments if tool and step.sound else ():
            value = step.call.args.get(argument.name)
            if argument.compare.kind != "text" or value is None:
                continue
            facts = step.text.get(argument.name)
            if facts is None or not facts.facts:
                yield step.id, f"{argument.name} is free text without facts"
                continue
            yield from ((step.id, m) for m in _untold(argument.name, str(value), facts.facts))
            told = [c for c in facts.contradictions if says(str(value), c)]
            if told:
                yield step.id, f"{argument.name} tells the contradiction {told[0]!r}"


def _untold(where: str, text: str, facts: Iterable[str]) -> Iterator[str]:
    yield from (f"{where} does not tell {fact!r}" for fact in facts if not says(text, fact))


def answer(path: SolutionPath) -> Iterator[Finding]:
    """The answer tells its facts, and they stand in an observation or the query."""
    if not path.answer.facts:
        yield None, "the answer has no facts"
    told = tells(path.answer.text, [NO])[0]
    facts = [fact for fact in path.answer.facts if not (fact == NO and told)]
    yield from ((None, m) for m in _untold("the answer", path.answer.text, facts))
    known = "\n".join((path.query, *(_told(step) for step in path.steps)))
    for fact in facts:
        if not derivable(fact, known, _today(path)):
            yield None, f"the answer's fact {fact!r} stands in no observation nor the query"


def thoughts(path: SolutionPath) -> Iterator[Finding]:
    """Thoughts name no tool, and no two of a path are the same."""
    pattern = _tool_names(path)
    seen: dict[str, int] = {}
    for step in path.steps:
        for thought in (step.thought, *step.thoughts):
            found = pattern.search(thought)
            if found:
                yield step.id, f"a thought names the tool {found[0]}"
            if thought in seen:
                yield step.id, f"a thought is the same as one of step {seen[thought]}"
            seen.setdefault(thought, step.id)


def _tool_names(path: SolutionPath) -> re.Pattern[str]:
    """Matches the tools' names, whole or without their toolkit, where they are no plain words."""
    names = {name for tool in path.tools for name in (tool.name, tool.name.rpartition(".")[2])}
    names = {FINISH, *(name for name in names if name and not name.isalpha())}
    return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(names)))


def reviews(path: SolutionPath) -> Iterator[Finding]:
    """Labels go with what came back, and with the step's flags."""
    for step in path.steps:
        if step.call.name == FINISH:
            if step.observation is not None or step.review is not None:
                yield step.id, "finish has an observation or a review"
        elif step.observation is None or step.review is None:
            yield step.id, "has no observation or no review"
        elif step.observation.status not in STATUSES[step.review]:
            yield step.id, f"review {step.review} does not go with {step.observation.status}"
        elif step.review == "D" and _comes_again(step, path.steps):
            yield step.id, "is called irrelevant, but the same call gets the same answer later"
        elif step.planned and (step.review != "A" or not step.sound):
            yield step.id, "is planned, but is no sound success"


def _comes_again(step: Step, steps: Sequence[Step]) -> bool:
    answers = [s.observation for s in steps[step.id + 1 :] if s.call == step.call]
    return step.observation in answers


def sizes(path: SolutionPath) -> Iterator[Finding]:
    """Observations are short."""
    for step in path.steps:
        if step.observation is not None:
            size = len(canonical(step.observation.content).encode())
            if size > MAX_OBSERVATION:
                yield step.id, f"the observation has {size} bytes, more than {MAX_OBSERVATION}"


def ancestry(path: SolutionPath) -> Iterator[Finding]:
    """A value that is said to be observed stands in an observation that the step depends on."""
    today = _today(path)
    told = {step.id: _told(step) for step in path.steps}
    before: dict[int, set[int]] = {}
    for step in path.steps:
        before[step.id] = set(step.needs).union(*(before.get(need, set()) for need in step.needs))
        known = "\n".join((path.query, *(told.get(need, "") for need in before[step.id])))
        earlier = "\n".join((path.query, *(told[s.id] for s in path.steps if s.id < step.id)))
        for name in step.observed if step.sound else ():
            for leaf in leaves(step.call.args.get(name)):
                if derivable(leaf, earlier, today) and not derivable(leaf, known, today):
                    yield step.id, f"{name}: {leaf!r} comes from a step that it does not need"


def leaks(path: SolutionPath) -> Iterator[Finding]:
    """The query holds neither the answer nor the name of a tool."""
    query = " ".join(words(path.query))
    answer = " ".join(words(path.answer.text))
    if answer and f" {answer} " in f" {query} ":
        yield None, "the query holds the whole answer"
    found = _tool_names(path).search(path.query)
    if found:
        yield None, f"the query names the tool {found[0]}"


def given_away(path: SolutionPath) -> Iterator[Finding]:
    """What a path finds out without changing anything does not stand in its query already."""
    effects = {tool.name: tool.effect for tool in path.tools}
    facts = path.answer.facts
    writes = any(effects.get(step.call.name) == "write" for step in path.steps)
    if facts and not writes and all(says(path.query, fact) for fact in facts):
        yield None, "nothing is changed, and all facts of the answer stand in the query"


def phrasing(path: SolutionPath) -> Iterator[Finding]:
    """The phrasings of a thought share no long run of words but values."""
    slots = slot_values(path)
    for step in path.steps:
        for first, second in pairs(step):
            run = common_run(first, second, slots)
            if run is not None:
                yield step.id, f"two phrasings of the thought share {run!r}"
