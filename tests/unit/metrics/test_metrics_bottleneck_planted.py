"""A small piece of ``benchmarks/agreement_simulation.py``, which holds the whole."""

from __future__ import annotations

import subprocess
import sys

import agreement_simulation
import pytest
from agreement_simulation import SETTINGS, Setting, simulate


@pytest.mark.parametrize("setting", [Setting(12, 4, 1), Setting(12, 4, 3, spoils=0.8, luck=0.05)])
def test_the_planted_order_of_bottlenecks_is_found(setting: Setting) -> None:
    """In at least 22 of 25 populations; their abilities fail at 1 to 30 % of the steps."""
    found = simulate(setting, populations=25, draws=0)
    assert found.order >= 0.88
    assert 0.4 < found.gain < 1.1


@pytest.mark.parametrize("link", ["none", "length"])
def test_where_nothing_is_planted_the_intervals_hold_0(link: str) -> None:
    found = simulate(Setting(12, 4, 1, link=link), populations=2, draws=40)
    assert found.zero >= 0.9
    assert found.zero_alone >= 0.9
    assert abs(found.gain) < 0.4


def test_abilities_without_a_link_are_told_from_those_with_one() -> None:
    found = simulate(Setting(12, 4, 1, link="some"), populations=2, draws=40)
    assert found.zero >= 0.9
    assert found.gain > 0.4


def test_single_settings_can_be_asked_for() -> None:
    options = ["--settings", "6", "1", "--populations", "1", "--draws", "0"]
    command = [sys.executable, agreement_simulation.__file__, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    header, *lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert header[:5] == ["setting", *Setting._fields[:4]], done.stderr
    assert [line[:5] for line in lines] == [
        [str(number), *map(str, SETTINGS[number][:4])] for number in (6, 1)
    ]
