"""What came of an episode: the world it left behind against the gold path's, and what was told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from teval.metrics.text_facts import tells
from teval.schema import FINISH, Episode, Outcome, SolutionPath, WorldRef
from teval.world import Snapshot, World, replay


@dataclass(frozen=True)
class Standard:
    """What episodes of one path are held against: the world before it, and after it."""

    path: SolutionPath

    @cached_property
    def before(self) -> Snapshot:
        """The records before any call."""
        return World.build(self._world).records()

    @cached_property
    def after(self) -> Snapshot:
        """The records after the gold path.

        Raises:
            DataError: The path can't be replayed.
        """
        return replay(self.path).records()

    @cached_property
    def wanted(self) -> frozenset[tuple[str, str]]:
        """Table and id of the records that the gold path creates, changes or deletes."""
        return _differing(self.before, self.after)

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
    wanted = standard.wanted
    off = _differing(_world_after(episode, standard.path).records(), standard.after)
    told = tells(episode.answer, standard.path.answer.facts)
    unwanted = len(off - wanted)
    state = len(wanted - off) / len(wanted) if wanted else 1.0
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


def _differing(one: Snapshot, other: Snapshot) -> frozenset[tuple[str, str]]:
    """Return table and id of the records that are not the same in both."""
    nothing: Mapping[str, object] = {}
    tables = [(t, one.get(t, nothing), other.get(t, nothing)) for t in one.keys() | other.keys()]
    return frozenset(
        (table, key)
        for table, these, those in tables
        for key in these.keys() | those.keys()
        if these.get(key) is not those.get(key) and these.get(key) != those.get(key)
    )
