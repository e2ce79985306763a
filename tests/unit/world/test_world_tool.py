"""Tools described from signature and docstring."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import pytest
from world_cases import build

from teval.schema import Argument, Comparator, JsonObject
from teval.world.tool import StrSet, Text, When, describe, tool


class Shop:
    """A toolkit to describe."""

    @tool("write", decoy="item")
    def order(
        self,
        item: str,
        note: Text,
        day: When | None = None,
        count: int = 1,
        price: Annotated[float, Comparator(kind="number", tolerance=0.5)] = 2.5,
        gift: bool = False,
        tags: StrSet | None = None,
        size: Literal["small", "large"] = "small",
    ) -> JsonObject:
        """Order goods
        from the shop.

        Args:
            item: What to order.
            note: Words to
                the seller: kind ones.
            day: When it is needed.
            count: How many.
            price: Most it may cost.
            gift: Whether to wrap it.
            tags: Labels.
            size: Size.

        Returns:
            The order's id.

        Raises:
            InputError: Unknown item; too
                many.
        """
        return {}

    @tool("read")
    def hours(self) -> JsonObject:
        """Opening hours."""
        return {}

    def plain(self) -> JsonObject:
        """No tool."""
        return {}

    @tool("read")
    def untold(self, item: str) -> JsonObject:
        """Tells nothing of its argument."""
        return {}

    @tool("read")
    def odd(self, item: bytes) -> JsonObject:
        """Takes what JSON has not.

        Args:
            item: Bytes.
        """
        return {}


def test_a_tool_is_described_by_signature_and_docstring() -> None:
    found = describe(Shop().order, "shop")
    assert found.name == "shop.order"
    assert found.description == "Order goods from the shop. Errors: unknown item; too many."
    assert found.returns == "The order's id."
    assert (found.effect, found.toolkit) == ("write", "shop")
    text, number = Comparator(kind="text"), Comparator(kind="number", tolerance=0.5)
    assert found.arguments == (
        Argument(name="item", type="string", description="What to order."),
        Argument(
            name="note",
            type="string",
            description="Words to the seller: kind ones.",
            compare=text,
        ),
        Argument(
            name="day",
            type="string",
            description="When it is needed.",
            required=False,
            has_default=True,
            compare=Comparator(kind="datetime"),
        ),
        Argument(
            name="count",
            type="integer",
            description="How many.",
            required=False,
            has_default=True,
            default=1,
        ),
        Argument(
            name="price",
            type="number",
            description="Most it may cost.",
            required=False,
            has_default=True,
            default=2.5,
            compare=number,
        ),
        Argument(
            name="gift",
            type="boolean",
            description="Whether to wrap it.",
            required=False,
            has_default=True,
            default=False,
        ),
        Argument(
            name="tags",
            type="array",
            items="string",
            description="Labels.",
            required=False,
            has_default=True,
            compare=Comparator(kind="set"),
        ),
        Argument(
            name="size",
            type="string",
            description="Size.",
            required=False,
            has_default=True,
            default="small",
            enum=("small", "large"),
        ),
    )


def test_a_tool_without_arguments_has_none() -> None:
    found = describe(Shop().hours, "shop")
    assert (found.description, found.arguments, found.returns) == ("Opening hours.", (), "")


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (Shop().plain, "is not marked as a tool"),
        (Shop().untold, "describes .*, not"),
        (Shop().odd, "has no JSON type"),
    ],
)
def test_what_can_not_be_described_is_an_error(
    method: Callable[..., JsonObject], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        describe(method, "shop")


def test_the_listing_is_large_enough_and_terse_enough() -> None:
    tools = build().tools
    names = [t.name for t in tools]
    assert names == sorted(set(names))
    assert len(tools) >= 80
    assert len({t.toolkit for t in tools}) >= 16
    assert sum(t.effect == "write" for t in tools) >= 0.4 * len(tools)
    for listed in tools:
        assert 4 <= len(listed.description.split()) <= 48, listed.name
        assert listed.returns.endswith("."), listed.name
        for argument in listed.arguments:
            assert 2 <= len(argument.description.split()) <= 26, (listed.name, argument.name)
            assert argument.required != argument.has_default
    kinds = {a.compare.kind for t in tools for a in t.arguments}
    assert kinds == {"exact", "number", "datetime", "set", "text"}
