"""Which of all cases are asked: a limit that is fair to every ability, format and family."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain, count, zip_longest

from teval.schema import Case

Stratum = tuple[str, str]
"""Ability and format."""


def limit_cases(cases: Sequence[Case], limit: int) -> list[Case]:
    """Return at most that many cases, in their order, spread evenly over abilities and formats.

    As few paths as will do are taken, of families that lie evenly in the order of all, and from
    each about as many cases: cases of one path share the beginning of their prompts, so that an
    engine computes it once. Within a path all abilities are asked at the same step where they can
    be, for some share a request, and the step differs from path to path.

    Args:
        cases: All cases.
        limit: The most cases to return, at least 1.
    """
    room = _quotas(Counter((case.ability, case.format) for case in cases), limit)
    width = max(room.values(), default=0)
    paths = _order_paths(cases, width)
    chosen: set[str] = set()
    for some in (paths[:width], paths):
        chosen |= _walk(some, room, chosen)
    return [case for case in cases if case.id in chosen]


def _quotas(available: Counter[Stratum], limit: int) -> Counter[Stratum]:
    """Deal out the limit one by one, passing over strata that have no more cases."""
    quotas: Counter[Stratum] = Counter()
    while limit > 0 and quotas != available:
        for stratum, number in available.items():
            if limit > 0 and quotas[stratum] < number:
                quotas[stratum] += 1
                limit -= 1
    return quotas


def _order_paths(cases: Sequence[Case], first: int) -> list[list[Case]]:
    """The cases of each path: the first path of each family, then the second ones, and so on.

    So many families come first, spaced evenly; the others follow.
    """
    families: dict[str, dict[str, list[Case]]] = defaultdict(lambda: defaultdict(list))
    for case in cases:
        families[case.family][case.path].append(case)
    names = list(families)
    spaced = [names[n * len(names) // first] for n in range(first)]
    order = dict.fromkeys([*spaced, *names])
    rounds = zip_longest(*(families[name].values() for name in order))
    return [path for path in chain.from_iterable(rounds) if path is not None]


def _walk(paths: list[list[Case]], room: Counter[Stratum], taken: set[str]) -> set[str]:
    """Take one case a path and stratum, round after round, until all room or cases are used."""
    chosen: set[str] = set()
    left = [[case for case in path if case.id not in taken] for path in paths]
    for turn in count():
        before = len(chosen)
        for place, path in enumerate(left):
            for case in _one_each(path, place + turn):
                if room[case.ability, case.format] > 0:
                    room[case.ability, case.format] -= 1
                    chosen.add(case.id)
                    path.remove(case)
        if len(chosen) == before:
            return chosen
    raise AssertionError("a count never ends")


def _one_each(path: Sequence[Case], start: int) -> list[Case]:
    """One case a stratum, at the wanted step or the next one after it that has one."""
    steps = sorted({case.step for case in path if case.step is not None})
    after = {step: (rank - start) % len(steps) for rank, step in enumerate(steps)}
    nearest: dict[Stratum, Case] = {}
    for case in sorted(path, key=lambda c: after.get(c.step, 0) if c.step is not None else 0):
        nearest.setdefault((case.ability, case.format), case)
    return list(nearest.values())
