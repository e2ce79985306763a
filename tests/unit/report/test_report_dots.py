from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from report_examples import make_run, with_native

from teval.abilities import ABILITIES
from teval.errors import ConfigError
from teval.report.dots import dots_figure
from teval.report.figure import STYLES

GAPPY = (0.9, None, 0.7, 0.6, 0.5, 0.4)


def _lines(figure: Figure, marker: str, run: int | None = None) -> list[Line2D]:
    (axes,) = figure.axes
    return [
        line
        for line in axes.lines
        if line.get_marker() == marker and (run is None or line.get_color() == STYLES[run].colour)
    ]


def _xs(line: Line2D) -> list[float]:
    return list(np.asarray(line.get_xdata(), dtype=float))


def test_rows_are_the_abilities_from_top_to_bottom_then_overall() -> None:
    (axes,) = dots_figure([make_run()]).axes
    labels = [text.get_text() for text in axes.get_yticklabels()]
    assert labels == [*(card.label for card in ABILITIES.values()), "Overall"]
    assert axes.get_ylim() == (6.5, -0.5)


@pytest.mark.parametrize("value", [0.0, 0.01, 1.0])
def test_the_axis_runs_from_0_to_100_whatever_the_scores(value: float) -> None:
    (axes,) = dots_figure([make_run(values=(value,) * 6)]).axes
    assert axes.get_xlim() == (0, 100)


def test_dots_intervals_and_floors_stand_where_the_summary_says() -> None:
    figure = dots_figure([make_run(values=(0.9, 0.8, 0.7, 0.6, 0.5, 0.4))])
    dots = [_xs(line)[0] for line in _lines(figure, STYLES[0].marker)]
    assert dots == pytest.approx([90, 80, 70, 60, 50, 40, 65])
    bars = [_xs(line) for line in _lines(figure, "", run=0)]
    assert bars[0] == pytest.approx([87.5, 92.5])
    assert bars[-1] == pytest.approx([63, 67])
    assert [_xs(line)[0] for line in _lines(figure, "|")] == pytest.approx([10] * 7)


def test_runs_of_one_row_have_lanes_of_their_own() -> None:
    figure = dots_figure([make_run("one"), make_run("two")])
    heights = [
        float(np.asarray(_lines(figure, STYLES[run].marker)[0].get_ydata())[0]) for run in (0, 1)
    ]
    assert -0.5 < heights[0] < 0 < heights[1] < 0.5


def test_what_was_not_asked_says_so() -> None:
    figure = dots_figure([make_run(values=GAPPY)])
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.texts] == ["not asked", "incomplete"]
    assert [text.get_position()[1] for text in axes.texts] == [1, 6]
    assert len(_lines(figure, STYLES[0].marker)) == 5


@pytest.mark.parametrize("count", [1, 4])
def test_nothing_is_cut_off_or_covers_another(count: int) -> None:
    figure = dots_figure([make_run(f"run {i} " + "long name " * 8) for i in range(count)])
    canvas = figure.canvas
    assert isinstance(canvas, FigureCanvasAgg)
    canvas.draw()
    (axes,) = figure.axes
    legend, caption = figure.legends[0].get_window_extent(), figure.texts[0].get_window_extent()
    names = [text.get_window_extent() for text in axes.get_yticklabels()]
    assert caption.y0 >= 0
    assert caption.y1 <= legend.y0
    assert legend.y1 <= axes.xaxis.label.get_window_extent().y0
    assert min(name.x0 for name in names) >= 0
    assert max(name.x1 for name in names) <= axes.bbox.x0


@pytest.mark.parametrize(("floor", "entries"), [(0.2, 2), (None, 1)])
def test_the_legend_explains_floors_where_there_are_any(floor: float | None, entries: int) -> None:
    run = make_run(values=(0.5, None, None, None, None, None))
    corrected = run.summary.corrected
    instruct = corrected.abilities["instruct"]
    assert instruct is not None
    abilities = {"instruct": instruct.model_copy(update={"floor": floor})}
    changed = corrected.model_copy(update={"abilities": abilities})
    summary = run.summary.model_copy(update={"corrected": changed})
    figure = dots_figure([replace(run, summary=summary)])
    assert len(figure.legends[0].get_texts()) == entries
    assert len(_lines(figure, "|")) == entries - 1


def test_five_runs_are_refused() -> None:
    with pytest.raises(ConfigError, match="at most 4"):
        dots_figure([make_run(str(i)) for i in range(5)])


def test_scores_that_enter_no_mean_stand_below_the_overall_one() -> None:
    plain, run = make_run("plain"), with_native(make_run("native"), 0.3)
    (axes,) = dots_figure([plain, run]).axes
    labels = [text.get_text() for text in axes.get_yticklabels()]
    assert labels[6:] == ["Overall", "Retrieve (tools)"]
    assert axes.get_yticklabels()[6].get_fontweight() == "bold"
    figure = dots_figure([plain, run])
    assert [_xs(line)[0] for line in _lines(figure, STYLES[1].marker)][-1] == pytest.approx(30)
    assert [text.get_text() for text in figure.axes[0].texts] == ["not asked"]
