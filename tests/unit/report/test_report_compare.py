from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from rich.console import Console

from teval.abilities import ABILITIES
from teval.errors import ConfigError
from teval.report.compare import contrast, findings, write_comparison
from teval.report.grid import to_terminal
from teval.schema import Compared, Comparison, Contrast


def make_row(
    ability: str = "plan",
    form: str = "mean",
    delta: float = 0.0,
    *,
    p: float = 1.0,
    p_holm: float | None = None,
    detectable: float | None = 0.09,
    families: int = 12,
) -> Contrast:
    return Contrast(
        ability=ability,
        format=form,
        a=0.5,
        b=0.5 + delta,
        delta=delta,
        low=delta - 0.05,
        high=delta + 0.1,
        p=p,
        p_holm=p_holm,
        detectable=detectable,
        n=40,
        families=families,
    )


def make_comparison(
    *rows: Contrast, warnings: tuple[str, ...] = (), left_out: tuple[int, int] = (0, 0)
) -> Comparison:
    return Comparison(
        scorer="corrected",
        a=Compared(label="one", signature="data:x", left_out=left_out[0]),
        b=Compared(label="two", signature="data:y", left_out=left_out[1]),
        n=80,
        families=12,
        rows=rows,
        warnings=warnings,
    )


def ability(name: str, delta: float, p_holm: float, **more: float | None) -> Contrast:
    row = make_row(name, delta=delta, p=p_holm / 6, p_holm=p_holm)
    return row.model_copy(update=more)


def test_cells_are_on_the_scale_of_0_to_100_and_dashes_stand_for_nothing() -> None:
    grid = contrast(
        make_comparison(
            make_row("plan", "json", 0.123, p=0.0004, detectable=None),
            make_row("plan", "mean", -0.123, p=0.004, p_holm=0.024),
            make_row("overall", "", 0.0),
        )
    )
    assert grid.header == (
        *("ability", "format", "A", "B", "B − A", "95 % CI", "p", "p (Holm)", "detectable"),
    )
    assert grid.rows == (
        ("plan", "json", "50.0", "62.3", "+12.3", "+7.3 to +22.3", "<0.001", "–", "–"),
        ("plan", "mean", "50.0", "37.7", "−12.3", "−17.3 to −2.3", "0.004", "0.024", "9.0"),
        ("overall", "", "50.0*", "50.0*", "0.0", "−5.0 to +10.0", "1.000", "–", "9.0"),
    )
    assert grid.strong == {1, 2}
    assert grid.title == "Corrected scores: A = one, B = two"
    assert grid.proof == ("A  data:x", "B  data:y")


def test_an_interval_that_is_not_there_is_a_dash() -> None:
    row = make_row().model_copy(update={"low": None, "high": None})
    assert contrast(make_comparison(row)).rows[0][5] == "–"


def test_notes_tell_what_was_left_out_and_what_is_unfair() -> None:
    grid = contrast(make_comparison(make_row(), warnings=("odd",), left_out=(0, 7)))
    assert grid.notes == (
        "80 cases of 12 families that both runs planned.",
        "Left out, as the other run was not asked them alike: 7 of B's cases.",
        "* Mean of what was asked, which is not every ability in both formats.",
        "Warning: odd",
    )


def test_a_comparison_of_all_abilities_has_no_stars() -> None:
    every = [make_row(name, form) for name in ABILITIES for form in ("json", "string", "mean")]
    grid = contrast(make_comparison(*every, make_row("overall", "")))
    assert grid.notes == ("80 cases of 12 families that both runs planned.",)
    assert grid.rows[-1][2] == "50.0"


def test_published_scores_carry_their_mark() -> None:
    found = make_comparison(make_row()).model_copy(update={"scorer": "published", "mark": "mini"})
    title = "Published scores (mini; not comparable with public numbers): A = one, B = two"
    assert contrast(found).title == title


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        (
            [ability("understand", 0.123, 0.004), ability("plan", -0.2, 0.0004)],
            [
                "understand: B is 12.3 points better (7.3–22.3), p = 0.004 after Holm.",
                "plan: A is 20.0 points better (10.0–25.0), p < 0.001 after Holm.",
            ],
        ),
        (
            [ability("plan", 0.05, 0.2), ability("review", 0.1, 0.051, detectable=0.11)],
            [
                "No difference shown: plan, review. With 12 families, differences below "
                "9.0 points (plan), 11.0 points (review) would likely go unseen."
            ],
        ),
        ([ability("plan", 0.05, 0.05)], ["plan: B is 5.0 points better (0.0–15.0), p = 0.050"]),
        (
            [ability("plan", 0, 1, detectable=None), ability("review", 0, 1)],
            ["No difference shown: review. With 12", "Alike in every family: plan."],
        ),
        (
            [ability("plan", 0, 1, detectable=None, families=5)],
            ["No difference shown: plan. With 5 families none can be: it takes 6."],
        ),
        (
            [ability(name, 0.3, 0.1, families=7) for name in ABILITIES],
            [
                f"No difference shown: {', '.join(ABILITIES)}. With 7 families none can be: "
                "it takes 8."
            ],
        ),
        (
            [ability("plan", 0.1, 0.1, families=9), ability("review", 0.1, 0.1, families=12)],
            ["No difference shown: plan, review. With 9–12 families, differences below"],
        ),
        ([make_row("overall", "", 0.3, p=0.001)], []),
    ],
)
def test_findings_in_plain_words(rows: list[Contrast], lines: list[str]) -> None:
    found = list(findings(make_comparison(*rows)))
    assert len(found) == len(lines)
    for line, start in zip(found, lines, strict=True):
        assert line.startswith(start)


def test_an_interval_beyond_zero_keeps_its_sign() -> None:
    row = ability("plan", -0.2, 0.01, low=-0.3, high=0.01)
    assert "A is 20.0 points better (-1.0–30.0)" in next(findings(make_comparison(row)))


def test_it_fits_80_columns_at_its_widest() -> None:
    row = make_row("understand", "string", 1.0, p=0.0001).model_copy(
        update={"a": 1.0, "low": -1.0, "high": 1.0, "detectable": 1.0}
    )
    out = io.StringIO()
    Console(file=out, width=80).print(to_terminal(contrast(make_comparison(row))))
    lines = out.getvalue().splitlines()
    assert sum(line.startswith("understand") for line in lines) == 1
    assert any("−100.0 to +100.0 <0.001" in line for line in lines)


def test_files_are_written(tmp_path: Path) -> None:
    sure = ability("plan", 0.123, 0.004)
    found = make_comparison(make_row("plan", "json", 0.05, detectable=None), sure)
    table, sheet = write_comparison(found, tmp_path / "new")
    assert (table.name, sheet.name) == ("compare.md", "compare.csv")
    text = table.read_text(encoding="utf-8")
    assert "| **plan** | **mean** | **50.0** | 62.3 | +12.3 |" in text
    assert "plan: B is 12.3 points better" in text
    json, mean = csv.DictReader(io.StringIO(sheet.read_text(encoding="utf-8")))
    assert {key: mean[key] for key in ("run_a", "run_b", "scorer", "ability", "format")} == {
        **{"run_a": "one", "run_b": "two", "scorer": "corrected"},
        **{"ability": "plan", "format": "mean"},
    }
    numbers = [float(mean[key]) for key in ("a", "b", "delta", "low", "high", "detectable")]
    assert numbers == [50, 62.3, 12.3, 7.3, 22.3, 9]
    assert (float(mean["p_holm"]), mean["n"], mean["families"]) == (0.004, "40", "12")
    assert (json["p_holm"], json["detectable"], json["signature_b"]) == ("", "", "data:y")


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigError, match="is a file"):
        write_comparison(make_comparison(make_row()), place)
