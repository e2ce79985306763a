"""Understand: give the arguments that the next call needs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from teval import slicing
from teval.abilities.arguments import (
    Rule,
    explain_arguments,
    lenient,
    pairs_asked,
    share,
    wrong_arguments,
    wrong_value,
)
from teval.abilities.card import Card, Explanation
from teval.abilities.published import understand_string
from teval.abilities.step import (
    StepGold,
    gold_of,
    joint_answer,
    joint_case,
    joint_guesses,
    joint_schema,
    native_case,
    read_joint,
    reference,
    step_gold,
    string_case,
)
from teval.abilities.step_release import adopter, releaser, scorer
from teval.formats import plain, reasoning
from teval.metrics.exact import json_type
from teval.prompting import Prompts
from teval.schema import (
    Case,
    Json,
    JsonObject,
    Reply,
    Similarity,
    SolutionPath,
    Step,
    digest,
)

NAME = "understand"
_LITERAL = re.compile(r"\"([^\"]+)\"|“([^”]+)”|(\S*\d\S*)|((?<=\S )[A-Z]\S*(?: [A-Z]\S*)*)")
"""Quoted text, a word with a digit, or capitalised words that don't begin the text."""


def slice_cases(path: SolutionPath, prompts: Prompts) -> Iterator[Case]:
    """Yield both cases of each sound call; the string one gives thought and tool.

    The string case asks for one argument, so a call without any has the JSON case alone, and
    so has one whose thought spells all values out.
    """
    for step in slicing.call_steps(path):
        yield joint_case(NAME, path, step, prompts)
        asked = asked_argument(path, step)
        if asked:
            gold = step_gold(path, step, asked)
            slots = {"thought": step.thought, "tool": step.call.name, "argument": asked}
            yield string_case(NAME, path, step, prompts, gold, **slots)


def slice_native(path: SolutionPath, prompts: Prompts) -> Iterator[Case]:
    """Yield the case of each sound call that is answered by a native call."""
    for step in slicing.call_steps(path):
        yield native_case(NAME, path, step, prompts)


def asked_argument(path: SolutionPath, step: Step) -> str:
    """Return the argument that the string case asks for, or nothing.

    Values that the thought spells out are left out, since the thought is given: who copies its
    longest literal would be right. A required argument comes before an optional one, one whose
    value is the default last; among equals path and step decide.
    """
    tool = slicing.tool_of(path, step.call.name)
    spelt_out = _longest_literal(step.thought).casefold()
    tiers: dict[int, list[str]] = {}
    for name, value in step.call.args.items():
        argument = tool.argument(name)
        if value is None or value == "" or argument is None:
            continue
        if plain.render_value(value, argument.type).casefold() != spelt_out:
            is_default = argument.has_default and argument.default == value
            tiers.setdefault(2 if is_default else not argument.required, []).append(name)
    if not tiers:
        return ""
    best = tiers[min(tiers)]
    return best[int(digest([path.id, step.id, "argument"]), 16) % len(best)]


def _asked(gold: StepGold) -> tuple[Json, Rule]:
    """The value asked for and its rule, values of alternatives with the same tool accepted."""
    name, move = gold.argument, gold.move
    same = [m for m in gold.moves if m.name == move.name and m.thoughts == move.thoughts]
    others = tuple(m.args[name] for m in same[1:] if name in m.args)
    rule = move.rules[name]
    if others:
        rule = rule.model_copy(update={"accepts": (*rule.accepts, *others)})
    return move.args[name], rule


def answer(case: Case) -> str:
    """Return the value asked for, in JSON or as a call the gold move."""
    gold = gold_of(case)
    if case.format != "string":
        return joint_answer(case, gold.move)
    value, rule = _asked(gold)
    return plain.render_value(value, rule.type)


def mutants(case: Case) -> dict[str, str]:
    """Return answers with one argument changed, dropped or added; as text another value."""
    gold = gold_of(case)
    if case.format != "string":
        return {kind: joint_answer(case, gold.move, args=args) for kind, args in _wrong(gold)}
    wrong = wrong_value(*_asked(gold))
    return {"argument_changed": plain.render_value(wrong, json_type(wrong))}


def _wrong(gold: StepGold) -> Iterator[tuple[str, JsonObject]]:
    """Wrong arguments that no other right move with the gold tool would be nearer to."""
    move = gold.move
    others = [m for m in gold.moves[1:] if m.name == move.name]
    for kind, args in wrong_arguments(move.args, move.rules):
        own = share(args, move.args, move.rules)
        if all(share(args, m.args, m.rules) <= own for m in others):
            yield kind, args


def guesses(case: Case, other: Case) -> Mapping[str, str]:
    """Return a joint reply without arguments; as text parrots and the thought's literals."""
    gold = gold_of(case)
    if case.format != "string":
        return joint_guesses(case, other)
    thought = gold.move.thoughts[0]
    return gold.echoes | {"given_thought": thought, "longest_literal": _longest_literal(thought)}


def _longest_literal(text: str) -> str:
    found = ["".join(groups).strip(".,;:!?'()") for groups in _LITERAL.findall(text)]
    return max([*found, ""], key=len) or text


def read(text: str, case: Case) -> Reply:
    """Return the arguments, or the one value asked for."""
    if case.format != "string":
        return read_joint(text, case, "args")
    _, rule = _asked(gold_of(case))
    return reasoning.read(text, lambda said: plain.value(said, rule.type))


def texts(reply: Reply, case: Case) -> Iterable[tuple[str, str]]:
    """Return each free text whose facts are right beside the gold one."""
    return pairs_asked(lambda similarity: score(reply, case, similarity))


def score(reply: Reply, case: Case, similarity: Similarity) -> dict[str, float]:
    """Return ``arguments``: the share of right ones among all gold and answered ones.

    As text it is 1 for the right value, else 0. In a whole call, ``given_tool`` stands beside
    it where the tool is right.
    """
    gold = gold_of(case)
    if case.format == "string":
        value, rule = _asked(gold)
        said = {gold.argument: reply.values["value"]}
        right = share(said, {gold.argument: value}, {gold.argument: _bare(rule)}, similarity)
        return {"arguments": right}
    move = reference(reply, gold, similarity)
    arguments = share(reply.values["args"], move.args, move.rules, similarity)
    tool_right = reply.values.get("name") == move.name
    return {"arguments": arguments} | ({"given_tool": arguments} if tool_right else {})


def _bare(rule: Rule) -> Rule:
    return rule.model_copy(update={"has_default": False})


def explain(reply: Reply, case: Case, scores: Mapping[str, float]) -> Explanation | None:
    """Return which arguments were wrong, and how."""
    if scores["arguments"] == 1:
        return None
    gold = gold_of(case)
    if case.format == "string":
        value, _ = _asked(gold)
        why = f"argument {gold.argument}: expected {value!r}, answered {reply.values['value']!r}"
        return Explanation("wrong_argument", why)
    move = reference(reply, gold, lenient)
    return explain_arguments(reply.values["args"], move.args, move.rules)


CARD = Card(
    name=NAME,
    label="Understand",
    headline="arguments",
    gold=StepGold,
    slice=slice_cases,
    slice_native=slice_native,
    answer=answer,
    mutants=mutants,
    guesses=guesses,
    read=read,
    schema=joint_schema,
    texts=texts,
    score=score,
    explain=explain,
    adopt=adopter("args"),
    release=releaser("args"),
    published=scorer("args", understand_string),
    released={"args": "arguments", "parse_rate": "parsed"},
)
