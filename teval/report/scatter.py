"""The scatter plots: each score against the outcome, a numbered point a model, and the key."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from teval.abilities import ABILITIES
from teval.metrics.agreement import Agreement
from teval.report.figure import DPI, GRID, INK, MUTED, STYLES, WIDTH, new_figure, settings
from teval.report.grid import DASH, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    from teval.report.agreement import Agreed

COLUMNS = 3
_WIDE, _HIGH = 1.6, 1.45
"""Size of a panel in inches."""
_LEFT, _BETWEEN = 0.62, 0.2
"""Room left of the first column, and between columns, in inches."""
_ABOVE, _BELOW = 0.3, 0.28
"""Room of a row above its panels, for their titles, and below, for their ticks."""
_FOOT = 0.42
"""Room of the axis label and the caption below everything, in inches."""
_LINE = 0.15
"""Height of a line of the key in inches."""
_VALUE = 0.5
"""Width of the key's last column in inches."""
_SPARE = 0.08
"""Share of an axis left free at either end."""
_SHORTEST = 10.0
"""Shortest axis, on the scale of 0 to 100."""
_DOT, _DIGIT, _HEIGHT = 0.06, 0.066, 0.1
"""Size of a point, and of a digit of its number, in inches."""
_REACHES = (0.1, 0.17, 0.24, 0.31, 0.38, 0.45, 0.6)
"""Distances from a point at which its number is tried, in inches, the nearest first."""
_TURNS = (1, 3, 0, 2, 7, 5, 4, 6)
"""Directions in which it is tried, in eighths of a turn, counted from the right."""

Place = tuple[float, float]
Span = tuple[float, float]


class Box(NamedTuple):
    """A rectangle by its centre and its size."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: Box) -> bool:
        """Whether the two overlap."""
        return (
            2 * abs(self.x - other.x) < self.width + other.width
            and 2 * abs(self.y - other.y) < self.height + other.height
        )

    def within(self, width: float, height: float) -> bool:
        """Whether it lies in a panel whose lower left corner is (0, 0)."""
        return (
            self.width <= 2 * self.x <= 2 * width - self.width
            and self.height <= 2 * self.y <= 2 * height - self.height
        )


def scatter_figure(agreed: Agreed) -> Figure:
    """Return the scatter plots, a panel a score and the overall score last; the key follows.

    Axes are cut to what there is, from 0 to 100 at most; all panels share that of the outcome.
    """
    panels = len(agreed.scores)
    rows = panels // COLUMNS + 1
    row = _ABOVE + _HIGH + _BELOW
    key = _ABOVE + _LINE * (len(agreed.models) + 1)
    height = rows * row + max(0.0, key - row) + _FOOT
    heights = _span([100 * model.outcome for model in agreed.models])
    with settings():
        figure = new_figure(height)
        for place, one in enumerate(agreed.scores):
            axes = figure.add_axes(_box(place, height))
            _draw_frame(axes, one, place)
            _draw_models(axes, agreed, one.score, heights)
        _draw_key(figure, agreed, panels, height)
        _draw_foot(figure, agreed, height)
    return figure


def label_places(points: Sequence[Place], widths: Sequence[float]) -> list[Place]:
    """Return where the points' labels stand, so that they cover neither points nor each other.

    Each takes the nearest free place that is nearer to its own point than to any other; where there
    is none, the one with least against it.

    Args:
        points: In inches from the panel's lower left corner.
        widths: Of the labels, in inches.

    >>> label_places([(0.5, 0.5)], [0.1])[0][0] > 0.5
    True
    """
    dots = [Box(x, y, _DOT, _DOT) for x, y in points]
    taken: list[Box] = []
    for own, width in zip(points, widths, strict=True):
        tried = [Box(own[0] + dx, own[1] + dy, width, _HEIGHT) for dx, dy in _offsets()]
        inside = [box for box in tried if box.within(_WIDE, _HIGH)] or tried
        covered = [sum(map(box.meets, (*dots, *taken))) for box in inside]
        strays = [_strays((box.x, box.y), own, points) for box in inside]
        best = min(range(len(inside)), key=lambda n: covered[n] + strays[n])
        taken.append(inside[best])
    return [(box.x, box.y) for box in taken]


def _strays(label: Place, own: Place, points: Sequence[Place]) -> bool:
    """Whether a label would seem to belong to another point."""
    return min(math.dist(label, other) for other in points) < math.dist(label, own) - 0.01


def _offsets() -> Iterator[Place]:
    for reach in _REACHES:
        for turn in _TURNS:
            angle = turn * math.pi / 4
            yield reach * math.cos(angle), reach * math.sin(angle)


def _span(values: Sequence[float]) -> Span:
    """Return an axis that holds all values and has room at both ends."""
    middle = (min(values) + max(values)) / 2
    half = max(max(values) - min(values), _SHORTEST) / 2
    low, high = max(0.0, middle - half), min(100.0, middle + half)
    spare = _SPARE * (high - low)
    return low - spare, high + spare


def _box(place: int, height: float) -> tuple[float, float, float, float]:
    """Return a panel's left, bottom, width and height as shares of the figure."""
    row, column = divmod(place, COLUMNS)
    left = _LEFT + column * (_WIDE + _BETWEEN)
    bottom = height - (row + 1) * (_ABOVE + _HIGH) - row * _BELOW
    return left / WIDTH, bottom / height, _WIDE / WIDTH, _HIGH / height


def _draw_frame(axes: Axes, one: Agreement, place: int) -> None:
    rank = one.spearman.value
    told = DASH if rank is None else f"{rank:.2f}".replace("-", "−")
    label = ABILITIES[one.score].label if one.score in ABILITIES else "Overall"
    axes.set_title(label, loc="left", fontsize=9, fontweight="bold", pad=4)
    axes.set_title(f"ρ = {told}", loc="right", fontsize=8, color=MUTED, pad=4)
    axes.tick_params(length=2, labelsize=7, color=GRID, labelleft=place % COLUMNS == 0)
    axes.grid(color=GRID, linewidth=0.4)
    axes.set_axisbelow(True)


def _draw_models(axes: Axes, agreed: Agreed, score: str, heights: Span) -> None:
    having = [(n, m) for n, m in enumerate(agreed.models, start=1) if score in m.scores]
    xs, ys = [100 * m.scores[score] for _, m in having], [100 * m.outcome for _, m in having]
    widths = _span(xs)
    axes.set_xlim(widths)
    axes.set_ylim(heights)
    axes.locator_params(nbins=5, integer=True)
    points = [
        (_WIDE * _share(x, widths), _HIGH * _share(y, heights)) for x, y in zip(xs, ys, strict=True)
    ]
    texts = [str(number) for number, _ in having]
    places = label_places(points, [_DIGIT * len(text) for text in texts])
    for text, point, (x, y) in zip(texts, points, places, strict=True):
        place = (x / _WIDE, y / _HIGH)
        if math.dist(point, (x, y)) > _REACHES[0] + 0.01:
            ends = zip((point[0] / _WIDE, point[1] / _HIGH), place, strict=True)
            axes.plot(*ends, transform=axes.transAxes, color=MUTED, lw=0.5, zorder=2)
        halo = {"boxstyle": "round,pad=0.05", "facecolor": "white", "edgecolor": "none"}
        axes.text(
            *place,
            text,
            transform=axes.transAxes,
            ha="center",
            va="center",
            fontsize=7,
            zorder=3,
            bbox=halo,
        )
    axes.plot(xs, ys, "o", ms=4, color=STYLES[0].colour, mec="white", mew=0.5, zorder=4)


def _share(value: float, span: Span) -> float:
    return (value - span[0]) / (span[1] - span[0])


def _draw_key(figure: Figure, agreed: Agreed, panels: int, height: float) -> None:
    """List the models in the free place after the last panel."""
    left, bottom, _, high = _box(panels, height)
    right, _, wide, _ = _box(COLUMNS - 1, height)
    columns = (left, left + 0.28 / WIDTH, right + wide)
    lines = [("No.", "Model", agreed.outcome.capitalize())]
    lines += [
        (str(number), model.name, percent(model.outcome))
        for number, model in enumerate(agreed.models, start=1)
    ]
    for place, cells in enumerate(lines):
        y = bottom + high - place * _LINE / height
        colour = MUTED if place == 0 else INK
        _, name, _ = (
            figure.text(x, y, text, ha=side, va="top", fontsize=7.5, color=colour)
            for x, text, side in zip(columns, cells, ("left", "left", "right"), strict=True)
        )
        _shorten(name, (columns[2] - columns[1]) * WIDTH - _VALUE)


def _shorten(text: Text, width: float) -> None:
    """Leave out the middle of a text that is wider than so many inches."""
    name = text.get_text()
    for kept in range(len(name) - 1, 0, -1):
        if text.get_window_extent().width <= width * DPI:
            break
        text.set_text(f"{name[: kept // 2]}…{name[kept // 2 - kept :]}")


def _draw_foot(figure: Figure, agreed: Agreed, height: float) -> None:
    """Name the upright axis midway along the panels, and say below what all of it is."""
    rows = -(-len(agreed.scores) // COLUMNS)
    middle = 1 - rows * (_ABOVE + _HIGH + _BELOW) / 2 / height
    name = agreed.outcome.capitalize()
    figure.text(0.16 / WIDTH, middle, name, rotation=90, va="center", ha="center")
    caption = (
        f"Score of the ability (across) and {agreed.outcome} (up), 0–100; "
        f"a point a model, n = {len(agreed.models)}; ρ: Spearman."
    )
    figure.text(0.5, 0.1 / height, caption, ha="center", va="bottom", color=MUTED, fontsize=7.5)
