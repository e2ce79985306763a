"""Chat templates of ten habits, and a tokenizer of single letters that renders with them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from jinja2 import Template, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from teval.engines.turns import Turn
from teval.schema import Json

ASK = "{% if add_generation_prompt %}<|assistant|>{% endif %}"
CHATML = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}\n{% endfor %}" + ASK
_CALLS = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}"
    "{% for call in m.tool_calls %}<call>{{ call.function.name }} ARGS</call>{% endfor %}"
    "{{ '\\n' }}{% endfor %}" + ASK
)
MAPPING = _CALLS.replace(
    "ARGS",
    "{% for key, value in call.function.arguments.items() %}{{ key }}={{ value }};{% endfor %}",
)
JSON_TEXT = _CALLS.replace("ARGS", "{{ '' + call.function.arguments }}")
ANY_JSON = _CALLS.replace("ARGS", "{{ call.function.arguments | tojson }}")
NO_SYSTEM = (
    "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}" + CHATML
)
ALTERNATING = (
    "{% for m in messages %}{% if not loop.first and m.role == messages[loop.index0 - 1].role %}"
    "{{ raise_exception('roles must alternate') }}{% endif %}{% endfor %}" + CHATML
)
NO_TOOL = (
    "{% for m in messages %}{% if m.role not in ['system', 'user', 'assistant'] %}"
    "{{ raise_exception('unknown role') }}{% endif %}{% endfor %}" + CHATML
)
EMPTY_CALLS = (
    "{% for m in messages %}{% if m.tool_calls is defined and m.tool_calls | length == 0 %}"
    "{{ raise_exception('empty tool_calls') }}{% endif %}{% endfor %}" + MAPPING
)
SWITCHED = (
    CHATML + "{% if enable_thinking is defined and not enable_thinking %}"
    "<think>\n\n</think>\n\n{% endif %}"
)
"""Of a model that opens its thoughts itself and has a switch."""

TEMPLATES: dict[str, str] = {
    "refuses system": NO_SYSTEM,
    "strict alternation": ALTERNATING,
    "no tool role": NO_TOOL,
    "BOS inside": "<s>" + CHATML,
    "BOS outside": CHATML,
    "opens the thought": CHATML + "<think>\n",
    "arguments as mapping": MAPPING,
    "empty tool_calls raises": EMPTY_CALLS,
    "default system turn": (
        "{% if messages[0].role != 'system' %}<|system|>You are helpful.\n{% endif %}" + CHATML
    ),
    "none at all": "",
}
"""One habit each."""

BOS, EOS = 1, 2
TAGS = {"<think>": 3, "</think>": 4, "[THINK]": 5, "[/THINK]": 6}
"""Ids of tags where they are tokens; those in brackets steer the model and are not shown."""
HIDDEN = frozenset({BOS, EOS, TAGS["[THINK]"], TAGS["[/THINK]"]})


def raise_exception(reason: str) -> str:
    """Refuse to render, as templates do."""
    raise TemplateError(reason)


@cache
def _page(template: str) -> Template:
    """A template in the environment that templates are written for."""
    page = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, autoescape=False)
    page.globals |= {"raise_exception": raise_exception, "strftime_now": lambda form: "2031-05-04"}
    page.filters["tojson"] = lambda value, **style: json.dumps(value, ensure_ascii=False, **style)
    page.add_extension("jinja2.ext.loopcontrols")
    return page.from_string(template)


@dataclass(frozen=True)
class Letters:
    """A tokenizer of single letters; BOS, EOS and the tags it is given are one token each."""

    template: str
    bos_token_id: int | None = None
    eos_token_id: int | None = None
    adds_bos: bool = False
    tags: Mapping[str, int] = field(default_factory=dict)
    bos_token: str = "<s>"

    def get_added_vocab(self) -> dict[str, int]:
        """Ids of the tags."""
        return dict(self.tags)

    def get_chat_template(self) -> str:
        """The template; ValueError where there is none."""
        if not self.template:
            raise ValueError("no template")
        return self.template

    def apply_chat_template(
        self,
        conversation: list[Turn],
        *,
        tokenize: Literal[False],
        add_generation_prompt: bool,
        **options: Json,
    ) -> str:
        """The turns as text."""
        assert tokenize is False
        tokens: dict[str, Json] = {"bos_token": self.bos_token, "eos_token": "</s>"}
        more = {"add_generation_prompt": add_generation_prompt, **tokens, **options}
        return _page(self.get_chat_template()).render(messages=conversation, **more)

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        """One id a letter."""
        begin = [BOS] if add_special_tokens and self.adds_bos else []
        for token, number in {"<s>": BOS, "</s>": EOS, **self.tags}.items():
            text = text.replace(token, chr(number))
        return begin + [ord(c) for c in text]

    def decode(
        self,
        token_ids: Sequence[int],
        *,
        skip_special_tokens: bool,
        clean_up_tokenization_spaces: bool,
    ) -> str:
        """The letters, without what steers the model."""
        assert not clean_up_tokenization_spaces
        shown = {number: token for token, number in self.tags.items()}
        hidden = HIDDEN if skip_special_tokens else ()
        return "".join(shown.get(i, chr(i)) for i in token_ids if i not in hidden)
