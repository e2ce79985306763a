"""The same tasks end to end: an agent plays them in their world, and what comes of it counts."""
