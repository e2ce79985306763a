"""The dot plot: each ability's score with its 95 % interval and floor, run beside run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from teval.abilities import ABILITIES
from teval.report.figure import (
    GRID,
    MUTED,
    STYLES,
    WIDTH,
    LineLook,
    RunStyle,
    check_count,
    draw_footer,
    footer,
    new_figure,
    settings,
)
from teval.report.loaded import LoadedRun, Value, beside_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

TICKS = (0, 20, 40, 60, 80, 100)
_LANE = 0.17
"""Height of one run's lane within an ability's row in inches."""
_GAP = 0.16
"""Room between two rows in inches."""
_LEFT, _RIGHT, _TOP, _AXIS = 1.05, 0.3, 0.12, 0.5
"""Margins around the plot in inches; the last is the room of the axis below it."""
_LEFT_BESIDE = 1.5
"""The left margin where names of scores stand there that enter no mean."""
_OVERALL = len(ABILITIES)
"""Row of the overall score."""

FLOOR_LABEL = "floor: best of the answerers that need no ability"
FLOOR = LineLook(
    color=MUTED,
    linestyle="none",
    linewidth=0.0,
    marker="|",
    markersize=8.0,
    markerfacecolor=MUTED,
    markeredgewidth=1.2,
)


def dots_figure(runs: Sequence[LoadedRun], note: str = "") -> Figure:
    """Return the dot plot of the corrected scores, abilities from top to bottom, then overall.

    Scores that enter no mean stand below it.

    Args:
        runs: One to four.
        note: A sentence that follows the caption.

    Raises:
        ConfigError: More runs than one chart can tell apart.
    """
    check_count(runs)
    beside = beside_names(run.summary for run in runs)
    columns = [[*values_of(run), *map(run.beside.get, beside)] for run in runs]
    floors = any(value.floor is not None for column in columns for value in column if value)
    foot = footer(runs, *([FLOOR_LABEL] if floors else []), note=note)
    rows = [card.label for card in ABILITIES.values()] + ["Overall", *map(str.capitalize, beside)]
    left = _LEFT_BESIDE if beside else _LEFT
    row = _LANE * len(runs) + _GAP
    inner = row * len(rows)
    height = foot.height + _AXIS + inner + _TOP
    with settings():
        figure = new_figure(height)
        bottom = (foot.height + _AXIS) / height
        axes = figure.add_axes(
            (left / WIDTH, bottom, (WIDTH - left - _RIGHT) / WIDTH, inner / height)
        )
        _draw_frame(axes, rows)
        for lane, (column, style) in enumerate(zip(columns, STYLES, strict=False)):
            shift = (lane - (len(runs) - 1) / 2) * _LANE / row
            _draw_run(axes, column, style, shift)
        draw_footer(figure, foot, _handles(len(runs))[: len(foot.labels)])
    return figure


def values_of(run: LoadedRun) -> list[Value | None]:
    """Return the abilities' scores in their order, then the overall one."""
    return [*map(run.value, ABILITIES), run.overall]


def _draw_frame(axes: Axes, rows: Sequence[str]) -> None:
    axes.set_xlim(TICKS[0], TICKS[-1])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks(TICKS)
    axes.set_yticks(range(len(rows)), rows)
    axes.get_yticklabels()[_OVERALL].set_fontweight("bold")
    axes.set_xlabel("Score with 95 % interval")
    axes.tick_params(length=0)
    axes.tick_params(axis="y", pad=8)
    axes.grid(axis="x", color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    for name in ("top", "left", "right"):
        axes.spines[name].set_visible(False)
    for edge in range(1, len(rows)):
        around = edge in (_OVERALL, _OVERALL + 1)
        axes.axhline(edge - 0.5, color=MUTED if around else GRID, linewidth=0.8 if around else 0.4)


def _draw_run(axes: Axes, values: Sequence[Value | None], style: RunStyle, shift: float) -> None:
    for row, value in enumerate(values):
        if value is None:
            missing = "incomplete" if row == _OVERALL else "not asked"
            axes.text(1, row + shift, missing, va="center", fontsize=7, color=style.colour)
        else:
            draw_value(axes, value, row + shift, style)


def draw_value(axes: Axes, value: Value, height: float, style: RunStyle) -> None:
    """Draw a score with its interval and its floor."""
    look = interval_look(style)
    if value.low is not None and value.high is not None:
        ends = [100 * value.low, 100 * value.high]
        look["marker"] = ""
        axes.plot(ends, [height] * 2, solid_capstyle="butt", clip_on=False, zorder=2, **look)
    if value.floor is not None:
        axes.plot([100 * value.floor], [height], clip_on=False, zorder=3, **FLOOR)
    look["marker"], look["linestyle"] = style.marker, "none"
    axes.plot([100 * value.score], [height], clip_on=False, zorder=4, **look)


def interval_look(style: RunStyle) -> LineLook:
    """Markers of one size, for here no run hides another, and solid lines, whose ends are sharp."""
    look = style.line
    look["linestyle"], look["linewidth"], look["markersize"] = "solid", 1.8, 5.4
    return look


def _handles(count: int) -> list[Line2D]:
    from matplotlib.lines import Line2D

    looks = [interval_look(style) for style in STYLES[:count]]
    return [Line2D([], [], **look) for look in (*looks, FLOOR)]
