"""The sentence encoder: sentence-transformers, in big batches of texts of like length."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from teval.engines.checkpoint import check_model, import_extra, loading, require_extra, revision
from teval.engines.precision import prepare_torch
from teval.errors import ConfigError
from teval.schema import PAIR, JsonObject

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BACKENDS: Mapping[str, tuple[str, ...]] = {
    "torch": (),
    "onnx": ("onnxruntime", "optimum.onnxruntime"),
    "openvino": ("openvino", "optimum.intel"),
}
"""What each backend imports besides sentence-transformers; its extra bears its name."""

_FLOAT32: Mapping[str, Mapping[str, Any]] = {
    "torch": {"dtype": "float32"},
    "openvino": {"ov_config": {"INFERENCE_PRECISION_HINT": "f32"}},
}
"""What keeps a backend at full precision where it would not by itself: OpenVINO computes in
bfloat16 on processors that can."""

_log = logging.getLogger(__name__)


class SbertEmbedder:
    """Turns texts into unit vectors with a sentence-transformers model, in float32.

    The model is loaded by the first :meth:`embed` and not before. A text longer than the model
    takes is cut at its end; how many were is logged once.

    Args:
        model: A folder in sentence-transformers format, or a name on the hub.
        device: ``"cpu"``, ``"cuda"``, …; ``"auto"`` is the accelerator if any.
        backend: ``"torch"``, ``"onnx"`` or ``"openvino"``: what computes. A model that was not
            saved for the latter two is converted each time it is loaded.
        batch_tokens: About how many tokens one batch holds, padding included.

    Raises:
        ConfigError: There is no such backend.
        EngineError: The model's folder is missing or holds no model.
        MissingExtraError: A package is not installed.
    """

    def __init__(
        self,
        *,
        model: str,
        device: str = "auto",
        backend: str = "torch",
        batch_tokens: int = 4096,
    ) -> None:
        prepare_torch()
        if backend not in BACKENDS:
            raise ConfigError(f"no backend {backend!r} of embedder 'sbert': {', '.join(BACKENDS)}")
        check_model(model)
        require_extra("sentence_transformers", "sbert")
        for package in BACKENDS[backend][:1]:
            require_extra(package, backend)
        self._model_name = model
        self._device = device
        self._backend = backend
        self._batch_tokens = batch_tokens
        self._told_of_cuts = False

    def describe(self) -> JsonObject:
        """Return kind, model, revision, device, backend, versions and precision."""
        packages = ("sentence-transformers", "torch", "transformers", *BACKENDS[self._backend][:1])
        return {
            "kind": "sbert",
            "model": self._model_name,
            "revision": revision(self._model_name),
            "device": self._device,
            "backend": self._backend,
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
        lengths = self._token_counts(texts)
        order = sorted(range(len(texts)), key=lambda i: -lengths[i])
        batch: list[int] = []
        for place in order:
            if batch and (len(batch) + 1) * lengths[batch[0]] > self._batch_tokens:
                yield batch
                batch = []
            batch.append(place)
        if batch:
            yield batch

    def _token_counts(self, texts: Sequence[str]) -> list[int]:
        """Return how many tokens of each text the model sees, and tell where it sees not all."""
        if not texts:
            return []
        found = self._model.tokenizer(list(texts), truncation=False, verbose=False)
        counts = [len(ids) for ids in found["input_ids"]]
        limit = self._model.max_seq_length or max(counts)
        cut = sum(count > limit for count in counts)
        if cut and not self._told_of_cuts:
            self._told_of_cuts = True
            told = "%d of %d texts are longer than %s takes (%d tokens); their ends are not seen"
            _log.warning(told, cut, len(texts), self._model_name, limit)
        return [min(count, limit) for count in counts]

    @cached_property
    def _model(self) -> Any:
        library: Any = import_extra("sentence_transformers", "sbert")
        import_extra("transformers", "sbert").utils.logging.disable_progress_bar()
        for package in BACKENDS[self._backend]:
            import_extra(package, self._backend)
        with loading(self._model_name):
            return library.SentenceTransformer(
                self._model_name,
                device=None if self._device == "auto" else self._device,
                backend=self._backend,
                trust_remote_code=False,
                model_kwargs=_FLOAT32.get(self._backend, {}),
            )
