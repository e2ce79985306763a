from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from agreement_examples import linked, many_runs
from rich.console import Console

from teval.errors import ConfigError
from teval.metrics.bottleneck import Bottleneck, Bottlenecks
from teval.report.agreement import Agreed, compare_outcomes
from teval.report.agreement_facts import Fact, facts, facts_to_csv
from teval.report.agreement_tables import agreement_tables, agreement_to_screen, write_agreement
from teval.report.grid import Grid

NAMES = ["agreement.md", "agreement.csv", "agreement.png", "agreement.svg"]


def wins(number: int) -> Agreed:
    return compare_outcomes(*many_runs(number), "win rate")


@pytest.fixture(scope="module")
def within(tmp_path_factory: pytest.TempPathFactory) -> Agreed:
    """Two models, each with episodes."""
    places = [tmp_path_factory.mktemp(name) for name in ("one", "two")]
    runs, ends = zip(*(linked(place, place.name[:3]) for place in places), strict=True)
    return compare_outcomes(runs, ends, "success", draws=100)


def by_title(agreed: Agreed) -> dict[str, Grid]:
    return {grid.title: grid for grid in agreement_tables(agreed)}


def test_models_and_correlations() -> None:
    tables = by_title(wins(5))
    assert list(tables) == [
        "Models",
        "Over models: score and win rate",
        "Over models: with any one left out",
    ]
    assert tables["Models"].rows[0] == ("1", "m4", "86.1", "69.4")
    rows = {row[0]: row for row in tables["Over models: score and win rate"].rows}
    assert rows["plan"][1:] == (
        "5",
        ".98 (.74 to 1.00)",
        "1.00 (.16 to 1.00)",
        "1.00 (−.56 to 1.00)",
    )
    assert rows["review"][1:] == ("5", "–", "–", "–")


def test_without_enough_models_nothing_is_left_out() -> None:
    tables = by_title(wins(3))
    assert list(tables) == ["Models", "Over models: score and win rate"]
    dash, warning = tables["Over models: score and win rate"].notes
    assert dash == "–: fewer than 3 models, or all with the same score or outcome."
    assert warning.startswith("Warning: only 3 models")
    assert tables["Over models: score and win rate"].rows[1][2:] == (".99", "1.00", "1.00")


def test_bottlenecks_come_worst_first_and_say_what_is_sure(within: Agreed) -> None:
    tables = by_title(within)
    for title in ("Bottlenecks: one", "Bottlenecks: two", "Bottlenecks: mean of models"):
        grid = tables[title]
        assert [row[0] for row in grid.rows] == ["retrieve", "reason", "instruct"]
        assert grid.rows[0][2].startswith("+")
        assert grid.rows[2][2:] == ("–",) * 4
        assert grid.findings[0] == "Gains that are sure, their intervals above 0: retrieve."
        assert grid.findings[1].startswith("Nothing can be told of instruct")


def test_what_lost_nothing_stands_last(within: Agreed) -> None:
    rows: dict[str, tuple[Bottleneck, ...]] = {
        "one": (
            Bottleneck("instruct", 0.0, 0.0),
            Bottleneck("plan", 0.2, None),
            Bottleneck("review", 0.4, -0.03, -0.1, 0.05, 12.34, 0.004, 250.0),
            Bottleneck("retrieve", 1.0, 0.2, 0.1, 0.3, 0.254, 0.01, 2.0),
        )
    }
    agreed = replace(within, bottlenecks=Bottlenecks(rows, ()))
    assert by_title(agreed)["Bottlenecks: one"].rows == (
        ("retrieve", "1.00", "+20.0", "+10.0 to +30.0", "0.25", "0.01 to 2.0"),
        ("review", "0.40", "−3.0", "−10.0 to +5.0", "12", "<0.01 to >99"),
        ("plan", "0.20", "–", "–", "–", "–"),
        ("instruct", "0.00", "0.0", "–", "–", "–"),
    )


def test_the_first_table_of_a_kind_says_what_its_columns_are(within: Agreed) -> None:
    for kind, start in (("Bottlenecks", "Lost a task: "), ("Gold history", "Right with the gold ")):
        first, *others = [g for g in agreement_tables(within) if g.title.startswith(kind)]
        (note,) = first.notes
        assert note.startswith(start)
        assert others
        assert all(not grid.notes for grid in others)


def test_gaps_stand_by_depth(within: Agreed) -> None:
    grid = by_title(within)["Gold history and free run: one"]
    assert grid.header[-5:] == ("at 0", "at 1–2", "at 3–4", "at 5+", "met")
    (row,) = grid.rows
    assert row[:4] == ("retrieve", "66.7", "66.7", "0.0")
    assert row[5:] == ("0.0", "0.0", "–", "–", "72")


def test_tables_fit_a_terminal(within: Agreed) -> None:
    console = Console(width=80, file=io.StringIO(), record=True)
    console.print(agreement_to_screen(within))
    console.print(agreement_to_screen(wins(12)))
    lines = console.export_text().splitlines()
    assert any(line.startswith("retrieve") and line.rstrip().endswith("72") for line in lines)
    assert any(line.startswith("overall") and line.count("(") == 3 for line in lines)


def test_every_number_is_a_row(within: Agreed) -> None:
    found = list(facts(within))
    rows = list(csv.DictReader(io.StringIO(facts_to_csv(within))))
    assert len(rows) == len(found)
    assert {fact.part for fact in found} == {"models", "agreement", "bottleneck", "gap"}
    gain = next(
        f for f in found if (f.part, f.ability, f.measure) == ("bottleneck", "retrieve", "gain")
    )
    assert within.bottlenecks is not None
    assert gain[4:7] == within.bottlenecks.models["one"][2][2:5]
    (first,) = (f for f in found if f.measure == "gap, steps 1–2" and f.model == "one")
    assert (first.value, first.n) == (0.0, 24)


def test_agreement_rows_hold_leave_one_out() -> None:
    agreed = wins(5)
    row = next(fact for fact in facts(agreed) if fact.measure == "spearman")
    assert row == Fact("agreement", "", "instruct", "spearman", *agreed.scores[0].spearman, 5)


def test_files_are_written_and_the_same_each_time(within: Agreed, tmp_path: Path) -> None:
    first = write_agreement(within, tmp_path / "a")
    second = write_agreement(within, tmp_path / "b")
    assert [file.name for file in first] == NAMES
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name
    text = first[0].read_text(encoding="utf-8")
    assert text.startswith("# Step scores and outcomes\n")
    assert "](agreement.svg)" in text
    assert "## Bottlenecks: mean of models" in text


def test_what_was_left_out_stands_in_the_report(tmp_path: Path) -> None:
    runs, ends = many_runs(4)
    agreed = compare_outcomes(runs, ends[1:], "win rate")
    text = write_agreement(agreed, tmp_path)[0].read_text(encoding="utf-8")
    assert "org/m0 has no outcome and is left out" in text


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigError, match="is a file"):
        write_agreement(wins(3), place)
