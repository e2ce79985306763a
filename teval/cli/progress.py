"""What a person sees on stderr while the model works."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from textwrap import indent
from types import TracebackType
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from teval.api import RunConfig, Workload
    from teval.schema import Completion, JsonObject

_WARM_UP = 10.0
"""Seconds after the first answer before the time still needed is told."""
MARGIN = "  | "
"""Stands before each line of a text that goes to or comes from a model."""
_PAUSE = 20.0
"""Seconds between two lines where there is no terminal to draw a bar on."""


class Watcher:
    """Tells what lies ahead, an estimate after the first answers, and how it goes.

    Args:
        clock: Returns seconds that only grow.
        bar: Whether to draw a bar; where stderr is a terminal if None.
        verbose: Whether to show how prompts are rendered, and the first answer.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        bar: bool | None = None,
        *,
        verbose: bool = False,
    ) -> None:
        self._verbose = verbose
        self._clock = clock
        self._draws = sys.stderr.isatty() if bar is None else bar
        self._answered = 0
        self._left = 0
        self._read = self._cached = self._written = 0
        self._first = self._tell_at = 0.0
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Watcher:
        """Return the watcher itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave the terminal as it was, and tell what the answers took."""
        if self._bar is not None:
            self._bar.stop()
        if self._read or self._written:
            cached = f" ({self._cached:,} of them from the cache)" if self._cached else ""
            typer.echo(f"tokens: {self._read:,} read{cached}, {self._written:,} written", err=True)

    def described(self, engine: JsonObject) -> None:
        """Tell how the model thinks, and all about its chat template where that is wanted."""
        chat = engine.get("chat")
        if not isinstance(chat, dict):
            return
        for line in tell_chat(chat) if self._verbose else tell_thinking(chat):
            typer.echo(line, err=True)

    def started(self, workload: Workload) -> None:
        """Tell what lies ahead."""
        self._left = workload.requests - workload.done
        before = f" ({workload.done} answered before)" if workload.done else ""
        typer.echo(
            f"{workload.cases} cases, {workload.requests} requests{before}",
            err=True,
        )

    def answered(self, completion: Completion) -> None:
        """Count one answer."""
        now = self._clock()
        self._answered += 1
        self._read += completion.prompt_tokens
        self._cached += completion.cached_tokens
        self._written += completion.completion_tokens
        if self._answered == 1:
            if self._verbose:
                typer.echo(f"first answer:\n{indent(completion.text, MARGIN)}", err=True)
            # The rate is that from here on: before the first answer the model was loading.
            self._first, self._tell_at = now, now + _WARM_UP
            if self._draws:
                self._draw_bar()
        if self._bar is not None and self._task is not None:
            rate = f"{self._rate(now):.1f} a second, {self._read:,} prompt tokens"
            self._bar.update(self._task, advance=1, rate=rate)
        if now >= self._tell_at:
            self._tell_at = now + _PAUSE if self._bar is None else float("inf")
            self._tell(now)

    def _rate(self, now: float) -> float:
        """Answers a second since the first one."""
        return (self._answered - 1) / max(now - self._first, 1e-6)

    def _tell(self, now: float) -> None:
        rate = self._rate(now)
        left = _duration((self._left - self._answered) / rate)
        typer.echo(
            f"{self._answered} of {self._left} answered, {rate:.1f} a second, "
            f"{self._read:,} prompt tokens read, about {left} to go",
            err=True,
        )

    def _draw_bar(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        self._bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        self._task = self._bar.add_task("answers", total=self._left, rate="")
        self._bar.start()


def tell_thinking(chat: JsonObject) -> Iterator[str]:
    """Yield what a person should know of the model's thoughts; nothing where it has none.

    Args:
        chat: The engine's description of its chat.
    """
    thinking = chat.get("thinking")
    if not isinstance(thinking, dict):
        return
    if tokens := thinking.get("thinking_tokens"):
        yield f"thinking {thinking['mode']}: {tokens} tokens a thought, beside those of the answer"
    if note := thinking.get("note"):
        yield f"warning: {note}"


def tell_chat(chat: JsonObject) -> Iterator[str]:
    """Yield how prompts are rendered, with the examples.

    Args:
        chat: The engine's description of its chat.
    """
    yield from tell_thinking(chat)
    for key, value in chat.items():
        if isinstance(value, dict):
            value = ", ".join(f"{name} {part}" for name, part in value.items() if part)
        if key.startswith("example") and value:
            yield f"{key.replace('_', ' with a ')}:\n{indent(str(value), MARGIN)}"
        elif value:
            yield f"{key.replace('_', ' ')}: {value}"


def name_engine(config: RunConfig) -> str:
    """Return the line that says who will answer."""
    model = f", model {config.engine.model}" if config.engine.model else ""
    return f"engine {config.engine.kind}{model} → {config.folder}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
