"""Do degraded agents succeed as seldom as they should, and does attribution name what fails?

    python benchmarks/degraded_agents.py [--rate 0.3] [--trials 7] [--seed 0]

Each scripted gold agent fails at one ability with the given rate and plays every shipped path that
gives it a chance to, some trials each, through the ReAct loop (plan: plan-then-act). It prints

- predicted: mean chance of success, ``(1 - rate) ** chances`` over the episodes played;
- success: the share that succeeded, with its exact 95 % interval (Clopper-Pearson: episodes fail
  independently of one another);
- named: of the failed episodes, the share whose first deviation is attributed to that ability;
- others: of the failed episodes of all other agents, the share attributed to it.

Seen with the defaults:

    ability     episodes  predicted  success  interval       named  others
    instruct         224      0.332    0.321  0.261–0.387   1.000   0.000
    plan             224      0.700    0.661  0.595–0.722   1.000   0.000
    retrieve         224      0.332    0.366  0.303–0.433   1.000   0.000
    review           203      0.450    0.512  0.441–0.583   1.000   0.000
    understand       217      0.358    0.406  0.340–0.474   1.000   0.000
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from teval.assets import find
from teval.e2e.agent import make_agent
from teval.e2e.attribution import deviation
from teval.e2e.course import Course
from teval.e2e.outcome import Standard, outcome
from teval.e2e.play import Rules, Task, play
from teval.e2e.scripts import FAILING, chances, degraded, speak
from teval.metrics.stats import clopper_pearson
from teval.prompting import Prompts
from teval.schema import Sampling, SolutionPath
from teval.sources.native import read_paths


class Seen(NamedTuple):
    episodes: int
    predicted: float
    succeeded: int
    named: Counter[str]
    """Failed episodes by the ability at which they left the course."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rate", type=float, default=0.3)
    parser.add_argument("--trials", type=int, default=7)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--paths", default=str(find("data", "lite", "paths.jsonl")))
    options = parser.parse_args()
    paths = list(read_paths(options.paths))
    seen = {a: watch(a, paths, options.rate, options.trials, options.seed) for a in FAILING}
    print("ability     episodes  predicted  success  interval       named  others")
    for ability, one in seen.items():
        low, high = clopper_pearson(one.succeeded, one.episodes)
        failed = one.episodes - one.succeeded
        rest = [other for name, other in seen.items() if name != ability]
        blamed = sum(other.named[ability] for other in rest)
        others = sum(other.episodes - other.succeeded for other in rest)
        print(
            f"{ability:10}  {one.episodes:8}  {one.predicted:9.3f}  "
            f"{one.succeeded / one.episodes:7.3f}  {low:.3f}–{high:.3f}  "
            f"{one.named[ability] / failed:6.3f}  {blamed / others:6.3f}"
        )


def watch(ability: str, paths: Sequence[SolutionPath], rate: float, trials: int, seed: int) -> Seen:
    agent = "plan_act" if ability == "plan" else "react"
    every = [Task(path, trial) for path in paths for trial in range(trials)]
    tasks = [task for task in every if chances(task, ability, agent)]
    prompts = Prompts.load("en")
    rules = Rules(make_agent(agent, prompts), prompts, Sampling())
    standards = {path.id: Standard(path) for path in paths}
    named: Counter[str] = Counter()
    succeeded = 0
    for episode in play(tasks, rules, speak(degraded(ability, rate, seed), agent)):
        standard = standards[episode.path]
        success = outcome(episode, standard).success
        succeeded += success
        course = Course(standard.path, lambda a, b: float(a == b))
        found = deviation(standard.path, episode, course, success=success)
        if found is not None:
            named[found.ability or "answer"] += 1
    predicted = sum((1 - rate) ** len(chances(task, ability, agent)) for task in tasks)
    return Seen(len(tasks), predicted / len(tasks), succeeded, named)


if __name__ == "__main__":
    main()
