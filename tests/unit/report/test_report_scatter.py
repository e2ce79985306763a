from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from agreement_examples import many_runs, model_run
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from teval.report.agreement import Agreed, compare_outcomes
from teval.report.joined import Ended
from teval.report.scatter import Box, label_places, scatter_figure


def agreed(number: int) -> Agreed:
    return compare_outcomes(*many_runs(number), "win rate")


def drawn(figure: Figure) -> Figure:
    canvas = figure.canvas
    assert isinstance(canvas, FigureCanvasAgg)
    canvas.draw()
    return figure


def test_a_panel_a_score_with_its_coefficient_and_points() -> None:
    panels = scatter_figure(agreed(5)).axes
    names = ["Instruct", "Plan", "Reason", "Retrieve", "Understand", "Review", "Overall"]
    assert [axes.get_title(loc="left") for axes in panels] == names
    assert [axes.get_title(loc="right") for axes in panels[4:]] == ["ρ = 1.00", "ρ = –", "ρ = 1.00"]
    (points,) = [line for line in panels[0].lines if line.get_marker() == "o"]
    assert np.asarray(points.get_xdata()).tolist() == pytest.approx(
        [100 * i / 6 for i in range(5, 0, -1)]
    )
    assert np.asarray(points.get_ydata()).tolist() == pytest.approx(
        [100 * (i / 6) ** 2 for i in range(5, 0, -1)]
    )
    assert [text.get_text() for text in panels[0].texts] == ["1", "2", "3", "4", "5"]


def test_a_negative_coefficient_is_told() -> None:
    runs, ends = many_runs(5)
    turned = [end._replace(value=1 - end.value) for end in ends]
    panels = scatter_figure(compare_outcomes(runs, turned, "success")).axes
    assert panels[0].get_title(loc="right") == "ρ = −1.00"


@pytest.mark.parametrize("number", [1, 3, 12, 40])
def test_nothing_is_cut_off_and_the_key_names_all(number: int) -> None:
    figure = drawn(scatter_figure(agreed(number)))
    texts = [text.get_text() for text in figure.texts]
    assert [f"m{i}" in texts for i in range(number)] == [True] * number
    frame = figure.bbox
    for text in figure.texts:
        box = text.get_window_extent()
        assert frame.x0 <= box.x0 < box.x1 <= frame.x1, text.get_text()
        assert frame.y0 <= box.y0 < box.y1 <= frame.y1, text.get_text()


@pytest.mark.parametrize("same", [False, True])
def test_numbers_of_a_dozen_models_cover_neither_each_other_nor_points(same: bool) -> None:
    """In a row, and all but one on top of one another."""
    runs, ends = many_runs(12)
    if same:
        runs = [model_run(f"org/m{i}", [0.9 if i else 0.1] * 6) for i in range(12)]
        ends = [Ended(f"org/m{i}", 0.5 if i else 0.2, "x") for i in range(12)]
    figure = drawn(scatter_figure(compare_outcomes(runs, ends, "win rate")))
    for axes in figure.axes:
        boxes = [bare(text) for text in axes.texts]
        assert len(boxes) == 12
        assert not any(a.meets(b) for a, b in combinations(boxes, 2))
        assert all(box.within(axes.bbox.width, axes.bbox.height) for box in boxes)


def bare(text: Text) -> Box:
    """The box of the digits themselves, in pixels from the panel's corner."""
    patch, text_axes = text.get_bbox_patch(), text.axes
    assert patch is not None
    assert text_axes is not None
    text.set_bbox(None)
    found = text.get_window_extent()
    corner = text_axes.bbox
    middle = ((found.x0 + found.x1) / 2 - corner.x0, (found.y0 + found.y1) / 2 - corner.y0)
    # Ascenders and descenders of the font leave room that digits do not fill.
    return Box(*middle, 0.9 * found.width, 0.7 * found.height)


def test_of_long_names_the_middle_is_left_out_and_they_cover_no_number() -> None:
    names = ["Llama-4-Maverick-17B-128E-Instruct-FP8", "WEIGHTY-MODEL-" * 8 + "END", "-" * 100]
    runs = [model_run(name) for name in names]
    ends = [Ended(name, 0.5 - i / 10, "x") for i, name in enumerate(names)]
    figure = drawn(scatter_figure(compare_outcomes(runs, ends, "success")))
    boxes = {text.get_text(): text.get_window_extent() for text in figure.texts}
    assert names[0] in boxes, "fits as it is"
    heavy, light = sorted(text for text in boxes if "…" in text)[::-1]
    assert heavy.startswith("WEIGHTY-MODEL-")
    assert heavy.endswith("MODEL-END")
    assert len(heavy) < len(light), "as many letters as there is room for"
    for name, number in ((names[0], "50.0"), (heavy, "40.0"), (light, "30.0")):
        assert boxes[name].x1 < boxes[number].x0


@pytest.mark.parametrize(
    ("points", "widths"),
    [
        ([(0.1, 0.1)], [0.06]),
        ([(0.8, 0.7)] * 8, [0.06] * 8),
        ([(1.58, 1.4), (1.58, 1.34), (1.58, 1.28)], [0.12] * 3),
    ],
)
def test_labels_stand_free_and_inside(
    points: list[tuple[float, float]], widths: list[float]
) -> None:
    places = label_places(points, widths)
    boxes = [Box(x, y, width, 0.1) for (x, y), width in zip(places, widths, strict=True)]
    dots = [Box(x, y, 0.06, 0.06) for x, y in points]
    assert not any(a.meets(b) for a, b in combinations(boxes, 2))
    assert not any(box.meets(dot) for box in boxes for dot in dots)
    assert all(box.within(1.6, 1.45) for box in boxes)
