"""Cases and completions for tests of scoring, made by hand."""

from __future__ import annotations

from typing import Literal

from teval.schema import Case, Completion, Format, JsonObject, Message, ReviewLabel

Finish = Literal["stop", "length", "overflow", "error"]


def review_case(
    name: str = "c", gold: ReviewLabel = "B", form: Format = "string", family: str = "f"
) -> Case:
    """A case that asks for one letter; its prompt hash is its name."""
    return make_case(name, "review", form, {"review": gold}, family)


def make_case(name: str, ability: str, form: Format, gold: JsonObject, family: str = "f") -> Case:
    """A case whose prompt hash is its name."""
    return Case(
        id=name,
        ability=ability,
        format=form,
        language="en",
        family=family,
        path=f"{family}_01",
        step=1,
        messages=(Message(role="user", content=f"Q {name}"),),
        tools=("mail.send", "mail.search"),
        gold=gold,
        prompt=name,
    )


def done(text: str, finish: Finish = "stop", error: str = "") -> Completion:
    """An engine's answer."""
    return Completion(request="r", prompt="c", text=text, finish=finish, error=error)
