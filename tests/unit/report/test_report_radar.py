from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.projections.polar import PolarAxes
from report_examples import make_run

from teval.abilities import ABILITIES
from teval.errors import ConfigError
from teval.report.figure import STYLES
from teval.report.radar import RINGS, radar_figure

LONG = "some-finetuned-checkpoint-of-a-small-model-lora-r64-step-12000-merged-and-quantised"


def _axes(figure: Figure) -> PolarAxes:
    (axes,) = figure.axes
    assert isinstance(axes, PolarAxes)
    return axes


def _points(figure: Figure, label: str) -> list[float]:
    (line,) = (line for line in _axes(figure).lines if line.get_label() == label)
    return list(np.asarray(line.get_ydata(), dtype=float))


def test_axes_are_the_abilities_clockwise_from_the_top() -> None:
    axes = _axes(radar_figure([make_run()]))
    assert [text.get_text() for text in axes.get_xticklabels()] == [
        card.label for card in ABILITIES.values()
    ]
    turns = [math.degrees(angle) for angle in axes.get_xticks()]
    assert turns == pytest.approx([0, 60, 120, 180, 240, 300])
    assert axes.get_theta_direction() == -1
    assert axes.get_theta_offset() == pytest.approx(math.pi / 2)


@pytest.mark.parametrize("value", [0.0, 0.01, 1.0])
def test_axes_run_from_0_to_100_whatever_the_scores(value: float) -> None:
    axes = _axes(radar_figure([make_run(values=(value,) * 6)]))
    assert axes.get_ylim() == (0, 100)
    assert [text.get_text() for text in axes.texts] == [str(ring) for ring in RINGS]
    assert RINGS == (0, 20, 40, 60, 80, 100)


def test_the_line_closes_over_the_scores() -> None:
    figure = radar_figure([make_run("mine", values=(0.9, 0.8, 0.7, 0.6, 0.5, 0.4))])
    assert _points(figure, "mine") == pytest.approx([90, 80, 70, 60, 50, 40, 90])


def test_a_missing_ability_leaves_a_gap() -> None:
    points = _points(radar_figure([make_run("mine", values=(0.9, None, 0.7, 0.6, 0.5, 0))]), "mine")
    assert math.isnan(points[1])
    assert points[:1] + points[2:] == pytest.approx([90, 70, 60, 50, 0, 90])


def test_runs_differ_in_colour_line_and_marker() -> None:
    figure = radar_figure([make_run(str(i)) for i in range(4)])
    lines = [line for line in _axes(figure).lines if line.get_label() in {"0", "1", "2", "3"}]
    assert len({line.get_color() for line in lines}) == 4
    assert len({str(line.get_marker()) for line in lines}) == 4
    assert len({style.dash for style in STYLES}) == 4
    assert all(a.get_linewidth() > b.get_linewidth() for a, b in pairwise(lines))


def test_the_legend_names_each_run_with_its_overall_score() -> None:
    figure = radar_figure([make_run("_one"), make_run("$two$", values=(0.5, None, 0, 0, 0, 0))])
    (legend,) = figure.legends
    texts = [text.get_text() for text in legend.get_texts()]
    assert texts == ["_one: overall\N{NO-BREAK SPACE}65.0", "$two$: overall\N{NO-BREAK SPACE}–"]
    assert not any(text.get_parse_math() for text in legend.get_texts())


def test_the_caption_tells_cases_and_data() -> None:
    figure = radar_figure([make_run()])
    assert [text.get_text() for text in figure.texts] == [
        "Corrected scores, 0–100; n = 24 cases of 2 families; data: sample 12345678."
    ]


@pytest.mark.parametrize("count", [1, 4])
def test_nothing_is_cut_off_or_covers_another(count: int) -> None:
    figure = radar_figure([make_run(f"{i} {LONG}") for i in range(count)])
    canvas = figure.canvas
    assert isinstance(canvas, FigureCanvasAgg)
    canvas.draw()
    legend, caption = figure.legends[0].get_window_extent(), figure.texts[0].get_window_extent()
    labels = [text.get_window_extent() for text in _axes(figure).get_xticklabels()]
    assert caption.y0 >= 0
    assert caption.y1 <= legend.y0
    assert legend.y1 <= min(label.y0 for label in labels)
    for box in (legend, caption, *labels):
        assert box.x0 >= 0
        assert box.x1 <= figure.bbox.x1
        assert box.y1 <= figure.bbox.y1


@pytest.mark.parametrize(("count", "told"), [(0, "at least one"), (5, "5 runs .* at most 4")])
def test_too_few_or_too_many_runs_are_refused(count: int, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        radar_figure([make_run(str(i)) for i in range(count)])
