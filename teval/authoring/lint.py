"""What can be wrong with gold paths although they replay: the table of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal, NamedTuple, TypeAlias

from teval.authoring import path_rules, set_rules
from teval.schema import Embedder, SolutionPath

Level: TypeAlias = Literal["error", "warning"]
"""An error makes a path unfit; a warning wants a look, and a reason if it stays."""


class Problem(NamedTuple):
    """One thing wrong with a path."""

    path: str
    """Id of the path; empty where all paths together are meant, or a record is no path."""
    step: int | None
    """None where the path as a whole is meant."""
    rule: str
    message: str
    level: Level = "error"
    remedy: str = ""
    """The way out."""
    place: str = ""
    """``file:line``, as far as known."""

    def __str__(self) -> str:
        """Return the problem as one line."""
        who = [self.path, "" if self.step is None else f"step {self.step}"]
        head = [self.place, self.level, ", ".join(filter(None, who))]
        said = "; ".join(filter(None, [self.message, self.remedy]))
        return " ".join(f"{': '.join(filter(None, [*head, said]))} [{self.rule}]".split())


_Check: TypeAlias = Callable[[Sequence[SolutionPath]], Iterator[set_rules.Finding]]


class _Rule(NamedTuple):
    """How something wrong is found, and what it amounts to."""

    check: _Check
    remedy: str
    level: Level = "error"


def lint(
    paths: Sequence[SolutionPath], places: Sequence[str] = (), embedder: Embedder | None = None
) -> list[Problem]:
    """Return all problems of the paths: by path in their order, then those of all together.

    Args:
        paths: What to look at.
        places: Where each path stands, for the problems to name; empty where unknown.
        embedder: Judges how alike the phrasings of a thought are; None leaves that out.
    """
    rules = _RULES if embedder is None else {**_RULES, "alike": _alike(embedder)}
    found: list[tuple[int, Problem]] = []
    for name, rule in rules.items():
        for number, step, message in rule.check(paths):
            who = "" if number is None else paths[number].id
            where = places[number] if places and number is not None else ""
            problem = Problem(who, step, name, message, rule.level, rule.remedy, where)
            found.append((len(paths) if number is None else number, problem))
    return [problem for _, problem in sorted(found, key=lambda item: item[0])]


def _each(check: Callable[[SolutionPath], Iterator[path_rules.Finding]]) -> _Check:
    """The rule for one path, put to each."""

    def of_all(paths: Sequence[SolutionPath]) -> Iterator[set_rules.Finding]:
        for number, path in enumerate(paths):
            yield from ((number, step, message) for step, message in check(path))

    return of_all


def _alike(embedder: Embedder) -> _Rule:
    return _Rule(partial(set_rules.alike, embedder=embedder), _ANEW, "warning")


_ANEW = "write one of them anew, from the step alone"
_RULES: dict[str, _Rule] = {
    "shape": _Rule(_each(path_rules.shape), "mend the path's tools, steps or texts"),
    "needs": _Rule(_each(path_rules.needs), "name the earlier steps that give what this one uses"),
    "ancestry": _Rule(_each(path_rules.ancestry), "add that step to its needs", "warning"),
    "arguments": _Rule(_each(path_rules.arguments), "give what the tool's description asks for"),
    "underivable": _Rule(
        _each(path_rules.underivable),
        "tell it in the query, observe it first, or leave it out",
        "warning",
    ),
    "text_facts": _Rule(_each(path_rules.texts), "list what the text must tell, and tell it"),
    "answer_facts": _Rule(
        _each(path_rules.answer), "list what the answer must tell, and let a step find it out"
    ),
    "leaks": _Rule(_each(path_rules.leaks), "ask without it"),
    "given_away": _Rule(
        _each(path_rules.given_away), "ask so that the answer has to be found out", "warning"
    ),
    "thoughts": _Rule(_each(path_rules.thoughts), "say it in other words"),
    "phrasing": _Rule(_each(path_rules.phrasing), _ANEW, "warning"),
    "reviews": _Rule(_each(path_rules.reviews), "mend the label, the flags or the response"),
    "size": _Rule(_each(path_rules.sizes), "let the tool return less"),
    "same_id": _Rule(set_rules.same_id, "give it an id of its own"),
    "same_query": _Rule(set_rules.same_query, "ask for something else, or leave one of them out"),
    "balance": _Rule(set_rules.balance, "add steps with the rarer labels", "warning"),
    "outliers": _Rule(
        set_rules.outliers, "shorten, lengthen or simplify it, or say why it must be so", "warning"
    ),
}
