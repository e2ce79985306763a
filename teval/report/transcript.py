"""An episode as a person reads it: what was wanted, then turn by turn what happened instead."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Console
from rich.text import Text

from teval.metrics.text_facts import tells
from teval.schema import (
    REVIEW_LABELS,
    Call,
    Deviation,
    Episode,
    Observation,
    Outcome,
    SolutionPath,
    Turn,
    canonical,
)

WIDTH = 100
"""Columns of a transcript."""
INDENT = 9
"""Columns of the words at the left."""
MOST = 360
"""Most characters shown of what a model or the world said at a time."""

_RULER = Console(file=io.StringIO(), width=WIDTH)
_BAD, _GOOD, _DIM, _LOST = "red", "green", "dim", "bold red"


def transcript(path: SolutionPath, episode: Episode, outcome: Outcome | None) -> Text:
    """Return one episode as text of at most 100 columns, styled for a terminal.

    Args:
        path: What the episode was played on.
        episode: The episode.
        outcome: What came of it; None where it was not scored.
    """
    deviation = outcome.deviation if outcome is not None else None
    parts = [_title(episode, outcome), *_task(path)]
    lost = None if deviation is None else deviation.turn
    for numbers, turn in _alike(episode, lost):
        parts += [_rule(_turns(numbers, turn)), *_turn(turn)]
        if outcome is not None and deviation is not None and lost in numbers:
            parts += _lost(outcome, deviation)
    parts.append(_rule(_end(episode)))
    if outcome is not None and deviation is not None and lost is None:
        parts += _lost(outcome, deviation)
    parts += _said("answer", episode.answer or "(none)", "" if episode.answer else _BAD)
    parts += _said("error", episode.error, _BAD) if episode.error else []
    parts += _came_of_it(path, episode, outcome)
    return Text("\n").join([*parts, Text()])


def one_line(text: str, most: int = MOST) -> str:
    r"""Return a text on one line, at most so long, control characters shown and not obeyed.

    >>> one_line("so\n  it \x1b[1mgoes", 14)
    'so ⏎ it �[1mg…'
    """
    line = " ⏎ ".join(part.strip() for part in text.strip().splitlines())
    line = "".join(sign if sign.isprintable() else "�" for sign in line)
    return line if len(line) <= most else f"{line[: most - 1]}…"


def one_call(call: Call) -> str:
    """Return a call as one writes it in a program.

    >>> one_call(Call(name="mail.send", args={"to": ["ana"], "copies": 2}))
    'mail.send(to=["ana"], copies=2)'
    """
    args = ", ".join(f"{name}={canonical(value)}" for name, value in call.args.items())
    return f"{call.name}({args})"


def _title(episode: Episode, outcome: Outcome | None) -> Text:
    head = f"{episode.path} · trial {episode.trial} · {episode.agent} · "
    if outcome is None:
        return Text(f"{head}not scored", style="bold")
    if outcome.success:
        return Text.assemble(head, ("SOLVED", _GOOD), style="bold")
    how = f"FAILED at {outcome.lost_at}" if outcome.answered else "BROKEN OFF by the engine"
    return Text.assemble(head, (how, _BAD), style="bold")


def _task(path: SolutionPath) -> Iterator[Text]:
    yield from _said("query", path.query)
    yield from _said("wanted", path.answer.text)
    if path.answer.facts:
        yield from _said("facts", " · ".join(path.answer.facts))
    for step in path.steps:
        met = "" if step.review in {None, "A"} else f"  → {REVIEW_LABELS[step.review]}"
        yield _short(f"gold {step.id}", one_call(step.call), met)


def _alike(episode: Episode, lost: int | None) -> Iterator[tuple[list[int], Turn]]:
    """Numbers of turns in a row that went alike, and the first of them; a lost one stands alone."""

    def content(numbered: tuple[int, Turn]) -> tuple[object, ...]:
        number, turn = numbered
        return turn.kind, turn.text, turn.observation, number == lost

    for _, found in groupby(enumerate(episode.turns), content):
        turns = list(found)
        yield [number for number, _ in turns], turns[0][1]


def _turns(numbers: Sequence[int], turn: Turn) -> str:
    if len(numbers) > 1:
        return f"turns {numbers[0] + 1}–{numbers[-1] + 1}, all alike"
    return f"turn {numbers[0] + 1}{' (plan)' if turn.kind == 'plan' else ''}"


def _turn(turn: Turn) -> Iterator[Text]:
    yield from _wrote(turn)
    if turn.hit_limit:
        yield from _said("cut off", f"at {turn.completion_tokens} tokens, the limit", _BAD)
    if turn.mistake is not None:
        yield from _said("mistake", _words(turn.mistake), _BAD)
    if turn.observation is not None:
        yield from _said("told", _answered(turn.observation), _DIM)


def _wrote(turn: Turn) -> Iterator[Text]:
    """What was read of the model's words, and the words themselves where nothing could be."""
    if turn.thought:
        yield from _said("thought", turn.thought)
    if turn.kind == "plan":
        for number, call in enumerate(turn.plan):
            yield _short(f"plan {number}", one_call(call))
    elif turn.call is not None:
        yield from _said("call", one_call(turn.call))
    if turn.call is None and not turn.plan:
        what = "plan" if turn.kind == "plan" else "call"
        yield from _said(what, f"(no {what} could be read)", _BAD)
        yield from _said("text", turn.text or "(nothing)")


def _answered(observation: Observation) -> str:
    if observation.status == "ok":
        return canonical(observation.content)
    error = observation.content.get("error")
    told = error if isinstance(error, str) else canonical(observation.content)
    return f"{_words(observation.status)}: {told}"


def _lost(outcome: Outcome, deviation: Deviation) -> list[Text]:
    where = "did not get through" if deviation.turn is None else "left the course here"
    who = outcome.lost_at if outcome.answered else "engine"
    turn = -1 if deviation.turn is None else deviation.turn
    return _said(
        ">>>", f"{where} ({who}): {deviation.why.removeprefix(f'Turn {turn + 1}: ')}", _LOST
    )


def _end(episode: Episode) -> str:
    turns = "1 turn" if len(episode.turns) == 1 else f"{len(episode.turns)} turns"
    return f"{_words(episode.end)} after {turns}"


def _came_of_it(path: SolutionPath, episode: Episode, outcome: Outcome | None) -> list[Text]:
    if outcome is None:
        return []
    told = tells(episode.answer, path.answer.facts)
    missing = [fact for fact, said in zip(path.answer.facts, told, strict=True) if not said]
    parts = [
        "solved" if outcome.success else "failed",
        f"{outcome.state:.0%} of the wanted state",
        f"{outcome.facts:.0%} of the facts"
        + (f" (not told: {', '.join(missing)})" if missing else ""),
        f"unwanted changes {outcome.unwanted}",
        *(f"{_words(name)} {count}" for name, count in outcome.mistakes.items() if count),
    ]
    return _said("outcome", " · ".join(parts), _GOOD if outcome.success else _BAD)


def _said(label: str, text: str, style: str = "") -> list[Text]:
    """A word at the left and a text beside it, in as many lines as it takes."""
    lines = Text(one_line(text)).wrap(_RULER, WIDTH - INDENT, overflow="fold")
    return [
        Text.assemble(
            (f"{label if not place else '':<{INDENT}}", "cyan"), (line.plain.rstrip(), style)
        )
        for place, line in enumerate(lines)
    ]


def _short(label: str, text: str, end: str = "") -> Text:
    """A word at the left and a text beside it, cut to what one line holds."""
    shown = Text(one_line(text))
    shown.truncate(WIDTH - INDENT - len(end), overflow="ellipsis")
    return Text.assemble((f"{label:<{INDENT}}", "cyan"), shown.plain, (end, _BAD))


def _rule(text: str) -> Text:
    return Text(f"── {text} ".ljust(WIDTH // 2, "─"), style=_DIM)


def _words(name: str) -> str:
    return name.replace("_", " ")
