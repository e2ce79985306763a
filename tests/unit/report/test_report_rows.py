from __future__ import annotations

import csv
import io

import pytest
from report_examples import make_run, with_published

from teval.abilities import ABILITIES
from teval.report.rows import MEAN, rows, to_csv


def test_rows_stand_in_the_order_of_the_abilities() -> None:
    found = [(row.ability, row.format) for row in rows(make_run().summary.corrected)]
    forms = ("json", "string", MEAN)
    expected = [(ability, form) for ability in ABILITIES for form in forms]
    assert found == [*expected, ("overall", ""), ("micro", "")]


def test_an_ability_that_was_not_asked_has_one_empty_row() -> None:
    run = make_run(values=(0.9, None, 0.7, 0.6, 0.5, 0.4))
    (row,) = (row for row in rows(run.summary.corrected) if row.ability == "plan")
    assert row[1:] == (MEAN, *[None] * 9)


def test_shares_are_pooled_over_cases_not_over_formats() -> None:
    run = make_run()
    instruct = run.summary.corrected.abilities["instruct"]
    assert instruct is not None
    json = instruct.formats["json"].model_copy(update={"n": 6, "parse_rate": 1.0})
    string = instruct.formats["string"].model_copy(update={"n": 2, "parse_rate": 0.0})
    uneven = instruct.model_copy(update={"formats": {"json": json, "string": string}})
    abilities = {**dict.fromkeys(ABILITIES), "instruct": uneven}
    corrected = run.summary.corrected.model_copy(update={"abilities": abilities})
    for row in rows(corrected):
        if row.format in (MEAN, "") and row.shares is not None:
            assert row.shares.parse_rate == pytest.approx(0.75)


def test_csv_reads_back() -> None:
    run = make_run('a "quoted", label')
    table = list(csv.DictReader(io.StringIO(to_csv([run]))))
    assert len(table) == 20
    json, string, mean = table[:3]
    assert {key: json[key] for key in ("run", "scorer", "ability", "format")} == {
        "run": 'a "quoted", label',
        "scorer": "corrected",
        "ability": "instruct",
        "format": "json",
    }
    assert [float(json[key]) for key in ("score", "low", "high", "floor")] == [80, 75, 85, 10]
    assert [float(json[key]) for key in ("parse_rate", "well_formed", "coverage")] == [50, 25, 100]
    assert [float(json[key]) for key in ("truncated", "hit_limit")] == [0, 12.5]
    assert (json["n"], string["n"], mean["n"], json["families"]) == ("2", "2", "4", "2")
    assert float(mean["score"]) == 90
    assert float(mean["parse_rate"]) == 75
    assert {row["summary_sha256"] for row in table} == {"0" * 64}
    assert {row["signature"] for row in table} == {"data:sample|teval:0"}


def test_csv_leaves_cells_empty_where_there_is_no_number() -> None:
    run = make_run(values=(0.9, None, 0.7, 0.6, 0.5, 0.4))
    table = {(r["ability"], r["format"]): r for r in csv.DictReader(io.StringIO(to_csv([run])))}
    plan, micro = table["plan", MEAN], table["micro", ""]
    assert (plan["score"], plan["parse_rate"], plan["n"]) == ("", "", "")
    assert (micro["low"], micro["floor"], micro["n"]) == ("", "", "20")


def test_csv_holds_every_run_and_scorer() -> None:
    plain = make_run("plain")
    two = with_published(make_run("both"), "hashing")
    table = list(csv.DictReader(io.StringIO(to_csv([plain, two]))))
    found = list(dict.fromkeys((row["run"], row["scorer"]) for row in table))
    assert found == [("plain", "corrected"), ("both", "corrected"), ("both", "published")]
    for row in table:
        counted = row["run"] == "both" and row["ability"] != "micro"
        counted = counted and (row["ability"], row["format"]) != ("review", "json")
        assert row["published"] == (row["score"] if counted else "")
        assert row["mark"] == ("hashing" if row["run"] == "both" else "")


def test_csv_tells_what_could_be_seen_of_abilities_and_overall() -> None:
    table = csv.DictReader(io.StringIO(to_csv([make_run()])))
    found = {(row["ability"], row["format"]): row["detectable"] for row in table}
    assert {key: value for key, value in found.items() if value} == {
        **{(name, MEAN): "12.3" for name in ABILITIES},
        ("overall", ""): "3.4",
    }
