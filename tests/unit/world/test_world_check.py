"""Calls that do not fit a tool's description."""

from __future__ import annotations

import pytest
from world_cases import ask, build, good, refused

from teval.schema import Argument, Comparator, Json, JsonObject, Tool
from teval.world.check import MOST_NUMBER, check
from teval.world.values import InputError

NAN, INF = float("nan"), float("inf")
OPTIONAL = Argument(name="", type="string", description="", required=False)


def optional(name: str, **update: object) -> Argument:
    return OPTIONAL.model_copy(update={"name": name, **update})


TOOL = Tool(
    name="shop.order",
    description="Order goods.",
    arguments=(
        Argument(name="item", type="string", description="what"),
        optional("note", compare=Comparator(kind="text")),
        optional("count", type="integer", has_default=True, default=1),
        optional("price", type="number", has_default=True),
        optional("gift", type="boolean"),
        optional("tags", type="array", items="string"),
        optional("size", enum=("small", "large")),
        optional("extra", type="object"),
    ),
)


@pytest.mark.parametrize(
    ("args", "read"),
    [
        ({}, {}),
        ({"count": 3}, {"count": 3}),
        ({"count": 3.0}, {"count": 3}),
        ({"price": 3}, {"price": 3}),
        ({"price": 2.5}, {"price": 2.5}),
        ({"price": None}, {}),
        ({"gift": False}, {"gift": False}),
        ({"tags": []}, {"tags": []}),
        ({"tags": ["a", "b"]}, {"tags": ["a", "b"]}),
        ({"size": "large"}, {"size": "large"}),
        ({"extra": {"a": [1]}}, {"extra": {"a": [1]}}),
        ({"note": "é" * 300}, {"note": "é" * 300}),
    ],
)
def test_what_fits_is_read(args: JsonObject, read: JsonObject) -> None:
    found = check(TOOL, {"item": "tea", **args})
    assert found == {"item": "tea", **read}
    assert all(type(found[k]) is type(v) for k, v in read.items())


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"item": None}, "item must be of type string, got null"),
        ({"item": 5}, "item must be of type string, got number 5"),
        ({"item": ["tea"]}, "item must be of type string, got list"),
        ({"item": {"name": "tea"}}, "item must be of type string, got object"),
        ({"item": "x" * 300}, "item is too long: at most 200 bytes, got 300 characters"),
        ({"item": "\x01" * 60}, "item is too long"),
        ({"item": "\ud800"}, "item is not valid Unicode"),
        ({"note": "x" * 700}, "note is too long: at most 600 bytes"),
        ({"count": "5"}, "count must be of type integer, got string '5'"),
        ({"count": 2.5}, "count must be of type integer, got number 2.5"),
        ({"count": True}, "count must be of type integer, got boolean true"),
        ({"count": None}, "count must be of type integer, got null"),
        ({"count": NAN}, "count must be of type integer, got number"),
        ({"count": 10**5000}, f"count must be a number within ±{MOST_NUMBER}"),
        ({"price": False}, "price must be of type number, got boolean false"),
        ({"price": NAN}, f"price must be a number within ±{MOST_NUMBER}"),
        ({"price": -INF}, f"price must be a number within ±{MOST_NUMBER}"),
        ({"gift": 1}, "gift must be of type boolean, got number 1"),
        ({"gift": "true"}, "gift must be of type boolean, got string 'true'"),
        ({"tags": "a"}, "tags must be of type list of strings, got string 'a'"),
        ({"tags": ["a", 1]}, "tags must be of type list of strings, got list"),
        ({"tags": ["a"] * 9}, "tags may hold at most 8 values, got 9"),
        ({"tags": ["x" * 201]}, "tags is too long"),
        ({"size": "Large"}, "size must be one of small, large; got 'Large'"),
        ({"extra": "a"}, "extra must be of type object, got string 'a'"),
        ({"when": 1}, "unknown argument 'when'; known: 'count, extra, gift, "),
        ({"cuont": 2}, "unknown argument 'cuont'; did you mean count?"),
    ],
)
def test_what_does_not_fit_is_refused(args: JsonObject, message: str) -> None:
    with pytest.raises(InputError) as error:
        check(TOOL, {"item": "tea", **args})
    assert str(error.value).startswith(message)
    assert len(str(error.value)) < 400


def test_a_missing_argument_is_named() -> None:
    with pytest.raises(InputError, match="missing required argument 'item'"):
        check(TOOL, {})


def test_the_world_answers_misfits_with_input_errors() -> None:
    world = build()
    assert "did you mean weather.get_forecast" in refused(world, "weather.get_forcast", city="x")
    assert "unknown tool ''" in refused(world, "")
    assert "unknown tool" in refused(world, "FinishAction")
    assert "missing required argument 'date'" in refused(
        world, "weather.get_forecast", city="Larkspur"
    )
    assert "unknown tool" in refused(world, "calendar." + "x" * 100_000)
    assert "boolean true" in refused(world, "weather.get_climate", city="Larkspur", month=True)


def test_arguments_that_nest_deeply_are_refused() -> None:
    nested: Json = "x"
    for _ in range(100):
        nested = [nested]
    assert ask(build(), "weather.get_current", city=nested).status == "input_error"


def test_an_optional_argument_may_be_null() -> None:
    world = build()
    assert good(world, "mail.search_mail", words="booking", sender=None) == good(
        world, "mail.search_mail", words="booking"
    )
