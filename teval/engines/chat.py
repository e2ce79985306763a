"""From messages to token ids: one contract for all engines that hold a model.

The tokenizer's own chat template renders the messages, never a template of ours. Where a
template refuses a role or two turns of one role, the messages are adapted just as far as it
needs, and how is written into the run's manifest. Prompts are tokenised here, with exactly one
token that begins a sequence where the model has one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from typing import Literal, Protocol

from teval.engines.checkpoint import check_model, import_extra, loading
from teval.engines.thinking import AUTO, PROBE, Thought, Wish, probe, setting
from teval.engines.turns import Roles, Turn, adapt
from teval.errors import EngineError
from teval.schema import Call, Function, Json, JsonObject, Message, Request, digest


class Tokenizer(Protocol):
    """The part of a Hugging Face tokenizer that is used here."""

    @property
    def bos_token_id(self) -> int | None:
        """Id of the token that begins a sequence, if the model has one."""
        ...

    @property
    def eos_token_id(self) -> int | None:
        """Id of the token that ends an answer, if the model has one."""
        ...

    def get_chat_template(self) -> str:
        """Return the template; raises ValueError where there is none."""
        ...

    def apply_chat_template(
        self,
        conversation: list[Turn],
        *,
        tokenize: Literal[False],
        add_generation_prompt: bool,
        **options: Json,
    ) -> str:
        """Return the turns as the model was trained to see them."""
        ...

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        """Return the token ids of a text."""
        ...

    def decode(
        self,
        token_ids: Sequence[int],
        *,
        skip_special_tokens: bool,
        clean_up_tokenization_spaces: bool,
    ) -> str:
        """Return the text of token ids."""
        ...

    def get_added_vocab(self) -> dict[str, int]:
        """Return the tokens that stand for themselves and are never split, with their ids."""
        ...


@dataclass(frozen=True)
class Chat:
    """A tokenizer with its chat template, and how messages are fitted to it."""

    tokenizer: Tokenizer
    options: Mapping[str, Json] = field(default_factory=dict)
    """Further variables of the template, for instance ``{"enable_thinking": False}``."""
    wish: Wish = AUTO
    """Whether and how long the model is to think."""

    @cached_property
    def template(self) -> str:
        """The chat template's text.

        Raises:
            EngineError: The tokenizer has none.
        """
        try:
            return self.tokenizer.get_chat_template()
        except (ValueError, NotImplementedError) as error:
            raise EngineError(
                "the model's tokenizer has no chat template; name the chat or instruct version of"
                " the model, or put the template that it was trained with into"
                " chat_template.jinja beside its tokenizer"
            ) from error

    @cached_property
    def roles(self) -> Roles:
        """How messages are fitted to this template, found by rendering short probes."""
        if not self._accepts("user"):
            raise EngineError(
                "the model's chat template can't render one plain user turn; name the chat or"
                " instruct version of the model, or mend its chat_template.jinja"
            )
        return Roles(
            system="kept" if self._accepts("system", "user") else "merged",
            same_role=(
                "kept"
                if self._accepts("user", "user")
                and self._accepts("user", "assistant", "assistant", "user")
                else "merged"
            ),
            tool=(
                "tool"
                if self._accepts("user", "tool") and self._accepts("user", "assistant", "tool")
                else "user"
            ),
            calls=self._call_form,
        )

    @cached_property
    def takes_tools(self) -> bool:
        """Whether the template has a place for tools, found by rendering a probe."""
        probe = Function(name="probe_tool", tool="", description="probe", parameters={})
        return self._accepts("user", functions=[probe])

    def render(self, messages: Iterable[Message], functions: Sequence[Function] = ()) -> str:
        """Return the prompt as text, up to where the model's answer begins."""
        return self._template(adapt(messages, self.roles), functions)

    def encode(self, messages: Iterable[Message], functions: Sequence[Function] = ()) -> list[int]:
        """Return the prompt's token ids, at least 1, with exactly one leading BOS if any.

        Raises:
            EngineError: Tools are offered and the template has no place for any, or it begins a
                prompt with two BOS tokens.
        """
        if functions and not self.takes_tools:
            raise EngineError(
                "the model's chat template has no place for tools, so it can't be asked in the"
                " format tools; leave that out (-s cases.formats=[json,string]), or name a model"
                " that was trained to call tools"
            )
        ids = self.tokenizer.encode(self.render(messages, functions), add_special_tokens=False)
        begin = self.tokenizer.bos_token_id
        if self._adds_bos and ids[:1] != [begin]:
            ids = [self._adds_bos[0], *ids]
        if begin is not None and len(list(takewhile(lambda i: i == begin, ids))) > 1:
            raise EngineError(
                "the model's chat template begins a prompt with two BOS tokens; take one out of"
                " its chat_template.jinja"
            )
        return ids

    @cached_property
    def thought(self) -> Thought:
        """How the model thinks, found by rendering a short prompt."""
        turns = adapt([_PROBE], Roles())
        added = self.tokenizer.get_added_vocab()
        return probe(
            self.wish, self.options, lambda more: self._try(turns, more), self.template, added
        )

    def told(self, token_ids: Sequence[int], *, calls: bool = False) -> tuple[str, int]:
        """Return an answer's text and how many characters of it are surely the thought.

        Args:
            token_ids: The answer.
            calls: Whether it may be a call, as for :meth:`decode`.
        """
        return self.thought.told(token_ids, lambda ids: self.decode(ids, calls=calls))

    def decode(self, token_ids: Sequence[int], *, calls: bool = False) -> str:
        """Return an answer's text, without the tokens that steer the model.

        Args:
            token_ids: The answer.
            calls: Whether it may be a call, which some models mark with such tokens; then only
                those at the end are left out that end an answer.
        """
        ids = list(token_ids)
        while calls and ids and ids[-1] in self.stops:
            ids.pop()
        return self.tokenizer.decode(
            ids, skip_special_tokens=not calls, clean_up_tokenization_spaces=False
        )

    @property
    def stops(self) -> frozenset[int]:
        """Ids of the tokens that end an answer, as far as the tokenizer knows them."""
        end = self.tokenizer.eos_token_id
        return frozenset() if end is None else frozenset([end])

    def describe(self) -> JsonObject:
        """Return the template's hash, its options, the fitting of roles, one rendered example.

        Where the template can't show the example with a call, that one is None.
        """
        call = Call(name="toolkit.verb", args={"key": "value"})
        example = (
            Message(role="system", content="S"),
            Message(role="user", content="U"),
            Message(role="assistant", content="A", calls=(call,)),
            Message(role="tool", content="T", name=call.name),
            Message(role="user", content="V"),
        )
        return {
            "template": digest(self.template),
            "template_options": dict(self.options),
            "roles": dict(self.roles._asdict()),
            "bos": self._bos,
            "thinking": self.thought.describe(),
            "example": self.render(example[:2]),
            "example_call": self._try(adapt(example, self.roles), self._options),
        }

    @cached_property
    def _adds_bos(self) -> tuple[int, ...]:
        """The BOS that the tokenizer itself puts before a text, or nothing."""
        begin = self.tokenizer.bos_token_id
        first = self.tokenizer.encode("a", add_special_tokens=True)[:1]
        return (begin,) if begin is not None and first == [begin] else ()

    @property
    def _bos(self) -> str | None:
        """Where the token that begins a prompt comes from."""
        ids = self.tokenizer.encode(self.render([_PROBE]), add_special_tokens=False)
        begin = self.tokenizer.bos_token_id
        if begin is not None and ids[:1] == [begin]:
            return "template"
        return "tokenizer" if self._adds_bos else None

    def _template(self, turns: list[Turn], functions: Sequence[Function] = ()) -> str:
        options = {**self._options, **_offered(functions)}
        return self.tokenizer.apply_chat_template(
            turns, tokenize=False, add_generation_prompt=True, **options
        )

    @cached_property
    def _options(self) -> JsonObject:
        """All variables of the template."""
        return {**self.options, **setting(self.thought.switch, self.wish.mode)}

    def _try(self, turns: list[Turn], options: Mapping[str, Json]) -> str | None:
        """Return the turns as rendered, or None where the template refuses them."""
        from jinja2.exceptions import TemplateError

        try:
            return self.tokenizer.apply_chat_template(
                turns, tokenize=False, add_generation_prompt=True, **options
            )
        except (TemplateError, ValueError, TypeError, KeyError, AttributeError, IndexError):
            return None

    def _accepts(self, *roles: str, functions: Sequence[Function] = ()) -> bool:
        """Tell whether the template renders turns of these roles with nothing left out."""
        turns: list[Turn] = [{"role": r, "content": f"probe{i}"} for i, r in enumerate(roles)]
        if roles[-1] == "tool":
            turns[-1] |= {"name": "tool", "content": _RESULT}
        text = self._try(turns, {**self._options, **_offered(functions)})
        told = [*(turn["content"] for turn in turns), *(f.name for f in functions)]
        return text is not None and all(part in text for part in told)

    @property
    def _call_form(self) -> Literal["mapping", "string", "text"]:
        """The first form of calls that the template shows whole, with thought and result."""
        call = Call(name="probe_call", args={"probe_key": "probe value"})
        talk = (
            _PROBE,
            Message(role="assistant", content="probe1", calls=(call,)),
            Message(role="tool", content=_RESULT, name=call.name),
            Message(role="user", content="probe3"),
        )
        forms: tuple[Literal["mapping", "string"], ...] = ("mapping", "string")
        for form in forms:
            texts = [
                self._try(adapt(t, Roles(calls=form)), self._options) for t in (talk[:3], talk)
            ]
            first, whole = (text or "" for text in texts)
            parts = ("probe1", _RESULT, call.name, "probe_key", "probe value")
            spoilt = '\\"' in whole or not all(part in first and part in whole for part in parts)
            if not spoilt and "probe3" in whole:
                return form
        return "text"


def _offered(functions: Sequence[Function]) -> JsonObject:
    """Return the template's variable for tools, where any are offered."""
    return {"tools": [function.offer for function in functions]} if functions else {}


_PROBE = Message(role="user", content=PROBE)

_RESULT = '{"probe2": "result"}'
"""A tool's result in a probe: some templates put quotes around it and before its own."""


def load_chat(model: str, options: Mapping[str, Json], *, extra: str, wish: Wish = AUTO) -> Chat:
    """Return the chat of a model: a folder in Hugging Face format, or a name on the hub.

    Args:
        model: Where the tokenizer is.
        options: Further variables of the chat template.
        extra: The extra of this project that brings transformers.
        wish: Whether and how long the model is to think.

    Raises:
        MissingExtraError: transformers is not installed.
        EngineError: The tokenizer can't be had or has no chat template that can be used.
    """
    check_model(model)
    transformers = import_extra("transformers", extra)
    with loading(model):
        tokenizer: Tokenizer = transformers.AutoTokenizer.from_pretrained(
            model, trust_remote_code=False
        )
    chat = Chat(tokenizer, dict(options), wish)
    chat.describe()
    return chat


def draw_seed(request: Request) -> int:
    """Return the seed that an answer is drawn with, in [0, 2**31).

    It is taken from the request's key, so that repeats and prompts draw differently while the
    same request draws the same, whatever else runs beside it.
    """
    return int(request.key, 16) % 2**31
