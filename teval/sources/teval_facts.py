"""What a published T-Eval record is about: ability, format, language, and how that is known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias, cast

from teval.formats.json_values import literal
from teval.schema import OWN_KEY, Ability, Format, Message

Origin: TypeAlias = Literal["record", "prompt text", "file name"]

ABILITIES = ("instruct", "plan", "reason", "retrieve", "understand", "review")
JOINT = ("reason", "retrieve", "understand")
FIELDS: Mapping[str, Ability] = {"thought": "reason", "name": "retrieve", "args": "understand"}
"""Field of a record's ``ground_truth`` to the ability that asks for it."""
FORMATS: Mapping[str, Format] = {"json": "json", "str": "string", "string": "string"}
MOSTLY_CHINESE = 0.2
"""Share of Chinese characters among all letters of the user's turns that makes them Chinese."""

_HAN = re.compile(r"[\u4e00-\u9fff]")
_LETTER = re.compile(r"[^\W\d_]")


class Facts(NamedTuple):
    """What one record is about."""

    abilities: tuple[Ability, ...]
    format: Format
    language: str
    origins: tuple[Origin, Origin, Origin]
    """Where abilities, format and language were read."""


def facts_of(record: Mapping[str, object], messages: tuple[Message, ...], name: str) -> Facts | str:
    """Return what a record is about, or what can't be told.

    Each fact is taken from the record itself where it is there, and from the file's name only
    where it is not.

    Args:
        record: The record as it stands in the file.
        messages: Its prompt.
        name: The file's name without its ending.
    """
    words = name.lower().split("_")
    form = _form(record)
    abilities = _abilities(record, form)
    named = _abilities_of(words)
    known = abilities or named
    if not known:
        return "ability"
    whole = form or ("json" if len(known) > 1 else None) or _form_of(words)
    if whole is None:
        whole = "string" if set(known) & set(JOINT) else None
    if whole is None:
        return "format"
    language, heard = _language(record, messages, words)
    from_record = form is not None or len(known) > 1
    return Facts(
        known,
        whole,
        language,
        (
            "record" if abilities else "file name",
            "record" if from_record or _form_of(words) is None else "file name",
            heard,
        ),
    )


def _group(record: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def right_of(record: Mapping[str, object]) -> object:
    """Return a record's ``ground_truth``, a text of JSON or Python read."""
    value = record.get("ground_truth")
    if isinstance(value, str):
        read = literal(value)
        return value if read is None else read.value
    return value


def _form(record: Mapping[str, object]) -> Format | None:
    told = _group(record, "meta_data").get("response_format")
    told = told or _group(record, "meta").get("prompt_type")
    if isinstance(told, str) and told.lower() in FORMATS:
        return FORMATS[told.lower()]
    template = _group(record, "template")
    if "action_start" in template:
        return "string"
    return "json" if "action" in template else None


def _form_of(words: list[str]) -> Format | None:
    return next((FORMATS[word] for word in words if word in FORMATS), None)


def _abilities(record: Mapping[str, object], form: Format | None) -> tuple[Ability, ...]:
    """Return the abilities that a record's own fields tell; none where they tell several."""
    right = right_of(record)
    if isinstance(right, list) or "API_list" in _group(record, "meta"):
        return ("plan",)
    if not isinstance(right, dict):
        return ()
    if "action" in right:
        return ("instruct",)
    if "answer" in right:
        return ("review",)
    asked = tuple(ability for field, ability in FIELDS.items() if field in right)
    if len(asked) == 1:
        return asked
    return asked if asked == JOINT and form != "string" else ()


def _abilities_of(words: list[str]) -> tuple[Ability, ...]:
    if "rru" in words or set(JOINT) <= set(words):
        return JOINT
    return tuple(word for word in words if word in ABILITIES)[:1]


def _language(
    record: Mapping[str, object], messages: tuple[Message, ...], words: list[str]
) -> tuple[str, Origin]:
    for group in (record, *(_group(record, key) for key in ("meta_data", "meta", OWN_KEY))):
        if isinstance(group.get("language"), str):
            return cast(str, group["language"]), "record"
    said = "\n".join(message.content for message in messages if message.role == "user")
    chinese = len(_HAN.findall(said)) / (len(_LETTER.findall(said)) or 1)
    if chinese >= MOSTLY_CHINESE:
        return "zh", "prompt text"
    if said and (chinese == 0 or "zh" not in words):
        return "en", "prompt text"
    return ("zh" if "zh" in words else "en"), "file name"
