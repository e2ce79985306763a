"""Prompt files to messages: the tool list first, then query and history, the instruction last."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import jinja2
import jinja2.sandbox
import pydantic

from teval import assets
from teval.errors import ConfigError
from teval.schema import (
    Argument,
    Call,
    Format,
    Frozen,
    Function,
    History,
    Json,
    JsonObject,
    Message,
    Step,
    Tool,
    digest,
)
from teval.yaml_text import YamlError, read_yaml

T = TypeVar("T", bound=Frozen)

HEAD = "_tools"
"""Name of the file that says how tools, query and history are shown."""

KEPT = 256
"""How many rendered tool lists and histories are kept."""


class PromptFile(Frozen):
    """One prompt file: the instruction in each format, and what goes with it."""

    json_text: str | None = pydantic.Field(default=None, alias="json")
    string_text: str | None = pydantic.Field(default=None, alias="string")
    tools_text: str | None = pydantic.Field(default=None, alias="tools")
    variants: dict[Format, tuple[dict[str, str], ...]] = {}
    """Output templates by format, each a mapping of field to the key or label to be used."""
    parts: dict[str, str] = {}
    """Texts of a conversation, by name."""


class HeadFile(Frozen):
    """How what all abilities share is shown; each a template."""

    tools: str
    query: str
    history: str


@dataclass(frozen=True)
class Prompts:
    """All prompts of one language."""

    language: str
    digest: str
    """Over all prompt files of the language; moves with any change of them, but for the texts of
    the format ``tools``, which few runs ask: the hash of its cases covers those."""
    _files: Mapping[str, PromptFile]
    _templates: Mapping[str, jinja2.Template]
    history: History = "log"
    """How the steps made so far are shown: in words, or as turns of the conversation."""
    _shown: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    """Tool lists and histories rendered lately, by digest: many cases share them."""

    @staticmethod
    def load(language: str, folder: Path | None = None, history: History = "log") -> Prompts:
        """Return the prompts of one language, all files checked and compiled.

        Args:
            language: Name of the language's folder.
            folder: Where the languages lie; the project's ``prompts`` folder where None.
            history: How the steps made so far are shown.

        Raises:
            ConfigError: A folder or file is missing, or a file can't be used.
        """
        place = (folder or assets.folder("prompts")) / language
        names = sorted(p.name for p in place.glob("*.yaml"))
        if f"{HEAD}.yaml" not in names:
            raise ConfigError(f"no file {place / HEAD}.yaml; add the prompts of {language!r} there")
        raw = {name.removesuffix(".yaml"): _read(place / name) for name in names}
        head = _check(HeadFile, raw[HEAD], place / f"{HEAD}.yaml")
        files = {
            name: _check(PromptFile, value, place / f"{name}.yaml")
            for name, value in raw.items()
            if name != HEAD
        }
        texts = {f"{HEAD}.yaml, key {key}": text for key, text in head.model_dump().items()}
        for name, file in files.items():
            texts |= {f"{name}.yaml, key {k}": t for k, t in _texts(file).items()}
        templates = {key: _compile(place, key, text) for key, text in texts.items()}
        return Prompts(language, digest(_without_native(raw)), files, templates, history)

    def variants(self, name: str, form: Format) -> tuple[dict[str, str], ...]:
        """Return the output templates of a prompt in one format: field to key or label, in order.

        Raises:
            ConfigError: The prompt has none.
        """
        found = self._files[name].variants.get(form, ()) if name in self._files else ()
        if not found:
            raise ConfigError(f"prompts/{self.language}/{name}.yaml: add variants for {form}")
        return found

    def render(
        self,
        name: str,
        form: Format,
        /,
        *,
        tools: Sequence[Tool],
        query: str | None = None,
        now: datetime | None = None,
        history: Sequence[Step] | None = None,
        **slots: object,
    ) -> tuple[Message, ...]:
        """Return the messages of one request.

        Args:
            name: The prompt file's name without suffix.
            form: The format of the answer that the instruction asks for.
            tools: All tools listed, in the order to be shown; not for an answer in the model's
                own syntax, which is offered them beside the messages.
            query: What the user wants, or None where the ability is not told.
            now: When the query is made; told with it where it is known.
            history: The steps made so far, or None where the ability is not told.
            slots: Values for the instruction's own places; they are never read as templates.

        Raises:
            ConfigError: There is no such prompt, or it wants a slot that was not given.
        """
        parts = [] if form == "tools" else [self._show("tools", tools)]
        if query is not None:
            parts.append(self._fill(HEAD, "query", {"query": query, "now": now}))
        instruction = self._fill(name, form, slots)
        if history and self.history == "turns":
            asked = Message(role="user", content="\n\n".join(parts))
            return (asked, *_turns(history), Message(role="user", content=instruction))
        if history is not None:
            parts.append(self._show("history", history))
        return (Message(role="user", content="\n\n".join([*parts, instruction])),)

    def opening(self, *, tools: Sequence[Tool], query: str, now: datetime | None = None) -> str:
        """Return what a conversation begins with, as every request does: tools and query.

        Args:
            tools: All tools listed, in the order to be shown.
            query: What the user wants.
            now: When the query is made; told with it where it is known.
        """
        asked = self._fill(HEAD, "query", {"query": query, "now": now})
        return f"{self._show('tools', tools)}\n\n{asked}"

    def part(self, name: str, key: str, /, **slots: object) -> str:
        """Return one text of a conversation.

        Args:
            name: The prompt file's name without suffix.
            key: Which of its ``parts``.
            slots: Values for the text's own places; they are never read as templates.

        Raises:
            ConfigError: There is no such text, or it wants a slot that was not given.
        """
        return self._fill(name, f"parts.{key}", slots)

    def _show(self, key: str, records: Sequence[Frozen]) -> str:
        known = digest([key, *(record.model_dump_json() for record in records)])
        if known not in self._shown:
            if len(self._shown) >= KEPT:
                self._shown.clear()
            self._shown[known] = self._fill(HEAD, key, {key: records})
        return self._shown[known]

    def _fill(self, name: str, key: str, slots: Mapping[str, object]) -> str:
        where = f"{name}.yaml, key {key}"
        if where not in self._templates:
            raise ConfigError(f"prompts/{self.language}/{where}: there is no such prompt; add it")
        try:
            return self._templates[where].render(slots).strip("\n")
        except (jinja2.UndefinedError, jinja2.exceptions.SecurityError) as error:
            given = ", ".join(sorted(slots)) or "none"
            raise ConfigError(
                f"prompts/{self.language}/{where}: {error}; the slots given are {given}"
            ) from error


def prompt_hash(messages: Sequence[Message], functions: Sequence[Function] = ()) -> str:
    """Return the hash that a request's messages, and what is offered beside them, are known by."""
    said = [m.model_dump() for m in messages]
    return digest([said, [f.model_dump() for f in functions]] if functions else said)


def _turns(history: Iterable[Step]) -> Iterator[Message]:
    """Each step as the assistant's turn with its call, and the tool's with the result."""
    for step in history:
        yield Message(role="assistant", content=step.thought, calls=(step.call,))
        said = outline(step.observation.content) if step.observation else ""
        yield Message(role="tool", name=step.call.name, content=said)


def _read(file: Path) -> Json:
    try:
        return read_yaml(file.read_bytes())
    except YamlError as error:
        raise ConfigError(f"{file}: not a YAML file in UTF-8 ({error}); mend it") from error


def _check(model: type[T], value: Json, file: Path) -> T:
    try:
        return model.model_validate(value)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "the whole file"
        known = ", ".join(f.alias or n for n, f in model.model_fields.items())
        raise ConfigError(f"{file}, key {key}: {first['msg']}; the keys are {known}") from error


def _without_native(raw: Mapping[str, Json]) -> JsonObject:
    """The files without their texts for calls in the model's own syntax."""
    return {
        name: {key: text for key, text in file.items() if name == HEAD or key != "tools"}
        for name, file in raw.items()
        if isinstance(file, dict)
    }


def _texts(file: PromptFile) -> dict[str, str]:
    texts = {"json": file.json_text, "string": file.string_text, "tools": file.tools_text}
    given = {key: text for key, text in texts.items() if text is not None}
    return given | {f"parts.{key}": text for key, text in file.parts.items()}


def _compile(place: Path, key: str, text: str) -> jinja2.Template:
    try:
        return _environment().from_string(text)
    except jinja2.TemplateSyntaxError as error:
        raise ConfigError(f"{place / key}, line {error.lineno}: {error}; mend it") from error


def _environment() -> jinja2.sandbox.SandboxedEnvironment:
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    environment.filters |= {
        "signature": signature,
        "call": call_text,
        "outline": outline,
        "literal": literal,
    }
    return environment


def literal(value: Json) -> str:
    """Return a value's JSON text on one line, characters of all scripts as they are.

    >>> literal({"to": "Škofja Loka", "seats": [1, 2]})
    '{"to": "Škofja Loka", "seats": [1, 2]}'
    """
    return json.dumps(value, ensure_ascii=False)


def signature(tool: Tool) -> str:
    """Return a tool's name and typed arguments, ``?`` behind those that may be left out.

    >>> city = Argument(name="city", type="string", description="")
    >>> days = Argument(name="days", type="integer", description="", has_default=True, default=3)
    >>> signature(Tool(name="weather.ask", description="", arguments=(city, days)))
    'weather.ask(city: string, days: integer = 3)'
    """
    return f"{tool.name}({', '.join(_argument(a) for a in tool.arguments)})"


def _argument(argument: Argument) -> str:
    kind = f"{argument.items or 'any'} list" if argument.type == "array" else argument.type
    if argument.enum:
        kind = "|".join(literal(value) for value in argument.enum)
    told = argument.has_default and argument.default is not None
    optional = "?" if not argument.required and not told else ""
    default = f" = {literal(argument.default)}" if told else ""
    return f"{argument.name}{optional}: {kind}{default}"


def call_text(call: Call) -> str:
    """Return a call in the neutral form of the history.

    >>> call_text(Call(name="mail.search", args={"sender": "Ana", "limit": 5}))
    'mail.search(sender="Ana", limit=5)'
    """
    return f"{call.name}({', '.join(f'{k}={literal(v)}' for k, v in call.args.items())})"


def outline(content: JsonObject) -> str:
    """Return a tool's response in the neutral form of the history: one line a key or list item.

    >>> print(outline({"city": "Oslo", "days": [{"date": "2031-05-05", "rain": True}]}))
    city: Oslo
    days:
    - date: 2031-05-05; rain: true
    """
    lines: list[str] = []
    for key, value in content.items():
        if isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
            lines += [f"{key}:", *(f"- {_inline(v)[1:-1]}" for v in value)]
        elif isinstance(value, str):
            lines.append(f"{key}: {_plain(value)}")
        else:
            lines.append(f"{key}: {_inline(value)}")
    return "\n".join(lines)


def _inline(value: Json) -> str:
    if isinstance(value, dict):
        return f"({'; '.join(f'{k}: {_inline(v)}' for k, v in value.items())})"
    if isinstance(value, list):
        return f"({', '.join(_inline(v) for v in value)})"
    return _plain(value, separators=";,()") if isinstance(value, str) else literal(value)


def _plain(text: str, separators: str = "") -> str:
    """A string without quotes, unless it would then read as something else."""
    unclear = not text.strip() or any(c in text for c in f"\n{separators}")
    return literal(text) if unclear or _reads_as_other(text) else text


def _reads_as_other(text: str) -> bool:
    """Whether a text is itself JSON: a number, true, a list."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
