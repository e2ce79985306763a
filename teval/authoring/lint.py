"""What can be wrong with a gold path although it replays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from teval.authoring.derivation import derivable, leaves, says
from teval.authoring.family import STATUSES
from teval.schema import FINISH, Argument, Call, Json, SolutionPath, Step, Tool, canonical

MAX_OBSERVATION = 1500
"""The most bytes of an observation's canonical JSON text."""
CALLS = (3, 8)
"""Fewest and most calls of a path, finish left out."""
TOOLS = (12, 20)
"""Fewest and most tools of a path, finish among them."""


class Problem(NamedTuple):
    """One thing wrong with a path."""

    path: str
    step: int | None
    """None where the path as a whole is meant."""
    rule: str
    message: str
    severity: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        """Return the problem as one line."""
        place = self.path if self.step is None else f"{self.path}, step {self.step}"
        return f"{place}: {self.message} [{self.rule}, {self.severity}]"


_Finding = tuple[int | None, str]


def lint(paths: Sequence[SolutionPath]) -> list[Problem]:
    """Return all problems of the paths, by path in their order; empty where all is well."""
    problems = [
        Problem(path.id, step, name, message, "warning" if name in _WARNINGS else "error")
        for path in paths
        for name, rule in _RULES.items()
        for step, message in rule(path)
    ]
    return problems + list(_twins(paths))


def _twins(paths: Sequence[SolutionPath]) -> Iterator[Problem]:
    for what in ("id", "query"):
        first: dict[str, str] = {}
        for path in paths:
            text: str = path.id if what == "id" else path.query
            if text in first:
                yield Problem(path.id, None, f"same_{what}", f"same {what} as path {first[text]}")
            first.setdefault(text, path.id)


def _shape(path: SolutionPath) -> Iterator[_Finding]:
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


def _needs(path: SolutionPath) -> Iterator[_Finding]:
    for step in path.steps:
        late = [need for need in step.needs if not 0 <= need < step.id]
        if late:
            yield step.id, f"needs {late[0]}, which does not come earlier"
        if step.observed and not step.needs:
            yield step.id, f"takes {step.observed[0]} from an observation, but needs no step"


def _arguments(path: SolutionPath) -> Iterator[_Finding]:
    tools = {tool.name: tool for tool in path.tools}
    for step in path.steps:
        for call in (step.call, *step.alternatives) if step.sound else ():
            if call.name not in tools:
                yield step.id, f"calls {call.name}, which is not listed"
            else:
                yield from ((step.id, m) for m in _misfits(call, tools[call.name]))


def _misfits(call: Call, tool: Tool) -> Iterator[str]:
    for argument in tool.arguments:
        if argument.required and argument.name not in call.args:
            yield f"{tool.name} misses the argument {argument.name}"
    for name, value in call.args.items():
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


def _underivable(path: SolutionPath) -> Iterator[_Finding]:
    today = path.world.clock[:10] if path.world else "1970-01-01"
    tools = {tool.name: tool for tool in path.tools}
    known = path.query
    for step in path.steps:
        tool = tools.get(step.call.name)
        for name, value in step.call.args.items() if step.sound and tool else ():
            argument = tool.argument(name) if tool else None
            if argument and argument.has_default and argument.default == value:
                continue
            source = known if name in step.observed else path.query
            lost = [leaf for leaf in leaves(value) if not derivable(leaf, source, today)]
            if lost:
                yield step.id, f"{name}: nobody can know {lost[0]!r} here"
        known += "\n" + _told(step)


def _told(step: Step) -> str:
    if step.observation is None:
        return ""
    return "\n".join(str(leaf) for leaf in leaves(step.observation.content))


def _texts(path: SolutionPath) -> Iterator[_Finding]:
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


def _answer(path: SolutionPath) -> Iterator[_Finding]:
    if not path.answer.facts:
        yield None, "the answer has no facts"
    yield from ((None, m) for m in _untold("the answer", path.answer.text, path.answer.facts))
    known = "\n".join((path.query, *(_told(step) for step in path.steps)))
    for fact in path.answer.facts:
        today = path.world.clock[:10] if path.world else "1970-01-01"
        if not derivable(fact, known, today):
            yield None, f"the answer's fact {fact!r} stands in no observation nor the query"


def _thoughts(path: SolutionPath) -> Iterator[_Finding]:
    names = {name for tool in path.tools for name in (tool.name, tool.name.rpartition(".")[2])}
    names = {name for name in names if not name.isalpha() or name == FINISH}
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(names)))
    seen: dict[str, int] = {}
    for step in path.steps:
        for thought in (step.thought, *step.thoughts):
            found = pattern.search(thought)
            if found:
                yield step.id, f"a thought names the tool {found[0]}"
            if thought in seen:
                yield step.id, f"a thought is the same as one of step {seen[thought]}"
            seen.setdefault(thought, step.id)


def _reviews(path: SolutionPath) -> Iterator[_Finding]:
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


def _sizes(path: SolutionPath) -> Iterator[_Finding]:
    for step in path.steps:
        if step.observation is not None:
            size = len(canonical(step.observation.content).encode())
            if size > MAX_OBSERVATION:
                yield step.id, f"the observation has {size} bytes, more than {MAX_OBSERVATION}"


_RULES: dict[str, Callable[[SolutionPath], Iterator[_Finding]]] = {
    "shape": _shape,
    "needs": _needs,
    "arguments": _arguments,
    "underivable": _underivable,
    "text_facts": _texts,
    "answer_facts": _answer,
    "thoughts": _thoughts,
    "reviews": _reviews,
    "size": _sizes,
}
_WARNINGS = frozenset({"underivable"})
