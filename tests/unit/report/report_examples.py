"""Hand-made runs that the report's tests share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from teval.abilities import ABILITIES
from teval.report import LoadedRun
from teval.run.store import Manifest, RunFolder
from teval.schema import AbilitySummary, Cell, Score, ScorerSummary, Summary

FLOOR = 0.1
SIGNATURE = "data:sample|teval:0"


def make_scores(lost: Mapping[str, Sequence[str]] | None = None) -> tuple[Score, ...]:
    """Two answers an ability and format; ``lost`` names causes by ability, JSON answers first."""
    scores = []
    for ability in ABILITIES:
        causes = list((lost or {}).get(ability, ()))
        for index in range(4):
            form = ("json", "string")[index // 2]
            cause = causes[index] if index < len(causes) else None
            scores.append(_score(ability, form, index, cause))
    return tuple(scores)


def _score(ability: str, form: str, index: int, cause: str | None) -> Score:
    failed = cause in ("engine_error", "truncated", "unparsed")
    return Score.model_validate(
        {
            "case": f"p{index % 2}/{ability}/{form}",
            "ability": ability,
            "format": form,
            "family": f"f{index % 2}",
            "path": f"p{index % 2}",
            "status": cause if failed else "ok",
            "parsed": not failed,
            "well_formed": not failed,
            "corrected": {ABILITIES[ability].headline: float(cause is None)},
            "cause": cause,
        }
    )


def make_cell(score: float, scores: Sequence[Score], parse_rate: float = 0.5) -> Cell:
    return Cell(
        score=score,
        low=max(0.0, score - 0.05),
        high=min(1.0, score + 0.05),
        n=len(scores),
        families=2,
        parse_rate=parse_rate,
        well_formed=0.25,
        given_parsed=score,
        coverage=1.0,
        truncated=0.0,
        hit_limit=0.125,
        floor=FLOOR,
        above_floor=None,
        statuses=dict(Counter(score.status for score in scores)),
        metrics={},
        causes={},
    )


def make_ability(score: float, scores: Sequence[Score]) -> AbilitySummary:
    """JSON scores 0.1 below the mean and string 0.1 above it, as far as there is room."""
    spread = min(0.1, score, 1 - score)
    cells = {
        form: make_cell(score + sign * spread, [s for s in scores if s.format == form], rate)
        for form, sign, rate in (("json", -1, 0.5), ("string", 1, 1.0))
    }
    return AbilitySummary(
        score=score,
        low=max(0.0, score - 0.025),
        high=min(1.0, score + 0.025),
        n=len(scores),
        families=2,
        floor=FLOOR,
        above_floor=None,
        detectable=0.123,
        formats=cells,
    )


def make_summary(
    values: Sequence[float | None],
    scores: Sequence[Score],
    name: str = "weak",
    model: str = "",
    warnings: tuple[str, ...] = (),
) -> Summary:
    """A summary with one value an ability in order; None for one that was not asked."""
    abilities = {
        ability: None
        if value is None
        else make_ability(value, [s for s in scores if s.ability == ability])
        for ability, value in zip(ABILITIES, values, strict=True)
    }
    asked = [value for value in values if value is not None]
    overall = sum(asked) / len(asked)
    corrected = ScorerSummary(
        overall=overall,
        low=max(0.0, overall - 0.02),
        high=min(1.0, overall + 0.02),
        micro=overall,
        complete=None not in values,
        n=4 * len(asked),
        families=2,
        floor=FLOOR,
        detectable=0.034,
        abilities=abilities,
    )
    return Summary(
        name=name, model=model, corrected=corrected, signature=SIGNATURE, warnings=warnings
    )


def make_run(
    label: str = "weak",
    values: Sequence[float | None] = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4),
    lost: Mapping[str, Sequence[str]] | None = None,
    cases: str = "c0ffee",
    warnings: tuple[str, ...] = (),
) -> LoadedRun:
    asked = {a for a, value in zip(ABILITIES, values, strict=True) if value is not None}
    scores = tuple(score for score in make_scores(lost) if score.ability in asked)
    return LoadedRun(
        label=label,
        summary=make_summary(values, scores, name=label, warnings=warnings),
        scores=scores,
        sha256="0" * 64,
        data="sample 12345678",
        cases=cases,
    )


def with_published(run: LoadedRun, mark: str = "") -> LoadedRun:
    """The same run, and the same numbers by the published scorer."""
    published = run.summary.corrected.model_copy(update={"mark": mark})
    return replace(run, summary=run.summary.model_copy(update={"published": published}))


def store_run(folder: Path, summary: Summary, scores: Sequence[Score]) -> Path:
    """Write a finished run's records and return its folder."""
    run = RunFolder(folder)
    run.prepare(
        Manifest(
            answers={},
            config={"data": {"paths": "some/where/sample"}},
            signature=SIGNATURE,
            hashes={"data": "0123456789abcdef", "cases": "beef"},
        ),
        cases=(),
    )
    run.write_scores(scores)
    run.write_summary(summary)
    return folder


def with_native(run: LoadedRun, score: float) -> LoadedRun:
    """The same run with retrieve asked as a call of the model's own too."""
    beside = {"retrieve": {"tools": make_cell(score, list(run.scores)[:2])}}
    corrected = run.summary.corrected.model_copy(update={"beside": beside})
    return replace(run, summary=run.summary.model_copy(update={"corrected": corrected}))
