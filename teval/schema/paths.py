"""Tools, gold solution paths and what they are made of."""

from __future__ import annotations

from typing import Literal, TypeAlias

from teval.schema.stored import Frozen, Json, JsonObject

FINISH = "FinishAction"
"""Name of the pseudo-tool that ends a path: no arguments, listed with every case's tools."""
ASK = "ask_user"
"""Name of the pseudo-tool that asks the user for what a query leaves out; listed like finish."""

ReviewLabel: TypeAlias = Literal["A", "B", "C", "D", "E"]
REVIEW_LABELS: dict[ReviewLabel, str] = {
    "A": "Success",
    "B": "Internal Error",
    "C": "Input Error",
    "D": "Irrelevant Response",
    "E": "Unable to Accomplish",
}
"""Letter and meaning of a tool response's review, in the fixed order."""


class Comparator(Frozen):
    """How an argument's value is compared with the gold one."""

    kind: Literal["exact", "number", "datetime", "set", "text"] = "exact"
    tolerance: float = 0.0
    """For ``number`` only: the largest absolute difference that is still right."""


class Argument(Frozen):
    """One argument of a tool, as shown to the model and as compared."""

    name: str
    type: Literal["string", "integer", "number", "boolean", "array", "object"]
    description: str
    required: bool = True
    has_default: bool = False
    default: Json = None
    """Value used when the argument is left out; means nothing without ``has_default``."""
    enum: tuple[Json, ...] = ()
    items: Literal["string", "integer", "number", "boolean", "object"] | None = None
    """Type of the elements, for arrays only."""
    compare: Comparator = Comparator()


class Tool(Frozen):
    """A tool's public description."""

    name: str
    """Dotted: ``toolkit.verb_noun``; pseudo-tools have no toolkit in front."""
    description: str
    arguments: tuple[Argument, ...] = ()
    returns: str = ""
    effect: Literal["read", "write"] = "read"
    toolkit: str = ""

    def argument(self, name: str) -> Argument | None:
        """Return the argument of that name, or None."""
        return next((a for a in self.arguments if a.name == name), None)

    def json_schema(self) -> JsonObject:
        """Return the arguments as a JSON Schema object, as function-calling interfaces expect."""
        return {
            "type": "object",
            "properties": {a.name: _property(a) for a in self.arguments},
            "required": [a.name for a in self.arguments if a.required],
            "additionalProperties": False,
        }


def _property(argument: Argument) -> JsonObject:
    schema: JsonObject = {"type": argument.type, "description": argument.description}
    if argument.items is not None:
        schema["items"] = {"type": argument.items}
    if argument.enum:
        schema["enum"] = list(argument.enum)
    if argument.has_default:
        schema["default"] = argument.default
    return schema


def finish_tool(description: str) -> Tool:
    """Return the pseudo-tool that ends a path, described in the language of the case."""
    return Tool(name=FINISH, description=description)


class Call(Frozen):
    """One call of a tool."""

    name: str
    args: JsonObject = {}


class Observation(Frozen):
    """The world's answer to one call."""

    status: Literal["ok", "input_error", "internal_error"]
    content: JsonObject
    """What the tool returns. An error's has at least ``error``, or ``notices`` beside what could
    be answered nevertheless."""


class TextFacts(Frozen):
    """What a free-text argument must say to be right."""

    facts: tuple[str, ...]
    """Each must be told: numbers, times, dates, names, negations."""
    contradictions: tuple[str, ...] = ()
    """None may be told."""
    accepted: tuple[str, ...] = ()
    """Phrasings that are right as they are, beside the gold one."""


class Step(Frozen):
    """One step of a path: thought, call, observation, review.

    The last step of a path calls the finish pseudo-tool and has neither observation nor review.
    """

    id: int
    """Position in the path, from 0."""
    thought: str
    thoughts: tuple[str, ...] = ()
    """Other accepted phrasings of the thought."""
    call: Call
    observation: Observation | None = None
    review: ReviewLabel | None = None
    reviewed: bool = True
    """Whether review is asked here; most successes are left out, and what a path meets again,
    so that no label prevails."""
    sound: bool = True
    """Whether the call was the right one to make here; only then reason, retrieve and
    understand are asked at this step. An unsound step is a mistake met and repaired later."""
    planned: bool = True
    """Whether the call belongs into a plan made before anything was seen; a call that a fault
    made necessary again does not, nor does a mistake."""
    needs: tuple[int, ...] = ()
    """Ids of the earlier steps that this one depends on."""
    observed: tuple[str, ...] = ()
    """Arguments whose value comes from an earlier observation, so no plan can know it."""
    alternatives: tuple[Call, ...] = ()
    """Other calls that are equally right here."""
    accepts: dict[str, tuple[Json, ...]] = {}
    """Other right values by argument."""
    text: dict[str, TextFacts] = {}
    """Facts by free-text argument."""


class Answer(Frozen):
    """The final answer of a path."""

    text: str
    facts: tuple[str, ...] = ()
    """What any right answer must tell."""


class Fault(Frozen):
    """Something planned about the n-th call of a tool: that it fails, or what its answer is like.

    ``timeout``, ``rate_limit``, ``unavailable`` and ``malformed`` are failures of the service, a
    ``misrouted`` answer is that of another entity. ``substituted``: the tool answers a call that it
    refuses nevertheless, with another value for the refused one, and says so; the refusal stands
    where no other value gets an answer. ``noise``: notices of no matter stand beside a good answer;
    it can go with another fault of the same call.
    """

    tool: str
    nth: int
    """Which call of that tool in this world, from 0, of those that fit its description; for
    ``substituted`` which of those that it refuses."""
    kind: Literal[
        "timeout", "rate_limit", "unavailable", "malformed", "misrouted", "substituted", "noise"
    ]
    lost: tuple[str, ...] = ()
    """Keys of the answer that a failure of the service takes; the whole answer where empty."""


class WorldRef(Frozen):
    """All that is needed to build a path's world again."""

    seed: int
    clock: str
    """The frozen present, ISO 8601 without zone: ``2031-05-04T09:00:00``."""
    faults: tuple[Fault, ...] = ()
    replies: tuple[str, ...] = ()
    """What the user says when asked, one reply a question."""


class SolutionPath(Frozen):
    """A gold solution: a query, the tools at hand, the steps to the answer."""

    id: str
    family: str
    """What the path was made from; paths of one family are not independent."""
    language: str = "en"
    query: str
    tools: tuple[Tool, ...]
    """All tools listed with the path's cases, in canonical order, finish last."""
    steps: tuple[Step, ...]
    answer: Answer
    tags: tuple[str, ...] = ()
    world: WorldRef | None = None
    state_hash: str = ""
    """Hash of the world's state after the last step; empty where there is no world."""
