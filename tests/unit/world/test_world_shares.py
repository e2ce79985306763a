"""The shares toolkit."""

from __future__ import annotations

from datetime import date
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from more_world import (
    Values,
    calls,
    check_answers,
    check_described,
    check_misrouted,
    check_writes,
    listed,
    number,
    own_tools,
    part,
    small,
)
from world_cases import good, records, refused, text

from teval.schema import Fault, Json, JsonObject
from teval.world import World
from teval.world.toolkits.shares import Shares

KITS = {"shares": Shares}
TOOLS = own_tools(KITS)


def build(*faults: Fault) -> World:
    return small(KITS, 7, *faults)


def held(world: World) -> dict[str, JsonObject]:
    """The user's shares by symbol."""
    rows = listed(good(world, "shares.get_portfolio"), "holdings")
    return {text(row, "symbol"): row for row in rows}


def order(world: World, symbol: Json, side: str, quantity: int, **more: Json) -> JsonObject:
    args: JsonObject = {"symbol": symbol, "side": side, "quantity": quantity, **more}
    return part(good(world, "shares.place_order", **args), "order")


def prepared() -> World:
    world = build()
    for symbol in list(held(world))[:2]:
        order(world, symbol, "buy", 1, limit_price=0.5)
    return world


def test_writes_land_in_the_state() -> None:
    one, two, *_ = held(build())
    first, second = (o["id"] for o in records(prepared(), "share_orders")[-2:])
    check_writes(
        prepared,
        TOOLS,
        {
            "shares.place_order": (
                {"symbol": one, "side": "sell", "quantity": 1},
                {"symbol": two, "side": "buy", "quantity": 2, "limit_price": 99_999},
            ),
            "shares.cancel_order": ({"order_id": first}, {"order_id": second}),
        },
    )


def test_reads_are_described_and_can_be_misrouted() -> None:
    symbol = next(iter(held(build())))
    days: JsonObject = {"start_date": "2031-04-28", "end_date": "2031-05-02"}
    pair: JsonObject = {"from_currency": "EUR", "to_currency": "CHF"}
    reads: dict[str, JsonObject] = {
        "shares.find_shares": {"words": "Norwind"},
        "shares.get_quote": {"symbol": symbol},
        "shares.get_history": {"symbol": symbol, **days},
        "shares.get_exchange_rate": pair,
        "shares.convert_currency": {"amount": 20, **pair},
    }
    check_described(TOOLS, reads, {"shares.get_portfolio", "shares.list_orders"})
    check_misrouted(build, reads)


@cache
def values() -> Values:
    world = prepared()
    return {
        "words": ["Norwind", "energy", "é" * 90],
        "symbol": [*held(world), records(world, "shares")[0]["symbol"]],
        "quantity": [1, 3.0, 9],
        "limit_price": [0.01, 12.345, 99_999],
        "start_date": ["2031-04-07", "2030-12-01"],
        "end_date": ["2031-05-05", "2031-04-30"],
        "order_id": [o["id"] for o in records(world, "share_orders")],
        "amount": [1, 12.34, 10**9],
        "date": ["2031-05-05", "2031-01-02"],
    }


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_calls_are_answered(data: st.DataObject) -> None:
    check_answers(prepared(), data.draw(st.lists(calls(TOOLS, values()), min_size=1, max_size=9)))


@pytest.mark.parametrize("seed", range(4))
def test_companies_share_their_names(seed: int) -> None:
    world = small(KITS, seed)
    shares = records(world, "shares")
    names = [text(s, "company") for s in shares]
    assert len({s["symbol"] for s in shares}) == len(set(names)) == len(shares) >= 24
    assert len({name.split()[0] for name in names}) == 12
    assert len(held(world)) == 5
    orders = listed(good(world, "shares.list_orders", status="open"), "orders")
    assert {o["side"] for o in orders} == {"buy", "sell"}
    free = good(world, "shares.get_portfolio")
    assert 0 < number(free, "available_cash") < number(free, "cash") < number(free, "total_value")


def test_shares_are_found_by_any_of_their_words() -> None:
    world = build()
    share = records(world, "shares")[0]
    stem = text(share, "company").split()[0]
    found = listed(good(world, "shares.find_shares", words=stem.lower()), "shares")
    assert len(found) in (2, 3)
    assert all(text(s, "company").startswith(stem) for s in found)
    (one,) = listed(good(world, "shares.find_shares", words=text(share, "company")), "shares")
    assert one == {key: share[key] for key in ("symbol", "company", "sector")}


def test_a_quote_follows_the_last_close() -> None:
    world = build()
    for share in records(world, "shares"):
        args: JsonObject = {"symbol": text(share, "symbol").lower()}
        told = good(world, "shares.get_quote", **args)
        last = number(told, "previous_close")
        days: JsonObject = {"start_date": "2031-05-01", "end_date": "2031-05-05"}
        rows = listed(good(world, "shares.get_history", **args, **days), "prices")
        assert [r["date"] for r in rows] == ["2031-05-01", "2031-05-02"]
        assert rows[-1]["close"] == last
        assert told["price"] == share["price"]
        change = (number(told, "price") / last - 1) * 100
        assert number(told, "change_percent") == pytest.approx(change, abs=0.006)
        assert abs(change) < 3.5


def test_prices_stand_still_at_weekends() -> None:
    world = small(KITS, 7, clock="2031-05-10T09:00:00")
    symbol = records(world, "shares")[0]["symbol"]
    told = good(world, "shares.get_quote", symbol=symbol)
    assert (told["price"], told["change_percent"]) == (told["previous_close"], 0)


def test_a_history_has_a_price_a_trading_day_or_week() -> None:
    world = build()
    args: JsonObject = {"symbol": records(world, "shares")[3]["symbol"], "end_date": "2031-05-05"}
    month = good(world, "shares.get_history", **args, start_date="2031-04-05")
    days = listed(month, "prices")
    assert month["total"] == len(days) == 20
    assert all(date.fromisoformat(text(d, "date")).weekday() < 5 for d in days)
    weekly = good(world, "shares.get_history", **args, start_date="2031-04-05", interval="week")
    assert [p["date"] for p in listed(weekly, "prices")] == [
        "2031-04-11", "2031-04-18", "2031-04-25", "2031-05-02",
    ]  # fmt: skip
    assert all(p in days for p in listed(weekly, "prices"))
    half = good(world, "shares.get_history", **args, start_date="2030-11-05", interval="week")
    assert half["total"] == 26


def test_buying_and_selling_move_cash_and_shares() -> None:
    world = build()
    (symbol, row), *_ = held(world).items()
    before = good(world, "shares.get_portfolio")
    bought = order(world, symbol, "buy", 3)
    assert (bought["status"], bought["price"]) == ("filled", row["price"])
    after = good(world, "shares.get_portfolio")
    cost = round(3 * number(row, "price"), 2)
    assert number(after, "cash") == pytest.approx(number(before, "cash") - cost)
    assert number(after, "total_value") == pytest.approx(number(before, "total_value"))
    assert held(world)[symbol]["quantity"] == number(row, "quantity") + 3
    order(world, symbol, "sell", 3, limit_price=0.01)
    assert good(world, "shares.get_portfolio") == before
    new = next(s["symbol"] for s in records(world, "shares") if s["symbol"] not in held(world))
    order(world, new, "buy", 1)
    assert held(world)[str(new)]["quantity"] == 1
    order(world, new, "sell", 1)
    assert str(new) not in held(world)


def test_a_limit_against_the_price_stays_open_and_binds() -> None:
    world = build()
    (symbol, row), *_ = held(world).items()
    before = good(world, "shares.get_portfolio")
    waits = order(world, symbol, "buy", 2, limit_price=0.751)
    assert (waits["status"], waits["limit_price"], waits["price"]) == ("open", 0.75, None)
    after = good(world, "shares.get_portfolio")
    assert after["cash"] == before["cash"]
    bound = number(before, "available_cash") - number(after, "available_cash")
    assert bound == pytest.approx(1.5)
    everything = int(number(row, "quantity"))
    offered = order(world, symbol, "sell", everything, limit_price=99_000)
    assert offered["status"] == "open"
    none: JsonObject = {"symbol": symbol, "side": "sell", "quantity": 1}
    message = refused(world, "shares.place_order", **none)
    assert f"only 0 shares of {symbol} are free to sell, got 1" in message
    good(world, "shares.cancel_order", order_id=offered["order_id"])
    good(world, "shares.place_order", **none)
    again = refused(world, "shares.cancel_order", order_id=offered["order_id"])
    assert "is already cancelled" in again
    newest = listed(good(world, "shares.list_orders"), "orders")
    assert [o["status"] for o in newest[:3]] == ["filled", "cancelled", "open"]


def test_rates_are_told_and_used_alike() -> None:
    world = build()
    pair: JsonObject = {"from_currency": "JPY", "to_currency": "PLN"}
    rate = number(good(world, "shares.get_exchange_rate", **pair), "rate")
    assert 0.02 < rate < 0.035
    told = good(world, "shares.convert_currency", amount=1234.5, **pair)
    assert (told["rate"], told["result"]) == (rate, round(1234.5 * rate, 2))
    back = good(world, "shares.get_exchange_rate", from_currency="PLN", to_currency="JPY")
    assert number(back, "rate") * rate == pytest.approx(1, rel=1e-4)
    past = good(world, "shares.get_exchange_rate", **pair, date="2031-01-02")
    assert past["date"] == "2031-01-02"
    assert past["rate"] != rate
    same = good(world, "shares.get_exchange_rate", from_currency="EUR", to_currency="EUR")
    assert same["rate"] == 1


@pytest.mark.parametrize(
    ("tool", "args", "message"),
    [
        ("find_shares", {"words": "?"}, "words must hold at least one word"),
        ("get_quote", {"symbol": "Norwind Labs"}, "shares.find_shares shows the ids"),
        ("get_history", {"start_date": "2031-03-01", "end_date": "2031-05-05"}, "1 to 31 by day"),
        ("get_history", {"start_date": "2031-05-02", "end_date": "2031-05-01"}, "are 0 days; ask"),
        (
            "get_history",
            {"start_date": "2031-05-02", "end_date": "2031-05-06"},
            "to 2031-05-05, got",
        ),
        ("place_order", {"side": "buy", "quantity": 0}, "quantity must be 1 to 10000, got 0"),
        ("place_order", {"side": "hold", "quantity": 1}, "side must be one of buy, sell"),
        ("place_order", {"side": "buy", "quantity": 10_000}, "dollars, but only"),
        ("place_order", {"side": "buy", "quantity": 1, "limit_price": -1}, "limit_price must be"),
        ("cancel_order", {"order_id": "ORD-0000"}, "no order 'ORD-0000'; ids begin with ORD-"),
        ("get_exchange_rate", {"from_currency": "DKK", "to_currency": "EUR"}, "one of USD, EUR"),
        (
            "get_exchange_rate",
            {"from_currency": "EUR", "to_currency": "USD", "date": "2031-05-06"},
            "date must be a day from 2030-05-04 to 2031-05-05, got 2031-05-06",
        ),
        (
            "convert_currency",
            {"amount": 0, "from_currency": "EUR", "to_currency": "USD"},
            "amount must be 0.01 to 1000000000, got 0",
        ),
    ],
)
def test_calls_that_make_no_sense(tool: str, args: JsonObject, message: str) -> None:
    world = build()
    wants = tool in {"get_history", "place_order"}
    needed: JsonObject = {"symbol": records(world, "shares")[0]["symbol"]} if wants else {}
    assert message in refused(world, f"shares.{tool}", **{**needed, **args})
