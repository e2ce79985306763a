"""A run, or the cases that one would ask, in other people's layouts."""

from __future__ import annotations

from pathlib import Path

from teval import __version__
from teval.abilities import card_of
from teval.abilities.card import NATIVE
from teval.api.job import plan, requests_of, stored_config
from teval.exports.datasets_folder import Origin, write_folder
from teval.exports.teval_layout import Answered, results_of, write_layout
from teval.run.answers import Answers
from teval.run.config import RunConfig
from teval.run.store import RunFolder


def export_datasets(source: Path | RunConfig, out: Path) -> list[Path]:
    """Write cases as a folder that the ``datasets`` library loads, and return the files.

    Args:
        source: A run's folder, or the settings of a run that need not have begun.
        out: The folder to write into.

    Raises:
        TevalError: The folder holds no run, the settings leave no case, or ``out`` is a file.
    """
    if isinstance(source, RunConfig):
        job = plan(source)
        config, cases, hashes = source, list(job.cases), job.manifest.hashes
    else:
        place = RunFolder(source)
        config, cases, hashes = stored_config(source), place.cases(), place.manifest().hashes
    return write_folder(out, cases, Origin(Path(config.data.paths).name, __version__, hashes))


def export_teval(folder: Path, out: Path) -> list[Path]:
    """Write a scored run in the layout of the T-Eval release's output, and return the files.

    Of a case that was asked several times the first answer is taken; calls in a model's own syntax,
    which that layout does not know, are left out. Results are the published
    scorer's means.

    Args:
        folder: A run's folder.
        out: The folder to write into.

    Raises:
        DataError: The folder holds no scored run, or an id can't be a file's name.
    """
    place = RunFolder(folder)
    config, summary, cases = stored_config(folder), place.summary(), place.case_file()
    requests, answers = requests_of(config, cases), Answers(place.completion_file())
    told = []
    for case in cases:
        if case.format == NATIVE:
            continue
        first = next(iter(answers.to(requests, case.prompt)), None)
        text = None if first is None or first.finish in {"error", "overflow"} else first.text
        told.append(Answered(case, case.release or card_of(case.ability).release(case), text))
    abilities = summary.published.abilities if summary.published else {}
    metrics = {
        (name, form): cell.metrics
        for name, ability in abilities.items()
        for form, cell in (ability.formats.items() if ability else ())
    }
    return write_layout(out, summary.model, told, results_of(metrics))
