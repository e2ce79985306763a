from __future__ import annotations

import pytest

from teval.api.worker import last_words


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("", ""),
        ("\n \r\n", ""),
        ("reading\nhalf way", "half way"),
        ("bar 10 %\rbar 20 %\r", "bar 20 %"),
        (
            "Traceback (most recent call last):\n  File x\nLookupError: torn\nleaked 1 semaphore",
            "LookupError: torn",
        ),
        ("torch.OutOfMemoryError: CUDA\n[W1] destroy", "torch.OutOfMemoryError: CUDA"),
        (
            "RuntimeError: inner\nerror: m: can't be loaded\nRuntimeWarning: late",
            "error: m: can't be loaded",
        ),
        ("ErrorHandler ready\nlast", "last"),
    ],
)
def test_the_line_that_tells_why_is_found(said: str, words: str) -> None:
    assert last_words(said) == words
