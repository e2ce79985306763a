from __future__ import annotations

import io

import pytest
from rich.console import Console

from teval.report.grid import Grid, escape, interval, percent, to_markdown, to_terminal

GRID = Grid(
    title="A | b",
    header=("name", "score"),
    rows=(("plain", "1.0"), ("[red]sum", "12.5")),
    texts=1,
    strong=frozenset({1}),
    notes=("A note.",),
    findings=("It says | that.",),
    proof=("signature: a|b",),
)


def _printed(grid: Grid, width: int = 40) -> str:
    out = io.StringIO()
    Console(file=out, width=width).print(to_terminal(grid))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


@pytest.mark.parametrize(
    ("value", "shown"), [(0.0, "0.0"), (1.0, "100.0"), (0.12345, "12.3"), (None, "–")]
)
def test_percent(value: float | None, shown: str) -> None:
    assert percent(value) == shown


@pytest.mark.parametrize(
    ("low", "high", "shown"), [(0.0, 1.0, "0.0–100.0"), (None, 1.0, "–"), (0.5, None, "–")]
)
def test_interval(low: float | None, high: float | None, shown: str) -> None:
    assert interval(low, high) == shown


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("a|b", r"a\|b"),
        ("two\n\nlines", "two lines"),
        ("<script>&", r"\<script\>\&"),
        ("$x$ *b* _c_ `d` [e](f)", r"\$x\$ \*b\* \_c\_ \`d\` \[e\](f)"),
        ("back\\slash", r"back\\slash"),
    ],
)
def test_markdown_shows_text_as_it_is(text: str, safe: str) -> None:
    assert escape(text) == safe


def test_markdown() -> None:
    assert to_markdown(GRID) == (
        "## A \\| b\n"
        "\n"
        "| name | score |\n"
        "| --- | ---: |\n"
        "| plain | 1.0 |\n"
        "| **\\[red\\]sum** | **12.5** |\n"
        "\n"
        "A note.\n"
        "\n"
        "It says \\| that.\n"
        "\n"
        "```text\n"
        "signature: a|b\n"
        "```\n"
    )


def test_terminal_leaves_markup_in_names_alone() -> None:
    assert _printed(GRID) == (
        "A | b\n"
        "name     score\n"
        "──────────────\n"
        "plain      1.0\n"
        "[red]sum  12.5\n"
        "A note.\n"
        "It says | that.\n"
        "signature: a|b\n"
    )


def test_terminal_folds_what_is_too_wide_and_loses_nothing() -> None:
    grid = GRID._replace(proof=("signature: " + "x" * 50,))
    printed = _printed(grid, width=30)
    assert printed.count("x") == 50
    assert max(map(len, printed.splitlines())) <= 30
