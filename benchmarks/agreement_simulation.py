"""Does the bottleneck find what was planted, and stay silent where nothing was?

    python benchmarks/agreement_simulation.py [--populations 50] [--draws 200] [--seed 0]
                                              [--settings 0 1 2 …]

A population is 4 to 8 agents on the same tasks, paths of 3 to 8 steps in families. Its agents fail
five abilities at a step at 1, 4, 9, 17 and 30 %, in an order drawn for the population; an agent's
level, 0.4 to 1, lowers all its rates, and a family's own factor for each ability (mean 1, standard
deviation 0.5) makes paths of a family alike. A step that fails is lost in the step scores, and it
spoils the episode. What spoils it differs by setting:

- all: each failing step does; luck spoils some as well where trials are to differ
- some: only failing steps of three abilities do, drawn for the population
- length: failing steps of another population, on the same paths: nothing links an ability's scores
  with the outcome, but long paths have both more lost steps and less success
- none: failing steps of another population on other paths: nothing links scores and outcomes at all

Rates are ``even`` where every step asks for every ability, and ``uneven`` where, as on real paths,
a plan is asked once and review at two steps at most; then populations whose planted gains lie
nearer to each other than by a factor of 2 are drawn again. It prints

- success: of all episodes;
- order: in how many populations the abilities' mean gain over agents stands in the planted order;
- alone: the same of single agents;
- gain: estimated mean gain over planted, of the worst bottleneck;
- zero: how many of the intervals of mean gains hold 0, of the abilities that have no link;
- all zero: in how many populations all of these do;
- zero alone: how many of the intervals of single agents do;
- covers: how many of the intervals of mean gains hold the planted gain.

Seen with the defaults, in percent, gain as a factor:

    setting                     order  alone  gain  covers  zero  all zero  zero alone
    0  36 tasks x 3, all           86     47  0.88      85
    1  48 tasks, all               94     57  0.73      75
    2  48 tasks x 3, all           92     50  0.92      91
    3  48 tasks, all, uneven       94     65  0.74      68
    4  600 tasks, all             100     97  0.97      89
    5  48 tasks, some                         0.78      73   100       100         100
    6  48 tasks, length                                       98        90          99
    7  48 tasks, none                                         98        88          99
    8  48 tasks x 3, none                                     96        82          94
    9  600 tasks, none                                        97        86          95

With ``--populations 200 --draws 0`` the order is found in 91.5, 94, 94, 90.5 and 100 % in
settings 0 to 4. All settings take about an hour on one core; ``--settings`` takes some of them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teval.metrics.bottleneck import Bottleneck, Episode, bottlenecks

Array = NDArray[np.float64]
Counts = NDArray[np.int64]

ABILITIES = ("instruct", "retrieve", "understand", "review", "plan")
RATES = (0.01, 0.04, 0.09, 0.17, 0.30)
LEVELS = (0.4, 1.0)
FAMILY = 4.0
"""Shape of the gamma distribution of a family's factor."""
STEPS = (3, 8)
AGENTS = (4, 8)
APART = 2.0
LINKED = 3
"""Abilities that have a link where only some do."""


class Setting(NamedTuple):
    families: int
    tasks: int
    trials: int
    link: str = "all"
    even: bool = True
    spoils: float = 1.0
    """Chance that a failing step spoils the episode."""
    luck: float = 0.0
    """Chance that something else does."""


class Population(NamedTuple):
    family: Counts
    """Of each path."""
    steps: Counts
    """How many steps of each path ask for each ability, shape ``(paths, abilities)``."""
    rates: Array
    """Chance to fail at a step, shape ``(agents, paths, abilities)``."""
    linked: NDArray[np.bool_]
    """By ability."""

    def spared(self, setting: Setting) -> Array:
        """Chance that an ability does not spoil an episode, in the shape of the rates."""
        return np.asarray((1 - self.linked * setting.spoils * self.rates) ** self.steps)

    def gains(self, setting: Setting) -> Array:
        """Planted gain by agent and ability."""
        spared = self.spared(setting)
        success = spared.prod(axis=2, keepdims=True)
        return np.asarray((1 - setting.luck) * (success / spared - success).mean(axis=1))


class Tally(NamedTuple):
    success: float
    order: float
    alone: float
    gain: float
    zero: float = np.nan
    all_zero: float = np.nan
    zero_alone: float = np.nan
    covers: float = np.nan


def simulate(setting: Setting, populations: int, draws: int, seed: int = 0) -> Tally:
    """Return the shares over this many populations; those of intervals only with draws."""
    rng = np.random.default_rng(seed)
    parts = np.array([_study(rng, setting, draws) for _ in range(populations)])
    known = ~np.isnan(parts)
    sums = np.where(known, parts, 0).sum(axis=0)
    means = np.divide(sums, known.sum(axis=0), out=np.full(len(sums), np.nan), where=known.any(0))
    return Tally(*means.tolist())


def _study(rng: np.random.Generator, setting: Setting, draws: int) -> Tally:
    population = _population(rng, setting)
    models = {str(i): one for i, one in enumerate(_played(rng, setting, population))}
    found = bottlenecks(models, ABILITIES, draws=draws, seed=int(rng.integers(2**31)))
    planted = population.gains(setting)
    mean = planted.mean(axis=0)
    worst = found.mean[int(mean.argmax())].gain
    tally = Tally(
        success=float(np.mean([e.success for episodes in models.values() for e in episodes])),
        order=_in_order(found.mean, mean),
        alone=float(
            np.mean([_in_order(found.models[name], planted[int(name)]) for name in models])
        ),
        gain=np.nan if worst is None else worst / float(mean.max()),
    )
    if not draws:
        return tally
    silent = ~population.linked if setting.link in {"all", "some"} else np.full(5, True)
    zeros = _holding(found.mean, np.zeros(5))[silent]
    alone = [_holding(one, np.zeros(5))[silent] for one in found.models.values()]
    return tally._replace(
        zero=float(np.mean(zeros)) if zeros.size else np.nan,
        all_zero=float(np.all(zeros)) if zeros.size else np.nan,
        zero_alone=float(np.mean(alone)) if zeros.size else np.nan,
        covers=np.nan if silent.all() else float(np.mean(_holding(found.mean, mean)[~silent])),
    )


def _in_order(found: Sequence[Bottleneck], planted: Array) -> float:
    gains = [-np.inf if one.gain is None else one.gain for one in found]
    return float(np.array_equal(np.argsort(gains), np.argsort(planted)))


def _holding(found: Sequence[Bottleneck], values: Array) -> NDArray[np.bool_]:
    """Whether each interval holds a value; one that claims nothing holds all."""
    return np.array(
        [
            one.low is None or one.high is None or one.low <= value <= one.high
            for one, value in zip(found, values, strict=True)
        ]
    )


def _population(rng: np.random.Generator, setting: Setting) -> Population:
    """Draw a population; again, until its planted gains lie apart."""
    while True:
        family = np.repeat(np.arange(setting.families), setting.tasks)
        steps = np.tile(rng.integers(STEPS[0], STEPS[1] + 1, (len(family), 1)), 5)
        if not setting.even:
            steps[:, 3], steps[:, 4] = rng.integers(0, 3, len(family)), 1
        levels = rng.uniform(*LEVELS, rng.integers(AGENTS[0], AGENTS[1] + 1))
        factors = rng.gamma(FAMILY, 1 / FAMILY, (setting.families, 5))
        rates = levels[:, np.newaxis, np.newaxis] * rng.permutation(RATES) * factors[family]
        linked = rng.permutation(5) < (LINKED if setting.link == "some" else 5)
        drawn = Population(family, steps, np.minimum(rates, 0.95), linked)
        gains = np.sort(drawn.gains(setting).mean(axis=0)[linked])
        if setting.even or np.all(gains[1:] >= APART * gains[:-1]):
            return drawn


def _played(
    rng: np.random.Generator, setting: Setting, population: Population
) -> Iterator[list[Episode]]:
    """Yield each agent's episodes."""
    lost = rng.binomial(population.steps, population.rates)
    spoiling = lost
    if setting.link in {"none", "length"}:
        other = _population(rng, setting)
        steps = population.steps if setting.link == "length" else other.steps
        spoiling = rng.binomial(steps, np.resize(other.rates, lost.shape))
    chance = (1 - setting.spoils * population.linked) ** spoiling
    chance = (1 - setting.luck) * chance.prod(axis=2)
    success = rng.random((setting.trials, *chance.shape)) < chance
    for agent, failed in enumerate(lost):
        yield [
            _episode(str(population.family[path]), failed[path], population.steps[path], solved)
            for trial in success[:, agent]
            for path, solved in enumerate(trial.tolist())
        ]


def _episode(family: str, lost: Counts, steps: Counts, success: bool) -> Episode:
    scores = 1 - lost / np.maximum(steps, 1)
    return Episode(
        family=family,
        scores=dict(zip(ABILITIES, scores.tolist(), strict=True)),
        steps=dict(zip(ABILITIES, steps.tolist(), strict=True)),
        success=success,
    )


SETTINGS = (
    Setting(12, 3, 3, spoils=0.8, luck=0.05),
    Setting(12, 4, 1),
    Setting(12, 4, 3, spoils=0.8, luck=0.05),
    Setting(12, 4, 1, even=False),
    Setting(120, 5, 1),
    Setting(12, 4, 1, link="some"),
    Setting(12, 4, 1, link="length"),
    Setting(12, 4, 1, link="none"),
    Setting(12, 4, 3, link="none", spoils=0.8, luck=0.05),
    Setting(120, 5, 1, link="none"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--populations", type=int, default=50)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    every = range(len(SETTINGS))
    parser.add_argument("--settings", type=int, nargs="+", choices=every, default=every)
    options = parser.parse_args()
    print("setting", *Setting._fields, *Tally._fields, "seconds", sep="\t")
    for number in options.settings:
        setting = SETTINGS[number]
        began = time.perf_counter()
        tally = simulate(setting, options.populations, options.draws, options.seed)
        shares = ["" if np.isnan(value) else f"{value:.3f}" for value in tally]
        print(number, *setting, *shares, f"{time.perf_counter() - began:.0f}", sep="\t", flush=True)


if __name__ == "__main__":
    main()
