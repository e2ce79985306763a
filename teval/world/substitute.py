"""Answers to refused calls: the nearest call that a tool does answer, and what it took instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import combinations, islice, product
from random import Random

from teval.schema import Argument, Json, JsonObject, Observation, Tool
from teval.world.setting import Setting
from teval.world.toolkit import Toolkit

Answer = Callable[[JsonObject], Observation]
"""What a tool answers to arguments, whatever they hold; leaves no trace in the state."""

MOST_REPLACED = 2
"""How many of the given arguments are replaced at most."""
_EACH = 12
_TRIES = 80
_MONTHS = ("January", "March", "May", "June", "August", "October", "November")
_DAYS = ("Monday", "Wednesday", "Friday", "Sunday")


@dataclass(frozen=True)
class Substitute:
    """A call that is answered in place of a refused one."""

    args: JsonObject
    content: JsonObject
    taken: tuple[str, ...]
    """What was taken instead, as text: a value, or ``none`` where an argument was left out."""

    def notice(self, refusal: str) -> str:
        """Return what tells of it: the refusal, and what was taken instead."""
        return f"{refusal}; {' and '.join(self.taken)} taken instead"


@dataclass(frozen=True)
class Stock:
    """The values, right and wrong ones, that arguments can get in a world.

    Args:
        setting: Of the world.
        names: Texts that its records are called by.
        rng: Where chance comes from.
    """

    setting: Setting
    names: Sequence[str]
    rng: Random

    def substitute(
        self, tool: Tool, toolkit: Toolkit, args: Mapping[str, Json], answer: Answer
    ) -> Substitute | None:
        """Return the first good answer with as few arguments replaced as can be.

        Args:
            tool: That refused the arguments.
            toolkit: Of the tool.
            args: As they were refused; what is missing is always put in.
            answer: Of the tool.
        """
        missing = [a for a in tool.arguments if a.required and a.name not in args]
        given = [a for a in tool.arguments if a.name in args]
        some = {a.name: self.right(a, toolkit) for a in (*missing, *given)}
        for count in range(MOST_REPLACED + 1):
            for chosen in combinations(given, count):
                found = _first([*missing, *chosen], some, args, answer)
                if found is not None:
                    return found
        return None

    def right(self, argument: Argument, toolkit: Toolkit) -> list[Json]:
        """Return values that an argument may well take, in the order to be tried.

        None leaves it out.
        """
        found: list[Json] = []
        others = list(toolkit.others(argument.name))
        self.rng.shuffle(others)
        if argument.enum:
            found += self.rng.sample(argument.enum, len(argument.enum))
        elif argument.type in ("integer", "number"):
            found += [1, 2, 10, 30]
        else:
            found += others[:_EACH]
        if argument.compare.kind == "datetime":
            days = [self.setting.today + timedelta(n) for n in (0, 1, 2)]
            found += [*map(str, days), *(f"{day}T09:00" for day in days), "09:00", "18:00"]
        if not argument.required:
            found.insert(self.rng.choice([0, len(found)]), None)
        return found

    def wrong(self, argument: Argument) -> Json:
        """Return a value that no argument of this kind takes, as people put it."""
        rng, word = self.rng, argument.name.split("_")[-1]
        if argument.enum:
            choice = str(rng.choice(argument.enum)).replace("_", " ")
            return rng.choice([f"{choice} {word}", choice.title()])
        if argument.type in ("integer", "number"):
            return f"{rng.randint(2, 90)} {word}"
        if argument.type == "boolean":
            return rng.choice(["yes", "no"])
        if argument.compare.kind == "datetime":
            return self._spoken(argument)
        return rng.choice(self.names)

    def _spoken(self, argument: Argument) -> str:
        rng = self.rng
        day = f"{rng.randint(1, 28)} {rng.choice(_MONTHS)} {self.setting.today.year}"
        hour = f"{rng.randint(1, 11)}:{rng.choice(('05', '15', '30'))} {rng.choice(('am', 'pm'))}"
        if "YYYY-MM-DDTHH:MM" in argument.description:
            return rng.choice([f"{day}, {hour}", f"{rng.choice(_DAYS)} {hour}"])
        return day if "YYYY-MM-DD" in argument.description else hour


def _first(
    replaced: Sequence[Argument],
    some: Mapping[str, Sequence[Json]],
    args: Mapping[str, Json],
    answer: Answer,
) -> Substitute | None:
    """Return the first good answer with these arguments replaced."""
    for values in islice(product(*(some[a.name] for a in replaced)), _TRIES):
        put: JsonObject = dict(zip((a.name for a in replaced), values, strict=True))
        if any(name in args and args[name] == value for name, value in put.items()):
            continue
        whole: JsonObject = {k: v for k, v in {**args, **put}.items() if v is not None}
        seen = answer(whole)
        if seen.status == "ok":
            taken = tuple("none" if v is None else str(v) for v in values)
            return Substitute(whole, seen.content, taken)
    return None


def saved_refusals(
    stock: Stock, tools: Sequence[tuple[Tool, Toolkit, Answer]], but: JsonObject
) -> Iterator[str]:
    """Yield refusals of values that no argument of a call has, of other tools and arguments.

    Args:
        stock: Where values come from.
        tools: Read tools whose refusals these can be, the likely ones first.
        but: The call's arguments.
    """
    for tool, toolkit, answer in tools:
        base = stock.substitute(tool, toolkit, {}, answer)
        others = [a for a in tool.arguments if a.name not in but]
        if base is None or not others:
            continue
        argument = stock.rng.choice(others)
        saved = {**base.args, argument.name: stock.wrong(argument)}
        refused = answer(saved)
        found = stock.substitute(tool, toolkit, saved, answer)
        if refused.status == "input_error" and found is not None:
            yield found.notice(str(refused.content["error"]))
