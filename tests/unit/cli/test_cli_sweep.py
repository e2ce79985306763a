"""``teval sweep`` with settings that can't be; sweeps that run are long tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories import make_path
from test_cli_verbs import teval


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "a sweep needs models"),
        (("--models", "a", "a"), "names a 2 times"),
        (("--models", "./nowhere"), "no such folder './nowhere'"),
        (("--models", "a", "-c", "nothing"), "nothing"),
        (("--models", "a", "-s", "engine.kind=oracle"), "answers without a model"),
        (("--models", "a", "-s", "engine.kind=vlm"), "unknown engine 'vlm'"),
        (("--models", "a", "-s", "out=x"), "give --out DIR"),
        (("--models", "a", "-s", "data.paths=nowhere.jsonl"), "nowhere.jsonl"),
        (("--models", "a", "--gpus", "0,0"), "name each GPU once"),
    ],
)
def test_bad_settings_are_refused_before_anything_starts(
    tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    file = tmp_path / "paths.jsonl"
    file.write_text(f"{make_path().model_dump_json()}\n", encoding="utf-8")
    settings = ("-c", "smoke", "-s", f"data.paths={file}", "-s", "engine.kind=vllm")
    done = teval("sweep", *settings, *words, "--out", str(tmp_path / "out"))
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert told in line
    assert not (tmp_path / "out").exists()
