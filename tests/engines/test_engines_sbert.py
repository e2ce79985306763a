"""The sentence encoder on the small model."""

from __future__ import annotations

import logging
from importlib.util import find_spec

import numpy as np
import pytest

from teval.engines.models import get_model
from teval.engines.sbert import BACKENDS, SbertEmbedder
from teval.errors import MissingExtraError

pytestmark = [pytest.mark.engine, pytest.mark.filterwarnings("ignore")]

TEXTS = (
    "Send the report to Ana by mail.",
    "I should mail Ana the report.",
    "Look up the weather in Oslo.",
    "",
    "word " * 600,
)


@pytest.fixture(scope="module")
def embedder() -> SbertEmbedder:
    return SbertEmbedder(model=str(get_model("all-minilm-l6-v2")), batch_tokens=64)


def test_rows_are_unit_vectors_in_the_order_given(embedder: SbertEmbedder) -> None:
    rows = embedder.embed(TEXTS)
    assert rows.shape == (len(TEXTS), 384)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)
    for row, text in zip(rows, TEXTS, strict=True):
        np.testing.assert_allclose(row, embedder.embed([text])[0], atol=1e-5)


def test_paraphrases_are_nearer_than_strangers(embedder: SbertEmbedder) -> None:
    mail, again, weather = embedder.embed(TEXTS[:3])
    assert mail @ again > 0.7 > 0.3 > mail @ weather


def test_nothing_gives_nothing(embedder: SbertEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 384)


def test_the_description_tells_all_that_can_move_a_vector(embedder: SbertEmbedder) -> None:
    told = embedder.describe()
    assert (told["kind"], told["dtype"]) == ("sbert", "float32")
    assert (told["device"], told["backend"]) == ("auto", "torch")
    assert told["revision"] != "unknown"


def test_texts_that_are_cut_are_told_of_once(caplog: pytest.LogCaptureFixture) -> None:
    fresh = SbertEmbedder(model=str(get_model("all-minilm-l6-v2")), device="cpu")
    with caplog.at_level(logging.WARNING):
        fresh.embed(["word " * 254])
        assert caplog.messages == []
        fresh.embed([*TEXTS, "word " * 255])
        fresh.embed(["word " * 700])
    (told,) = caplog.messages
    assert told.startswith("2 of 6 texts are longer than")
    assert "(256 tokens)" in told


@pytest.mark.parametrize("backend", ["onnx", "openvino"])
def test_a_backend_gives_the_same_vectors_or_names_its_extra(
    backend: str, embedder: SbertEmbedder
) -> None:
    model = str(get_model("all-minilm-l6-v2"))
    if any(find_spec(package.partition(".")[0]) is None for package in BACKENDS[backend]):
        with pytest.raises(MissingExtraError, match=rf"pip install 'teval\[{backend}\]'"):
            SbertEmbedder(model=model, backend=backend).embed(TEXTS)
    else:
        rows = SbertEmbedder(model=model, device="cpu", backend=backend).embed(TEXTS)
        np.testing.assert_allclose(rows, embedder.embed(TEXTS), atol=1e-4)
