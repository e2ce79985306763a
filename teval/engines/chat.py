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
from typing import Literal, NamedTuple, Protocol

from teval.engines.checkpoint import check_model, import_extra, loading
from teval.errors import EngineError
from teval.schema import Function, Json, JsonObject, Message, Request, digest

JOIN = "\n\n"
"""What stands between turns that were merged."""

Turn = dict[str, str]


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


class Roles(NamedTuple):
    """How messages are fitted to a template."""

    system: Literal["kept", "merged"] = "kept"
    """``merged``: the system turn stands at the head of the first user turn."""
    same_role: Literal["kept", "merged"] = "kept"
    """``merged``: consecutive turns of one role become one."""
    tool: Literal["tool", "user"] = "tool"
    """``user``: a tool's result is a user turn that begins with a marker."""


@dataclass(frozen=True)
class Chat:
    """A tokenizer with its chat template, and how messages are fitted to it."""

    tokenizer: Tokenizer
    options: Mapping[str, Json] = field(default_factory=dict)
    """Further variables of the template, for instance ``{"enable_thinking": False}``."""

    @cached_property
    def template(self) -> str:
        """The chat template's text.

        Raises:
            EngineError: The tokenizer has none.
        """
        try:
            return self.tokenizer.get_chat_template()
        except ValueError as error:
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
            tool="tool" if self._accepts("user", "assistant", "tool") else "user",
        )

    @cached_property
    def takes_tools(self) -> bool:
        """Whether the template has a place for tools, found by rendering a probe."""
        probe = Function(name="probe_tool", tool="", description="probe", parameters={})
        return self._accepts("user", functions=[probe])

    def check(self, requests: Iterable[Request]) -> None:
        """Refuse requests that the template can't render.

        Raises:
            EngineError: Tools are offered and the template has no place for any.
        """
        if any(request.functions for request in requests) and not self.takes_tools:
            raise EngineError(
                "the model's chat template has no place for tools, so it can't be asked in the"
                " format tools; leave that out (-s cases.formats=[json,string]), or name a model"
                " that was trained to call tools"
            )

    def render(self, messages: Iterable[Message], functions: Sequence[Function] = ()) -> str:
        """Return the prompt as text, up to where the model's answer begins."""
        return self._template(adapt(messages, self.roles), functions)

    def encode(self, messages: Iterable[Message], functions: Sequence[Function] = ()) -> list[int]:
        """Return the prompt's token ids, at least 1, with exactly one leading BOS if any."""
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

    def count_tokens(self, requests: Sequence[Request]) -> int:
        """Return the number of prompt tokens in all requests together."""
        self.check(requests)
        return sum(len(self.encode(r.messages, r.functions)) for r in requests)

    def describe(self) -> JsonObject:
        """Return the template's hash, its options, the fitting of roles, one rendered example."""
        example = (Message(role="system", content="S"), Message(role="user", content="U"))
        return {
            "template": digest(self.template),
            "template_options": dict(self.options),
            "roles": dict(self.roles._asdict()),
            "example": self.render(example),
        }

    @cached_property
    def _adds_bos(self) -> tuple[int, ...]:
        """The BOS that the tokenizer itself puts before a text, or nothing."""
        begin = self.tokenizer.bos_token_id
        first = self.tokenizer.encode("a", add_special_tokens=True)[:1]
        return (begin,) if begin is not None and first == [begin] else ()

    def _template(self, turns: list[Turn], functions: Sequence[Function] = ()) -> str:
        options = dict(self.options)
        if functions:
            options["tools"] = [function.offer for function in functions]
        return self.tokenizer.apply_chat_template(
            turns, tokenize=False, add_generation_prompt=True, **options
        )

    def _accepts(self, *roles: str, functions: Sequence[Function] = ()) -> bool:
        """Tell whether the template renders turns of these roles with nothing left out."""
        from jinja2.exceptions import TemplateError

        turns = [{"role": role, "content": f"probe{i}"} for i, role in enumerate(roles)]
        if roles[-1] == "tool":
            turns[-1]["name"] = "tool"
        try:
            text = self._template(turns, functions)
        except (TemplateError, ValueError, TypeError, KeyError, AttributeError, IndexError):
            return False
        told = [*(turn["content"] for turn in turns), *(f.name for f in functions)]
        return all(part in text for part in told)


def adapt(messages: Iterable[Message], roles: Roles) -> list[Turn]:
    r"""Return the messages as turns that a template of these habits accepts.

    >>> say = Message(role="system", content="You have tools X.")
    >>> ask = Message(role="user", content="Weather in Oslo?")
    >>> adapt([say, ask], Roles(system="merged"))
    [{'role': 'user', 'content': 'You have tools X.\n\nWeather in Oslo?'}]
    """
    turns: list[Turn] = []
    open_system = False
    for message in messages:
        turn = _turn(message, roles)
        same = bool(turns) and turns[-1]["role"] == turn["role"]
        if same and (open_system or roles.same_role == "merged"):
            turns[-1]["content"] += JOIN + turn["content"]
        else:
            turns.append(turn)
        open_system = message.role == "system" and roles.system == "merged"
    return turns


def _turn(message: Message, roles: Roles) -> Turn:
    if message.role in ("tool", "function"):
        return _tool_turn(message, roles)
    role = "user" if message.role == "system" and roles.system == "merged" else message.role
    return {"role": role, "content": message.content}


def _tool_turn(message: Message, roles: Roles) -> Turn:
    name = message.name or "tool"
    if roles.tool == "tool":
        return {"role": "tool", "name": name, "content": message.content}
    return {"role": "user", "content": f"[tool result: {name}]\n{message.content}"}


def load_chat(model: str, options: Mapping[str, Json], *, extra: str) -> Chat:
    """Return the chat of a model: a folder in Hugging Face format, or a name on the hub.

    Args:
        model: Where the tokenizer is.
        options: Further variables of the chat template.
        extra: The extra of this project that brings transformers.

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
    chat = Chat(tokenizer, dict(options))
    chat.describe()
    return chat


def draw_seed(request: Request) -> int:
    """Return the seed that an answer is drawn with, in [0, 2**31).

    It is taken from the request's key, so that repeats and prompts draw differently while the
    same request draws the same, whatever else runs beside it.
    """
    return int(request.key, 16) % 2**31
