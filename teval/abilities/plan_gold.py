"""What a plan case knows to be right."""

from __future__ import annotations

from functools import cached_property

from teval.abilities.arguments import Rule
from teval.metrics.plan import PlanCall
from teval.schema import Frozen, JsonObject, canonical


class GoldCall(Frozen):
    """A tool with its arguments."""

    name: str
    args: JsonObject = {}
    rules: dict[str, Rule] = {}
    """How the tool's arguments are compared; those that no plan can know have no rule."""

    @cached_property
    def text(self) -> str:
        """The arguments as canonical JSON."""
        return canonical(self.args)

    def known(self, args: JsonObject) -> JsonObject:
        """Return those of some arguments that a plan can know, or that the tool does not have."""
        return {k: v for k, v in args.items() if k not in self.args or k in self.rules}


class GoldStep(GoldCall):
    """One call of the gold plan."""

    needs: tuple[int, ...] = ()
    """Positions of all calls that must come before."""
    alternatives: tuple[GoldCall, ...] = ()
    """Calls that are as right."""
    siblings: tuple[str, ...] = ()
    """Near neighbours of the tool that are wrong here."""

    @property
    def has_free_text(self) -> bool:
        """Whether an argument is compared by its likeness to the right one."""
        rules = (rule for call in (self, *self.alternatives) for rule in call.rules.values())
        return any(rule.compare.kind == "text" for rule in rules)


class PlanGold(Frozen):
    """The gold plan, finish left out."""

    steps: tuple[GoldStep, ...]
    graph: bool = False
    """Whether the needs are known; if not, the order of the steps is the only right one."""
    query: str = ""

    @cached_property
    def paper(self) -> list[PlanCall]:
        """The calls as the paper's rule takes them."""
        return [PlanCall(step.name, step.text) for step in self.steps]
