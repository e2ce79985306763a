"""Tables on models compared at the same tasks: win rates, and who beats whom."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from rich.console import Group, RenderableType

from teval.report.grid import DASH, Grid, interval, percent, to_markdown, to_terminal
from teval.report.write import write_files
from teval.schema import Arena, WinRate


def rate_table(arena: Arena) -> Grid:
    """Return each model's win rate, the best first."""
    return Grid(
        title="Win rates",
        header=("model", "win rate", "95 % interval", "won", "tied", "lost", "unanswered"),
        rows=tuple(_cells(rate, arena.reference) for rate in _ranked(arena)),
        texts=1,
        notes=tuple(_notes(arena)),
    )


def duel_table(arena: Arena) -> Grid:
    """Return the win rate of each row's model against each column's."""
    names = [rate.name for rate in _ranked(arena)]
    return Grid(
        title="Row against column",
        header=("model", *(str(number) for number, _ in enumerate(names, start=1))),
        rows=tuple(
            (
                f"{number}  {name}",
                *(DASH if name == other else percent(arena.matrix[name][other]) for other in names),
            )
            for number, name in enumerate(names, start=1)
        ),
        texts=1,
    )


def arena_to_csv(arena: Arena) -> str:
    """Return one row a model: its win rate with the interval, counts, and the rate against each."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [rate.name for rate in _ranked(arena)]
    numbers = ("win_rate", "low", "high", "won", "tied", "lost", "unanswered")
    writer.writerow(("model", *numbers, *(f"against {name}" for name in names)))
    for rate in _ranked(arena):
        counts = (rate.won, rate.tied, rate.lost, rate.unanswered)
        against = (arena.matrix[rate.name][name] for name in names)
        writer.writerow((rate.name, rate.rate, rate.low, rate.high, *counts, *against))
    return out.getvalue()


def arena_to_screen(arena: Arena) -> RenderableType:
    """Return both tables for a rich console."""
    return Group(to_terminal(rate_table(arena)), to_terminal(duel_table(arena)))


def write_arena(arena: Arena, out: Path) -> tuple[Path, ...]:
    """Write arena.md, arena.csv and arena.json, and return the files.

    Args:
        arena: The comparison.
        out: The folder to write into; made where it is not there, its other files stay.

    Raises:
        ConfigError: ``out`` is no folder.
    """
    tables = [to_markdown(rate_table(arena)), to_markdown(duel_table(arena))]
    return write_files(
        out,
        {
            "arena.md": "\n".join(["# Arena\n", *tables]),
            "arena.csv": arena_to_csv(arena),
            "arena.json": arena.model_dump_json(indent=2) + "\n",
        },
    )


def _ranked(arena: Arena) -> list[WinRate]:
    return sorted(arena.rates, key=lambda rate: -rate.rate)


def _cells(rate: WinRate, reference: str | None) -> tuple[str, ...]:
    if rate.name == reference:
        numbers = ("reference", *[DASH] * 4)
    else:
        counts = (str(rate.won), str(rate.tied), str(rate.lost))
        numbers = (percent(rate.rate), interval(rate.low, rate.high), *counts)
    return (rate.name, *numbers, str(rate.unanswered))


def _notes(arena: Arena) -> Iterator[str]:
    met = f"against {arena.reference}" if arena.reference else "the mean over all other models"
    yield (
        f"Win rates, 0–100, {met}; ties count half, and a task without an answer is lost. "
        f"n = {arena.planned} planned tasks of {arena.families} families."
    )
    decided = (f"{reason} {count}" for reason, count in arena.reasons.items())
    yield f"What decided: {', '.join(decided)}."
    if arena.left_out:
        yield f"Tasks left out because not every model was to try them: {arena.left_out}."
