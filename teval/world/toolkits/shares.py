"""Share prices, the user's portfolio and orders, and exchange rates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Literal, TypeAlias

from teval.schema import JsonObject
from teval.world.market import (
    PAST_DAYS,
    Account,
    Currency,
    Holding,
    Order,
    Share,
    Side,
    Status,
    closes,
    price_now,
    rate_on,
    shares_of,
)
from teval.world.reading import pick, within
from teval.world.tool import Money, Text, When, tool
from teval.world.toolkit import Toolkit
from teval.world.values import InputError, holds, minute, page, read_day, read_words

Interval: TypeAlias = Literal["day", "week"]
_REACH: dict[Interval, int] = {"day": 31, "week": 182}
"""Most days that one history may span."""
_MOST_SHARES = 10_000
_MOST_PRICE = 100_000
_MOST_AMOUNT = 10**9
_ACCOUNT = "BROKER"


class Shares(Toolkit):
    """A market whose prices stand still at the present moment, and the user's account in it."""

    def seed(self) -> None:
        """Put the user's cash, five holdings, and two open orders far from the price."""
        rng = self.setting.rng("portfolio")
        symbols = list(shares_of(self.setting))
        rng.shuffle(symbols)
        self.state.put(Account(id=_ACCOUNT, cash=float(rng.randrange(4000, 15000))))
        for symbol in symbols[:5]:
            self.state.put(Holding(id=symbol, quantity=rng.randrange(10, 120)))
        placed = minute(self.setting.now - timedelta(days=1))
        sides: tuple[Side, ...] = ("sell", "buy")
        for symbol, side, percent in zip(symbols[4:6], sides, (130, 80), strict=True):
            limit = price_now(self.setting, symbol) * percent // 100 / 100
            order = self._order(symbol, side, rng.randrange(2, 9), limit)
            self.state.add(order.model_copy(update={"placed": placed}), self.setting, "ORD")

    def others(self, argument: str) -> Sequence[str]:
        """Return company names, symbols or currencies."""
        shares = shares_of(self.setting)
        values: dict[str, Sequence[str]] = {
            "words": [share.company for share in shares.values()],
            "symbol": list(shares),
            "to_currency": ("USD", "EUR", "GBP", "CHF", "SEK", "NOK", "PLN", "CAD", "AUD"),
        }
        return values.get(argument, ())

    def view(self) -> JsonObject:
        """Return all shares with their present price in dollars."""
        return {
            "shares": [
                {**share.model_dump(mode="json"), "price": self._price(share.symbol)}
                for share in shares_of(self.setting).values()
            ]
        }

    @tool("read", decoy="words")
    def find_shares(self, words: Text) -> JsonObject:
        """Find the symbols of listed companies by name or sector. Gives no prices.

        Args:
            words: Words that must all occur in company name, sector or symbol.

        Returns:
            Shares with symbol, company and sector; none if nothing fits.

        Raises:
            InputError: No words.
        """
        wanted = read_words(words, "words")
        found: list[JsonObject] = [
            share.model_dump(mode="json")
            for share in shares_of(self.setting).values()
            if holds(wanted, share.company, share.sector, share.symbol)
        ]
        return {"words": words[:60], **page("shares", found)}

    @tool("read", decoy="symbol")
    def get_quote(self, symbol: str) -> JsonObject:
        """Get the present price of one share.

        Args:
            symbol: Symbol of the share, such as NORLS.X.

        Returns:
            Symbol, company, price and last closing price in dollars, change in percent since then,
            and time of the quote.

        Raises:
            InputError: No such symbol.
        """
        share = self._share(symbol)
        price, last = self._price(share.symbol), [*closes(self.setting, share.symbol).values()][-1]
        return {
            "symbol": share.symbol,
            "company": share.company,
            "price": price,
            "previous_close": last / 100,
            "change_percent": round(price / last * 10_000 - 100, 2),
            "time": minute(self.setting.now),
        }

    @tool("read", decoy="symbol")
    def get_history(
        self, symbol: str, start_date: When, end_date: When, interval: Interval = "day"
    ) -> JsonObject:
        """Get closing prices of one share over past days. There are none at weekends, nor yet for today.

        Args:
            symbol: Symbol of the share, such as NORLS.X.
            start_date: First day as YYYY-MM-DD, at most 366 days ago.
            end_date: Last day as YYYY-MM-DD, today at the latest; at most 31 days in all by day,
                182 by week.
            interval: One price a trading day, or a week (that of its last trading day).

        Returns:
            Days with closing price in dollars, oldest first.

        Raises:
            InputError: No such symbol; days out of range or too many.
        """  # noqa: E501
        share, today = self._share(symbol), self.setting.today
        first = self._past(start_date, "start_date")
        last = self._past(end_date, "end_date")
        days, most = (last - first).days + 1, _REACH[interval]
        if not 1 <= days <= most:
            raise InputError(
                f"from {first} to {last} are {days} days; ask for 1 to {most} by {interval}"
            )
        known = closes(self.setting, share.symbol)
        some = [day for day in known if first <= day <= last and day < today]
        if interval == "week":
            some = list({day.isocalendar()[:2]: day for day in some}.values())
        told: list[JsonObject] = [{"date": str(day), "close": known[day] / 100} for day in some]
        return {"symbol": share.symbol, "interval": interval, **page("prices", told)}

    @tool("read")
    def get_portfolio(self) -> JsonObject:
        """Get the user's cash and shares, valued at present prices.

        Returns:
            Cash, cash not bound by open buy orders, and total value in dollars; holdings with
            symbol, quantity, price and value.
        """
        account = self._account()
        held = [h for h in self.state.all(Holding) if h.quantity]
        values = {h.id: round(h.quantity * self._price(h.id), 2) for h in held}
        rows: list[JsonObject] = [
            {
                "symbol": h.id,
                "quantity": h.quantity,
                "price": self._price(h.id),
                "value": values[h.id],
            }
            for h in held
        ]
        money: JsonObject = {
            "cash": account.cash,
            "available_cash": self._free_cash(),
            "total_value": round(account.cash + sum(values.values()), 2),
        }
        return {**money, **page("holdings", rows)}

    @tool("read")
    def list_orders(self, status: Literal[Status, "all"] = "all") -> JsonObject:
        """List the user's share orders, newest first.

        Args:
            status: Which orders to list.

        Returns:
            Orders with id, symbol, side, quantity, limit price, price paid, time and status.
        """
        orders = [o for o in self.state.all(Order) if status in (o.status, "all")]
        return page("orders", [_entry(order) for order in reversed(orders)])

    @tool("write")
    def place_order(
        self, symbol: str, side: Side, quantity: int, limit_price: Money | None = None
    ) -> JsonObject:
        """Order shares to buy or sell. Filled at once at the present price, unless a limit stands against it; then it stays open.

        Args:
            symbol: Symbol of the share, such as NORLS.X.
            side: Whether to buy or to sell.
            quantity: Number of shares, 1 to 10000.
            limit_price: Highest price to pay or lowest to take, in dollars a share; any if left
                out.

        Returns:
            The order with its id, status (filled or open) and price in dollars a share.

        Raises:
            InputError: No such symbol; number or limit out of range; too little free cash; too few
                free shares.
        """  # noqa: E501
        share = self._share(symbol)
        within(quantity, "quantity", 1, _MOST_SHARES)
        if limit_price is not None:
            within(limit_price, "limit_price", 0.01, _MOST_PRICE)
        limit = None if limit_price is None else round(float(limit_price), 2)
        order = self._order(share.symbol, side, quantity, limit)
        self._refuse_uncovered(order)
        stored = self.state.add(order, self.setting, "ORD")
        if stored.price is not None:
            self._settle(stored, stored.price)
        return {"order": _entry(stored)}

    @tool("write")
    def cancel_order(self, order_id: str) -> JsonObject:
        """Cancel an open share order.

        Args:
            order_id: Id of the order, such as ORD-7Q2K.

        Returns:
            The order's id, symbol and status.

        Raises:
            InputError: No such order; already filled or cancelled.
        """
        orders = {order.id: order for order in self.state.all(Order)}
        order = pick(orders, order_id, "order", "shares.list_orders")
        if order.status != "open":
            raise InputError(f"order {order.id} is already {order.status}")
        self.state.put(order.model_copy(update={"status": "cancelled"}))
        return {"order_id": order.id, "symbol": order.symbol, "status": "cancelled"}

    @tool("read", decoy="to_currency")
    def get_exchange_rate(
        self, from_currency: Currency, to_currency: Currency, date: When | None = None
    ) -> JsonObject:
        """Get the exchange rate of two currencies, today's or that of a past day.

        Args:
            from_currency: Currency of which one unit is valued.
            to_currency: Currency in which it is valued.
            date: Day as YYYY-MM-DD, at most 366 days ago; today if left out.

        Returns:
            Both currencies, the day, and how much one unit of the first is in the second.

        Raises:
            InputError: Unknown currency; day in the future or too long ago.
        """
        day = self.setting.today if date is None else self._past(date, "date")
        rate = rate_on(self.setting, from_currency, to_currency, day)
        pair: JsonObject = {"from_currency": from_currency, "to_currency": to_currency}
        return {**pair, "date": str(day), "rate": rate}

    @tool("read", decoy="to_currency")
    def convert_currency(
        self, amount: Money, from_currency: Currency, to_currency: Currency
    ) -> JsonObject:
        """Convert an amount of money into another currency at today's rate. Moves no money.

        Args:
            amount: Amount in the first currency, 0.01 to 1000000000.
            from_currency: Currency of the amount.
            to_currency: Currency wanted.

        Returns:
            The amount, both currencies, today's rate, and the result rounded to the cent.

        Raises:
            InputError: Amount out of range; unknown currency.
        """
        within(amount, "amount", 0.01, _MOST_AMOUNT)
        rate = rate_on(self.setting, from_currency, to_currency, self.setting.today)
        pair: JsonObject = {"from_currency": from_currency, "to_currency": to_currency}
        return {"amount": amount, **pair, "rate": rate, "result": round(amount * rate, 2)}

    def _share(self, symbol: str) -> Share:
        return pick(shares_of(self.setting), symbol, "share", "shares.find_shares")

    def _price(self, symbol: str) -> float:
        return price_now(self.setting, symbol) / 100

    def _past(self, text: str, argument: str) -> date:
        today = self.setting.today
        day = read_day(text, argument, today)
        if day > today:
            raise InputError(
                f"{argument} must be a day from {today - timedelta(PAST_DAYS)} to {today}, "
                f"got {day}"
            )
        return day

    def _account(self) -> Account:
        return self.state.all(Account)[0]

    def _open(self, side: Side) -> Iterable[Order]:
        return (o for o in self.state.all(Order) if (o.status, o.side) == ("open", side))

    def _free_cash(self) -> float:
        bound = sum(order.quantity * (order.limit_price or 0) for order in self._open("buy"))
        return round(self._account().cash - bound, 2)

    def _free_shares(self, symbol: str) -> int:
        held = self.state.get(Holding, symbol)
        bound = sum(order.quantity for order in self._open("sell") if order.symbol == symbol)
        return (held.quantity if held else 0) - bound

    def _order(self, symbol: str, side: Side, quantity: int, limit: float | None) -> Order:
        """Return the order as it stands after meeting the market."""
        price = self._price(symbol)
        waits = limit is not None and (price > limit if side == "buy" else price < limit)
        return Order(
            id="",
            symbol=symbol,
            side=side,
            quantity=quantity,
            limit_price=limit,
            price=None if waits else price,
            placed=minute(self.setting.now),
            status="open" if waits else "filled",
        )

    def _refuse_uncovered(self, order: Order) -> None:
        if order.side == "sell":
            free = self._free_shares(order.symbol)
            if order.quantity > free:
                raise InputError(
                    f"only {free} shares of {order.symbol} are free to sell, got {order.quantity}; "
                    "shares.get_portfolio and shares.list_orders show them"
                )
            return
        cost = round(order.quantity * (order.price or order.limit_price or 0), 2)
        if cost > self._free_cash():
            raise InputError(
                f"{order.quantity} shares of {order.symbol} cost {cost} dollars, "
                f"but only {self._free_cash()} are free"
            )

    def _settle(self, order: Order, price: float) -> None:
        sign = 1 if order.side == "buy" else -1
        account, held = self._account(), self.state.get(Holding, order.symbol)
        cash = round(account.cash - sign * order.quantity * price, 2)
        self.state.put(account.model_copy(update={"cash": cash}))
        quantity = (held.quantity if held else 0) + sign * order.quantity
        self.state.put(Holding(id=order.symbol, quantity=quantity))


def _entry(order: Order) -> JsonObject:
    return {"order_id": order.id, **order.model_dump(mode="json", exclude={"id"})}
