"""The executable world that gold paths are made and replayed in."""

from teval.world.replay import replay
from teval.world.state import Snapshot
from teval.world.world import World

__all__ = ["Snapshot", "World", "replay"]
