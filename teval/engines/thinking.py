"""Thoughts: found out by probing the chat template, budgeted and told apart by their tags' tokens.

A thinking model gets two budgets, one for the thought and one for the answer; an answer without
a thought has its own budget alone. Where a tokenizer has no tokens for the tags, both budgets
make one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from teval.errors import ConfigError
from teval.schema import THOUGHT_TAGS, Json, JsonObject, Thinking

THOUGHT_TOKENS = 4096
"""Tokens that a thought may have where nothing else is said."""

OPENING, CLOSING = (frozenset(tags) for tags in zip(*THOUGHT_TAGS, strict=True))
_TAG = re.compile("|".join(map(re.escape, sorted(OPENING | CLOSING))))


class Switch(NamedTuple):
    """A variable by which chat templates switch thinking on and off."""

    name: str
    on: Json = True
    off: Json = False


SWITCHES = (
    Switch("enable_thinking"),
    Switch("thinking"),
    Switch("reasoning_effort", "high", "none"),
)
"""Those known; which of them a template has is found by rendering a probe with each."""

PROBE = "probe0"
"""What the only user turn of a probe says."""

_NONSENSE = "probe"
"""A value that a template which checks its variables refuses."""


class Wish(NamedTuple):
    """What the settings say about thinking."""

    mode: Thinking = "auto"
    tokens: int = THOUGHT_TOKENS
    """The most tokens of a thought."""


AUTO = Wish()
"""What is wished where nothing is said."""


@dataclass(frozen=True)
class Thought:
    """How one model thinks under its settings."""

    wish: Wish
    switch: Switch | None
    """The template's switch, where it has one."""
    opened: str
    """The tag with which the template itself opens the thought; empty where it does not."""
    thinks: bool
    """Whether thoughts are to be expected."""
    tokens: Mapping[int, str]
    """Tokens that are tags or parts of one, by id."""

    @property
    def tags(self) -> dict[int, str]:
        """Tags that are one token each, by id."""
        return {i: text for i, text in self.tokens.items() if text in OPENING | CLOSING}

    @property
    def note(self) -> str:
        """What a person should know before the run; empty where all goes as wished."""
        if self.wish.mode == "off" and self.thinks:
            return (
                "thinking is off, but the chat template has no switch for it: expect thoughts, "
                "whose budget is kept; they come off before an answer is read"
            )
        return ""

    def describe(self) -> JsonObject:
        """Return mode, switch, budget of the thought and how its tags are found."""
        return {
            "mode": self.wish.mode,
            "thinks": self.thinks,
            "switch": self.switch.name if self.switch else None,
            "opened": self.opened,
            "thinking_tokens": self.wish.tokens if self.thinks else None,
            "tags": "by token" if self.tags else "by text",
            "note": self.note,
        }

    def meter(self, answer: int) -> Meter:
        """Return a meter for one answer.

        Args:
            answer: The most tokens of the answer proper.
        """
        thought = self.wish.tokens if self.thinks else 0
        return Meter(thought, answer, self.tags, opened=bool(self.opened))

    def told(self, ids: Sequence[int], decode: Callable[[list[int]], str]) -> tuple[str, int]:
        """Return an answer's whole text, and how many of its characters are surely the thought.

        The first closing token ends the thought; tags that the model merely spells are no tags.

        Args:
            ids: The answer's tokens.
            decode: Returns the text of tokens without those that steer the model.
        """
        text, known, ended = self.opened, self.opened in self.tags.values(), 0
        for run, tag in _pieces(ids, self.tokens):
            text += (decode(run) if run else "") + tag
            if tag in CLOSING and not ended:
                ended = len(text)
            known = known or tag in OPENING
        return text, ended or (len(text) if known else 0)


class Meter:
    """Counts the tokens of one answer against its two budgets.

    Args:
        thought: The most tokens of the thought; 0 for a model that has none.
        answer: The most tokens of the answer proper.
        tags: Tags that are tokens of their own, by token id.
        opened: Whether the template has opened the thought.
    """

    def __init__(self, thought: int, answer: int, tags: Mapping[int, str], *, opened: bool) -> None:
        self.most = thought + answer
        """The most tokens that may come in all."""
        self._thought, self._answer, self._tags = thought, answer, tags
        self._closed = not thought or not tags
        self.limit = self.most if self._closed else thought if opened else answer
        """The most tokens in all, as far as is known by now."""

    def note(self, place: int, token: int) -> None:
        """Take in one token.

        Args:
            place: Its number, from 1.
            token: Its id.
        """
        tag = None if self._closed else self._tags.get(token)
        if tag is None:
            return
        self._closed = tag in CLOSING
        self.limit = place + self._answer if self._closed else max(self.limit, self._thought)

    def cut(self, ids: Sequence[int]) -> list[int]:
        """Return the tokens of a whole answer up to where a budget ran out."""
        for place, token in enumerate(ids, 1):
            self.note(place, token)
            if place >= self.limit:
                return list(ids[:place])
        return list(ids)


def probe(
    wish: Wish,
    given: Mapping[str, Json],
    render: Callable[[Mapping[str, Json]], str | None],
    template: str,
    vocabulary: Mapping[str, int],
) -> Thought:
    """Return how a model thinks, found by rendering a short prompt in several ways.

    Args:
        wish: What the settings say.
        given: Variables of the template that a person has set.
        render: Returns the prompt of one user turn that says :data:`PROBE` under these variables,
            or None where the template refuses them.
        template: The template's text.
        vocabulary: Ids of the tokenizer's added tokens.

    Raises:
        ConfigError: A variable given contradicts the wish.
    """
    switch = next((s for s in SWITCHES if _obeys(s, given, render)), None)
    if switch and wish.mode != "auto":
        wanted = switch.on if wish.mode == "on" else switch.off
        if given.get(switch.name, wanted) != wanted:
            raise ConfigError(
                f"engine.thinking: {wish.mode} and template_options.{switch.name} contradict each "
                "other; leave one of them out"
            )
    prompt = render({**given, **setting(switch, wish.mode)}) or ""
    last = next(iter(reversed(_TAG.findall(prompt.rpartition(PROBE)[2]))), "")
    opened = last if last in OPENING else ""
    without = render({**given, **setting(switch, "off")})
    settled = last in CLOSING or (switch is not None and prompt == without and not opened)
    thinks = wish.mode == "on" or (not settled and bool(opened or _TAG.search(template)))
    used = frozenset(_TAG.findall(template)) | {opened} - {""}
    return Thought(wish, switch, opened, thinks, _tokens(vocabulary, used))


def setting(switch: Switch | None, mode: Thinking) -> JsonObject:
    """Return the variable that a wish comes to, nothing where there is nothing to set."""
    if switch is None or mode == "auto":
        return {}
    return {switch.name: switch.on if mode == "on" else switch.off}


def _obeys(
    switch: Switch,
    given: Mapping[str, Json],
    render: Callable[[Mapping[str, Json]], str | None],
) -> bool:
    """Tell whether a template renders differently by a switch.

    A switch with words is one only where other words are refused: elsewhere they are just shown.
    """
    on, off = (render({**given, switch.name: value}) for value in (switch.on, switch.off))
    if on is None or off is None or on == off:
        return False
    return isinstance(switch.on, bool) or render({**given, switch.name: _NONSENSE}) is None


def _tokens(vocabulary: Mapping[str, int], used: frozenset[str]) -> dict[int, str]:
    """Tokens that are tags or parts of one, of the pairs in use or of all where none is seen."""
    pairs = [pair for pair in THOUGHT_TAGS if used & set(pair)] or THOUGHT_TAGS
    told = " ".join(tag for pair in pairs for tag in pair)
    return {i: text for text, i in vocabulary.items() if text.strip() and text in told}


def _pieces(ids: Sequence[int], tags: Mapping[int, str]) -> Iterator[tuple[list[int], str]]:
    """Yield tokens up to each tag and the tag itself; the last tag is empty."""
    since: list[int] = []
    for token in ids:
        if token in tags:
            yield since, tags[token]
            since = []
        else:
            since.append(token)
    yield since, ""
