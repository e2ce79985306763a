"""Planning a path's responses so that their wording does not tell what they amount to.

A failed service loses of its answer what the next steps need, a refused read is answered with
another value and says so, and notices of no matter stand beside the good, the irrelevant and the
unhelpful answers that are reviewed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random

from teval.authoring.family import Family, FamilyStep
from teval.authoring.needs import Needs
from teval.authoring.reviews import answered, failed
from teval.schema import Fault, SolutionPath, WorldRef
from teval.world import World
from teval.world.faults import BODIES


def disguise(
    path: SolutionPath,
    family: Family,
    story: Sequence[FamilyStep],
    chance: Mapping[str, float],
    rng: Random,
) -> SolutionPath:
    """Return the path with its reviews chosen and their responses made hard to tell by wording.

    Args:
        path: As it is with the family's own faults.
        family: What it was made from.
        story: The family's steps that it was made from.
        chance: How likely a success is reviewed, by tool.
        rng: Where chance comes from.

    Raises:
        ValueError: A failure is to take a key that the answer lacks.
    """
    steps = path.steps[:-1]
    kept = answered(steps, chance, rng)
    ref = _ref(path)
    ref = ref.model_copy(update={"faults": tuple(_planned(path, family, story, kept))})
    world = World.build(ref)
    steps = tuple(s.model_copy(update={"observation": world.call(s.call)}) for s in steps)
    kept |= failed(steps, rng)
    steps = tuple(s.model_copy(update={"reviewed": s.id in kept}) for s in steps)
    return path.model_copy(update={"world": ref, "steps": (*steps, path.steps[-1])})


def _ref(path: SolutionPath) -> WorldRef:
    if path.world is None:
        raise ValueError(f"path {path.id} has no world")
    return path.world


def _planned(
    path: SolutionPath, family: Family, story: Sequence[FamilyStep], noisy: Collection[int]
) -> Iterator[Fault]:
    """Yield the family's own faults, with what they take, and the faults that disguise."""
    own = {(fault.tool, fault.nth): fault for fault in _ref(path).faults}
    reads = {tool.name for tool in path.tools if tool.effect == "read"}
    needs = Needs(path, family, story)
    calls: Counter[str] = Counter()
    refusals: Counter[str] = Counter()
    for source, step in zip(story, path.steps, strict=False):
        name = step.call.name
        fault = own.get((name, calls[name])) if source.fits else None
        status = "" if step.observation is None else step.observation.status
        if fault is not None:
            lost = needs.lost(step.id) if name in reads and fault.kind in BODIES else source.lost
            yield fault.model_copy(update={"lost": lost})
        if name in reads and step.id in noisy and status == "ok":
            yield Fault(tool=name, nth=calls[name], kind="noise")
        if name in reads and step.review == "C":
            yield Fault(tool=name, nth=refusals[name], kind="substituted")
        calls[name] += source.fits
        refusals[name] += status == "input_error"
