"""The records that rooms hand to one another; imports nothing else of teval."""

from teval.schema.cases import Ability, Case, Format, Message, Release
from teval.schema.fields import Field, Reply, Shape
from teval.schema.paths import (
    FINISH,
    REVIEW_LABELS,
    Answer,
    Argument,
    Call,
    Comparator,
    Fault,
    Observation,
    ReviewLabel,
    SolutionPath,
    Step,
    TextFacts,
    Tool,
    WorldRef,
    finish_tool,
)
from teval.schema.protocols import Embedder, Engine, Similarity
from teval.schema.records import (
    STATUSES,
    Completion,
    Request,
    Sampling,
    Score,
    Status,
)
from teval.schema.release import PublishedRecord
from teval.schema.stored import Frozen, Json, JsonObject, canonical, digest
from teval.schema.summary import AbilitySummary, Cell, ScorerSummary, Summary

__all__ = [
    "FINISH",
    "REVIEW_LABELS",
    "STATUSES",
    "Ability",
    "AbilitySummary",
    "Answer",
    "Argument",
    "Call",
    "Case",
    "Cell",
    "Comparator",
    "Completion",
    "Embedder",
    "Engine",
    "Fault",
    "Field",
    "Format",
    "Frozen",
    "Json",
    "JsonObject",
    "Message",
    "Observation",
    "PublishedRecord",
    "Release",
    "Reply",
    "Request",
    "ReviewLabel",
    "Sampling",
    "Score",
    "ScorerSummary",
    "Shape",
    "Similarity",
    "SolutionPath",
    "Status",
    "Step",
    "Summary",
    "TextFacts",
    "Tool",
    "WorldRef",
    "canonical",
    "digest",
    "finish_tool",
]
