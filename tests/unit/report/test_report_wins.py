from __future__ import annotations

from pathlib import Path

import pytest

from teval.errors import DataError
from teval.report.wins import Win, read_wins


def file_of(folder: Path, text: str) -> Path:
    file = folder / "wins.csv"
    file.write_text(text, encoding="utf-8")
    return file


BOTH = (Win("a", 0.4), Win("b", 0.55))


@pytest.mark.parametrize(
    "text",
    [
        "model,win_rate\na,0.4\nb,0.55\n",
        "model,win_rate\na,40\nb,55\n",
        "model,win_rate\na,40%\nb,55 %\n",
        "Model,Win rate (%)\na,40\nb,55",
        "\ufeffMODEL , WIN-RATE\r\na,0.4\r\nb,0.55\r\n",
        "n,win_rate,judge,Model\n9,40,x,a\n9,55,,b\n",
        'model,win_rate\n\n"a",40\n,\nb,55\n\n',
    ],
)
def test_ways_to_write_the_same(text: str, tmp_path: Path) -> None:
    found = read_wins(file_of(tmp_path, text))
    assert [win.model for win in found] == ["a", "b"]
    assert [win.rate for win in found] == pytest.approx([win.rate for win in BOTH])


@pytest.mark.parametrize(
    ("text", "rates"),
    [
        ("model,win_rate\na,1\nb,0\n", [1.0, 0.0]),
        ("model,win_rate\na,1%\nb,0\n", [0.01, 0.0]),
        ("model,win_rate\na,1\nb,100\n", [0.01, 1.0]),
    ],
)
def test_one_percent_sign_or_one_large_number_makes_percents(
    text: str, rates: list[float], tmp_path: Path
) -> None:
    assert [win.rate for win in read_wins(file_of(tmp_path, text))] == pytest.approx(rates)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["wins.csv:1", "no column model and no column win_rate"]),
        ("model,rate\na,1\n", ["wins.csv:1", "no column win_rate"]),
        ("a,40\nb,50\n", ["wins.csv:1", "no column model"]),
        ("model,win_rate\n", ["holds no win rates"]),
        ("model,win_rate\na,high\n", ["wins.csv:2", "'high'", "'a'", "0 to 100"]),
        ("model,win_rate\na,\n", ["wins.csv:2", "''"]),
        ("model,win_rate\na\n", ["wins.csv:2", "''"]),
        ("model,win_rate\na,101\n", ["wins.csv:2", "'101'"]),
        ("model,win_rate\na,-3\n", ["wins.csv:2", "'-3'"]),
        ("model,win_rate\na,nan\n", ["wins.csv:2", "'nan'"]),
        ("model,win_rate\n,50\n", ["wins.csv:2", "the column model is empty"]),
        ("model,win_rate\na,50\nb,1\nA,60\n", ["wins.csv:4", "'A'", "wins.csv:2 already"]),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, parts: list[str], tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read_wins(file_of(tmp_path, text))
    for part in parts:
        assert part in str(caught.value)


def test_a_file_that_can_not_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "latin.csv").write_bytes(b"model,win_rate\n\xe9,1\n")
    for name in ("latin.csv", "nowhere.csv", "."):
        with pytest.raises(DataError, match="can't be read"):
            read_wins(tmp_path / name)
