"""Share prices and exchange rates: what stands behind the shares toolkit."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from functools import lru_cache
from random import Random
from typing import ClassVar, Literal, TypeAlias

from teval.schema import Frozen
from teval.world.setting import Setting
from teval.world.state import Record

Currency: TypeAlias = Literal["USD", "EUR", "GBP", "CHF", "JPY", "SEK", "NOK", "PLN", "CAD", "AUD"]
Side: TypeAlias = Literal["buy", "sell"]
Status: TypeAlias = Literal["open", "filled", "cancelled"]
PAST_DAYS = 366
"""Prices and rates reach so many days back."""
_PER_DOLLAR: Mapping[Currency, float] = {
    "USD": 1.0, "EUR": 0.9, "GBP": 0.8, "CHF": 0.86, "JPY": 146.0, "SEK": 10.2, "NOK": 10.6,
    "PLN": 3.9, "CAD": 1.35, "AUD": 1.5,
}  # fmt: skip
_STEMS = (
    "Norwind", "Halcyon", "Bluefern", "Calder", "Ostrane", "Pinemark", "Velora", "Sunmere",
    "Corvane", "Larkfield", "Ironmere", "Quillon",
)  # fmt: skip
_TRADES = (
    ("Labs", "technology"), ("Energy", "energy"), ("Foods", "food"), ("Shipping", "transport"),
    ("Optics", "technology"), ("Pharma", "health"), ("Timber", "materials"), ("Rail", "transport"),
    ("Banking", "finance"), ("Water", "utilities"),
)  # fmt: skip


class Share(Frozen):
    """A listed company; prices are another matter."""

    symbol: str
    company: str
    sector: str


class Account(Record):
    """The user's money with the broker."""

    table: ClassVar[str] = "broker_account"
    cash: float
    """Dollars."""


class Holding(Record):
    """Shares that the user owns; the id is the symbol."""

    table: ClassVar[str] = "holdings"
    quantity: int


class Order(Record):
    """An order of the user's."""

    table: ClassVar[str] = "share_orders"
    symbol: str
    side: Side
    quantity: int
    limit_price: float | None
    """Dollars; None takes any price."""
    price: float | None
    """Dollars a share at which it was filled."""
    placed: str
    """When, ISO 8601 to the minute."""
    status: Status


@lru_cache(maxsize=64)
def shares_of(setting: Setting) -> Mapping[str, Share]:
    """Return all shares by symbol, two or three companies to a name."""
    rng = setting.rng("shares")
    shares = []
    for stem in _STEMS:
        trades = list(_TRADES)
        rng.shuffle(trades)
        for trade, sector in trades[: rng.randrange(2, 4)]:
            symbol = f"{stem[:3]}{trade[0]}{trade[-1]}.X".upper()
            shares.append(Share(symbol=symbol, company=f"{stem} {trade}", sector=sector))
    return {share.symbol: share for share in shares}


@lru_cache(maxsize=2048)
def closes(setting: Setting, symbol: str) -> Mapping[date, int]:
    """Return the closing price in cents of each weekday of the past year, yesterday the last."""
    rng = setting.rng(f"closes:{symbol}")
    cents = rng.randrange(900, 24000)
    found = {}
    for ago in range(PAST_DAYS, 0, -1):
        day = setting.today - timedelta(ago)
        if day.weekday() < 5:
            cents = _moved(rng, cents)
            found[day] = cents
    return found


def price_now(setting: Setting, symbol: str) -> int:
    """Return what a share costs at the present moment, in cents; at weekends its last close."""
    last = list(closes(setting, symbol).values())[-1]
    if setting.today.weekday() >= 5:
        return last
    return _moved(setting.rng(f"price:{symbol}:{setting.now.isoformat()}"), last)


def rate_on(setting: Setting, source: Currency, target: Currency, day: date) -> float:
    """Return how many units of a currency one unit of another bought on a day, to six digits."""
    ratio = _per_dollar(setting, target, day) / _per_dollar(setting, source, day)
    return float(f"{ratio:.6g}")


def _moved(rng: Random, cents: int) -> int:
    return max(cents * (1000 + rng.randrange(-28, 30)) // 1000, 50)


def _per_dollar(setting: Setting, currency: Currency, day: date) -> float:
    """Return the rate of a day: about the usual one, off by a seeded part and a daily one."""
    if currency == "USD":
        return 1.0
    off = setting.rng(f"rate:{currency}").randrange(-80, 81)
    daily = setting.rng(f"rate:{currency}:{day}").randrange(-8, 9)
    return _PER_DOLLAR[currency] * (1000 + off + daily) / 1000
