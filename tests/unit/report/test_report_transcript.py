from __future__ import annotations

import io

import pytest
from episode_examples import make_episode, make_outcome
from factories import make_path
from rich.console import Console

from teval.report.transcript import WIDTH, one_call, one_line, transcript
from teval.schema import Call, Deviation, Outcome, Turn

PATH = make_path()
EPISODE = make_episode(PATH)
OUTCOME = make_outcome(facts=0.0, unwanted=1, mistakes={"unknown_tool": 1, "unreadable": 2})

SEEN = """\
trip_01 · trial 0 · react · FAILED at retrieve
query    Compare the weather in Oslo and Bergen and mail it to Ana.
wanted   Sent.
facts    Oslo
gold 0   weather.get_forecast(city="Oslo", days=2)  → Internal Error
gold 1   weather.get_forecast(city="Oslo", days=2)
gold 2   weather.get_forecast(city="Bergen", days=2)
gold 3   mail.send(to=[], subject="Trip")  → Input Error
gold 4   mail.send(to=["ana@post.example"], subject="Trip", body="Rain in Oslo at 5 pm.")
gold 5   weather.list_alerts()  → Unable to Accomplish
gold 6   FinishAction()
── turn 1 ────────────────────────────────────────
thought  Oslo first.
call     weather.get_forecast(city="Oslo", days=2)
told     {"rain":"5 pm"}
── turn 2 ────────────────────────────────────────
call     weather.get_currant()
mistake  unknown tool
told     input error: no tool weather.get_currant
>>>      left the course here (retrieve): went astray.
── turns 3–4, all alike ──────────────────────────
call     (no call could be read)
text     I will ⏎ �[31mmail it
mistake  unreadable
told     input error: no call could be read
── turn 5 ────────────────────────────────────────
thought  I give up.
call     FinishAction(answer="Rain at 5 pm.")
── finished after 5 turns ────────────────────────
answer   Rain at 5 pm.
outcome  failed · 0% of the wanted state · 0% of the facts (not told: Oslo) · unwanted changes 1 ·
         unknown tool 1 · unreadable 2
"""


def lines_of(outcome: Outcome | None) -> list[str]:
    return transcript(PATH, EPISODE, outcome).plain.splitlines()


def test_a_failed_episode_word_for_word() -> None:
    assert transcript(PATH, EPISODE, OUTCOME).plain == SEEN


def test_colours_are_for_terminals_only() -> None:
    shown = {}
    for terminal in (False, True):
        out = io.StringIO()
        console = Console(
            file=out,
            force_terminal=terminal,
            color_system="standard" if terminal else "auto",
            no_color=False,
            soft_wrap=True,
        )
        console.print(transcript(PATH, EPISODE, OUTCOME), end="")
        shown[terminal] = out.getvalue()
    assert shown[False] == SEEN
    assert "\x1b[1;31mleft the course here" in shown[True]


@pytest.mark.parametrize(
    ("outcome", "head"),
    [
        (None, "not scored"),
        (make_outcome(success=True), "SOLVED"),
        (make_outcome(ability=None), "FAILED at answer"),
        (make_outcome(end="engine_error"), "BROKEN OFF by the engine"),
    ],
)
def test_the_first_line_says_how_it_went(outcome: Outcome | None, head: str) -> None:
    assert lines_of(outcome)[0] == f"trip_01 · trial 0 · react · {head}"


def test_an_episode_without_outcome_has_no_outcome_line() -> None:
    assert lines_of(None)[-1] == "answer   Rain at 5 pm."


@pytest.mark.parametrize(
    ("ability", "end", "line"),
    [
        ("plan", "finished", "did not get through (plan): Too late."),
        (None, "engine_error", "did not get through (engine): Too late."),
    ],
)
def test_a_step_that_no_turn_lost_is_told_at_the_end(
    ability: str | None, end: str, line: str
) -> None:
    lost = Deviation(turn=None, step=4, ability=ability, why="Too late.")
    lines = lines_of(OUTCOME.model_copy(update={"deviation": lost, "end": end}))
    place = lines.index(f">>>      {line}")
    assert lines[place - 1].startswith("── finished after 5 turns")


def test_a_lost_turn_stands_apart_from_those_alike() -> None:
    lost = Deviation(turn=3, step=1, ability="instruct", why="Here.")
    lines = lines_of(OUTCOME.model_copy(update={"deviation": lost}))
    rules = [line for line in lines if line.startswith("── ")]
    assert [rule.strip("─ ") for rule in rules[2:4]] == ["turn 3", "turn 4"]


def test_plans_and_errors_are_shown() -> None:
    calls = (Call(name="mail.search", args={"sender": "Ana"}), Call(name="FinishAction"))
    plan = Turn(kind="plan", request="r", text="[…]", plan=calls)
    unread = Turn(kind="plan", request="r", text="", mistake="unreadable")
    update = {"turns": (plan,), "end": "engine_error", "error": "out of memory", "answer": ""}
    broken = EPISODE.model_copy(update=update)
    lines = transcript(PATH, broken, None).plain.splitlines()[11:]
    assert lines == [
        "── turn 1 (plan) ─────────────────────────────────",
        'plan 0   mail.search(sender="Ana")',
        "plan 1   FinishAction()",
        "── engine error after 1 turn ─────────────────────",
        "answer   (none)",
        "error    out of memory",
    ]
    none = transcript(PATH, EPISODE.model_copy(update={"turns": (unread,)}), None).plain
    assert "plan     (no plan could be read)\ntext     (nothing)\nmistake  unreadable" in none


@pytest.mark.parametrize("sign", ["x", "word ", "字", "\n", "\x07"])
def test_no_line_is_wider_than_the_page(sign: str) -> None:
    long = sign * 5000
    turn = EPISODE.turns[0].model_copy(
        update={"thought": long, "call": Call(name="a.b", args={"c": long})}
    )
    wide = EPISODE.model_copy(update={"turns": (turn, *EPISODE.turns[1:]), "answer": long})
    path = PATH.model_copy(update={"query": long})
    shown = transcript(path, wide, OUTCOME)
    assert max(line.cell_len for line in shown.split("\n")) <= WIDTH
    assert shown.plain.count("\n") < 80


def test_calls_and_texts_are_cut_to_one_line() -> None:
    assert one_call(Call(name="a.b", args={"c": {"d": None}})) == 'a.b(c={"d":null})'
    assert one_line("short\ttab") == "short�tab"
    assert len(one_line("x" * 5000)) == 360
