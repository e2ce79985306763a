"""Families: what paths are made from, as read from YAML."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from teval.authoring.templates import Condition, Expression, Template, names
from teval.schema import ASK, Frozen, Json, JsonObject, ReviewLabel

STATUSES: Mapping[ReviewLabel, tuple[str, ...]] = {
    "A": ("ok",),
    "B": ("internal_error",),
    "C": ("input_error",),
    "D": ("ok",),
    "E": ("ok", "input_error"),
}
"""The observation statuses that go with a review."""

TODAY = "today"
"""Name of the clock's date in templates."""


def _check_name(text: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", text):
        raise ValueError(
            "a name has small letters, digits and underscores, and begins with a letter"
        )
    return text


def _check_clock(text: str) -> str:
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", text):
        raise ValueError("a clock is written like 2031-05-04T09:00:00")
    dt.datetime.fromisoformat(text)
    return text


Name = Annotated[str, AfterValidator(_check_name)]
Clock = Annotated[str, AfterValidator(_check_clock)]


class Binding(Frozen):
    """A value taken from a slot or from an earlier observation."""

    model_config = ConfigDict(populate_by_name=True)

    source: str = Field(alias="from")
    """Name of a slot or of an earlier step."""
    path: Expression = "@"
    """JMESPath into the slot's value or the observation's content."""


def binding(value: Json) -> Binding | None:
    """Return the binding that a mapping with the key ``from`` stands for, or None.

    Raises:
        pydantic.ValidationError: The mapping has ``from`` but is no binding.
    """
    if isinstance(value, dict) and "from" in value:
        return Binding.model_validate(value)
    return None


def read_names(value: Json) -> frozenset[str]:
    """Return the names of slots and steps that an argument's value reads.

    Args:
        value: A template, a binding, a literal, or lists and mappings of them.
    """
    if isinstance(value, str):
        return names(value)
    bound = binding(value)
    if bound is not None:
        return frozenset({bound.source})
    parts: Iterable[Json] = ()
    if isinstance(value, list):
        parts = value
    elif isinstance(value, dict):
        parts = value.values()
    return frozenset[str]().union(*(read_names(part) for part in parts))


class Slot(Frozen):
    """One value that differs from path to path; exactly one source is given."""

    view: Template | None = None
    """JMESPath over the world's whole state; one element of the list found is drawn."""
    among: tuple[Json, ...] = ()
    """Literals; one is drawn."""
    text: Template | None = None
    """A template over the slots before."""
    told_by: Name | None = None
    """The step whose observation first tells the value, where the query does not; arguments that
    read the slot depend on that step."""
    where: Condition | None = None
    """Condition on a candidate, which is called ``it`` there, and on the slots before."""

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.view is not None) + bool(self.among) + (self.text is not None) != 1:
            raise ValueError("give exactly one of view, among and text")
        return self


class Facts(Frozen):
    """What a free-text argument must and must not say, as templates."""

    facts: tuple[Template, ...]
    contradictions: tuple[Template, ...] = ()
    accepted: tuple[Template, ...] = ()


class OtherCall(Frozen):
    """A call that is as right as the step's own."""

    call: str
    args: JsonObject = {}


class FamilyStep(Frozen):
    """One step before its slots are filled."""

    id: Name
    variants: tuple[Name, ...] = ()
    """The variants that have this step; all where empty."""
    thought: Template
    also: tuple[Template, ...] = Field(min_length=1)
    """Other phrasings of the thought."""
    call: str
    args: JsonObject = {}
    """Literals, templates, bindings, and lists and mappings of them."""
    review: ReviewLabel = "A"
    sound: bool | None = None
    """Where left out: whether the review is A, B or D, for which the call is not to blame."""
    planned: bool | None = None
    """Where left out: whether the review is A."""
    fault: Literal["timeout", "rate_limit", "unavailable", "malformed", "misrouted"] | None = None
    """How the world fails this call."""
    lost: tuple[str, ...] = ()
    """Keys that a failed service takes of the answer, where what later steps read and tell does not
    show what they need."""
    fits: bool = True
    """Whether the arguments fit the tool's description. The world counts only such calls, and the
    count tells which call a fault is for; a wrong entry is refused."""
    needs: tuple[Name, ...] = ()
    """Earlier steps this one depends on, beside those its arguments are bound to."""
    expect: Condition | None = None
    """Condition on slots and observations; a draw for which it fails is not used."""
    alternatives: tuple[OtherCall, ...] = ()
    accepts: dict[str, tuple[Json, ...]] = {}
    text: dict[str, Facts] = {}

    @model_validator(mode="after")
    def _failed_to_lose(self) -> Self:
        if self.lost and self.fault in (None, "misrouted"):
            raise ValueError("lost: only a failed service takes keys; name it as fault")
        return self

    @property
    def is_sound(self) -> bool:
        """Whether the call is the right one to make here."""
        return self.review in "ABD" if self.sound is None else self.sound

    @property
    def is_planned(self) -> bool:
        """Whether the call belongs into a plan made before anything was seen."""
        return self.review == "A" if self.planned is None else self.planned

    def reads(self) -> Iterator[tuple[str, frozenset[str]]]:
        """Yield key and names read, for all that is filled before the call."""
        yield "args", read_names(self.args)
        for other in self.alternatives:
            yield "alternatives", read_names(other.args)
        for template in (self.thought, *self.also):
            yield "thought", names(template)
        for values in self.accepts.values():
            yield "accepts", read_names(list(values))
        for facts in self.text.values():
            told = (*facts.facts, *facts.contradictions, *facts.accepted)
            yield "text", frozenset[str]().union(*map(names, told))


class Finish(Frozen):
    """The step that ends a path."""

    thought: Template
    also: tuple[Template, ...] = Field(min_length=1)


class FamilyAnswer(Frozen):
    """The final answer before its slots are filled."""

    text: Template
    facts: tuple[Template, ...] = Field(min_length=1)


class Family(Frozen):
    """What a handful of paths are made from: one story, told with different values."""

    id: Name
    tags: tuple[str, ...] = ()
    tools: tuple[str, ...] = Field(min_length=10, max_length=18)
    """Tools listed with every path, the two pseudo-tools left out."""
    clock: Clock
    """The frozen present, ISO 8601 without zone."""
    variants: tuple[Name, ...] = ("plain",)
    """Courses that the story can take; path *n* takes number *n* modulo their count."""
    slots: dict[Name, Slot]
    queries: tuple[Template, ...] = Field(min_length=3)
    """Phrasings; path *n* uses number *n* modulo their count."""
    user: tuple[Template, ...] = ()
    """What the user says when asked: one reply a question."""
    steps: tuple[FamilyStep, ...]
    finish: Finish
    answer: FamilyAnswer

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        known = {TODAY}
        for name, slot in self.slots.items():
            _claim(f"slots.{name}", name, known)
            read = names(slot.view or slot.text or "") | _condition_names(slot.where)
            _check_known(f"slots.{name}", read, known | {"it"})
            known.add(name)
        for key, texts in (("queries", self.queries), ("user", self.user)):
            for text in texts:
                _check_known(key, names(text), known)
        for step in self.steps:
            _check_known(f"steps.{step.id}.variants", frozenset(step.variants), {*self.variants})
        if bool(self.user) != any(step.call == ASK for step in self.steps):
            raise ValueError(f"user: give it where a step calls {ASK}, and only there")
        told_by = {slot.told_by for slot in self.slots.values() if slot.told_by}
        _check_known("slots: told_by", frozenset(told_by), {step.id for step in self.steps})
        for variant in self.variants:
            _check_story(self, variant, set(known))
        return self

    @property
    def toolkits(self) -> frozenset[str]:
        """Names of the toolkits that its calls are of."""
        calls = (step.call for step in self.steps if step.call != ASK)
        return frozenset(call.partition(".")[0] for call in calls)

    def story(self, variant: str) -> tuple[FamilyStep, ...]:
        """Return the steps of one variant, in order."""
        return tuple(s for s in self.steps if not s.variants or variant in s.variants)


def _check_story(family: Family, variant: str, known: set[str]) -> None:
    seen: set[str] = set()
    for step in family.story(variant):
        where = f"steps.{step.id}"
        for key, read in step.reads():
            _check_known(f"{where}.{key} in variant {variant}", read, known)
        _check_known(f"{where}.needs in variant {variant}", frozenset(step.needs), seen)
        _claim(where, step.id, known)
        known.add(step.id)
        seen.add(step.id)
        _check_known(f"{where}.expect in variant {variant}", _condition_names(step.expect), known)
    ending = (family.finish.thought, *family.finish.also, family.answer.text, *family.answer.facts)
    for template in ending:
        _check_known(f"finish or answer in variant {variant}", names(template), known)


def _condition_names(condition: str | None) -> frozenset[str]:
    return names("{{ " + condition + " }}") if condition else frozenset()


def _claim(where: str, name: str, taken: set[str]) -> None:
    if name in taken:
        raise ValueError(f"{where}: the name {name!r} is taken")


def _check_known(where: str, read: frozenset[str], known: set[str]) -> None:
    unknown = sorted(read - known)
    if unknown:
        raise ValueError(f"{where}: nothing is called {', '.join(unknown)} here")
