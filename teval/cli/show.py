"""``teval show``: single cases of a scored run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from teval.cli.options import AsJson, Folder

if TYPE_CHECKING:
    from teval.api import ShownCase

WIDTH = 300
"""Most characters of a text that are shown to people; programs get all."""


def show(
    folder: Folder,
    failed: Annotated[bool, typer.Option("--failed", help="Only cases that lost points.")] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Tell why, with the right answer and the one given.")
    ] = False,
    ability: Annotated[str | None, typer.Option(help="Only cases of this ability.")] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", help="Only cases in this format: json, string or tools."),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="The most cases to show.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show cases one by one; --json prints one record a line, always with the reasons."""
    from teval import api

    cases = api.show_cases(folder, failed=failed, ability=ability, form=form, limit=limit)
    for case in cases:
        typer.echo(_as_json(case) if as_json else "\n".join(_lines(case, why=why)))
    if not cases and not as_json:
        typer.echo("no such case")


def _as_json(case: ShownCase) -> str:
    return json.dumps(case.model_dump(mode="json"), ensure_ascii=False)


def _lines(case: ShownCase, *, why: bool) -> list[str]:
    from teval.report.transcript import one_line

    ended = case.cause.replace("_", " ") if case.cause else "right"
    repeat = f" #{case.repeat}" if case.repeat else ""
    head = f"{case.case}{repeat}  {case.score:.2f}  {ended}"
    if not why:
        return [head]
    answer = "(none)" if case.answer is None else one_line(case.answer, WIDTH)
    told = [f"  why:    {one_line(case.why, WIDTH)}"] if case.why else []
    return [head, *told, f"  gold:   {one_line(case.gold, WIDTH)}", f"  answer: {answer}", ""]
