"""Reading answers as the released T-Eval code (v2) does, faults included.

For the published scorer alone: the corrected one reads with :mod:`teval.formats.json_format` and
:mod:`teval.formats.string_format`. Nothing here is tolerant where the release is not. An input
on which the release raises an error raises :class:`ReleaseCrash`; one that it calls unreadable
gives an empty value.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from teval.schema import PAIR

FENCE = "```json"
LETTERS = "ABCDE"
LABELS = (
    ("thought_start", "thought_end"),
    ("action_start", "action_end"),
    ("args_start", "args_end"),
)
"""Keys of a string template, in the order in which the labels stand in an answer."""

_OTHER_ESCAPES = re.compile(r"\\[/u]")
"""Escapes that JSON and Python read in different ways."""
UNREADABLE = (ValueError, SyntaxError, TypeError, MemoryError, RecursionError, OverflowError)
"""What Python's and JSON's readers raise for a text that they can't read."""


class ReleaseCrash(Exception):  # noqa: N818 - an outcome of the release, not an error of ours
    """The released code raises an error on this input; the text is the error's type."""


class PlanStep(NamedTuple):
    """One call of a plan as the release compares it."""

    name: str
    args: str
    """Text of the arguments: Python's ``repr`` of the mapping, or the whole line."""


class Call(NamedTuple):
    """A tool's name and its arguments; the name of a JSON answer may be any value."""

    name: object
    args: Mapping[object, object]


class Joint(NamedTuple):
    """The three fields of a joint answer; missing ones are blank."""

    thought: object
    name: object
    args: Mapping[object, object]


def load(value: object, brackets: str = "") -> object:
    r"""Return the value that a text stands for, or what is not a text as it is.

    Python's literals come before JSON, and JSON with every apostrophe turned into a quote last.

    Args:
        value: An answer or a gold value.
        brackets: Opening and closing bracket; only the text from the first opening to the last
            closing one is read. Blank: all of it.

    Raises:
        ValueError: No rule reads the text.

    >>> load("```json\n{'a': true}```")
    {'a': True}
    >>> load("So: [1, 2]!", "[]")
    [1, 2]
    """
    if not isinstance(value, str):
        return value
    text = value.partition(FENCE)[2].strip("`") if FENCE in value else value
    if brackets:
        text = text[text.find(brackets[0]) : text.rfind(brackets[1]) + 1]
    # JSON is quicker, and what both can read means the same but for two escapes.
    first = () if _OTHER_ESCAPES.search(text) else (json.loads,)
    for read in (*first, _literal, json.loads, _without_apostrophes):
        try:
            return read(text)
        except UNREADABLE:
            continue
    raise ValueError("neither a Python literal nor JSON")


def _literal(text: str) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # unknown escapes in an answer are no fault of the code
        value: object = ast.literal_eval(text)
    return value


def _without_apostrophes(text: str) -> object:
    value: object = json.loads(text.replace("'", '"'))
    return value


def plan_json(value: object) -> tuple[PlanStep, ...]:
    """Return the steps of a plan by rising id, or none if one of them is malformed.

    Args:
        value: A list of ``{"name", "id", "args"}`` or a text that holds one.

    >>> plan_json('[{"name": "b", "id": 2, "args": {}}, {"name": "a", "id": 1, "args": 0}]')
    (PlanStep(name='a', args='0'), PlanStep(name='b', args='{}'))
    """
    try:
        value = load(value, "[]")
        steps = [_step(item) for item in value] if isinstance(value, list | tuple | set) else []
    except (*UNREADABLE, KeyError):
        return ()
    return tuple(step for _, step in sorted(steps, key=lambda pair: pair[0]))


def _step(item: object) -> tuple[int, PlanStep]:
    if not isinstance(item, dict):
        raise TypeError("a step is a mapping")
    return int(item["id"]), PlanStep(str(item["name"]), str(item["args"]))


def plan_lines(value: object, names: Sequence[str] | None) -> tuple[PlanStep, ...]:
    """Return one step for each line that holds a tool's name; the earliest name is the step's.

    Args:
        value: An answer; a full stop followed by a space ends a line.
        names: Names of the case's tools; of two that begin at one place the first listed counts.

    Raises:
        ReleaseCrash: The case has no list of tools, or the answer is not a text.

    >>> plan_lines("1. Ask maps.find. Then quit", ["maps.find", "quit"])
    (PlanStep(name='maps.find', args='Ask maps.find'), PlanStep(name='quit', args='Then quit'))
    """
    if names is None:
        raise ReleaseCrash("KeyError")
    if not isinstance(value, str):
        raise ReleaseCrash("AttributeError")
    steps = []
    for line in value.replace(". ", "\n").split("\n"):
        found = [(line.find(name), order) for order, name in enumerate(names) if name in line]
        if found:
            steps.append(PlanStep(names[min(found)[1]], line))
    return tuple(steps)


def joint(value: object) -> Joint | None:
    """Return the fields of a joint answer or of its gold, None where no mapping can be read.

    >>> joint('Sure: {"name": "maps.find"}')
    Joint(thought='', name='maps.find', args={})
    """
    fields = mapping(value)
    if fields is None:
        return None
    args = fields.get("args")
    return Joint(
        fields.get("thought", ""), fields.get("name", ""), args if isinstance(args, dict) else {}
    )


def mapping(value: object) -> Mapping[object, object] | None:
    """Return the mapping between a text's outermost braces, None where none can be read."""
    try:
        value = load(value, "{}")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def call_json(value: object, template: Mapping[str, str]) -> Call | None:
    """Return the call of an answer with all keys of the template, else None.

    Args:
        value: An answer.
        template: The keys asked for, under ``thought``, ``action`` and ``args``.

    >>> call_json('{"t": "", "tool": "maps.find", "in": []}',
    ...           {"thought": "t", "action": "tool", "args": "in"})
    Call(name='maps.find', args={})
    """
    try:
        value = load(value)
    except ValueError:
        return None
    if not isinstance(value, dict) or any(key not in value for key in template.values()):
        return None
    args = value[template["args"]]
    return Call(value[template["action"]], args if isinstance(args, dict) else {})


def call_text(value: object, template: Mapping[str, str]) -> Call | None:
    r"""Return the call in an answer that follows a string template, else None.

    The labels stand unescaped in a regular expression whose fields run over line breaks as far
    as they can. Arguments are read as a Python literal only.

    Args:
        value: An answer.
        template: The labels, under the names in :data:`LABELS`.

    Raises:
        ReleaseCrash: The answer is not a text, or the labels are no regular expression.

    >>> labels = {"thought_start": "T: ", "thought_end": "\n", "action_start": "A: ",
    ...           "action_end": "\n", "args_start": "I: ", "args_end": ""}
    >>> call_text("T: so\nA: maps.find\nI: {'x': 1}", labels)
    Call(name='maps.find', args={'x': 1})
    """
    if not isinstance(value, str):
        raise ReleaseCrash("TypeError")
    fields = _between(value, [(template[start], template[end]) for start, end in LABELS])
    if fields is None:
        return None
    try:
        args = _literal(fields[1])
    except UNREADABLE:
        args = {}
    return Call(fields[0], args if isinstance(args, dict) else {})


def _between(text: str, labels: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
    """The name and the arguments of the last match."""
    (opening, end_0), (start_1, end_1), (start_2, closing) = labels
    parts = (opening, end_0 + start_1, end_1 + start_2, closing)
    try:
        found = _matches(text, parts)
    except re.error as error:
        raise ReleaseCrash("error") from error
    return (found[-1][1], found[-1][2]) if found else None


def _matches(text: str, parts: Sequence[str]) -> list[tuple[str, ...]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # labels may look like an expression that will change
        expression = re.compile("(.*)".join(parts), re.DOTALL)
        return expression.findall(text) if _in_order(text, parts) else []


def _in_order(text: str, parts: Sequence[str]) -> bool:
    """Whether the parts can begin one after another; the whole takes cubic time to find out."""
    at = 0
    for part in () if any(sign in "".join(parts) for sign in "|()") else parts:
        try:
            found = re.compile(part, re.DOTALL).search(text, at)
        except re.error:  # a part that is an expression only after what stands before it
            return True
        if found is None:
            return False
        at = found.start()
    return True


def thought(value: object) -> str:
    r"""Return the text that the encoder is given for a string answer.

    Raises:
        ReleaseCrash: The encoder takes neither a text nor a pair of texts from the value.

    >>> thought(["Find", "it"])
    'Find\x1fit'
    """
    match value:
        case str():
            return value
        case [str(first), str(second)]:
            return PAIR.join((first, second))
    raise ReleaseCrash("ValueError")


def container(value: object, name: str) -> str | None:
    """Return the text that a name is looked for in, None for a list or mapping without it.

    Raises:
        ReleaseCrash: Python can't look for the name in the value, or finds it there in no text.

    >>> container("maps.find", "find"), container({"name": "maps.find"}, "maps.find")
    ('maps.find', None)
    """
    if isinstance(value, str):
        return value
    if not isinstance(value, list | dict) or name in value:
        raise ReleaseCrash("TypeError")
    return None


def letter(value: object) -> str | None:
    """Return the letter that follows the first colon, None where another sign does.

    Raises:
        ReleaseCrash: The answer is not a text.

    >>> letter("Review: B"), letter("Because"), letter("(B)")
    ('B', 'B', None)
    """
    if not isinstance(value, str):
        raise ReleaseCrash("AttributeError")
    first = value[value.find(":") + 1 :].strip()[:1]
    return first if first and first in LETTERS else None


def finished(value: object) -> object:
    """Return what a JSON review says under ``is_finished``: true, false or a number equal to one.

    None where it can't be read.

    >>> finished('{"is_finished": true}')
    True
    """
    try:
        value = load(value)
    except ValueError:
        return None
    flag = value.get("is_finished") if isinstance(value, dict) else None
    return flag if isinstance(flag, bool | int | float) and flag in (True, False) else None
