"""Answers that are one thing alone: a thought, a tool's name, a value, a plan in words."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence

from teval.errors import DataError
from teval.formats.json_values import literal, strict
from teval.formats.mentions import identifier, mentions
from teval.schema import Json, Reply

_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_SENTENCE_END = re.compile(r"\n|(?<=[.!?;])\s|(?<=[。！？；])")
_NUMBER = re.compile(r"\A\s*+(?:\d{1,3}[.)]|[-*•])\s+")
_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


def thought(text: str) -> Reply:
    """Return the whole answer as ``thought``; blank is unparsed.

    Well-formed is a single paragraph.

    >>> dict(thought(" I check the weather. ").values)
    {'thought': 'I check the weather.'}
    """
    said = text.strip()
    if not said:
        return Reply()
    one = re.search(r"\n[^\S\n]*+\n", said) is None
    return Reply({"thought": said}, parsed=True, well_formed=one, rule="text", candidates=1)


def name(text: str, tools: Collection[str] = ()) -> Reply:
    """Return the one tool that an answer names as ``name``.

    An answer that names no tool of the list but is one identifier names that. Two distinct tools
    are none (``ambiguous``). Well-formed is the name and nothing else.

    >>> dict(name("I would call map.search.", ["map.search"]).values)
    {'name': 'map.search'}
    """
    named = {mention.name for mention in mentions(text, tools)}
    if len(named) > 1:
        return Reply(rule="mention", candidates=len(named), flags=("ambiguous",))
    rule = "mention" if named else "identifier"
    found = named.pop() if named else identifier(text)
    if not found:
        return Reply()
    exact = text.strip() == found
    return Reply({"name": found}, parsed=True, well_formed=exact, rule=rule, candidates=1)


def value(text: str, kind: str) -> Reply:
    """Return the answer, an argument's value, as ``value``.

    One pair of quotes of each kind around the whole comes off. Text is taken as it is; a value of
    any other type is read as JSON or as a Python literal, and is unparsed where it is neither.
    Well-formed is text without such quotes, or JSON of the right type.

    Args:
        text: The answer.
        kind: JSON type of the argument: ``string``, ``integer``, ``number``, ``boolean``,
            ``array``, ``object`` or ``null``.

    >>> value("'Oslo'", "string").values["value"], value("[1, 2]", "array").values["value"]
    ('Oslo', [1, 2])
    """
    given = text.strip()
    bare = _unquoted(given)
    if not bare:
        return Reply()
    if kind == "string":
        exact = bare == given
        return Reply({"value": bare}, parsed=True, well_formed=exact, rule="text", candidates=1)
    read = literal(bare)
    if read is None:
        return Reply()
    exact = _is_json_of(given, kind)
    return Reply(
        {"value": read.value}, parsed=True, well_formed=exact, rule=read.rule, candidates=1
    )


def render_value(said: Json, kind: str) -> str:
    """Return the answer that says a value and is exactly what was asked for.

    Raises:
        DataError: The text would not be read back as this value.
    """
    text = (
        said if kind == "string" and isinstance(said, str) else json.dumps(said, ensure_ascii=False)
    )
    reply = value(text, kind)
    if not reply.well_formed or reply.values["value"] != said:
        raise DataError(f"a value of type {kind} alone can't be written down as {text!r}")
    return text


def plan(text: str, tools: Collection[str]) -> Reply:
    """Return the tools that an answer names, in order, as ``steps`` of ``{"name", "text"}``.

    The text of a step is the sentence that names it. A tool named again in one sentence is one
    step. Well-formed are numbered lines, each naming one tool.

    >>> plan("1. Use map.search to find it", ["map.search"]).values["steps"]
    [{'name': 'map.search', 'text': 'Use map.search to find it'}]
    """
    ends = [*(end.end() for end in _SENTENCE_END.finditer(text)), len(text)]
    found = ((bisect_left(ends, mention.end), mention.name) for mention in mentions(text, tools))
    steps: list[Json] = [
        {"name": tool, "text": _bare(text[ends[at - 1] if at else 0 : ends[at]])}
        for at, tool in dict.fromkeys(found)
    ]
    if not steps:
        return Reply()
    exact = _is_numbered(text, tools)
    return Reply({"steps": steps}, parsed=True, well_formed=exact, rule="mention", candidates=1)


def render_plan(steps: Sequence[tuple[str, str]]) -> str:
    """Return numbered lines, one a step: the tool's name, then in words what it is called with.

    >>> print(render_plan([("map.search", "with query Oslo"), ("FinishAction", "")]))
    1. map.search with query Oslo
    2. FinishAction
    """
    lines = (f"{number}. {tool} {words}" for number, (tool, words) in enumerate(steps, start=1))
    return "\n".join(line.rstrip() for line in lines)


def _unquoted(text: str) -> str:
    """Return a text without the pair of quotes, or pair of pairs, around the whole of it."""
    taken: set[str] = set()
    while len(text) > 1 and text[0] in _QUOTES and text[0] not in taken:
        opening, closing, inner = text[0], _QUOTES[text[0]], text[1:-1]
        if text[-1] != closing or re.search(rf"(?<!\w){closing}|{closing}(?!\w)", inner):
            break
        taken.add(opening)
        text = inner.strip()
    return text


def _is_json_of(text: str, kind: str) -> bool:
    try:
        said = strict(text)
    except ValueError:
        return False
    return isinstance(said, _TYPES[kind]) and (kind == "boolean") == isinstance(said, bool)


def _bare(sentence: str) -> str:
    """Return a sentence without the number or bullet of its list."""
    return _NUMBER.sub("", sentence).strip()


def _is_numbered(text: str, tools: Collection[str]) -> bool:
    """Whether a plan is numbered lines that name one tool each."""
    return all(
        re.match(r"\s*+\d{1,3}[.)]\s", line) and len({m.name for m in mentions(line, tools)}) == 1
        for line in text.strip().split("\n")
    )
