"""The sentence encoder's settings, where no encoder is installed."""

from __future__ import annotations

import pytest

from teval.engines.sbert import SbertEmbedder
from teval.errors import ConfigError


def test_an_unknown_backend_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"no backend 'tensorflow'.*: torch, onnx, openvino"):
        SbertEmbedder(model="owner/name", backend="tensorflow")
