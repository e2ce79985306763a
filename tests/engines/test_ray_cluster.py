"""Ray's workers on two nodes of this machine, which answer, break, and are lost."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_process import ENVIRONMENT, teval
from factories import make_path

from teval.engines.ray import ENVIRONMENT as QUIET
from teval.engines.ray import LOCAL_ENVIRONMENT

pytest.importorskip("ray")
pytestmark = [pytest.mark.engine, pytest.mark.long, pytest.mark.filterwarnings("ignore")]

QUICK = {"health_check_period_ms": 500, "health_check_failure_threshold": 2}
"""Ray takes half a minute to give up a node, as it comes."""


class Nodes:
    """A head that does no work, and nodes of one core each."""

    def __init__(self) -> None:
        os.environ.update(QUIET | LOCAL_ENVIRONMENT)
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 0, "include_dashboard": False, "_system_config": QUICK}
        self._cluster: Any = Cluster(initialize_head=True, head_node_args=head)
        self._nodes = [self._cluster.add_node(num_cpus=1) for _ in range(2)]
        self.address = str(self._cluster.address)

    def kill_one(self) -> None:
        """End a node with all that runs on it, as a loss of power would."""
        self._cluster.remove_node(self._nodes.pop(), allow_graceful=False)

    def mend(self) -> None:
        """Add nodes until there are two again."""
        while len(self._nodes) < 2:
            self._nodes.append(self._cluster.add_node(num_cpus=1))

    def end(self) -> None:
        self._cluster.shutdown()


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    before = dict(os.environ)
    # What the nodes start finds the engines that lie beside this file.
    os.environ.update(ENVIRONMENT)
    found = Nodes()
    yield found
    found.end()
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("data") / "paths.jsonl"
    paths = [make_path(f"{family}_{n}", family) for family in ("trip", "walk") for n in range(3)]
    file.write_text("".join(f"{path.model_dump_json()}\n" for path in paths), encoding="utf-8")
    return f"data.paths={file}"


def settings(data: str, out: Path, model: str, *more: str) -> list[str]:
    """A run of Ray's workers with a fickle engine inside, as words of the command."""
    inside = ("engine.kind=ray", "engine.options.engine=fickle_engine:FickleEngine")
    return words(data, out, model, *inside, *more)


def words(data: str, out: Path, model: str, *more: str) -> list[str]:
    given = (data, f"out={out}", f"engine.model={model}", "report.resamples=100", *more)
    return ["run", "-c", "smoke", *(word for one in given for word in ("-s", one))]


def answers(out: Path) -> list[bytes]:
    file = out / "completions.jsonl"
    return file.read_bytes().splitlines() if file.exists() else []


def assert_same(out: Path, whole: Path) -> None:
    """Answers are the same in any order, each once, and so is all that comes of them."""
    assert sorted(answers(out)) == sorted(answers(whole))
    for name in ("cases.jsonl", "scores.jsonl"):
        assert (out / name).read_bytes() == (whole / name).read_bytes()


def undisturbed(data: str, out: Path) -> Path:
    """The folder of a run without any cluster."""
    done = teval(*words(data, out, "says-A", "engine.kind=fickle_engine:FickleEngine"))
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="module")
def whole(data: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return undisturbed(data, tmp_path_factory.mktemp("runs") / "whole")


def test_a_node_lost_in_the_middle_of_the_lite_set_changes_no_record(
    nodes: Nodes, tmp_path: Path
) -> None:
    nodes.mend()
    whole = undisturbed("data.paths=lite", tmp_path / "whole")
    assert len(answers(whole)) > 1000
    place = (f"engine.options.address={nodes.address}", "engine.options.shard=64")
    out = tmp_path / "disturbed"
    command = settings("data.paths=lite", out, "slow", *place)
    with subprocess.Popen(
        [sys.executable, "-m", "teval", *command],
        env=ENVIRONMENT,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        while len(answers(out)) < 200:
            assert run.poll() is None, run.communicate()[1]
            time.sleep(0.05)
        nodes.kill_one()
        assert len(answers(out)) < len(answers(whole)) - 200
        _, said = run.communicate(timeout=400)
    assert run.returncode == 0, said
    assert_same(out, whole)


def test_a_worker_whose_engine_breaks_is_replaced(
    nodes: Nodes, data: str, whole: Path, tmp_path: Path
) -> None:
    place = (f"engine.options.address={nodes.address}", "engine.options.shard=10")
    done = teval(*settings(data, tmp_path, "tires", *place))
    assert done.returncode == 0, done.stderr
    assert_same(tmp_path, whole)


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ("refuses", "error: this model can't be loaded; name another"),
        ("dies", "error: 4 workers were lost over the same "),
    ],
)
def test_an_engine_that_never_answers_ends_the_run_with_one_line(
    nodes: Nodes, data: str, tmp_path: Path, model: str, told: str
) -> None:
    place = f"engine.options.address={nodes.address}"
    done = teval(*settings(data, tmp_path, model, place))
    assert done.returncode == 2
    assert any(line.startswith(told) for line in done.stderr.splitlines()), done.stderr
    assert answers(tmp_path) == []


def test_a_cluster_of_this_machine_alone_comes_and_goes(data: str, tmp_path: Path) -> None:
    done = teval(*settings(data, tmp_path, "raises"))
    assert done.returncode == 2
    assert "Ray can't go on (LookupError: the weights are torn)" in done.stderr


def test_no_cluster_at_the_address_is_one_line(data: str, tmp_path: Path) -> None:
    done = teval(*settings(data, tmp_path, "says-A", "engine.options.address=127.0.0.1:1"))
    assert done.returncode == 2
    assert "no Ray cluster at 127.0.0.1:1" in done.stderr.splitlines()[-1]
