"""Charts of more models than one set of axes can hold: a small one a model, or one an ability."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from teval.abilities import ABILITIES
from teval.report.dots import FLOOR, FLOOR_LABEL, TICKS, draw_value, interval_look, values_of
from teval.report.figure import GRID, INK, MUTED, STYLES, WIDTH, foot_text, new_figure, settings
from teval.report.grid import percent
from teval.report.loaded import LoadedRun, Value, beside_names
from teval.report.radar import CENTRE, RINGS, angles, closed, points_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.projections.polar import PolarAxes


class Panel(NamedTuple):
    """One model of a chart."""

    label: str
    run: LoadedRun | None
    """None where there are no scores: its place stays, and says so."""


_STYLE = STYLES[0]
_NONE = "no scores"
_RINGS_TOLD = "Rings: 0, 50, 100. Dashed: mean of these models."
_FOOT = 0.44
"""Room for the caption in inches."""

_ACROSS = 3
"""Radars side by side."""
_DISC, _TITLE, _LABELS = 1.04, 0.34, 0.18
"""A radar's disc, the room above it for two lines, and that for labels over and under the disc."""
_SHIFT = 0.07
"""To the right, in inches: the longest of the abilities' names stands on the left."""

_PAIR = 2
"""Dot plots side by side."""
_ROW, _HEAD, _AXIS = 0.17, 0.26, 0.26
"""Heights of a model's row, of a plot's title and of its axis in inches."""
_LEFT, _BETWEEN, _RIGHT = 1.9, 0.28, 0.2
"""Margins of the dot plots in inches."""


def radar_panels(panels: Sequence[Panel]) -> Figure:
    """Return a radar chart a model in the order given, each with the mean of all models."""
    from matplotlib.projections.polar import PolarAxes

    cell = _DISC + _TITLE + 2 * _LABELS
    down = math.ceil(len(panels) / _ACROSS)
    height = down * cell + _FOOT
    runs = [panel.run for panel in panels if panel.run is not None]
    with settings():
        figure = new_figure(height)
        for place, panel in enumerate(panels):
            row, column = divmod(place, _ACROSS)
            left = (column + 0.5) * WIDTH / _ACROSS - _DISC / 2 + _SHIFT
            bottom = height - (row + 1) * cell + _LABELS
            box = (left / WIDTH, bottom / height, _DISC / WIDTH, _DISC / height)
            axes = PolarAxes(figure, box)
            figure.add_axes(axes)
            _draw_radar(axes)
            _draw_lines(axes, panel, _mean(runs))
            top = bottom + _DISC + _LABELS
            _draw_title(figure, (left + _DISC / 2) / WIDTH, top / height, place + 1, panel)
        _draw_caption(figure, foot_text(runs, _RINGS_TOLD))
    return figure


def dot_panels(panels: Sequence[Panel]) -> Figure:
    """Return a dot plot an ability, overall first, with a row a model in the order given."""
    beside = beside_names(panel.run.summary for panel in panels if panel.run)
    labels = [card.label for card in ABILITIES.values()]
    names = ["Overall", *labels, *map(str.capitalize, beside)]
    inner = _ROW * len(panels)
    cell = inner + _HEAD + _AXIS
    down = math.ceil((len(names) + 1) / _PAIR)
    height = down * cell + _FOOT
    width = (WIDTH - _LEFT - _RIGHT - (_PAIR - 1) * _BETWEEN) / _PAIR
    columns = [_overall_first(panel.run, beside) for panel in panels]
    with settings():
        figure = new_figure(height)
        for place, name in enumerate([*names, None]):
            row, column = divmod(place, _PAIR)
            left, bottom = _LEFT + column * (width + _BETWEEN), height - (row + 1) * cell + _AXIS
            box = (left / WIDTH, bottom / height, width / WIDTH, inner / height)
            if name is None:
                _draw_key(figure, box, [value[0] for value in columns])
                continue
            axes = figure.add_axes(box)
            models = [_numbered(i, panel) for i, panel in enumerate(panels, start=1)]
            _draw_frame(axes, name, models if column == 0 else [""] * len(models))
            for i, values in enumerate(columns):
                _draw_row(axes, i, panels[i].run, values[place])
        _draw_caption(figure, foot_text([p.run for p in panels if p.run is not None]))
    return figure


def shortened(text: str, length: int) -> str:
    """Return the text on one line, its middle cut out where it is longer.

    >>> shortened("a-model-of-some-size", 11)
    'a-mod…-size'
    """
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    tail = (length - 1) // 2
    return f"{text[: length - 1 - tail]}…{text[len(text) - tail :]}"


def _numbered(number: int, panel: Panel) -> str:
    """A model's number, as in the table, keeps names apart of which the middle is cut out."""
    return f"{shortened(panel.label, 26)}  {number}"


def _mean(runs: Sequence[LoadedRun]) -> list[float]:
    """Return each ability's mean over the models that were asked for it."""
    found = [
        [p for p in column if not math.isnan(p)]
        for column in zip(*map(points_of, runs), strict=True)
    ]
    return [fmean(column) if column else math.nan for column in found]


def _draw_radar(axes: PolarAxes) -> None:
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    axes.set_rorigin(CENTRE)
    axes.set_ylim(RINGS[0], RINGS[-1])
    axes.set_yticks([])
    axes.set_frame_on(False)
    axes.grid(False)
    axes.set_xticks(angles(), [card.label for card in ABILITIES.values()])
    axes.tick_params(axis="x", pad=-5, labelsize=6)
    for label, angle in zip(axes.get_xticklabels(), angles(), strict=True):
        side = math.sin(angle)
        label.set_horizontalalignment(
            "center" if abs(side) < 0.01 else "left" if side > 0 else "right"
        )
    for ring in (RINGS[0], 50, RINGS[-1]):
        edge = closed([ring] * len(ABILITIES))
        axes.plot(closed(angles()), edge, color=GRID, lw=0.7, zorder=1, clip_on=False)


def _draw_lines(axes: PolarAxes, panel: Panel, mean: Sequence[float]) -> None:
    turns = closed(angles())
    axes.plot(turns, closed(mean), color=MUTED, lw=0.9, ls=(0, (3, 2)), zorder=2, clip_on=False)
    if panel.run is not None:
        look = _STYLE.line
        look["linewidth"], look["markersize"], look["markeredgewidth"] = 1.4, 3.2, 1.0
        axes.plot(turns, closed(points_of(panel.run)), clip_on=False, zorder=3, **look)


def _draw_title(figure: Figure, x: float, y: float, number: int, panel: Panel) -> None:
    overall = panel.run.overall if panel.run else None
    below = f"overall {percent(overall.score if overall else None)}" if panel.run else _NONE
    step = 0.13 / figure.get_figheight()
    name = f"{number}  {shortened(panel.label, 24)}"
    figure.text(x, y + step, name, ha="center", va="bottom", fontsize=7, fontweight="bold")
    figure.text(x, y, below, ha="center", va="bottom", fontsize=7, color=MUTED)


def _overall_first(run: LoadedRun | None, beside: Sequence[str]) -> list[Value | None]:
    if run is None:
        return [None] * (1 + len(ABILITIES) + len(beside))
    *values, overall = values_of(run)
    return [overall, *values, *map(run.beside.get, beside)]


def _draw_frame(axes: Axes, name: str, labels: Sequence[str]) -> None:
    axes.set_title(name, loc="left", fontsize=9, fontweight="bold", pad=4)
    axes.set_xlim(TICKS[0], TICKS[-1])
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_xticks(TICKS)
    axes.set_yticks(range(len(labels)), labels, fontsize=7)
    axes.tick_params(length=0)
    axes.tick_params(axis="x", labelsize=7)
    axes.tick_params(axis="y", pad=8)
    axes.grid(color=GRID, linewidth=0.5)
    axes.set_axisbelow(True)
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)


def _draw_row(axes: Axes, row: int, run: LoadedRun | None, value: Value | None) -> None:
    if value is not None:
        draw_value(axes, value, row, _STYLE)
        return
    missing = _NONE if run is None else "not asked"
    axes.text(
        1.5, row, missing, va="center", fontsize=6.5, color=MUTED, backgroundcolor="white"
    ).set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.5})


def _draw_key(
    figure: Figure, box: tuple[float, float, float, float], values: Sequence[Value | None]
) -> None:
    """Say in the place that is left over what marks mean."""
    from matplotlib.lines import Line2D

    key = {"score with 95 % interval": interval_look(_STYLE)}
    if any(value is not None and value.floor is not None for value in values):
        key[FLOOR_LABEL.replace(" that ", "\nthat ")] = FLOOR
    left, bottom, _, height = box
    figure.legend(
        [Line2D([], [], **look) for look in key.values()],
        list(key),
        loc="center left",
        bbox_to_anchor=(left, bottom + height / 2),
        frameon=False,
        fontsize=7.5,
        borderpad=0,
        labelcolor=INK,
    )


def _draw_caption(figure: Figure, text: str) -> None:
    figure.text(
        0.5,
        0.08 / figure.get_figheight(),
        text,
        ha="center",
        va="bottom",
        color=MUTED,
        fontsize=7.5,
    )
