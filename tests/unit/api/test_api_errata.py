"""Errata from file to summary, table and signature."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
import yaml
from factories import make_path

from teval import api
from teval.cli import main
from teval.errors import DataError
from teval.run.errata import case_hash
from teval.run.store import RunFolder
from teval.schema import Case, JsonObject, Summary


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of an oracle that gets every letter of review wrong."""
    place = tmp_path_factory.mktemp("errata")
    paths = [make_path(f"{family}_0", family) for family in ("trip", "walk")]
    data = place / "paths.jsonl"
    data.write_text("".join(f"{path.model_dump_json()}\n" for path in paths), encoding="utf-8")
    spoilt = ["engine.kind=degraded", "engine.ability=review", "engine.rate=1"]
    settings = [f"data.paths={data}", f"out={place / 'run'}", *spoilt, "report.resamples=100"]
    return api.run(api.load_config(["smoke"], settings)).folder


def reviews(folder: Path) -> list[Case]:
    return [c for c in RunFolder(folder).cases() if (c.ability, c.format) == ("review", "string")]


def entry(case: Case, action: str, **more: str | JsonObject) -> JsonObject:
    return {"case": case.id, "hash": case_hash(case), "action": action, "reason": "why", **more}


def write(file: Path, *entries: JsonObject) -> str:
    file.write_text(yaml.safe_dump({"errata": list(entries)}), encoding="utf-8")
    return f"data.errata={file}"


def scored(folder: Path, setting: str) -> Summary:
    return api.score(folder, api.stored_config(folder, (), [setting]))


def parts(signature: str) -> dict[str, str]:
    return dict(part.split(":", 1) for part in signature.split("|"))


def test_scores_stand_with_and_without(run_folder: Path, tmp_path: Path) -> None:
    plain = scored(run_folder, "data.errata=")
    assert plain.errata is None
    assert "errata" not in parts(plain.signature)
    first, second, *_ = cases = reviews(run_folder)
    shown = {case.case: case for case in api.show_cases(run_folder, ability="review")}
    gold: JsonObject = {"review": str(shown[second.id].answer)}
    setting = write(tmp_path / "e.yaml", entry(first, "exclude"), entry(second, "amend", gold=gold))
    mended = scored(run_folder, setting)
    assert mended.errata is not None
    assert (mended.errata.excluded, mended.errata.amended) == (1, 1)
    assert mended.errata.corrected.overall == plain.corrected.overall
    assert mended.errata.published is not None
    assert plain.published is not None
    assert mended.errata.published.overall == plain.published.overall
    cell = mended.corrected.abilities["review"]
    assert cell is not None
    assert cell.formats["string"].n == len(cases) - 1
    assert cell.formats["string"].score == pytest.approx(1 / (len(cases) - 1))
    assert cell.formats["json"].score == 0.0
    assert len(parts(mended.signature)["errata"]) == 8
    assert first.id not in {score.case for score in RunFolder(run_folder).scores()}
    found = {case.case: case for case in api.show_cases(run_folder, ability="review")}
    assert (found[second.id].gold, found[second.id].score) == (gold["review"], 1.0)
    assert found[second.id].hash == case_hash(second), "the hash is of the case as it was planned"


def test_what_is_for_no_case_is_warned_of_and_moves_nothing(
    run_folder: Path, tmp_path: Path
) -> None:
    plain = scored(run_folder, "data.errata=")
    case = reviews(run_folder)[0]
    gone = {**entry(case, "exclude"), "case": "gone"}
    stale = {**entry(case, "exclude"), "hash": "0" * 16}
    found = scored(run_folder, write(tmp_path / "e.yaml", gone, stale))
    assert found.errata is None
    assert found.signature == plain.signature
    assert found.corrected == plain.corrected
    told = [w for w in found.warnings if "erratum" in w]
    assert ["'gone'" in told[0], f"'{case.id}'" in told[1], len(told)] == [True, True, 2]


def test_errata_leave_a_case(run_folder: Path, tmp_path: Path) -> None:
    entries = [entry(case, "exclude") for case in RunFolder(run_folder).cases()]
    with pytest.raises(DataError, match="errata exclude all cases"):
        scored(run_folder, write(tmp_path / "e.yaml", *entries))


def test_runs_are_compared_on_what_both_scored(run_folder: Path, tmp_path: Path) -> None:
    case = reviews(run_folder)[0]
    other = tmp_path / "other"
    settings = [f"out={other}", write(tmp_path / "e.yaml", entry(case, "exclude"))]
    api.run(api.stored_config(run_folder, (), settings))
    scored(run_folder, "data.errata=")
    found = api.compare(run_folder, other)
    assert (found.a.left_out, found.b.left_out) == (1, 0)
    assert found.n == len(RunFolder(run_folder).cases()) - 1
    (warning,) = found.warnings
    assert "errata (none / " in warning


def teval(*words: str) -> tuple[int, str, str]:
    with (
        redirect_stdout(io.StringIO()) as out,
        redirect_stderr(io.StringIO()) as err,
        pytest.raises(SystemExit) as end,
    ):
        main(words)
    assert isinstance(end.value.code, int)
    return end.value.code, out.getvalue(), err.getvalue()


def test_the_command_prints_both(run_folder: Path, tmp_path: Path) -> None:
    case = reviews(run_folder)[0]
    answers = {c.case: c.answer for c in api.show_cases(run_folder, ability="review")}
    gold: JsonObject = {"review": str(answers[case.id])}
    setting = write(tmp_path / "e.yaml", entry(case, "amend", gold=gold))
    code, out, _ = teval("score", str(run_folder), "-s", setting)
    assert code == 0
    # One of the review cases of one format of six abilities is right now.
    share = 100 * (5 + 1 / len(reviews(run_folder)) / 2) / 6
    line = f"With errata: overall {share:.1f} (0 cases excluded, 1 amended); without: 83.3."
    assert line in " ".join(out.split())
    code, out, _ = teval("show", str(run_folder), "--ability", "review", "--json")
    assert code == 0
    assert case_hash(case) in {json.loads(line)["hash"] for line in out.splitlines()}


def test_a_bad_file_is_one_line_before_anything_is_asked(run_folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "e.yaml"
    file.write_text("errata: [{case: a}]", encoding="utf-8")
    out = tmp_path / "run"
    for words in (["run", "-c", "smoke", "-s", f"out={out}"], ["score", str(run_folder)]):
        code, _, err = teval(*words, "-s", f"data.errata={file}")
        assert code == 2
        assert f"error: {file}: errata.0.hash: Field required" in err.splitlines()
    assert not out.exists()
