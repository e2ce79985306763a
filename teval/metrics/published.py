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

from teval.metrics.matching import Link, contenders, heaviest_matchings
from teval.metrics.similarity import same_text, surely_apart

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
UNIT = 10**DECIMALS

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
    alike = _alike(answer, gold, cosine, threshold)
    some = _contenders(answer, gold, alike, threshold)
    links = _only(_weights(answer, gold, some, cosine, threshold))
    if links is None:  # which one the release takes then hangs on all links, even on those in none
        links = matched(_weights(answer, gold, alike, cosine, threshold))
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

    Those of names so unlike that no arguments could lift the weight over the threshold can't, nor
    those of calls that have better partners whatever the cosine.

    >>> args_pairs([("a", "x"), ("b", "y")], [("b", "z")], lambda a, b: float(a == b))
    [('y', 'z')]
    """
    alike = _alike(answer, gold, cosine, threshold)
    chosen = _contenders(answer, gold, alike, threshold)
    return list(dict.fromkeys((answer[i][1], gold[j][1]) for i, j in chosen))


def _contenders(
    answer: Sequence[Step], gold: Sequence[Step], alike: Mapping[Link, float], threshold: float
) -> dict[Link, float]:
    """Return those links that may be in a matching of greatest weight, whatever the arguments."""
    least: dict[Link, int] = {}
    most: dict[Link, int] = {}
    for (i, j), names in alike.items():
        args = answer[i][1], gold[j][1]
        equal, apart = same_text(*args), surely_apart(*args)
        weight = _weight(names, float(equal))
        least[i, j] = round(weight * UNIT) if weight > threshold else 0
        # With arguments that are apart a pair is not quite as heavy as with equal ones.
        high = 1.0 if equal or apart else 1 + NOISE
        most[i, j] = round(_weight(names, high) * UNIT) - apart
    chosen = contenders(least, most)
    return {link: names for link, names in alike.items() if link in chosen}


def _alike(
    answer: Sequence[Step], gold: Sequence[Step], cosine: Cosine, threshold: float
) -> dict[Link, float]:
    """Return the names' cosines, clipped below, of the calls that some arguments could link."""
    least = _least(threshold)
    pairs = {pair: max(0.0, cosine(*pair)) for pair in name_pairs(answer, gold)}
    return {
        (i, j): pairs[name, other]
        for i, (name, _) in enumerate(answer)
        for j, (other, _) in enumerate(gold)
        if pairs[name, other] > least
    }


def _least(threshold: float) -> float:
    """The names' cosine above which equal arguments lift a weight over the threshold."""
    return (threshold - (1 - NAME_SHARE) * (1 + NOISE)) / NAME_SHARE


def weights(
    answer: Sequence[Step],
    gold: Sequence[Step],
    cosine: Cosine,
    threshold: float = THRESHOLD,
) -> dict[Link, float]:
    """Return the weight of every allowed link, by place in the answer and in the gold.

    Weights are computed in float32, as the release does, and rounded once they passed the
    threshold, so that equal calls tie.

    >>> weights([("a", "x"), ("b", "y")], [("b", "z")], lambda a, b: float(a[0] != "a"))
    {(1, 0): 1.0}
    """
    alike = _alike(answer, gold, cosine, threshold)
    return _weights(answer, gold, alike, cosine, threshold)


def _weights(
    answer: Sequence[Step],
    gold: Sequence[Step],
    alike: Mapping[Link, float],
    cosine: Cosine,
    threshold: float,
) -> dict[Link, float]:
    found: dict[Link, float] = {}
    for (i, j), names in alike.items():
        weight = _weight(names, max(0.0, cosine(answer[i][1], gold[j][1])))
        if weight > threshold:
            found[i, j] = round(weight, DECIMALS)
    return found


_SHARE = np.float32(NAME_SHARE)
_REST = np.float32(1) - _SHARE


def _weight(names: float, args: float) -> float:
    return float(_SHARE * np.float32(names) + _REST * np.float32(args))


def matched(links: Mapping[Link, float]) -> dict[int, int]:
    """Return the links of a matching of greatest total weight: place in answer to place in gold.

    Where weights tie, the choice among matchings of one weight is the release's: that of
    networkx for a graph built row by row.

    >>> matched({(0, 0): 0.9, (0, 1): 0.95, (1, 1): 0.9})
    {0: 0, 1: 1}
    """
    only = _only(links)
    return _matched_by_networkx(links) if only is None else only


def _only(links: Mapping[Link, float]) -> dict[int, int] | None:
    """Return the matching of greatest total weight, or None where there are several."""
    found = heaviest_matchings({link: round(weight * UNIT) for link, weight in links.items()}, 1)
    return dict(found[0]) if found else None


def _matched_by_networkx(links: Mapping[Link, float]) -> dict[int, int]:
    import networkx as nx

    graph: nx.Graph[tuple[int, int]] = nx.Graph()
    for (i, j), weight in links.items():
        graph.add_edge((0, i), (1, j), weight=weight)
    pairs = (sorted(pair) for pair in nx.max_weight_matching(graph))
    return {i: j for (_, i), (_, j) in sorted(pairs)}


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
