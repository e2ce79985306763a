"""What came of an episode: the world it left behind against the gold path's, and what was told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from teval.metrics.text_facts import tells
from teval.schema import FINISH, Episode, Json, Outcome, SolutionPath, WorldRef
from teval.world import World, replay

Records: TypeAlias = Mapping[tuple[str, str], Json]
"""All records of a world by table and id."""


@dataclass(frozen=True)
class Standard:
    """What episodes of one path are held against: the world before it, and after it."""

    path: SolutionPath

    @cached_property
    def before(self) -> Records:
        """The records before any call."""
        return _records(World.build(self._world))

    @cached_property
    def after(self) -> Records:
        """The records after the gold path.

        Raises:
            DataError: The path can't be replayed.
        """
        return _records(replay(self.path))

    @cached_property
    def wanted(self) -> frozenset[tuple[str, str]]:
        """Keys of the records that the gold path creates, changes or deletes."""
        keys = self.before.keys() | self.after.keys()
        return frozenset(key for key in keys if self.before.get(key) != self.after.get(key))

    @property
    def _world(self) -> WorldRef:
        assert self.path.world is not None  # episodes are only played on paths that have one
        return self.path.world


def outcome(episode: Episode, standard: Standard) -> Outcome:
    """Return what came of an episode; where it left the course is not told yet.

    The world is built again and the episode's calls are made in it, so that an outcome needs
    nothing but records.

    Args:
        episode: The episode, finished or not.
        standard: Of its path.

    Raises:
        DataError: The gold path can't be replayed.
    """
    final = _records(_world_after(episode, standard.path))
    wanted, after = standard.wanted, standard.after
    done = sum(final.get(key) == after.get(key) for key in wanted)
    told = tells(episode.answer, standard.path.answer.facts)
    unwanted = sum(
        final.get(key) != after.get(key) for key in (final.keys() | after.keys()) - wanted
    )
    state = done / len(wanted) if wanted else 1.0
    facts = sum(told) / len(told) if told else 1.0
    finished = episode.end == "finished"
    return Outcome(
        path=episode.path,
        family=episode.family,
        agent=episode.agent,
        trial=episode.trial,
        success=finished and state == 1 and facts == 1 and unwanted == 0,
        state=state,
        facts=facts,
        unwanted=unwanted,
        end=episode.end,
        turns=len(episode.turns),
        calls=sum(t.call is not None and t.call.name != FINISH for t in episode.turns),
        mistakes=dict(Counter(t.mistake for t in episode.turns if t.mistake is not None)),
        hit_limit=sum(turn.hit_limit for turn in episode.turns),
        prompt_tokens=sum(turn.prompt_tokens for turn in episode.turns),
        completion_tokens=sum(turn.completion_tokens for turn in episode.turns),
    )


def _world_after(episode: Episode, path: SolutionPath) -> World:
    assert path.world is not None  # episodes are only played on paths that have one
    world = World.build(path.world)
    for turn in episode.turns:
        if turn.call is not None and turn.call.name != FINISH and turn.mistake in {None, "refused"}:
            world.call(turn.call)
    return world


def _records(world: World) -> Records:
    return {
        (table, str(record["id"])): record
        for table, records in world.view().items()
        if isinstance(records, list)
        for record in records
        if isinstance(record, dict) and "id" in record
    }
