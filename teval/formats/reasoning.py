"""What comes off an answer before it is read: reasoning, and observations the model made up."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from teval.formats.json_values import find
from teval.schema import THOUGHT_TAGS, Reply

_TAG = re.compile(
    "|".join(
        f"(?P<{kind}>{'|'.join(map(re.escape, tags))})"
        for kind, tags in zip(("open", "close"), zip(*THOUGHT_TAGS, strict=True), strict=True)
    ),
    re.IGNORECASE,
)
_OBSERVATION = re.compile(
    r"""
    ^[ \t>*_\#`]*
    (?:observations?
      |(?:tool|function|api)[ _](?:response|result|output|observation)s?
      |<(?:observation|tool_response|function_response|tool_result)>
      |观察(?:结果)?|观测(?:结果)?|工具(?:返回|响应|结果|输出)
    )
    (?:[ ]?\d{1,3})?[*_`]*[ \t]*(?:[:：]|(?<=>))
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)


class Cut(NamedTuple):
    """What is left of an answer."""

    answer: str
    flags: tuple[str, ...] = ()
    """``reasoning_cut``, ``reasoning_unclosed``, ``observation_cut``."""


def cut(text: str) -> Cut:
    """Return the answer without reasoning and without self-written observations.

    Reasoning is ``<think>…</think>`` and its kin. Where only a closing tag stands, all before it
    is reasoning; where the last block is never closed, there is no answer. Tags inside a JSON
    value are part of the value. Of the rest, everything from the first line on that begins like
    an observation (``Observation:``, ``Tool response:``, …) comes off.

    >>> cut("<think>A or B?</think>B")
    Cut(answer='B', flags=('reasoning_cut',))
    """
    answer, flags = _without_reasoning(text)
    observation = _OBSERVATION.search(answer)
    if observation is not None:
        answer = answer[: observation.start()]
        flags += ("observation_cut",)
    return Cut(answer, flags)


def read(text: str, parse: Callable[[str], Reply]) -> Reply:
    """Return what a parser makes of an answer after :func:`cut`, the flags of both together.

    An answer that went on to an observation is not what was asked for, so not well-formed.
    """
    answer, flags = cut(text)
    reply = parse(answer)
    well_formed = reply.well_formed and "observation_cut" not in flags
    return replace(reply, well_formed=well_formed, flags=(*flags, *reply.flags))


def _without_reasoning(text: str) -> tuple[str, tuple[str, ...]]:
    tags = list(_TAG.finditer(text))
    if tags:
        spans = [(v.start, v.end) for v in find(text, lambda _: False) if v.rule == "json"]
        tags = [t for t in tags if not any(start < t.start() < end for start, end in spans)]
    kept: list[str] = []
    since = 0
    inside = False
    for tag in tags:
        if tag.lastgroup == "open":
            if not inside:
                kept.append(text[since : tag.start()])
            inside = True
        else:
            if not inside:
                kept.clear()
            inside = False
            since = tag.end()
    if inside:
        return "", ("reasoning_unclosed",)
    kept.append(text[since:])
    return "".join(kept), ("reasoning_cut",) if tags else ()
