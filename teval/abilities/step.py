"""What reason, retrieve and understand share: gold, joint prompt, and the one reference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from teval import slicing
from teval.abilities.arguments import Rule, rules_of, share
from teval.abilities.calls import choices, offer, renamed, write_call
from teval.abilities.card import NATIVE, make_case, random_tool
from teval.formats import json_format, reasoning, tool_calls
from teval.prompting import Prompts, outline
from teval.schema import (
    Case,
    Field,
    Format,
    Frozen,
    Json,
    JsonObject,
    Message,
    Reply,
    Shape,
    Similarity,
    SolutionPath,
    Step,
    Tool,
)

JOINT = Shape((Field("thought", "string"), Field("name", "string"), Field("args", "object")))
"""The reply that three abilities read in JSON."""


class Move(Frozen):
    """One right next move: the thoughts that lead to it, the tool and its arguments."""

    thoughts: tuple[str, ...]
    """Accepted phrasings, the gold one first."""
    name: str
    args: JsonObject = {}
    rules: dict[str, Rule] = {}
    """How the tool's arguments are compared, by argument."""


class StepGold(Frozen):
    """What is right at one step, and what scoring and its floor need to know about it."""

    moves: tuple[Move, ...]
    """The gold move first, then its alternatives, then what is ready to be done as well."""
    rivals: tuple[str, ...]
    """Thoughts that belong elsewhere: of the path's other steps, and of the sibling tools."""
    siblings: tuple[str, ...]
    """Tools that are wrong here, near neighbours of the gold one where there are any."""
    argument: str = ""
    """The argument whose value is asked for, where understand asks for one alone."""
    echoes: dict[str, str] = {}
    """What a parrot would repeat, by its name in the floor."""
    nearest: str = ""
    """The listed tool whose description shares most words with the gold thought."""

    @property
    def move(self) -> Move:
        """The gold move."""
        return self.moves[0]

    @property
    def thoughts(self) -> tuple[str, ...]:
        """All accepted thoughts, the gold one first."""
        return tuple(dict.fromkeys(t for move in self.moves for t in move.thoughts))

    @property
    def names(self) -> tuple[str, ...]:
        """All accepted tools, the gold one first."""
        return tuple(dict.fromkeys(move.name for move in self.moves))


def gold_of(case: Case) -> StepGold:
    """Return a case's gold, typed."""
    return case.right(StepGold)


def step_gold(path: SolutionPath, step: Step, argument: str = "") -> StepGold:
    """Return what is right at one step of a path."""
    moves = tuple(_moves(path, step))
    names = {move.name for move in moves}
    right = {thought for move in moves for thought in move.thoughts}
    neighbours = [t for t in slicing.siblings(path, step.call.name) if t.name not in names]
    elsewhere = [s.thought for s in path.steps] + [tool.description for tool in neighbours]
    return StepGold(
        moves=moves,
        rivals=tuple(t for t in dict.fromkeys(elsewhere) if t not in right),
        siblings=tuple(t.name for t in neighbours or path.tools if t.name not in names),
        argument=argument,
        echoes=_echoes(path, step),
        nearest=nearest_tool(path.tools, step.thought),
    )


def _moves(path: SolutionPath, step: Step) -> Iterator[Move]:
    for found in (step, *slicing.ready_steps(path, step)):
        for call in (found.call, *found.alternatives):
            yield Move(
                thoughts=(found.thought, *found.thoughts),
                name=call.name,
                args=call.args,
                rules=rules_of(slicing.tool_of(path, call.name), found),
            )


def _echoes(path: SolutionPath, step: Step) -> dict[str, str]:
    """Query, last thought and last observation; at the first step the query stands for all."""
    last = next(iter(reversed(slicing.history(path, step))), None)
    seen = last.observation if last else None
    return {
        "parrot_query": path.query,
        "parrot_thought": last.thought if last else path.query,
        "parrot_observation": outline(seen.content) if seen else path.query,
    }


def nearest_tool(tools: Sequence[Tool], thought: str) -> str:
    """Return the tool whose description shares most words with a thought, nothing without any."""
    said = _words(thought)

    def overlap(text: str) -> float:
        words = _words(text)
        return len(said & words) / (len(words) or 1)

    ordered = sorted(tools, key=lambda tool: -overlap(f"{tool.name} {tool.description}"))
    return ordered[0].name if ordered else ""


def _words(text: str) -> set[str]:
    return {word for word in re.split(r"[\W_]+", text.lower()) if word}


def joint_case(ability: str, path: SolutionPath, step: Step, prompts: Prompts) -> Case:
    """Return the JSON case of a step; its messages are the same for all three abilities."""
    messages = _render("joint", "json", path, step, prompts)
    return make_case(ability, "json", path, step, messages, step_gold(path, step))


def native_case(ability: str, path: SolutionPath, step: Step, prompts: Prompts) -> Case:
    """Return the case of a step that is answered by a call in the model's own syntax.

    Its messages are the same for retrieve and understand, and name all tools as they are offered.
    """
    functions = offer(path.tools)
    messages = _render("joint", NATIVE, renamed(path, functions), step, prompts)
    return make_case(ability, NATIVE, path, step, messages, step_gold(path, step), functions)


def string_case(
    ability: str, path: SolutionPath, step: Step, prompts: Prompts, gold: StepGold, **slots: object
) -> Case:
    """Return the string case of a step, asked by the ability's own prompt."""
    messages = _render(ability, "string", path, step, prompts, **slots)
    return make_case(ability, "string", path, step, messages, gold)


def _render(
    name: str, form: Format, path: SolutionPath, step: Step, prompts: Prompts, **slots: object
) -> tuple[Message, ...]:
    return prompts.render(
        name,
        form,
        tools=path.tools,
        query=path.query,
        now=slicing.now(path),
        history=slicing.history(path, step),
        **slots,
    )


def joint_answer(case: Case, move: Move, **changed: Json) -> str:
    """Return the reply that makes a move, or one with some fields changed.

    It is JSON, or a call in the model's own syntax, which has no thought.
    """
    values: dict[str, Json] = {"thought": move.thoughts[0], "name": move.name, "args": move.args}
    values |= changed
    if case.format == NATIVE:
        return write_call(case, values)
    return json_format.render(values, JOINT)


def read_joint(text: str, case: Case, field: str) -> Reply:
    """Return what a joint reply says; it is parsed if one field could be read."""
    if case.format == NATIVE:
        reply = reasoning.read(text, lambda answer: tool_calls.parse(answer, case.functions))
    else:
        reply = _read_json(text)
    return replace(reply, parsed=field in reply.values)


@lru_cache(maxsize=256)
def _read_json(text: str) -> Reply:
    """Read a joint reply in JSON; three cases share it."""
    return reasoning.read(text, lambda answer: json_format.parse(answer, JOINT))


def joint_schema(case: Case, tools: Sequence[Tool]) -> JsonObject:
    """Return a thought and a listed tool with arguments as it takes them."""
    return json_format.schema(JOINT, choices(tools))


def reference(reply: Reply, gold: StepGold, similarity: Similarity) -> Move:
    """Return the one right move that a joint reply is held against.

    It is the move with the reply's tool, else the gold one. Of several with that tool it is the
    one whose arguments, then whose thought, the reply comes nearest to.
    """
    same = [move for move in gold.moves if move.name == reply.values.get("name")]
    if len(same) < 2:
        return same[0] if same else gold.move
    thought, args = reply.values.get("thought", ""), reply.values.get("args")

    def nearness(move: Move) -> tuple[float, float]:
        alike = max(similarity(str(thought), phrasing) for phrasing in move.thoughts)
        return share(args, move.args, move.rules, similarity), alike

    return max(same, key=nearness)


def joint_guesses(case: Case, other: Case) -> dict[str, str]:
    """Return joint replies that need no ability: all in the right form, with a random tool."""
    gold = gold_of(case)
    tool = random_tool(case)
    thoughts = gold.echoes | {"other_family": gold_of(other).move.thoughts[0]}
    return {
        kind: joint_answer(case, gold.move, thought=thought, name=tool, args={})
        for kind, thought in thoughts.items()
    }
