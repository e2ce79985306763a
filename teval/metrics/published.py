"""The numbers of the released T-Eval code (v2), faults included: pure functions of plain values.

A ``cosine`` is the encoder's, neither clipped nor rounded: the release clips it below at 0 and
lets it pass 1 by float noise. Scores are in [0, 1] but for that.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import TypeAlias

import numpy as np

Cosine: TypeAlias = Callable[[str, str], float]
Pair: TypeAlias = tuple[str, str]
Step: TypeAlias = tuple[str, str]
"""A call of a plan: its name and the text of its arguments."""

FINISH = "FinishAction"
THRESHOLD = 0.8
"""Weight that a link of two calls must exceed; the paper says 0.7."""
NAME_SHARE = 0.75
"""Share of the names' cosine in a link's weight; the rest is the arguments'."""
NOISE = 1e-5
"""How far a cosine may pass 1."""
DECIMALS = 6
"""To which links' weights are compared; encoders differ by noise below that."""

HEADLINES = {
    "instruct": ("{form}_format_metric", "{form}_args_em_metric"),
    "plan": ("f1_score",),
    "reason": ("thought",),
    "retrieve": ("name",),
    "understand": ("args",),
    "review": ("review_quality",),
}
"""Metrics whose mean is an ability's score in one form."""


def plan(
    answer: Sequence[Step], gold: Sequence[Step], cosine: Cosine, threshold: float = THRESHOLD
) -> dict[str, float]:
    """Return ``precision``, ``recall`` and ``f1_score`` of a plan.

    Calls are linked by a matching of greatest total weight; the longest run of links that rises
    in the gold is counted, and counts at least one.

    Args:
        answer: Calls that were answered, one at least, without the final finish.
        gold: Calls of the gold plan, the same.
        cosine: Likeness of two texts.
        threshold: Weight that a link must exceed.

    >>> plan([("a", "x"), ("b", "y")], [("b", "y")], lambda a, b: float(a == b))["f1_score"]
    0.6666666666666666
    """
    links = matched(weights(answer, gold, cosine, threshold))
    count = max(1, rising([links[i] for i in sorted(links)]))
    precision, recall = count / len(answer), count / len(gold)
    f1 = 2 * precision * recall / (precision + recall)
    return {"precision": precision, "recall": recall, "f1_score": f1}


def without_finish(plan: Sequence[Step]) -> Sequence[Step]:
    """Return a plan without its last call if that is the finish.

    >>> without_finish([("FinishAction", "{}"), ("FinishAction", "{}")])
    [('FinishAction', '{}')]
    """
    return plan[:-1] if plan and plan[-1][0] == FINISH else plan


def name_pairs(answer: Sequence[Step], gold: Sequence[Step]) -> list[Pair]:
    """Return all pairs of an answered and a gold name.

    >>> name_pairs([("a", ""), ("b", "")], [("c", "")])
    [('a', 'c'), ('b', 'c')]
    """
    return list(dict.fromkeys((name, other) for name, _ in answer for other, _ in gold))


def args_pairs(
    answer: Sequence[Step], gold: Sequence[Step], cosine: Cosine, threshold: float = THRESHOLD
) -> list[Pair]:
    """Return the pairs of argument texts that can matter, given the names' cosines.

    Those of names so unlike that no arguments could lift the weight over the threshold can't.

    >>> args_pairs([("a", "x"), ("b", "y")], [("b", "z")], lambda a, b: float(a == b))
    [('y', 'z')]
    """
    least = _least(threshold)
    return list(
        dict.fromkeys(
            (args, other_args)
            for name, args in answer
            for other, other_args in gold
            if cosine(name, other) > least
        )
    )


def _least(threshold: float) -> float:
    """The names' cosine above which equal arguments lift a weight over the threshold."""
    return (threshold - (1 - NAME_SHARE) * (1 + NOISE)) / NAME_SHARE


def weights(
    answer: Sequence[Step], gold: Sequence[Step], cosine: Cosine, threshold: float = THRESHOLD
) -> dict[tuple[int, int], float]:
    """Return the weight of every allowed link, by place in the answer and in the gold.

    Weights are computed in float32, as the release does, and rounded once they passed the
    threshold, so that equal calls tie.

    >>> weights([("a", "x"), ("b", "y")], [("b", "z")], lambda a, b: float(a[0] != "a"))
    {(1, 0): 1.0}
    """
    least, links = _least(threshold), {}
    for i, (name, args) in enumerate(answer):
        for j, (other, other_args) in enumerate(gold):
            names = max(0.0, cosine(name, other))
            if names > least:
                weight = _weight(names, max(0.0, cosine(args, other_args)))
                if weight > threshold:
                    links[i, j] = round(weight, DECIMALS)
    return links


def _weight(names: float, args: float) -> float:
    share = np.float32(NAME_SHARE)
    return float(share * np.float32(names) + (np.float32(1) - share) * np.float32(args))


def matched(links: Mapping[tuple[int, int], float]) -> dict[int, int]:
    """Return the links of a matching of greatest total weight: place in answer to place in gold.

    Where weights tie, the choice among matchings of one weight is the release's: that of
    networkx for a graph built row by row.

    >>> matched({(0, 0): 0.9, (0, 1): 0.95, (1, 1): 0.9})
    {0: 0, 1: 1}
    """
    if not links:
        return {}
    if len(set(links.values())) < len(links):
        return _matched_by_networkx(links)
    return _matched_by_scipy(links)


def _matched_by_networkx(links: Mapping[tuple[int, int], float]) -> dict[int, int]:
    import networkx as nx

    graph: nx.Graph[tuple[int, int]] = nx.Graph()
    for (i, j), weight in links.items():
        graph.add_edge((0, i), (1, j), weight=weight)
    pairs = (sorted(pair) for pair in nx.max_weight_matching(graph))
    return {i: j for (_, i), (_, j) in sorted(pairs)}


def _matched_by_scipy(links: Mapping[tuple[int, int], float]) -> dict[int, int]:
    from scipy.optimize import linear_sum_assignment

    table = np.zeros((max(i for i, _ in links) + 1, max(j for _, j in links) + 1))
    for place, weight in links.items():
        table[place] = weight
    rows, columns = linear_sum_assignment(table, maximize=True)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return {i: j for i, j in pairs if (i, j) in links}


def rising(places: Sequence[int]) -> int:
    """Return the length of the longest strictly rising run, gaps allowed.

    >>> rising([3, 1, 2, 5, 4])
    3
    """
    ends: list[int] = []
    for place in places:
        at = bisect_left(ends, place)
        ends[at : at + 1] = [place]
    return len(ends)


def instruct(
    name: object, args: Mapping[object, object], gold: object, gold_args: Mapping[str, object]
) -> float:
    """Return the share of name and gold arguments that are right by Python's ``==``.

    An argument that is missing counts as the empty text; others than the gold's cost nothing.

    >>> instruct("f", {"x": 1, "z": 0}, "f", {"x": True, "y": ""})
    1.0
    """
    right = sum(bool(args.get(key, "") == value) for key, value in gold_args.items())
    return (right + (name == gold)) / (len(gold_args) + 1)


def thought(cosine: float) -> float:
    """Return the score of a thought: its cosine, clipped below.

    >>> thought(-0.1), thought(0.5)
    (0.0, 0.5)
    """
    return max(0.0, cosine)


def joint_args(args: Mapping[object, object], gold: Mapping[object, object]) -> float:
    """Return the share of gold arguments whose texts agree, over their number plus 0.00001.

    With no gold argument it is 1 where none was answered, else 0.

    >>> round(joint_args({"x": "1", "y": 2}, {"x": 1, "z": 3}), 6), joint_args({}, {})
    (0.499998, 1.0)
    """
    if not gold:
        return float(not args)
    right = sum(key in args and str(args[key]) == str(value) for key, value in gold.items())
    return right / (len(gold) + 1e-5)


DOTTED = re.compile(rf"\b\w++\.\w+|{FINISH}")


def retrieve(text: str, gold: str) -> float:
    """Return 1 if a text holds the gold name and no other ``word.word`` or finish, else 0.

    >>> retrieve("Use maps.find now", "maps.find"), retrieve("maps.find, e.g. here", "maps.find")
    (1.0, 0.0)
    """
    return float(gold in text and all(name == gold for name in DOTTED.findall(text)))


def understand(text: str, gold: object) -> float:
    """Return 1 if a text without outer apostrophes and then quotes is ``str`` of the gold.

    >>> understand('"3"', 3), understand("true", True)
    (1.0, 0.0)
    """
    return float(text.strip("'").strip('"') == str(gold))


def mean(values: Sequence[float], ability: str) -> float:
    """Return the mean over cases as the release prints it: instruct and review to 4 decimals.

    >>> mean([0.0, 0.0, 1.0], "review"), mean([0.0, 0.0, 1.0], "plan")
    (0.3333, 0.3333333333333333)
    """
    average = fmean(values)
    return round(average, 4) if ability in {"instruct", "review"} else average


def headline(ability: str, form: str, metrics: Mapping[str, float]) -> float:
    """Return an ability's score in one form, ``json`` or ``string``.

    >>> headline("instruct", "json", {"json_format_metric": 1.0, "json_args_em_metric": 0.5})
    0.75
    """
    return fmean(metrics[name.format(form=form)] for name in HEADLINES[ability])


def counted(ability: str, forms: Iterable[str]) -> list[str]:
    """Return those of an ability's forms whose mean is its score.

    Review's letter as text stands for both its forms where it was asked for.

    >>> counted("review", ["json", "string"]), counted("plan", ["json", "string"])
    (['string'], ['json', 'string'])
    """
    found = list(forms)
    return ["string"] if ability == "review" and "string" in found else found


def overall(scores: Mapping[str, Mapping[str, float]]) -> float:
    """Return the release's overall: the mean of six abilities, each the mean of its two forms.

    Args:
        scores: Headline mean by ability and form, ``json`` or ``string``; review's string score
            stands for both its forms.

    >>> two = {"json": 0.5, "string": 1.0}
    >>> overall({"instruct": two, "plan": two, "reason": two, "retrieve": two, "understand": two,
    ...          "review": {"json": 0.0, "string": 0.75}})
    0.75
    """
    forms = {**scores, "review": {"string": scores["review"]["string"]}}
    return fmean(fmean(form.values()) for form in forms.values())
