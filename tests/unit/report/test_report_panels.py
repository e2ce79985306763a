from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from report_examples import make_run, with_native

from teval.abilities import ABILITIES
from teval.report.panels import Panel, dot_panels, radar_panels, shortened

LONG = "some-finetuned-checkpoint-of-a-small-model-lora-r64-step-12000-merged-and-quantised"
VALUES = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4)


def panels(count: int, missing: int = 1) -> list[Panel]:
    """So many models, scores falling from one to the next, one of which has none."""
    return [
        Panel(
            f"{i} {LONG}",
            None if i == missing else make_run(str(i), [v - 0.04 * i for v in VALUES]),
        )
        for i in range(count)
    ]


def texts(figure: Figure) -> Iterator[Text]:
    """All that is written on a figure."""
    yield from figure.texts
    for axes in figure.axes:
        yield from (*axes.get_xticklabels(), *axes.get_yticklabels(), *axes.texts)
    for legend in figure.legends:
        yield from legend.get_texts()


def written(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.texts]


def test_each_model_has_its_radar_and_the_mean_behind() -> None:
    figure = radar_panels(
        [Panel("a", make_run("a", VALUES)), Panel("b", make_run("b", (0.1,) * 6))]
    )
    assert len(figure.axes) == 2
    mean, own = (np.asarray(line.get_ydata(), dtype=float) for line in figure.axes[1].lines[-2:])
    assert own == pytest.approx([10] * 7)
    assert mean == pytest.approx([50, 45, 40, 35, 30, 25, 50])
    assert written(figure)[:2] == ["1  a", "overall 65.0"]


def test_a_model_without_scores_keeps_its_place() -> None:
    figure = radar_panels(panels(5))
    assert len(figure.axes) == 5
    assert written(figure)[3] == "no scores"
    assert len(figure.axes[1].lines) == len(figure.axes[0].lines) - 1
    for axes in dot_panels(panels(5)).axes:
        assert [text.get_text() for text in axes.texts] == ["no scores"]


def test_an_ability_that_nobody_was_asked_has_no_mean() -> None:
    run = make_run("a", (0.9, None, 0.7, 0.6, 0.5, 0.4))
    mean, own = radar_panels([Panel("a", run)]).axes[0].lines[-2:]
    assert math.isnan(np.asarray(mean.get_ydata(), dtype=float)[1])
    assert math.isnan(np.asarray(own.get_ydata(), dtype=float)[1])


def test_dots_have_a_plot_an_ability_with_a_row_a_model() -> None:
    figure = dot_panels(panels(6))
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "Overall",
        *(card.label for card in ABILITIES.values()),
    ]
    first = figure.axes[0]
    assert [text.get_text()[-1] for text in first.get_yticklabels()] == list("123456")
    assert first.get_xlim() == (0, 100)
    dots = [line for line in figure.axes[2].lines if line.get_marker() == "o"]
    scores = [float(np.asarray(dot.get_xdata(), dtype=float)[0]) for dot in dots]
    assert scores == pytest.approx([80, 72, 68, 64, 60])


@pytest.mark.parametrize("count", [5, 8, 13])
@pytest.mark.parametrize("draw", [radar_panels, dot_panels])
def test_nothing_is_cut_off(draw: Callable[[Sequence[Panel]], Figure], count: int) -> None:
    figure = draw(panels(count))
    canvas = figure.canvas
    assert isinstance(canvas, FigureCanvasAgg)
    canvas.draw()
    for text in texts(figure):
        box = text.get_window_extent()
        assert box.x0 >= 0, text.get_text()
        assert box.y0 >= 0, text.get_text()
        assert box.x1 <= figure.bbox.x1, text.get_text()
        assert box.y1 <= figure.bbox.y1, text.get_text()


@pytest.mark.parametrize(
    ("text", "length", "short"),
    [("short", 5, "short"), ("abcdefgh", 5, "ab…gh"), ("abcdefgh", 4, "ab…h"), ("a\n b", 9, "a b")],
)
def test_long_names_lose_their_middle(text: str, length: int, short: str) -> None:
    assert shortened(text, length) == short


def test_scores_that_enter_no_mean_have_a_plot_of_their_own() -> None:
    plain = Panel("a", make_run("a"))
    figure = dot_panels([plain, Panel("b", with_native(make_run("b"), 0.3))])
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == ["Overall", *(c.label for c in ABILITIES.values()), "Retrieve (tools)"]
    assert [text.get_text() for text in figure.axes[-1].texts] == ["not asked"]
    key = figure.legends[0].get_window_extent(FigureCanvasAgg(figure).get_renderer())
    assert figure.bbox.containsx(key.x0)
    assert figure.bbox.containsy(key.y0)
