"""Which responses of a path are reviewed: so many of each label, of whichever tool they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from random import Random

from teval.authoring.family import Family, FamilyStep
from teval.schema import JsonObject, Step
from teval.world.notices import NOTICES

SUCCESSES = 0.25
"""About which part of all reviews is of a success."""
PLAIN = 0.15
"""How often a response is reviewed that holds nothing but its error."""


def chances(families: Sequence[Family], effects: Mapping[str, str]) -> dict[str, float]:
    """Return how likely a success is reviewed, by tool.

    So that no tool tells the label, it is each tool's in proportion to its other responses.

    Args:
        families: All that a set is made from.
        effects: ``read`` or ``write`` by tool.
    """
    others: dict[str, float] = defaultdict(float)
    successes: dict[str, float] = defaultdict(float)
    for family in families:
        for variant in family.variants:
            story, share = family.story(variant), 1 / len(family.variants)
            for place, step in enumerate(story):
                if step.review == "A":
                    is_new = not any(_same(step, earlier) for earlier in story[:place])
                    successes[step.call] += share * is_new
                else:
                    plain = step.review in "BC" and effects.get(step.call) == "write"
                    others[step.call] += share * (PLAIN if plain else 1)
    ratio = SUCCESSES / (1 - SUCCESSES)
    return {tool: min(1, ratio * others[tool] / n) for tool, n in successes.items() if n}


def _same(step: FamilyStep, other: FamilyStep) -> bool:
    return (step.call, step.args) == (other.call, other.args)


def answered(steps: Sequence[Step], chance: Mapping[str, float], rng: Random) -> set[int]:
    """Return the ids of the reviewed steps whose call was answered.

    Those are all irrelevant responses, all that do not accomplish, and some successes, but none
    of a call that was made before.

    Args:
        steps: Of a path, finish left out.
        chance: How likely a success is reviewed, by tool.
        rng: Where chance comes from.
    """
    kept = {step.id for step in steps if step.review in ("D", "E")}
    for place, step in enumerate(steps):
        again = any(step.call == earlier.call for earlier in steps[:place])
        likely = chance.get(step.call.name, 0)
        if step.review == "A" and not again and rng.random() < likely:
            kept.add(step.id)
    return kept


def failed(steps: Sequence[Step], rng: Random) -> set[int]:
    """Return the ids of the reviewed steps whose call failed or was refused, one of each at most.

    One that was answered just as a later call is none: what was taken instead was right by chance.

    Args:
        steps: Of a path, finish left out.
        rng: Where chance comes from.
    """
    kept = set()
    for label in ("B", "C"):
        found = [step for step in steps if step.review == label]
        plain = [step for step in found if "error" in _content(step)]
        full = [step for step in found if step not in plain and not _comes_again(step, steps)]
        if full or (plain and rng.random() < PLAIN):
            kept.add(rng.choice(full or plain).id)
    return kept


def _content(step: Step) -> JsonObject:
    return {} if step.observation is None else step.observation.content


def _comes_again(step: Step, steps: Sequence[Step]) -> bool:
    later = (other for other in steps[step.id + 1 :] if other.call.name == step.call.name)
    return any(_told(step) == _told(other) for other in later)


def _told(step: Step) -> JsonObject:
    return {key: part for key, part in _content(step).items() if key != NOTICES}
