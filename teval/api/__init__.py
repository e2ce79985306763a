"""The composition root: what the command line does, as plain functions for Python users.

>>> config = load_config(["smoke"], ["engine.kind=silent", "out=my_run"])
>>> config.engine.kind
'silent'

``run(config)`` then does all there is to do; its result's ``summary`` holds every number.
"""

from teval.api.agree import agree
from teval.api.arena import arena
from teval.api.compare import compare
from teval.api.e2e import Played, e2e, score_episodes
from teval.api.episodes import ShownEpisode, show_episodes
from teval.api.export import export_datasets, export_teval
from teval.api.job import Job, plan, slice_cases, stored_config
from teval.api.lint import lint
from teval.api.make import make_embedder, make_engine
from teval.api.noise import measure_noise, noise
from teval.api.paths import build, import_paths, read_cases, read_paths, replay
from teval.api.run import Result, generate, prepare, report, run, score
from teval.api.show import ShownCase, show_cases
from teval.api.sweep import sweep, sweep_folder
from teval.api.teval_files import CaseLine, FilesScored, default_config, score_files
from teval.engines import get_model
from teval.run.config import RunConfig, load_config
from teval.run.generate import Counts, Progress, Workload

__all__ = [
    "CaseLine",
    "Counts",
    "FilesScored",
    "Job",
    "Played",
    "Progress",
    "Result",
    "RunConfig",
    "ShownCase",
    "ShownEpisode",
    "Workload",
    "agree",
    "arena",
    "build",
    "compare",
    "default_config",
    "e2e",
    "export_datasets",
    "export_teval",
    "generate",
    "get_model",
    "import_paths",
    "lint",
    "load_config",
    "make_embedder",
    "make_engine",
    "measure_noise",
    "noise",
    "plan",
    "prepare",
    "read_cases",
    "read_paths",
    "replay",
    "report",
    "run",
    "score",
    "score_episodes",
    "score_files",
    "show_cases",
    "show_episodes",
    "slice_cases",
    "stored_config",
    "sweep",
    "sweep_folder",
]
