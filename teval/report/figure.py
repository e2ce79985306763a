"""What all figures share: colours, lines and markers of runs, legend, caption, files."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict

from teval.errors import ConfigError
from teval.report.grid import percent
from teval.report.loaded import LoadedRun, caption

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


class LineLook(TypedDict):
    """How matplotlib is to draw one line; sizes in points."""

    color: str
    linestyle: Literal["solid", "none"] | tuple[float, tuple[float, ...]]
    linewidth: float
    marker: str
    markersize: float
    markerfacecolor: str
    markeredgewidth: float


class RunStyle(NamedTuple):
    """How one run is drawn, told apart by colour, by line and by marker alike."""

    colour: str
    dash: tuple[float, ...]
    """Lengths of dashes and gaps in line widths; empty for a solid line."""
    marker: str
    size: float
    """Of the marker in points; later runs are smaller, so that equal scores stay visible."""
    width: float
    """Of the line in points; later runs are thinner."""

    @property
    def line(self) -> LineLook:
        """The look of a line with markers."""
        return LineLook(
            color=self.colour,
            linestyle=(0, self.dash) if self.dash else "solid",
            linewidth=self.width,
            marker=self.marker,
            markersize=self.size,
            markerfacecolor="white",
            markeredgewidth=1.4,
        )


STYLES = (
    RunStyle("#0072B2", (), "o", 7.5, 2.2),
    RunStyle("#D55E00", (4, 1.6), "s", 5.8, 1.9),
    RunStyle("#009E73", (1.2, 1.2), "^", 5.2, 1.7),
    RunStyle("#CC79A7", (6, 1.5, 1.2, 1.5), "D", 4.2, 1.4),
)
"""One style a run, in order; colours by Okabe and Ito (2008), safe for colour-blind eyes."""
INK = "#222222"
GRID = "#C8C8C8"
MUTED = "#707070"
DPI = 200
WIDTH = 6.0
"""Width of every figure in inches."""

_SETTINGS: dict[str, object] = {
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "axes.edgecolor": GRID,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "text.parse_math": False,
    "axes.unicode_minus": False,
    "svg.hashsalt": "teval",
    "svg.fonttype": "path",
}


def settings() -> AbstractContextManager[None]:
    """Return a context in which figures are drawn and saved alike everywhere."""
    from matplotlib import rc_context

    found: AbstractContextManager[None] = rc_context(_SETTINGS)
    return found


def check_count(runs: Sequence[LoadedRun]) -> None:
    """Refuse more runs than can be told apart on one figure.

    Raises:
        ConfigError: There are no runs, or more than there are styles.
    """
    if not runs:
        raise ConfigError("a report needs at least one run folder")
    if len(runs) > len(STYLES):
        raise ConfigError(
            f"{len(runs)} runs don't fit on one chart: name at most {len(STYLES)} run folders, "
            "or make several reports"
        )


class Footer(NamedTuple):
    """Legend and caption below a chart, with the room they take."""

    labels: tuple[str, ...]
    caption: str

    @property
    def caption_height(self) -> float:
        """Height of the caption in inches, with the room around it."""
        return 0.13 * (self.caption.count("\n") + 1) + 0.14

    @property
    def height(self) -> float:
        """Height of legend and caption in inches."""
        lines = sum(label.count("\n") + 1 for label in self.labels)
        return 0.18 * lines + 0.06 + self.caption_height


def footer(runs: Sequence[LoadedRun], *more: str, note: str = "") -> Footer:
    """Return legend labels and caption, wrapped to the figure's width.

    Args:
        runs: Each named with its overall score.
        more: Labels that follow the runs'.
        note: A sentence that follows the caption.
    """
    labels = [_legend_label(run) for run in runs]
    return Footer((*labels, *more), foot_text(runs, note))


def foot_text(runs: Sequence[LoadedRun], note: str = "") -> str:
    """Return the caption of runs and a note, wrapped to the figure's width."""
    return "\n".join(textwrap.wrap(f"{caption(runs)} {note}", width=98))


def _legend_label(run: LoadedRun) -> str:
    overall = percent(run.overall and run.overall.score)
    return "\n".join(textwrap.wrap(f"{run.label}: overall\N{NO-BREAK SPACE}{overall}", width=66))


def new_figure(height: float) -> Figure:
    """Return an empty figure of the common width, drawn without a screen.

    Args:
        height: In inches.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def draw_footer(figure: Figure, foot: Footer, handles: Sequence[Line2D]) -> None:
    """Draw legend and caption at the foot of the figure, one run a row.

    Args:
        figure: With room for the footer below its axes.
        foot: What :func:`footer` returned.
        handles: The legend's line a label.
    """
    height = figure.get_figheight()
    figure.legend(
        handles,
        foot.labels,
        loc="lower center",
        bbox_to_anchor=(0.5, (foot.caption_height + 0.02) / height),
        frameon=False,
        handlelength=4.0,
        labelspacing=0.4,
        borderpad=0,
    )
    figure.text(
        0.5, 0.08 / height, foot.caption, ha="center", va="bottom", color=MUTED, fontsize=7.5
    )


def save(figure: Figure, folder: Path, stem: str) -> tuple[Path, Path]:
    """Return the PNG and the SVG file written; the same figure always gives the same SVG."""
    png, svg = folder / f"{stem}.png", folder / f"{stem}.svg"
    with settings():
        figure.savefig(png, dpi=DPI)
        figure.savefig(svg, metadata={"Date": None})
    return png, svg
