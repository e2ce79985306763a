"""What goes to an OpenAI-compatible server and what comes back, as plain values."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Literal, NamedTuple, TypedDict

import httpx
from pydantic import BaseModel, Field, ValidationError

from teval.engines.chat import draw_seed
from teval.engines.turns import Roles, adapt
from teval.schema import (
    THOUGHT_TAGS,
    Completion,
    Json,
    JsonObject,
    Request,
    Sampling,
    Thinking,
    whole_text,
)

TRANSIENT = frozenset({408, 409, 429, 500, 502, 503, 504})
"""Statuses after which the same request may well be answered."""

TOO_LONG = frozenset({400, 413, 422})
"""Statuses by which servers refuse a prompt that is too long, among much else."""

LONGEST_WAIT = 120.0
"""Seconds that a server may ask for at most."""

LINE = 300
"""Characters of a server's own words that are kept."""

WAYS_OUT = {
    401: "put the key into an environment variable and name it in engine.options.api_key_env",
    402: "the account has no credit left",
    403: "the key may not use this model; check engine.options.api_key_env and engine.model",
    404: "check engine.options.base_url (most servers want it to end in /v1) and engine.model",
}
"""By status: what to change. Each stops the run, for it meets every request alike."""

_MOVED = "check engine.options.base_url"

_OVERFLOW = re.compile(
    r"""
    context_length_exceeded | exceed_context_size | context_window_exceeded
    | maximum\ (?:context|model|input|sequence)\ length | max(?:imum)?_model_len
    | (?:exceed\w*|longer\ than|larger\ than|over|beyond)\ [^.]{0,60}
      (?:context[ _](?:length|size|window|limit) | maximum\ allowed\ length)
    | (?:context[ _](?:length|size|window|limit))\ [^.]{0,60}exceed
    | (?:prompt|input)\ (?:is\ )?too\ (?:long|large)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""How servers say that a prompt is too long: OpenAI, vLLM, SGLang, llama.cpp, Ollama and others."""

_NO_TOOLS = re.compile(
    r"""
    (?:does\ not|doesn't|not)\ support\w*\ [^.]{0,40}(?:tools?\b|tool[ _]use|function\ call)
    | tools?\b[^.]{0,40}(?:not\ supported|unsupported)
    | enable-auto-tool-choice | tool-call-parser
    | tools?\ param\ requires
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""How servers say that they can't offer tools: vLLM, llama.cpp, Ollama and others."""

_START_TOOLS = (
    "start the server so that it takes tools (vLLM: --enable-auto-tool-choice --tool-call-parser;"
    " llama.cpp: --jinja), or leave the format out: -s cases.formats=[json,string]"
)

_FINISHES: dict[str, Literal["stop", "length"]] = {
    "stop": "stop",
    "eos": "stop",
    "eos_token": "stop",
    "end_turn": "stop",
    "tool_calls": "stop",
    "function_call": "stop",
    "length": "length",
    "max_tokens": "length",
}


_TAG = re.compile("|".join(re.escape(tag) for pair in THOUGHT_TAGS for tag in pair))


class Trouble(NamedTuple):
    """A try that failed in a way that may pass."""

    line: str
    """What happened."""
    wait: float | None = None
    """Seconds that the server asks to be left alone."""
    unreachable: bool = False
    """Whether no connection came about at all."""


class Refusal(NamedTuple):
    """An answer that every other request would get as well."""

    line: str
    way_out: str


class Body(NamedTuple):
    """How requests are written for one server and model."""

    model: str
    roles: Roles
    limit_field: str
    template_options: Mapping[str, Json]
    extra: Mapping[str, Json]
    thinking: Thinking = "auto"
    thinking_tokens: int = 0
    """What a thought may have beside the answer; servers know the sum alone."""

    def write(self, request: Request) -> JsonObject:
        """Return the fields of a chat completion; those that ``extra`` sets to None are left out.

        All sampling parameters that the protocol knows are there. Those that it does not know
        (``top_k``, ``min_p``, ``repetition_penalty``) are there only where they say something,
        since many servers refuse fields that they do not know. Tools are offered, and a schema
        for the answer is sent, where the request has any.
        """
        sampling = request.sampling
        fields: dict[str, Json] = {
            "model": self.model,
            "messages": [
                {key: whole_text(str(value)) for key, value in turn.items()}
                for turn in adapt(request.messages, self.roles)
            ],
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "presence_penalty": sampling.presence_penalty,
            "frequency_penalty": sampling.frequency_penalty,
            self.limit_field: sampling.max_tokens + self.thinking_tokens,
            "seed": draw_seed(request),
            "n": 1,
            "stream": False,
            **_beyond(sampling),
        }
        if request.functions:
            fields["tools"] = [function.offer for function in request.functions]
        if request.constraint is not None:
            told: JsonObject = {"name": "answer", "schema": request.constraint, "strict": True}
            fields["response_format"] = {"type": "json_schema", "json_schema": told}
        if options := self.options:
            fields["chat_template_kwargs"] = options
        return {key: value for key, value in {**fields, **self.extra}.items() if value is not None}

    @property
    def options(self) -> JsonObject:
        """Variables of the chat template; a template passes over those that it does not know."""
        wished: JsonObject = {}
        if self.thinking != "auto":
            wished = dict.fromkeys(SWITCHES, self.thinking == "on")
        return {**wished, **self.template_options}

    @property
    def thinks(self) -> Thinking:
        """Whether the model may think, as far as the template's options tell."""
        off = any(self.options.get(key) is False for key in SWITCHES)
        return "off" if off else self.thinking


SWITCHES = ("enable_thinking", "thinking")
"""Variables by which chat templates switch thinking on or off."""


def _beyond(sampling: Sampling) -> dict[str, Json]:
    """Return the parameters that the protocol does not know, where they are not neutral."""
    neutral = Sampling()
    names = ("top_k", "min_p", "repetition_penalty")
    return {n: getattr(sampling, n) for n in names if getattr(sampling, n) != getattr(neutral, n)}


def read_response(
    request: Request, response: httpx.Response, *, now: float, thinks: Thinking = "auto"
) -> Completion | Trouble | Refusal:
    """Return what a server's answer amounts to.

    Args:
        request: What was asked.
        response: What came, read to its end.
        now: Seconds since 1970, which a date in ``Retry-After`` is compared with.
        thinks: Whether the model may think. Where it may not, an answer that a server takes for a
            thought is the answer; where it does, one that is cut off without any tag is a thought.
    """
    status, text = response.status_code, response.text
    said = _complaint(text)
    line = f"HTTP {status}: {said.line or response.reason_phrase}"
    if status in TOO_LONG and said.overflow:
        return _failed(request, line, "overflow")
    if status >= 400 and request.functions and _NO_TOOLS.search(said.line):
        return Refusal(line, _START_TOOLS)
    if status in WAYS_OUT or 300 <= status < 400 or (status == 429 and said.spent):
        return Refusal(line, WAYS_OUT[402] if said.spent else WAYS_OUT.get(status, _MOVED))
    if status in TRANSIENT:
        return Trouble(line, retry_after(response.headers.get("Retry-After"), now))
    if status != 200:
        return _failed(request, line, "error")
    return _read_success(request, text, said, thinks)


def retry_after(value: str | None, now: float) -> float | None:
    """Return the seconds that ``Retry-After`` asks for, in [0, 120], None where it says nothing.

    >>> retry_after("7", 0.0), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 10.0)
    (7.0, 50.0)
    """
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            date = parsedate_to_datetime(value)
        except (ValueError, OverflowError):
            return None
        # A date with the zone -0000 counts as UTC.
        seconds = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - now
    return min(max(seconds, 0.0), LONGEST_WAIT) if math.isfinite(seconds) else None


def failed(request: Request, line: str) -> Completion:
    """Return the completion of a request that the engine failed at."""
    return _failed(request, line, "error")


def one_line(text: str) -> str:
    """Return the beginning of a text as one line that can be stored."""
    return whole_text(" ".join(text.split()))[:LINE]


def _failed(request: Request, line: str, finish: Literal["error", "overflow"]) -> Completion:
    return Completion(request=request.key, prompt=request.prompt, finish=finish, error=line)


class _Complaint(NamedTuple):
    """What a body says about an error."""

    line: str
    present: bool = False
    """Whether there is an ``error`` at all."""
    overflow: bool = False
    spent: bool = False
    """Whether the account's credit is used up, which waiting does not mend."""


def _complaint(text: str) -> _Complaint:
    """Read an error in any of the forms that servers give it."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return _Complaint(one_line(text), overflow=bool(_OVERFLOW.search(text)))
    present = isinstance(body, dict) and bool(body.get("error"))
    found = body["error"] if present else body
    if not isinstance(found, dict):
        said, marks = found, ""
    else:
        said = found.get("message") or found.get("detail") or found
        marks = f"{found.get('code')} {found.get('type')}"
    message = said if isinstance(said, str) else ""
    return _Complaint(
        # Only the server's own words are searched: the rest may quote the prompt.
        one_line(message or json.dumps(said, ensure_ascii=False)),
        present,
        overflow=bool(_OVERFLOW.search(f"{message} {marks}")),
        spent="insufficient_quota" in marks,
    )


class _Function(BaseModel):
    name: str = ""
    arguments: str | JsonObject | None = None


class _ToolCall(BaseModel):
    function: _Function


class _Message(BaseModel):
    content: str | None = None
    tool_calls: list[_ToolCall] | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Details(BaseModel):
    cached_tokens: int | None = None


class _Usage(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _Details | None = None


class _Reply(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None


def _read_success(
    request: Request, text: str, said: _Complaint, thinks: Thinking
) -> Completion | Trouble:
    """Read a body with status 200, which some servers send along with an error too."""
    if said.present:
        line = f"HTTP 200 with an error: {said.line}"
        return _failed(request, line, "overflow") if said.overflow else Trouble(line)
    try:
        # Written anew so that halves of surrogate pairs, which JSON can spell, are no fault.
        whole = whole_text(json.dumps(json.loads(text), ensure_ascii=False))
        reply = _Reply.model_validate_json(whole)
    except (ValidationError, ValueError, RecursionError):
        return Trouble(f"HTTP 200, but no chat completion: {one_line(text) or 'an empty body'}")
    choice, usage = reply.choices[0], reply.usage or _Usage()
    finish = _FINISHES.get(choice.finish_reason or "stop")
    written = _text(choice.message, finish, thinks)
    return Completion(
        request=request.key,
        prompt=request.prompt,
        **written,
        finish=finish or "error",
        error=""
        if finish
        else f"the server ended the answer: {one_line(str(choice.finish_reason))}",
        prompt_tokens=usage.prompt_tokens or 0,
        completion_tokens=usage.completion_tokens or 0,
        cached_tokens=(usage.prompt_tokens_details or _Details()).cached_tokens or 0,
    )


class _Written(TypedDict):
    """Thought, answer and calls as the model wrote them, and how long the thought surely is."""

    text: str
    thought: int
    flags: tuple[str, ...]


def _text(message: _Message, finish: str | None, thinks: Thinking) -> _Written:
    """Return what the model wrote, where the server may have split it."""
    thought = message.reasoning_content or message.reasoning or ""
    calls = [_call_text(call.function) for call in message.tool_calls or ()]
    content = "\n".join([*([message.content] if message.content else []), *calls])
    if not thought and not (thinks == "on" and finish == "length" and not _TAG.search(content)):
        return {"text": content, "thought": 0, "flags": ()}
    if not content and thinks == "off":
        # Servers that expect a thought take the whole answer of a model without one for it.
        return {"text": thought, "thought": 0, "flags": ("reasoning_as_answer",)}
    if not thought:
        # The template has opened the thought, and the server tells of nothing but what came then.
        thought, content = content, ""
    closed = "" if not content and finish == "length" else "</think>"
    told = f"<think>{thought}{closed}"
    return {"text": told + content, "thought": len(told), "flags": ()}


def _call_text(function: _Function) -> str:
    """Return a call as models write it; its arguments stand there as they came.

    Behind arguments that are not sound, for instance because they were cut off, nothing is closed.
    """
    given = function.arguments
    args = given if isinstance(given, str) else json.dumps(given or {}, ensure_ascii=False)
    name = json.dumps(function.name, ensure_ascii=False)
    opened = f'<tool_call>\n{{"name": {name}, "arguments": {args.strip() or "{}"}'
    try:
        json.loads(args.strip() or "{}")
    except (ValueError, RecursionError):
        return opened
    return opened + "}\n</tool_call>"
