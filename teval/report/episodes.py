"""Tables on end-to-end runs: what came of the episodes, and where the failed ones went wrong."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Group, RenderableType

from teval.abilities import ABILITIES
from teval.errors import ConfigError, DataError
from teval.report.grid import DASH, Grid, interval, percent, to_markdown, to_terminal
from teval.report.loaded import label_of, told_apart
from teval.report.write import write_files
from teval.run.store import RunFolder
from teval.schema import MISTAKES, Outcome, OutcomeSummary, SolutionPath

MOST = 4
"""The most runs that fit side by side."""
MANY_CUT_OFF = 0.01
"""A larger share of turns that hit the token limit is worth a remark."""
EXAMPLES = 3
"""Sentences shown for each ability."""

_OTHER_TASKS = "These runs were given different tasks: their numbers can't be compared."
_MEANING = (
    "Shares are of all planned episodes, 0–100; turns, calls and tokens are means over those "
    "that the engine did not break off."
)


@dataclass(frozen=True)
class EpisodeRun:
    """One end-to-end run."""

    label: str
    """Name in tables; no two runs of one report share it."""
    folder: Path
    summary: OutcomeSummary
    outcomes: tuple[Outcome, ...]
    paths: tuple[SolutionPath, ...]
    """The tasks."""
    sha256: str
    """Hash of the ``outcomes.json`` that the report is made from."""

    @property
    def trials(self) -> int:
        """How often each path was to be tried."""
        return self.summary.planned // len(self.paths)

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """The episodes that the model, not the engine, brought to a bad end."""
        return tuple(o for o in self.outcomes if o.answered and not o.success)


def load_episode_runs(folders: Sequence[Path]) -> tuple[EpisodeRun, ...]:
    """Return the runs in the order given; where two would share a label, it names the folder too.

    Args:
        folders: Run folders, each with paths, outcomes and their summary.

    Raises:
        DataError: A folder holds no end-to-end run, or one whose files do not fit together.
    """
    runs = [_load(RunFolder(folder)) for folder in folders]
    labels = told_apart([run.label for run in runs], folders)
    return tuple(replace(run, label=label) for run, label in zip(runs, labels, strict=True))


def outcome_table(runs: Sequence[EpisodeRun]) -> Grid:
    """Return measures against runs, one to four."""
    measures = [*_measures(runs)]
    same = all((r.paths, r.trials) == (runs[0].paths, runs[0].trials) for r in runs)
    return Grid(
        title="Outcomes",
        header=("measure", *(run.label for run in runs)),
        rows=tuple((name, *(of(run.summary) for run in runs)) for name, of in measures),
        texts=1,
        strong=frozenset({0}),
        notes=(_MEANING, *_cut_off(runs), *([] if same else [_OTHER_TASKS])),
        proof=tuple(line for run in runs for line in _proof(run)),
    )


def attribution_table(run: EpisodeRun) -> Grid:
    """Return failed episodes by the ability at which they left the course, with examples."""
    found = run.summary.deviations
    names = [*ABILITIES, *sorted(found.keys() - ABILITIES.keys() - {"answer"}), "answer"]
    total = sum(found.values())
    rows = [(name, str(found.get(name, 0)), _share(found.get(name, 0), total)) for name in names]
    return Grid(
        title=f"Failed episodes: {run.label}",
        header=("ability", "episodes", "share of failed"),
        rows=(*rows, ("all", str(total), _share(total, total))),
        texts=1,
        strong=frozenset({len(rows)}),
        notes=(*_tally(run.summary), *(line for name in names for line in _examples(run, name))),
    )


def outcomes_to_csv(runs: Sequence[EpisodeRun]) -> str:
    """Return one row a run with every number of its summary, shares in [0, 1]."""
    out = io.StringIO()
    rows = [_flat(run) for run in runs]
    columns = list(dict.fromkeys(column for row in rows for column in row))
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: row.get(name, "" if "floor" in name else 0) for name in columns})
    return out.getvalue()


def outcomes_to_screen(runs: Sequence[EpisodeRun]) -> RenderableType:
    """Return the tables for a rich console: outcomes side by side, then each run's attribution."""
    return Group(*map(to_terminal, _tables(runs)))


def write_outcomes(runs: Sequence[EpisodeRun], out: Path) -> tuple[Path, ...]:
    """Write outcomes.md and outcomes.csv of one to four runs, and return the files.

    Args:
        runs: As :func:`load_episode_runs` returns them.
        out: The folder to write into; made where it is not there, its other files stay.

    Raises:
        ConfigError: There are too many runs for one table, or ``out`` is no folder.
    """
    if len(runs) > MOST:
        raise ConfigError(f"{len(runs)} runs do not fit side by side; give at most {MOST}")
    text = "\n".join(["# Tasks end to end\n", *map(to_markdown, _tables(runs))])
    return write_files(out, {"outcomes.md": text, "outcomes.csv": outcomes_to_csv(runs)})


def _load(folder: RunFolder) -> EpisodeRun:
    summary = folder.outcome_summary()
    outcomes, paths = tuple(folder.outcomes()), tuple(folder.paths())
    place = folder.path / "outcomes.json"
    if sum(summary.ends.values()) != len(outcomes):
        raise DataError(
            f"{place} sums up {sum(summary.ends.values())} outcomes, but outcomes.jsonl beside it "
            f"holds {len(outcomes)}; run teval e2e on the folder again"
        )
    if not paths or summary.planned % len(paths):
        raise DataError(
            f"{place} plans {summary.planned} episodes, which is no whole number of trials of the "
            f"{len(paths)} paths in paths.jsonl; run teval e2e on the folder again"
        )
    return EpisodeRun(
        label=label_of(summary.name, summary.model),
        folder=folder.path,
        summary=summary,
        outcomes=outcomes,
        paths=paths,
        sha256=hashlib.sha256(place.read_bytes()).hexdigest(),
    )


_Measure = tuple[str, Callable[[OutcomeSummary], str]]


def _measures(runs: Iterable[EpisodeRun]) -> Iterator[_Measure]:
    yield "success", lambda s: f"{percent(s.success)} ({interval(s.low, s.high)})"
    yield "best floor", lambda s: percent(max(s.floors.values())) if s.floors else DASH
    yield "state reached", lambda s: percent(s.state)
    yield "facts told", lambda s: percent(s.facts)
    yield "nothing unwanted", lambda s: percent(s.clean)
    yield "turns", lambda s: f"{s.turns:.1f}"
    yield "calls", lambda s: f"{s.calls:.1f}"
    yield "tokens", lambda s: f"{s.tokens:,.0f}"
    for mistake in MISTAKES:
        yield f"mistakes: {_words(mistake)}", _count("mistakes", mistake)
    yield "turns cut off", lambda s: percent(s.hit_limit)
    for end in sorted({end for run in runs for end in run.summary.ends}):
        yield f"ended: {_words(end)}", _count("ends", end)
    yield "unanswered", lambda s: str(s.unanswered)
    yield "planned", lambda s: str(s.planned)
    yield "families", lambda s: str(s.families)
    yield "agent", lambda s: s.agent


def _cut_off(runs: Iterable[EpisodeRun]) -> Iterator[str]:
    for run in runs:
        if run.summary.hit_limit > MANY_CUT_OFF:
            share = percent(run.summary.hit_limit)
            yield f"{run.label}: {share}% of turns were cut off; raise sampling.max_tokens."


def _count(of: str, key: str) -> Callable[[OutcomeSummary], str]:
    return lambda summary: str(summary.model_dump()[of].get(key, 0))


def _proof(run: EpisodeRun) -> tuple[str, str]:
    signature = " ".join(run.summary.signature.split())
    return f"signature: {signature}", f"{run.sha256}  {run.folder / 'outcomes.json'}"


def _tally(summary: OutcomeSummary) -> Iterator[str]:
    failed = sum(summary.deviations.values())
    yield (
        f"{failed} of {summary.planned} planned episodes failed, each by the ability at which it "
        "left every accepted course; answer: by none of them."
    )
    if summary.unanswered:
        yield f"Broken off by the engine, and in no row: {summary.unanswered}."


def _examples(run: EpisodeRun, ability: str) -> Iterator[str]:
    lost = [outcome for outcome in run.failed if outcome.lost_at == ability]
    for outcome in lost[:EXAMPLES]:
        trial = f" #{outcome.trial}" if outcome.trial else ""
        why = outcome.deviation.why if outcome.deviation is not None else ""
        yield f"{ability} · {outcome.path}{trial} · {why}"


def _flat(run: EpisodeRun) -> dict[str, str | float]:
    row: dict[str, str | float] = {"run": run.label}
    for name, value in run.summary.model_dump(mode="json").items():
        values = value if isinstance(value, dict) else {"": value}
        row |= {f"{name}_{key}".rstrip("_"): found for key, found in values.items()}
    return row | {"sha256": run.sha256}


def _tables(runs: Sequence[EpisodeRun]) -> list[Grid]:
    return [outcome_table(runs), *map(attribution_table, runs)]


def _share(count: int, total: int) -> str:
    return percent(count / total) if total else DASH


def _words(name: str) -> str:
    return name.replace("_", " ")
