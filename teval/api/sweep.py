"""Many models under the same settings, each run in a process of its own."""

from __future__ import annotations

import re
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import yaml

from teval.api.job import plan
from teval.api.make import SCRIPTED
from teval.api.memory import lacked_memory, memory_words, smaller
from teval.api.worker import Worker, heeding_signals, last_words, stop_all
from teval.errors import ConfigError
from teval.run.config import RunConfig, load_config
from teval.run.store import RunFolder
from teval.schema import Sweep, SweptModel

Tell = Callable[[str], None]
"""Is given one line at a time on how the sweep goes."""

LEFT_OVER = 1
"""Exit code of a run that left requests unanswered, which a crash has too: only the first comes
with a new summary."""
_PAUSE = 0.1
"""Seconds between two looks at the processes."""


def sweep(
    config: RunConfig,
    models: Sequence[str],
    out: Path | None = None,
    *,
    gpus: Sequence[str] = (),
    tell: Tell = lambda line: None,
) -> Sweep:
    """Run every model, whatever becomes of the others, and return how each one ended.

    A run that was finished before is not asked again, and one that was stopped goes on. A run for
    which there was not enough memory is tried once more with smaller settings, in a folder of its
    own, for its answers are others.

    Args:
        config: The settings of all runs; the model's name and the folder are filled in.
        models: Folders, or names on a hub or of the catalogue. A folder that holds folders called
            ``checkpoint-N`` stands for these in the order of N, then for itself if it is a model.
        out: Where the runs' folders and logs lie; ``reports/sweep-NAME`` where None.
        gpus: One run at a time on each of them, told by ``CUDA_VISIBLE_DEVICES``; where there are
            none, one run after another.
        tell: Who is told how it goes.

    Raises:
        TevalError: Settings, data or models can't be used; nothing was started then.
        KeyboardInterrupt: Somebody stopped it; the runs in progress were ended properly.
    """
    place = out or sweep_folder(config)
    attempts = _plan(config, models, place, gpus)
    place.mkdir(parents=True, exist_ok=True)
    with heeding_signals():
        ended = _Round(attempts, gpus, tell).go()
    return Sweep(name=config.name, models=tuple(ended[attempt.label] for attempt in attempts))


def sweep_folder(config: RunConfig) -> Path:
    """Return where a sweep lies that was given no folder."""
    return Path("reports", "sweep-" + re.sub(r"[^A-Za-z0-9.]+", "_", config.name).strip("._"))


def expand_models(models: Sequence[str]) -> list[str]:
    """Return the models, each training run's folder replaced by its checkpoints in their order.

    Raises:
        ConfigError: There is no model, a folder is missing, or one is named twice.
    """
    found = [model for name in models for model in _checkpoints(name)]
    if not found:
        raise ConfigError("a sweep needs models: give --models with folders or names")
    for model, times in Counter(str(_resolved(model)) for model in found).items():
        if times > 1:
            raise ConfigError(f"--models names {model} {times} times; once is enough")
    return found


def labels_of(models: Sequence[str]) -> list[str]:
    """Return for each model the shortest end of its path that no other one shares.

    >>> labels_of(["a/one", "b/one", "two"])
    ['a/one', 'b/one', 'two']
    """
    ends = [_ends(model) for model in models]
    seen = Counter(end for own in ends for end in own)
    return [next((end for end in own if seen[end] == 1), own[-1]) for own in ends]


@dataclass(frozen=True)
class _Attempt:
    """One start of one model."""

    label: str
    config: RunConfig
    full: RunConfig
    """The settings before any were made smaller."""

    @property
    def file(self) -> Path:
        """The file of settings, beside the run's folder."""
        return self._beside("yaml")

    @property
    def log(self) -> Path:
        """The file that holds what the run says, beside the run's folder."""
        return self._beside("log")

    def _beside(self, ending: str) -> Path:
        return self.config.folder.with_name(f"{self.config.folder.name}.{ending}")

    @property
    def changed(self) -> tuple[str, ...]:
        """Name each setting that was made smaller, with both values."""
        old, new = self.full.engine, self.config.engine
        before = {**old.model_dump(exclude={"options"}), **old.options}
        after = {**new.model_dump(exclude={"options"}), **new.options}
        return tuple(
            f"{name} {value} instead of {before.get(name) or 'the default'}"
            for name, value in after.items()
            if value != before.get(name)
        )

    def with_less(self, said: str) -> _Attempt | None:
        """Return the attempt with smaller settings; None where this one already had them."""
        if self.config != self.full:
            return None
        folder = self.config.folder
        update = {
            "engine": smaller(self.config.engine, said),
            "out": str(folder.with_name(f"{folder.name}-smaller")),
        }
        return replace(self, config=self.config.model_copy(update=update))

    def resumed(self) -> _Attempt:
        """Return the attempt with smaller settings where an earlier sweep had to take those."""
        less = self.with_less("")
        if less is None or not less.file.exists() or (self.config.folder / "summary.json").exists():
            return self
        engine = load_config([str(less.file)]).engine
        kept = engine.model_dump(include={"batch_size", "max_model_len", "options"})
        full = self.config.engine
        return replace(
            less, config=less.config.model_copy(update={"engine": full.model_copy(update=kept)})
        )


def _plan(
    config: RunConfig, models: Sequence[str], out: Path, gpus: Sequence[str]
) -> list[_Attempt]:
    """Return the first attempt at each model.

    Raises:
        TevalError: Something is wrong that would make all runs fail.
    """
    _check(config, out, gpus)
    names = expand_models(models)
    attempts = []
    for label, model in zip(labels_of(names), names, strict=True):
        engine = config.engine.model_copy(update={"model": model})
        run = config.model_copy(update={"engine": engine, "out": ""})
        run = run.model_copy(update={"out": str(out / run.folder.name)})
        attempts.append(_Attempt(label, run, run))
    plan(attempts[0].config)  # data, prompts and names are the same for all
    return [attempt.resumed() for attempt in attempts]


def _check(config: RunConfig, out: Path, gpus: Sequence[str]) -> None:
    if config.engine.kind in SCRIPTED:
        raise ConfigError(
            f"engine.kind: {config.engine.kind!r} answers without a model, so every model would "
            "score the same; give -c vllm or -c transformers"
        )
    if config.out:
        raise ConfigError("out: each model of a sweep has a folder of its own; give --out DIR")
    if out.exists() and not out.is_dir():
        raise ConfigError(f"{out} is a file; name a folder for the sweep")
    if not all(gpus) or len(set(gpus)) < len(gpus):
        raise ConfigError(f"--gpus {','.join(gpus)}: name each GPU once, for instance 0,1")


class _Round:
    """All attempts, as many at a time as there are places.

    Args:
        attempts: One a model.
        gpus: The places; none for a single one without a GPU of its own.
        tell: Who is told how it goes.
    """

    def __init__(self, attempts: Sequence[_Attempt], gpus: Sequence[str], tell: Tell) -> None:
        self._waiting = deque(attempts)
        self._count = len(attempts)
        self._free = [{"CUDA_VISIBLE_DEVICES": gpu} for gpu in gpus] or [{}]
        self._running: list[tuple[Worker, _Attempt, dict[str, str], int]] = []
        self._ended: dict[str, SweptModel] = {}
        self._tell = tell

    def go(self) -> dict[str, SweptModel]:
        """Return how each model ended, by label."""
        try:
            while self._waiting or self._running:
                while self._waiting and self._free:
                    self._start(self._waiting.popleft(), self._free.pop(0))
                time.sleep(_PAUSE)
                self._look()
        finally:
            stop_all(worker for worker, *_ in self._running)
        return self._ended

    def _start(self, attempt: _Attempt, place: dict[str, str]) -> None:
        settings = attempt.config.model_dump(mode="json")
        text = yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)
        attempt.file.write_text(text, encoding="utf-8")
        where = "".join(f" on GPU {gpu}" for gpu in place.values())
        self._tell(f"{attempt.label}{where} → {attempt.config.folder}")
        before = _written(attempt)
        self._running.append((Worker(attempt.file, attempt.log, place), attempt, place, before))

    def _look(self) -> None:
        """Take in what has ended since the last look."""
        for entry in list(self._running):
            worker, attempt, place, before = entry
            code = worker.poll()
            if code is not None:
                self._running.remove(entry)
                self._free.append(place)
                self._take(attempt, code, worker.said(), new=_written(attempt) != before)

    def _take(self, attempt: _Attempt, code: int, said: str, *, new: bool) -> None:
        """Note how an attempt ended, or line up a second one."""
        scored = code == 0 or (code == LEFT_OVER and new)
        less = None if scored or not lacked_memory(code, said) else attempt.with_less(said)
        if less is not None and less.changed:
            self._tell(
                f"{attempt.label}: not enough memory ({_why(code, said)}); once more with "
                f"{', '.join(less.changed)}"
            )
            self._waiting.appendleft(less)
            return
        found = _outcome(attempt, code, said, scored=scored)
        self._ended[attempt.label] = found
        self._tell(f"{len(self._ended)} of {self._count}: {_in_short(found)}")


def _outcome(attempt: _Attempt, code: int, said: str, *, scored: bool) -> SweptModel:
    state: Literal["done", "left_over", "failed"] = "left_over" if scored else "failed"
    return SweptModel(
        label=attempt.label,
        model=attempt.config.engine.model,
        state="done" if code == 0 else state,
        why=_why(code, said) if code else "",
        changed=attempt.changed,
        folder=str(attempt.config.folder),
        log=str(attempt.log),
        summary=RunFolder(attempt.config.folder).summary() if scored else None,
    )


def _why(code: int, said: str) -> str:
    words, short = last_words(said).removeprefix("error: "), memory_words(said)
    if code == -signal.SIGKILL:
        return f"killed by SIGKILL (out of memory?); last said: {words or 'nothing'}"
    if code < 0:
        return f"ended by {signal.strsignal(-code)}; last said: {words or 'nothing'}"
    told = words or f"ended with exit code {code} and said nothing"
    return told if short in told else f"{told} ({short})"


def _in_short(model: SweptModel) -> str:
    overall = model.summary.corrected.overall if model.summary else None
    if overall is None or model.why:
        return f"{model.label} {model.state.replace('_', ' ')}: {model.why} (see {model.log})"
    return f"{model.label} {model.state}, overall {100 * overall:.1f}"


def _written(attempt: _Attempt) -> int:
    """Return when the run's summary was written, in nanoseconds; 0 where there is none."""
    file = attempt.config.folder / "summary.json"
    return file.stat().st_mtime_ns if file.exists() else 0


def _checkpoints(name: str) -> Iterator[str]:
    """Yield the models that a name stands for."""
    folder = Path(name).expanduser()
    if not folder.is_dir():
        if not name.strip() or (name.startswith((".", "~", "/")) and not folder.exists()):
            raise ConfigError(f"--models: no such folder {name!r}")
        yield name
        return
    numbers = {
        int(number): sub
        for sub in folder.iterdir()
        if (number := sub.name.removeprefix("checkpoint-")).isdecimal()
        and number != sub.name
        and sub.is_dir()
    }
    yield from (str(numbers[number]) for number in sorted(numbers))
    if not numbers or (folder / "config.json").is_file():
        yield str(folder)


def _resolved(model: str) -> Path:
    folder = Path(model).expanduser()
    return folder.resolve() if folder.exists() else folder


def _ends(model: str) -> list[str]:
    """Return all ends of a model's path in whole parts, the shortest first."""
    parts = Path(model).parts
    return ["/".join(parts[i:]).replace("//", "/") for i in range(len(parts) - 1, -1, -1)]
