"""Hand-written families in, verified gold paths out."""

from teval.authoring.compile import build, compile_family, compile_path
from teval.authoring.family import Family
from teval.authoring.lint import Problem, lint
from teval.authoring.load import load_families, load_family
from teval.authoring.spread import spread

__all__ = [
    "Family",
    "Problem",
    "build",
    "compile_family",
    "compile_path",
    "lint",
    "load_families",
    "load_family",
    "spread",
]
