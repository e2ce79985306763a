"""Executing a gold path again."""

from __future__ import annotations

from teval.errors import DataError
from teval.schema import FINISH, SolutionPath, Step, canonical
from teval.world.values import clip
from teval.world.world import World


def replay(path: SolutionPath) -> World:
    """Return the path's world after all its calls.

    Raises:
        DataError: The path has no world, an observation differs from the stored one, or the final
            state does.
    """
    if path.world is None:
        raise DataError(f"path {path.id}: has no world to replay it in; add the field 'world'")
    world = World.build(path.world)
    for step in path.steps:
        if step.call.name != FINISH:
            _repeat(world, path, step)
    if world.state_hash() != path.state_hash:
        raise DataError(
            f"path {path.id}: its final state differs from the stored hash "
            f"{path.state_hash[:12]!r}; build the paths again"
        )
    return world


def _repeat(world: World, path: SolutionPath, step: Step) -> None:
    seen = world.call(step.call)
    if seen == step.observation:
        return
    stored = step.observation and canonical(step.observation.model_dump())
    raise DataError(
        f"path {path.id}, step {step.id}: {step.call.name} now answers "
        f"{clip(canonical(seen.model_dump()), 200)}, stored is {clip(stored or 'nothing', 200)}; "
        "build the paths again"
    )
