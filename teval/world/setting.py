"""What a world is made from: a seed, a frozen clock, what its user knows, and what follows."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from random import Random

from teval.schema import JsonObject, digest

_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_LENGTH = 4
_SIZE = len(_ALPHABET) ** _LENGTH


@dataclass(frozen=True)
class Setting:
    """Seed and present moment of one world."""

    seed: int
    now: datetime
    replies: tuple[str, ...] = ()
    """What the user says when asked, one reply a question; no record follows from it."""

    @property
    def today(self) -> date:
        """The day of the frozen clock."""
        return self.now.date()

    def rng(self, topic: str) -> Random:
        """Return a generator that depends on seed and topic alone.

        Seeding by text goes through SHA-512, so neither the hash seed of the process nor the
        version of Python moves it.
        """
        return Random(f"{self.seed}:{topic}")

    def new_id(self, kind: str, n: int) -> str:
        """Return the n-th id of a kind, such as ``EVT-4K7Q``.

        Products with odd factors and shifted differences permute the 2**20 codes, so ids of one
        kind never collide though they look drawn.

        >>> setting = Setting(7, datetime(2031, 5, 4))
        >>> len({setting.new_id("EVT", n) for n in range(2000)})
        2000
        """
        start, *factors = _permutation(self, kind)
        code = n + start
        for factor, shift in zip(factors, (11, 9), strict=True):
            code = code * factor % _SIZE
            code ^= code >> shift
        letters = []
        for _ in range(_LENGTH):
            code, digit = divmod(code, len(_ALPHABET))
            letters.append(_ALPHABET[digit])
        return f"{kind}-{''.join(letters)}"

    def id_of(self, kind: str, content: JsonObject, taken: Container[str]) -> str:
        """Return the id of a new record, which follows from what the record holds.

        So the order in which independent records are written leaves no trace in the state.

        Args:
            kind: What the id begins with.
            content: All of the record but its id.
            taken: The ids of its kind that are in use.
        """
        n = int(digest(content), 16) % _SIZE
        while (found := self.new_id(kind, n)) in taken:
            n += 1
        return found


@lru_cache(maxsize=1024)
def _permutation(setting: Setting, kind: str) -> tuple[int, int, int]:
    """Return where the codes of a kind begin, and two odd factors."""
    rng = setting.rng(f"id:{kind}")
    start, *halves = (rng.randrange(size) for size in (_SIZE, _SIZE // 2, _SIZE // 2))
    return start, 2 * halves[0] + 1, 2 * halves[1] + 1
