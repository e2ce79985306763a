from __future__ import annotations

import io
from dataclasses import replace

import pytest
from report_examples import make_run, with_published
from rich.console import Console

from teval.report.grid import to_markdown
from teval.report.table import comparison, details, released
from teval.report.write import to_screen
from teval.schema import Usage

GAPPY = (0.9, None, 0.7, 0.6, 0.5, 0.4)


def test_details_in_markdown() -> None:
    run = make_run(
        values=GAPPY, lost={"review": ["unparsed", "engine_error"]}, warnings=("one letter",)
    )
    assert (
        to_markdown(details(run))
        == """\
## weak

| ability | format | score | 95 % CI | published | floor | parsed | coverage | n | families |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| instruct | json | 80.0 | 75.0–85.0 | – | 10.0 | 50.0 | 100.0 | 2 | 2 |
| instruct | string | 100.0 | 95.0–100.0 | – | 10.0 | 100.0 | 100.0 | 2 | 2 |
| **instruct** | **mean** | **90.0** | 87.5–92.5 | – | 10.0 | 75.0 | 100.0 | 4 | 2 |
| **plan** | **mean** | **–** | – | – | – | – | – | – | – |
| reason | json | 60.0 | 55.0–65.0 | – | 10.0 | 50.0 | 100.0 | 2 | 2 |
| reason | string | 80.0 | 75.0–85.0 | – | 10.0 | 100.0 | 100.0 | 2 | 2 |
| **reason** | **mean** | **70.0** | 67.5–72.5 | – | 10.0 | 75.0 | 100.0 | 4 | 2 |
| retrieve | json | 50.0 | 45.0–55.0 | – | 10.0 | 50.0 | 100.0 | 2 | 2 |
| retrieve | string | 70.0 | 65.0–75.0 | – | 10.0 | 100.0 | 100.0 | 2 | 2 |
| **retrieve** | **mean** | **60.0** | 57.5–62.5 | – | 10.0 | 75.0 | 100.0 | 4 | 2 |
| understand | json | 40.0 | 35.0–45.0 | – | 10.0 | 50.0 | 100.0 | 2 | 2 |
| understand | string | 60.0 | 55.0–65.0 | – | 10.0 | 100.0 | 100.0 | 2 | 2 |
| **understand** | **mean** | **50.0** | 47.5–52.5 | – | 10.0 | 75.0 | 100.0 | 4 | 2 |
| review | json | 30.0 | 25.0–35.0 | – | 10.0 | 50.0 | 100.0 | 2 | 2 |
| review | string | 50.0 | 45.0–55.0 | – | 10.0 | 100.0 | 100.0 | 2 | 2 |
| **review** | **mean** | **40.0** | 37.5–42.5 | – | 10.0 | 75.0 | 100.0 | 4 | 2 |
| **overall** |  | **62.0\\*** | 60.0–64.0 | – | 10.0 | 75.0 | 100.0 | 20 | 2 |
| micro |  | 62.0\\* | – | – | – | 75.0 | 100.0 | 20 | 2 |

\\* Mean of what was asked, which is not every ability in both formats.

Smallest difference to another run that would likely be seen: instruct 12.3, reason 12.3, \
retrieve 12.3, understand 12.3, review 12.3, overall 3.4.

Statuses: ok 18, unparsed 1, engine\\_error 1.

Warning: one letter

```text
signature: data:sample|teval:0
0000000000000000000000000000000000000000000000000000000000000000  summary.json
```
"""
    )


def test_a_complete_run_has_no_stars() -> None:
    grid = details(make_run())
    assert not any("*" in cell for row in grid.rows for cell in row)
    assert grid.notes[1:] == ("Statuses: ok 24.",)


def test_details_say_where_no_difference_could_be_seen() -> None:
    run = make_run(values=(0.9, None, None, None, None, None))
    corrected = run.summary.corrected
    instruct = corrected.abilities["instruct"]
    assert instruct is not None
    unknown = {"instruct": instruct.model_copy(update={"detectable": None})}
    changed = corrected.model_copy(update={"abilities": unknown, "detectable": None})
    grid = details(replace(run, summary=run.summary.model_copy(update={"corrected": changed})))
    assert "Smallest difference to another run that would likely be seen: –." in grid.notes


@pytest.mark.parametrize(("mark", "shown"), [("", "90.0"), ("hashing", "90.0†")])
def test_published_scores_stand_beside_and_carry_their_mark(mark: str, shown: str) -> None:
    run = with_published(make_run(), mark)
    grid = details(run)
    column = grid.header.index("published")
    cells = {row[:2]: row[column] for row in grid.rows}
    assert cells["instruct", "mean"] == shown
    assert cells["review", "json"] == cells["micro", ""] == "–"
    assert cells["review", "string"] != "–"
    note = f"† Not comparable with public T-Eval numbers (encoder or data: {mark})."
    assert (note in grid.notes) is bool(mark)
    assert (note in released([run, make_run("other")]).notes) is bool(mark)


def test_published_scores_of_several_runs_have_a_table_of_their_own() -> None:
    marked, plain = with_published(make_run("one", GAPPY), "x"), with_published(make_run("two"))
    grid = released([marked, plain, make_run("none")])
    assert grid.header == ("ability", "one", "two", "none")
    assert grid.rows[:2] == (("instruct", "90.0†", "90.0", "–"), ("plan", "–", "80.0", "–"))
    assert grid.rows[-1] == ("overall", "62.0†", "65.0", "–")


def test_comparison_has_one_column_a_run() -> None:
    grid = comparison([make_run("one"), make_run("two", values=GAPPY)])
    assert grid.header == ("ability", "one", "two")
    assert grid.rows == (
        ("instruct", "90.0 (87.5–92.5)", "90.0 (87.5–92.5)"),
        ("plan", "80.0 (77.5–82.5)", "–"),
        ("reason", "70.0 (67.5–72.5)", "70.0 (67.5–72.5)"),
        ("retrieve", "60.0 (57.5–62.5)", "60.0 (57.5–62.5)"),
        ("understand", "50.0 (47.5–52.5)", "50.0 (47.5–52.5)"),
        ("review", "40.0 (37.5–42.5)", "40.0 (37.5–42.5)"),
        ("overall", "65.0 (63.0–67.0)", "62.0* (60.0–64.0)"),
        ("micro", "65.0", "62.0*"),
    )
    assert [grid.rows[i][0] for i in grid.strong] == ["overall"]
    assert grid.notes == ("* Mean of what was asked, which is not every ability in both formats.",)


@pytest.mark.parametrize(("other", "warned"), [("c0ffee", False), ("decaf", True)])
def test_comparison_warns_where_runs_were_asked_different_cases(other: str, warned: bool) -> None:
    grid = comparison([make_run("one"), make_run("two", cases=other)])
    assert any("can't be compared" in note for note in grid.notes) is warned


def test_terminal_shows_the_comparison_first_and_fits_80_columns() -> None:
    out = io.StringIO()
    Console(file=out, width=80).print(to_screen([make_run("one"), make_run("two")]))
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    assert lines[:4] == [
        "Comparison",
        "ability                 one              two",
        "────────────────────────────────────────────",
        "instruct   90.0 (87.5–92.5) 90.0 (87.5–92.5)",
    ]
    json = "instruct   json    80.0  75.0–85.0         –  10.0   50.0    100.0  2        2"
    assert lines.count(json) == 2


def test_terminal_fits_80_columns_at_their_fullest() -> None:
    run = with_published(make_run(), "hashing")
    corrected = run.summary.corrected.model_copy(update={"n": 9999})
    full = replace(run, summary=run.summary.model_copy(update={"corrected": corrected}))
    out = io.StringIO()
    Console(file=out, width=80).print(to_screen([full]))
    header = next(line for line in out.getvalue().splitlines() if line.startswith("ability"))
    assert header.split() == [
        *("ability", "format", "score", "95", "%", "CI", "published", "floor"),
        *("parsed", "coverage", "n", "families"),
    ]


def test_terminal_shows_no_comparison_of_one_run() -> None:
    out = io.StringIO()
    Console(file=out, width=80).print(to_screen([make_run("one")]))
    assert out.getvalue().splitlines()[0].rstrip() == "one"


def test_details_say_how_many_answers_held_a_thought() -> None:
    run = make_run()
    abilities = {
        name: found
        and found.model_copy(
            update={
                "formats": {
                    form: cell.model_copy(
                        update={"reasoned": 0.5, "statuses": {"ok": 1, "truncated_in_reasoning": 1}}
                    )
                    for form, cell in found.formats.items()
                }
            }
        )
        for name, found in run.summary.corrected.abilities.items()
    }
    corrected = run.summary.corrected.model_copy(update={"abilities": abilities})
    summary = run.summary.model_copy(update={"corrected": corrected})
    notes = details(replace(run, summary=summary)).notes
    assert "Reasoning came off 50.0 % of answers; 12 ended inside it." in notes


@pytest.mark.parametrize(
    ("distinct", "note"),
    [
        (1000, "Prompts: 12,345 tokens, 1,000 of them distinct; 1,100 computed, 1.10 × the least."),
        (None, "Prompts: 12,345 tokens, 1,100 computed."),
    ],
)
def test_details_say_how_much_of_the_prompts_was_computed(distinct: int | None, note: str) -> None:
    usage = Usage(
        prompt_tokens=12345, distinct_tokens=distinct, computed_tokens=1100, completion_tokens=9
    )
    run = make_run()
    told = replace(run, summary=run.summary.model_copy(update={"usage": usage}))
    assert note in details(told).notes


def test_details_say_nothing_of_prompts_where_no_engine_knows_tokens() -> None:
    usage = Usage(prompt_tokens=9, distinct_tokens=None, computed_tokens=9, completion_tokens=9)
    run = make_run()
    told = replace(run, summary=run.summary.model_copy(update={"usage": usage}))
    assert details(told).notes == details(run).notes
