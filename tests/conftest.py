"""Settings that must stand before anything is imported."""

from __future__ import annotations

import os

# The tests run side by side, so numpy must not use all cores in each of them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
