"""The recorded cosines are those of the encoder."""

from __future__ import annotations

import numpy as np
import pytest
from golden_cases import Recorded

from teval.engines import get_model
from teval.engines.sbert import SbertEmbedder
from teval.schema import PAIR

pytestmark = pytest.mark.engine


def test_all_minilm_l6_v2_gives_the_recorded_cosines() -> None:
    recorded = Recorded("minilm")
    texts = [text for text in recorded.texts if PAIR not in text]
    model = str(get_model("all-minilm-l6-v2"))
    rows = SbertEmbedder(model=model, device="cpu").embed(texts)
    vectors = dict(zip(texts, rows, strict=True))
    pairs = [pair for pair in recorded.cosines if PAIR not in "".join(pair)]
    ours = np.array([vectors[a] @ vectors[b] for a, b in pairs])
    theirs = np.array([recorded(a, b) for a, b in pairs])
    assert len(pairs) > 500
    assert np.abs(ours - theirs).max() <= 2e-4
