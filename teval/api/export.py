"""A run in other people's layouts."""

from __future__ import annotations

from pathlib import Path

from teval.abilities import card_of
from teval.api.job import requests_of, stored_config
from teval.exports.teval_layout import Answered, results_of, write_layout
from teval.run.generate import answers_by_prompt
from teval.run.store import RunFolder


def export_teval(folder: Path, out: Path) -> list[Path]:
    """Write a scored run in the layout of the T-Eval release's output, and return the files.

    Of a case that was asked several times the first answer is taken. Results are the published
    scorer's means.

    Args:
        folder: A run's folder.
        out: The folder to write into.

    Raises:
        DataError: The folder holds no scored run, or an id can't be a file's name.
    """
    place = RunFolder(folder)
    config, summary, cases = stored_config(folder), place.summary(), place.cases()
    answers = answers_by_prompt(requests_of(config, cases), place.completions())
    told = []
    for case in cases:
        first = next(iter(answers.get(case.prompt, ())), None)
        text = None if first is None or first.finish in {"error", "overflow"} else first.text
        told.append(Answered(case, case.release or card_of(case.ability).release(case), text))
    abilities = summary.published.abilities if summary.published else {}
    metrics = {
        (name, form): cell.metrics
        for name, ability in abilities.items()
        for form, cell in (ability.formats.items() if ability else ())
    }
    return write_layout(out, summary.model, told, results_of(metrics))
