"""The sentence encoder: sentence-transformers, in big batches of texts of like length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from teval.engines.checkpoint import check_model, import_extra, loading, require_extra, revision
from teval.engines.precision import prepare_torch
from teval.schema import PAIR, JsonObject

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class SbertEmbedder:
    """Turns texts into unit vectors with a sentence-transformers model, in float32.

    The model is loaded by the first :meth:`embed` and not before.

    Args:
        model: A folder in sentence-transformers format, or a name on the hub.
        device: ``"cpu"``, ``"cuda"``, …; ``"auto"`` is the accelerator if any.
        batch_tokens: About how many tokens one batch holds, padding included.
    """

    def __init__(self, *, model: str, device: str = "auto", batch_tokens: int = 4096) -> None:
        prepare_torch()
        check_model(model)
        require_extra("sentence_transformers", "sbert")
        self._model_name = model
        self._device = None if device == "auto" else device
        self._batch_tokens = batch_tokens

    def describe(self) -> JsonObject:
        """Return kind, model, revision, versions and precision."""
        packages = ("sentence-transformers", "torch", "transformers")
        return {
            "kind": "sbert",
            "model": self._model_name,
            "revision": revision(self._model_name),
            "versions": {name: version(name) for name in packages},
            "dtype": "float32",
        }

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of norm 1 a text, shape ``(len(texts), dimensions)``, float32."""
        import numpy as np

        model = self._model
        rows = np.zeros((len(texts), model.get_embedding_dimension()), dtype=np.float32)
        for places in self._batches(texts):
            rows[places] = model.encode(
                [texts[i].split(PAIR) if PAIR in texts[i] else texts[i] for i in places],
                batch_size=len(places),
                normalize_embeddings=True,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        return rows

    def _batches(self, texts: Sequence[str]) -> Iterator[list[int]]:
        """Yield the places of texts that are encoded together, the longest first."""
        if not texts:
            return
        longest = self._model.max_seq_length
        tokens = self._model.tokenizer(list(texts), truncation=True, max_length=longest)
        lengths = [len(ids) for ids in tokens["input_ids"]]
        order = sorted(range(len(texts)), key=lambda i: -lengths[i])
        batch: list[int] = []
        for place in order:
            if batch and (len(batch) + 1) * lengths[batch[0]] > self._batch_tokens:
                yield batch
                batch = []
            batch.append(place)
        if batch:
            yield batch

    @cached_property
    def _model(self) -> Any:
        library: Any = import_extra("sentence_transformers", "sbert")
        import_extra("transformers", "sbert").utils.logging.disable_progress_bar()
        with loading(self._model_name):
            return library.SentenceTransformer(
                self._model_name,
                device=self._device,
                trust_remote_code=False,
                model_kwargs={"dtype": "float32"},
            )
