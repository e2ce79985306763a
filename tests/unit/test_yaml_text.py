"""YAML in: dates stay text, and what is no good YAML is one line."""

from __future__ import annotations

import pytest

from teval.yaml_text import YamlError, read_yaml


def test_dates_and_times_stay_text() -> None:
    assert read_yaml(b"a: 2031-05-04\nb: [2031-05-04T09:00:00, 3]") == {
        "a": "2031-05-04",
        "b": ["2031-05-04T09:00:00", 3],
    }


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: 1\nb: {c: 1, c: 2}", "key 'c' given twice"),
        ("a: [1", "line "),
        (b"a: \xff", "utf-8"),
        ("a: !!python/object:os.system x", "could not determine a constructor"),
    ],
)
def test_what_can_not_be_read_is_one_line(text: str | bytes, told: str) -> None:
    with pytest.raises(YamlError) as error:
        read_yaml(text)
    (line,) = str(error.value).splitlines()
    assert told in line
