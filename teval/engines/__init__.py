"""What answers requests and what turns texts into vectors: literal tables, loaded by name."""

from teval.engines.models import get_model, resolve_model
from teval.engines.scripted import ScriptedEngine

__all__ = ["EMBEDDERS", "ENGINES", "ScriptedEngine", "get_model", "resolve_model"]

ENGINES: dict[str, str] = {
    "degraded": "teval.engines.scripted:ScriptedEngine",
    "openai": "teval.engines.openai:OpenAIEngine",
    "oracle": "teval.engines.scripted:ScriptedEngine",
    "ray": "teval.engines.ray:RayEngine",
    "recorded": "teval.engines.scripted:ScriptedEngine",
    "silent": "teval.engines.scripted:ScriptedEngine",
    "transformers": "teval.engines.transformers:TransformersEngine",
    "vllm": "teval.engines.vllm:VllmEngine",
}
"""Engines by kind. The scripted kinds differ in the answers that they are handed, which only
the cards know, so the composition root fills them."""

EMBEDDERS: dict[str, str] = {
    "hashing": "teval.engines.hashing:HashingEmbedder",
    "sbert": "teval.engines.sbert:SbertEmbedder",
}
"""Embedders by kind."""
