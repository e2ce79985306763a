"""What a gold path allows: which steps must be made, in which order, and which calls make them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from functools import cached_property

from teval import slicing
from teval.metrics import arguments as metric
from teval.metrics.text_facts import Facts
from teval.schema import FINISH, Call, SolutionPath, Step, Tool


class Course:
    """All accepted ways through a path.

    The steps that must be made are those of its plan; mistakes, and calls that a fault made
    necessary again, may be left out. Two of them may swap places where neither needs the other.

    Args:
        path: The gold solution.
        likeness: Likeness of two texts in [0, 1]; asked for free text only.
    """

    def __init__(self, path: SolutionPath, likeness: Callable[[str, str], float]) -> None:
        self.path = path
        self._likeness = likeness

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps that must be made, in the path's order, finish left out."""
        return tuple(planned.step for planned in slicing.planned(self.path))

    @cached_property
    def needs(self) -> Mapping[int, frozenset[int]]:
        """Ids of all steps that must be made before one, by its id, indirect ones included.

        A path that states no dependencies has only one order.
        """
        if not slicing.has_graph(self.path):
            ids = [step.id for step in self.steps]
            return {step: frozenset(ids[:place]) for place, step in enumerate(ids)}
        return {
            planned.step.id: frozenset(self.steps[place].id for place in planned.needs)
            for planned in slicing.planned(self.path)
        }

    def ready(self, done: Set[int]) -> tuple[Step, ...]:
        """Return the steps still to be made that can be made now.

        Args:
            done: Ids of the steps that were made.
        """
        return tuple(s for s in self.steps if s.id not in done and self.needs[s.id] <= done)

    def right(self, step: Step, call: Call) -> bool:
        """Whether a call makes a step: the gold call or an alternative, each by its comparators."""
        return any(
            call.name == gold.name and self._same(gold, call, step)
            for gold in (step.call, *step.alternatives)
        )

    def repair(self, step: Step) -> Step | None:
        """Return the step that makes good what went wrong at another one, or None where none does.

        It is the next planned call of the same tool, else the next planned call.
        """
        if step.review in {None, "A"}:
            return None
        later = [s for s in self.steps if s.id > step.id]
        again = [s for s in later if s.call.name == step.call.name]
        return next(iter(again or later), None)

    def after(self, step: Step) -> Step | None:
        """Return the planned call that follows a step of the path, None where none does."""
        return next((s for s in self.steps if s.id > step.id), None)

    def nearest(self, step: Step, call: Call) -> tuple[Call, dict[str, metric.Verdict]] | None:
        """Return the accepted call that a call is nearest to, and what became of each argument.

        It is the one of the same tool with the fewest arguments that are not right; None where
        the step can't be made by that tool.
        """
        golds = [gold for gold in (step.call, *step.alternatives) if gold.name == call.name]
        judged = [(gold, self._verdicts(gold, call, step)) for gold in golds]
        wrong = [sum(said != "right" for said in found.values()) for _, found in judged]
        return judged[wrong.index(min(wrong))] if judged else None

    def _same(self, gold: Call, call: Call, step: Step) -> bool:
        return all(said == "right" for said in self._verdicts(gold, call, step).values())

    def _verdicts(self, gold: Call, call: Call, step: Step) -> dict[str, metric.Verdict]:
        rules = _rules(slicing.tool_of(self.path, gold.name), step)
        return metric.verdicts(call.args, gold.args, rules, self._likeness)


def tools_named(step: Step) -> frozenset[str]:
    """Return the tools by which a step can be made."""
    return frozenset(call.name for call in (step.call, *step.alternatives)) - {FINISH}


def _rules(tool: Tool, step: Step) -> dict[str, metric.Rule]:
    own = tool.name == step.call.name
    rules = {}
    for argument in tool.arguments:
        text = step.text.get(argument.name) if own else None
        rules[argument.name] = metric.Rule(
            kind=argument.compare.kind,
            tolerance=argument.compare.tolerance,
            has_default=argument.has_default,
            default=argument.default,
            accepted=step.accepts.get(argument.name, ()) if own else (),
            facts=Facts(text.facts, text.contradictions, text.accepted) if text else Facts(),
        )
    return rules
