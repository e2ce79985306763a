"""Tables and charts on all models of a sweep, those that failed included, and their files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import RenderableType

from teval.abilities import ABILITIES
from teval.report.dots import dots_figure
from teval.report.figure import STYLES, save
from teval.report.grid import DASH, Grid, interval, percent, to_markdown, to_terminal
from teval.report.loaded import (
    LoadedRun,
    beside_cells,
    beside_names,
    caption,
    load_runs,
)
from teval.report.panels import Panel, dot_panels, radar_panels, shortened
from teval.report.radar import radar_figure
from teval.report.table import BESIDE, INCOMPLETE, OTHER_CASES
from teval.report.write import write_files
from teval.schema import AbilitySummary, Summary, Sweep, SweptModel

_SCREEN = 20
"""Letters of a model's name on a terminal, where all columns of numbers must find room."""
_NUMBERS = ("score", "low", "high")


def write_sweep(sweep: Sweep, out: Path) -> tuple[Path, ...]:
    """Return the files written: sweep.md, .csv, .json, and radar and dots as .png and .svg.

    Up to four models with scores share one radar chart and one dot plot; of more, the radar chart
    is one small chart a model, and the dot plot one an ability. Where no model has scores there
    are no charts.

    Args:
        sweep: How all models ended.
        out: The folder to write into; made where it is not there, its other files stay.

    Raises:
        ConfigError: ``out`` is no folder.
        DataError: A run's folder can't be read.
    """
    panels = _panels(sweep)
    runs = [panel.run for panel in panels if panel.run is not None]
    files = write_files(
        out,
        {
            "sweep.md": _to_report(sweep, runs),
            "sweep.csv": sweep_to_csv(sweep),
            "sweep.json": sweep.model_dump_json(indent=2) + "\n",
        },
    )
    if not runs:
        return files
    if len(runs) > len(STYLES):
        radar, dots = radar_panels(panels), dot_panels(panels)
    else:
        absent = ", ".join(panel.label for panel in panels if panel.run is None)
        note = f"Without scores, because they failed: {absent}." if absent else ""
        radar, dots = radar_figure(runs, note), dots_figure(runs, note)
    return (*files, *save(radar, out, "radar"), *save(dots, out, "dots"))


def sweep_to_screen(sweep: Sweep) -> RenderableType:
    """Return the table for a rich console; long names are cut there, their numbers tell them apart.

    Args:
        sweep: How all models ended.
    """
    table = sweep_table(sweep)
    rows = tuple((number, shortened(name, _SCREEN), *rest) for number, name, *rest in table.rows)
    return to_terminal(table._replace(rows=rows))


def sweep_table(sweep: Sweep) -> Grid:
    """Return all models' scores, and below them what failed or was changed, and why."""
    scored = [model for model in sweep.models if model.summary is not None]
    return Grid(
        title=f"Sweep {sweep.name}: {len(scored)} of {len(sweep.models)} models have scores",
        header=("no.", "model", "overall", *ABILITIES, *_beside(sweep)),
        rows=tuple(
            (str(number), model.label, *_cells(model, _beside(sweep)))
            for number, model in enumerate(sweep.models, start=1)
        ),
        texts=2,
        notes=tuple(_notes(sweep)),
        findings=tuple(_findings(scored)),
    )


def _beside(sweep: Sweep) -> list[str]:
    return beside_names(model.summary for model in sweep.models if model.summary is not None)


def sweep_to_csv(sweep: Sweep) -> str:
    """Return a row a model: how it ended, and all scores with their intervals on 0 to 100."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    scores = [f"{name}_{part}" for name in ("overall", *ABILITIES) for part in _NUMBERS]
    writer.writerow(
        (
            *("no", "label", "model", "state", "why", "changed", *scores, "published_overall"),
            *("complete", "n", "families", "folder", "log", "signature", *_beside(sweep)),
        )
    )
    for number, model in enumerate(sweep.models, start=1):
        ended = (model.state, model.why, "; ".join(model.changed))
        numbers = _csv_numbers(model.summary)
        signature = model.summary and model.summary.signature
        files = (model.folder, model.log, signature)
        found = beside_cells(model.summary) if model.summary else {}
        beside = [_points(found[n].score if n in found else None) for n in _beside(sweep)]
        writer.writerow((number, model.label, model.model, *ended, *numbers, *files, *beside))
    return out.getvalue()


def _panels(sweep: Sweep) -> list[Panel]:
    """Load the runs of all models that have scores."""
    folders = [Path(model.folder) for model in sweep.models if model.summary is not None]
    loaded = iter(load_runs(folders))
    return [
        Panel(m.label, None if m.summary is None else replace(next(loaded), label=m.label))
        for m in sweep.models
    ]


def _to_report(sweep: Sweep, runs: Sequence[LoadedRun]) -> str:
    table = to_markdown(sweep_table(sweep))
    if not runs:
        return f"# No model has scores\n\n{table}"
    head = [
        "# Tool use by model and ability\n",
        f"{caption(runs)} Intervals are 95 %, by bootstrap over families; those of the table stand "
        "in sweep.csv. Models stand in the order in which they were named.\n",
        "![Radar chart of the six abilities](radar.svg)\n",
        "![Scores with 95 % intervals](dots.svg)\n",
    ]
    return "\n".join([*head, table])


def _cells(model: SweptModel, beside: Sequence[str]) -> Iterator[str]:
    if model.summary is None:
        yield from ("failed", *[DASH] * (len(ABILITIES) + len(beside)))
        return
    found = model.summary.corrected
    yield percent(found.overall) + ("" if found.complete else "*")
    for name in ABILITIES:
        ability = found.abilities.get(name)
        yield percent(ability.score if ability else None)
    cells = beside_cells(model.summary)
    yield from (percent(cells[name].score if name in cells else None) for name in beside)


def _notes(sweep: Sweep) -> Iterator[str]:
    for number, model in enumerate(sweep.models, start=1):
        yield from _troubles(number, model)
    found = [model.summary for model in sweep.models if model.summary is not None]
    if any(not summary.corrected.complete for summary in found):
        yield INCOMPLETE
    cases = {part for s in found for part in s.signature.split("|") if part.startswith("cases:")}
    if len(cases) > 1:
        yield OTHER_CASES
    if _beside(sweep):
        yield BESIDE


def _findings(scored: Sequence[SweptModel]) -> Iterator[str]:
    """Name the highest score, which need not be higher for sure."""
    ranked = [
        (model.summary.corrected.overall, model.label, model.summary.corrected)
        for model in scored
        if model.summary and model.summary.corrected.overall is not None
    ]
    if len(ranked) > 1:
        best, label, scores = max(ranked, key=lambda entry: entry[0])
        ends = interval(scores.low, scores.high)
        yield (
            f"Highest overall score: {label}, {percent(best)} ({ends}). Which differences are sure "
            "is told by teval compare."
        )


def _troubles(number: int, model: SweptModel) -> Iterator[str]:
    """Yield what a reader must know of one model."""
    name = f"{number} {model.label}"
    if model.why:
        state = "failed" if model.state == "failed" else "left requests over"
        yield f"{name} {state}: {model.why.rstrip('.')}. Log: {model.log}"
    if model.changed:
        yield f"{name} ran short of memory and was tried again with {', '.join(model.changed)}."
    for warning in model.summary.warnings if model.summary else ():
        yield f"{name}: Warning: {warning}"


def _csv_numbers(summary: Summary | None) -> Iterator[float | None]:
    """Yield score and both ends of the interval, of overall and of each ability, and what else."""
    if summary is None:
        yield from [None] * (len(_NUMBERS) * (len(ABILITIES) + 1) + 4)
        return
    found, published = summary.corrected, summary.published
    yield from map(_points, (found.overall, found.low, found.high))
    for name in ABILITIES:
        yield from map(_points, _ends(found.abilities.get(name)))
    yield _points(published.overall if published else None)
    yield from (found.complete, found.n, found.families)


def _ends(ability: AbilitySummary | None) -> tuple[float | None, ...]:
    return (ability.score, ability.low, ability.high) if ability else (None,) * len(_NUMBERS)


def _points(value: float | None) -> float | None:
    return None if value is None else round(100 * value, 4)
