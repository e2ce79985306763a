"""The radar chart: one axis an ability, always 0 to 100, always in the same order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from teval.abilities import ABILITIES
from teval.report.figure import (
    GRID,
    MUTED,
    STYLES,
    WIDTH,
    RunStyle,
    check_count,
    draw_footer,
    footer,
    new_figure,
    settings,
)
from teval.report.loaded import LoadedRun

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.projections.polar import PolarAxes

RINGS = (0, 20, 40, 60, 80, 100)
CENTRE = -12.0
"""Value at the very centre: scores near 0 stay apart on a small ring instead of in one point."""
_SIDE = 3.7
"""Width and height of the plotted disc in inches."""
_MARGIN = 0.42
"""Room for the axis labels above and below the disc in inches."""


def radar_figure(runs: Sequence[LoadedRun], note: str = "") -> Figure:
    """Return the radar chart of the corrected scores; a missing ability leaves a gap.

    Args:
        runs: One to four.
        note: A sentence that follows the caption.

    Raises:
        ConfigError: More runs than one chart can tell apart.
    """
    from matplotlib.projections.polar import PolarAxes

    check_count(runs)
    foot = footer(runs, note=note)
    height = foot.height + _SIDE + 2 * _MARGIN
    with settings():
        figure = new_figure(height)
        left, bottom = (WIDTH - _SIDE) / 2, foot.height + _MARGIN
        box = (left / WIDTH, bottom / height, _SIDE / WIDTH, _SIDE / height)
        axes = PolarAxes(figure, box)
        figure.add_axes(axes)
        _draw_grid(axes)
        lines = [_draw_run(axes, *pair) for pair in zip(runs, STYLES, strict=False)]
        draw_footer(figure, foot, lines)
    return figure


def angles() -> list[float]:
    """Return each axis's angle in radians, clockwise from the top, in the abilities' order."""
    return [2 * math.pi * i / len(ABILITIES) for i in range(len(ABILITIES))]


def _draw_grid(axes: PolarAxes) -> None:
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    axes.set_rorigin(CENTRE)
    axes.set_ylim(RINGS[0], RINGS[-1])
    axes.set_yticks([])
    axes.set_frame_on(False)
    axes.grid(False)
    _draw_labels(axes)
    for ring in RINGS:
        width = 1.0 if ring in (RINGS[0], RINGS[-1]) else 0.6
        edge = closed([ring] * len(ABILITIES))
        axes.plot(closed(angles()), edge, color=GRID, lw=width, zorder=1, clip_on=False)
        _draw_ring_label(axes, ring)
    for angle in angles():
        axes.plot([angle, angle], [RINGS[0], RINGS[-1]], color=GRID, lw=0.6, zorder=1)


def _draw_labels(axes: PolarAxes) -> None:
    axes.set_xticks(angles(), [card.label for card in ABILITIES.values()])
    axes.tick_params(axis="x", pad=4, labelsize=10)
    for label, angle in zip(axes.get_xticklabels(), angles(), strict=True):
        side = math.sin(angle)
        label.set_horizontalalignment(
            "center" if abs(side) < 0.01 else "left" if side > 0 else "right"
        )


def _draw_ring_label(axes: PolarAxes, ring: int) -> None:
    """Put a ring's value on its edge midway between the first two axes, where no marker is."""
    from matplotlib.patheffects import withStroke

    half = math.pi / len(ABILITIES)
    radius = (ring - CENTRE) * math.cos(half) + CENTRE
    text = axes.text(
        half, radius, str(ring), ha="center", va="center", color=MUTED, fontsize=7, zorder=5
    )
    text.set_path_effects([withStroke(linewidth=2.5, foreground="white")])


def _draw_run(axes: PolarAxes, run: LoadedRun, style: RunStyle) -> Line2D:
    (line,) = axes.plot(
        closed(angles()),
        closed(points_of(run)),
        clip_on=False,
        zorder=3,
        label=run.label,
        **style.line,
    )
    return line


def points_of(run: LoadedRun) -> list[float]:
    """Return each ability's score, 0 to 100, not-a-number where it was not asked."""
    values = [run.value(ability) for ability in ABILITIES]
    return [math.nan if value is None else 100 * value.score for value in values]


def closed(values: Sequence[float]) -> list[float]:
    """Return the values with the first one again at the end."""
    return [*values, values[0]]
