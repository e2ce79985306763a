"""Do step scores and outcomes agree? Over models, over each model's tasks, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from teval.abilities import ABILITIES
from teval.errors import MissingExtraError
from teval.metrics.agreement import Agreement, Measured, agreement, chance_of_order
from teval.metrics.bottleneck import Bottlenecks, Episode, bottlenecks
from teval.metrics.gap import Gap, gaps
from teval.report.joined import OVERALL, Ended, Pair, episodes, join, measured, met
from teval.report.loaded import LoadedRun

FEW = 8
"""With fewer models the intervals span most of the scale, and one model decides the order."""
FEWEST = 10
"""Successes or failures of a model below which a warning is given."""


@dataclass(frozen=True)
class Agreed:
    """How far step scores explain what comes of the same tasks end to end."""

    outcome: str
    """What the outcomes are: ``win rate`` or ``success``."""
    pairs: tuple[Pair, ...]
    """Models, the most successful first."""
    models: tuple[Measured, ...]
    """Their numbers, in the same order."""
    scores: tuple[Agreement, ...]
    """Over models: each ability that was measured, then the overall score."""
    bottlenecks: Bottlenecks | None
    """Within models; None where no model has both on the same tasks."""
    gaps: dict[str, list[Gap]]
    """By model, as far as its free runs met steps that were asked."""
    warnings: tuple[str, ...]
    unmatched: tuple[str, ...]
    """One sentence for each run or outcome without its counterpart."""


def compare_outcomes(
    runs: Sequence[LoadedRun],
    ended: Sequence[Ended],
    outcome: str,
    *,
    draws: int = 500,
    seed: int = 0,
) -> Agreed:
    """Return how the step scores of models go with their outcomes.

    Args:
        runs: Step runs, one a model.
        ended: Outcomes, one a model; with their episodes, tasks and steps are compared as well.
        outcome: What the outcomes are, for tables and charts.
        draws: Resamples of families for the intervals of the bottlenecks.
        seed: Of these.

    Raises:
        DataError: Models can't be joined.
        MissingExtraError: There are episodes, and scikit-learn is not installed.
    """
    joined = join(runs, ended)
    pairs = tuple(sorted(joined.pairs, key=lambda pair: -pair.ended.value))
    models = tuple(map(measured, pairs))
    tasks = {pair.name: found for pair in pairs if (found := episodes(pair))}
    steps = {pair.name: gaps(list(met(pair)), list(ABILITIES)) for pair in pairs}
    asked = [name for name in (*ABILITIES, OVERALL) if any(name in m.scores for m in models)]
    return Agreed(
        outcome=outcome,
        pairs=pairs,
        models=models,
        scores=tuple(agreement(models, name) for name in asked),
        bottlenecks=_bottlenecks(tasks, draws, seed) if tasks else None,
        gaps={name: found for name, found in steps.items() if found},
        warnings=(*_few(len(pairs)), *_thin(pairs, tasks)),
        unmatched=joined.unmatched,
    )


def _bottlenecks(tasks: dict[str, list[Episode]], draws: int, seed: int) -> Bottlenecks:
    asked = {ability for found in tasks.values() for task in found for ability in task.scores}
    abilities = [ability for ability in ABILITIES if ability in asked]
    try:
        return bottlenecks(tasks, abilities, draws=draws, seed=seed)
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("sklearn"):
            raise
        raise MissingExtraError("scikit-learn", "stats") from error


def _few(models: int) -> Iterator[str]:
    if models < FEW:
        chance = chance_of_order(models)
        alone = f"without any link they stand in perfect order in {chance:.0%} of all cases"
        yield (
            f"only {models} model{'s' * (models != 1)}: too few to say whether a score goes with "
            f"the outcome, or which ability does best{f' ({alone})' if chance > 0.001 else ''}; "
            f"give {FEW} or more"
        )


def _thin(pairs: Sequence[Pair], tasks: dict[str, list[Episode]]) -> Iterator[str]:
    for pair in pairs:
        found = tasks.get(pair.name)
        if found is None:
            if pair.ended.episodes is not None:
                yield f"{pair.name}: steps and episodes have no task in common; none is compared"
            continue
        solved = sum(task.success for task in found)
        if not 0 < solved < len(found):
            yield (
                f"{pair.name}: {'all' if solved else 'none'} of its {len(found)} episodes "
                "succeeded, so no bottleneck can be told"
            )
        elif min(solved, len(found) - solved) < FEWEST:
            yield (
                f"{pair.name}: {solved} of {len(found)} episodes succeeded; with so few of a kind "
                "gains come out too small"
            )
