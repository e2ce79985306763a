from __future__ import annotations

import pytest

from teval.errors import MANY, UnknownNameError


@pytest.mark.parametrize(
    ("name", "known", "told"),
    [
        ("vlm", ["vllm", "ray"], "unknown engine 'vlm'; did you mean vllm?"),
        ("zzz", ["vllm", "ray"], "unknown engine 'zzz'; known: ray, vllm"),
        ("zzz", [], "unknown engine 'zzz'; known: none"),
    ],
)
def test_an_unknown_name_is_told_with_what_is_known(name: str, known: list[str], told: str) -> None:
    assert str(UnknownNameError("engine", name, known)) == told


def test_of_many_names_only_some_are_listed() -> None:
    names = [f"path_{n:03}" for n in range(600)]
    told = str(UnknownNameError("path", "zzz", names))
    assert told.endswith(f"path_{MANY - 1:03} and {600 - MANY} more")
    assert f"path_{MANY:03}" not in told
