"""Do the tests of metrics and formats notice when the code is wrong?

    pip install cosmic-ray
    python benchmarks/mutation.py [--mutants 600] [--seed 0] [--again FILE] > mutants.jsonl

Mutants are those of cosmic-ray's operators over ``teval/metrics`` and ``teval/formats``: all of
them shuffled by the seed, the first so many that differ once annotations, which nothing
evaluates, are left out. Each is judged by its file's own tests alone: the unit tests that bear the
file's name, those that :data:`OWN` lists, and its doctests. A mutant is killed by a test that
fails, by code that can't be imported, or by the time limit.

No file is changed. A process imports the libraries once and forks for every mutant; there the
mutated source is what Python's import finds under the module's name. A line a mutant goes to
stdout, the share of killed ones by file to stderr. ``--again`` tries those mutants of an earlier
output once more that survived, however the code has moved since.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import gc
import importlib
import json
import os
import random
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple, cast

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("metrics", "formats")
OWN: dict[str, tuple[str, ...]] = {
    "metrics/plan_matching": ("test_metrics_plan",),
    "formats/json_format": ("test_formats_closed_fields",),
    "formats/string_format": ("test_formats_closed_fields",),
}
"""Files of tests about a module besides the one that bears its name."""
PLUGIN = "_hypothesis_pytestplugin"
WARM: tuple[str, ...] = (
    "numpy",
    "scipy.optimize",
    "scipy.sparse",
    "scipy.stats",
    "sklearn.linear_model",
)
WARM += ("networkx", "json_repair", "pytest", PLUGIN, "teval.schema")
"""Imported before the forks, with what every record is made of; none imports a mutated room."""
OPTIONS = ["-x", "-q", "-p", PLUGIN, "--hypothesis-seed=0", "-p", "no:cacheprovider"]
OPTIONS += ["-p", "no:unraisableexception", "-p", "no:threadexception"]
OPTIONS += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
"""Of pytest: no more than the tests need; hypothesis was imported before pytest, and warns."""
MEMORY = 8 * 2**30
"""Bytes of address space that one mutant may take."""


class Mutant(NamedTuple):
    """One change to one file."""

    file: str
    operator: str
    occurrence: int


def mutants(seed: int) -> list[Mutant]:
    """Return all mutants of cosmic-ray's operators that need no settings, shuffled."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names

    found: list[Mutant] = []
    kinds = [(name, get_operator(name)) for name in sorted(operator_names())]
    for path in sorted(path for room in ROOMS for path in (ROOT / "teval" / room).glob("*.py")):
        nodes = list(ast_nodes(get_ast(path.read_text(encoding="utf-8"))))
        for name, operator in kinds:
            if not operator.arguments():
                places = sum(len(list(operator().mutation_positions(node))) for node in nodes)
                file = path.relative_to(ROOT).as_posix()
                found += (Mutant(file, name, place) for place in range(places))
    random.Random(seed).shuffle(found)
    return found


def mutated(mutant: Mutant) -> str:
    """Return the source of a mutant."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    source = (ROOT / mutant.file).read_text(encoding="utf-8")
    return str(mutate_code(source, get_operator(mutant.operator)(), mutant.occurrence))


def drawn(count: int, seed: int) -> Iterator[tuple[Mutant, str]]:
    """Yield the first mutants that are other programs, each with its source."""
    for mutant in mutants(seed):
        source = mutated(mutant)
        if _meaning(source) != _meaning((ROOT / mutant.file).read_text(encoding="utf-8")):
            yield mutant, source
            count -= 1
        if not count:
            return


def _meaning(source: str) -> str:
    """The program without its annotations, or the source where it is no program."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return source
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.dump(tree)


def again(file: Path) -> Iterator[tuple[Mutant, str]]:
    """Yield the mutants of an earlier output that survived, their change made to today's code."""
    for line in file.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        source = (ROOT / told["file"]).read_text(encoding="utf-8")
        old = "".join(f"{kept}\n" for kept in told["old"])
        if told["outcome"] == "survived":
            if source.count(old) != 1:
                sys.exit(f"{told['file']}: not there, or not just once:\n{old}")
            new = "".join(f"{kept}\n" for kept in told["new"])
            mutant = Mutant(told["file"], told["operator"], told["occurrence"])
            yield mutant, source.replace(old, new)


class _Finder(MetaPathFinder):
    """Finds one module's source in memory; a plugin of pytest."""

    def __init__(self, file: str, source: str) -> None:
        self._name = file.removesuffix(".py").replace("/", ".")
        self._path = str(ROOT / file)
        self._source = source

    def pytest_sessionstart(self) -> None:
        """Come before pytest's own finder, which would read the file."""
        sys.meta_path.insert(0, self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        loader = cast(Loader, _Source(self._name, self._path, self._source))
        return spec_from_file_location(fullname, self._path, loader=loader)


class _Source(SourceFileLoader):
    """Loads a module from text, as if it stood in the module's file."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self._text = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._text, self.path, "exec", dont_inherit=True)


def tests_of(file: str) -> list[str]:
    """Return what pytest is to run for a file, its unit tests first."""
    room, module = file.removesuffix(".py").split("/")[1:]
    names = (f"test_{room}_{module}", *OWN.get(f"{room}/{module}", ()))
    found = [str(path) for name in names for path in (ROOT / "tests").rglob(f"{name}.py")]
    return [*found, str(ROOT / file)]


def outcome(file: str, source: str, seconds: float) -> str:
    """Return ``survived``, ``killed`` or ``timeout`` for a file with this source."""
    child = os.fork()
    if child == 0:
        os._exit(_tested(file, source, seconds))
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "timeout"
    return "killed" if os.WEXITSTATUS(status) else "survived"


def _tested(file: str, source: str, seconds: float) -> int:
    """Run the tests in this process; the exit status is pytest's."""
    import pytest

    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.setitimer(signal.ITIMER_PROF, seconds)  # its signal ends the process
    options = [*OPTIONS, f"--rootdir={ROOT}", *tests_of(file)]
    return int(pytest.main(options, plugins=[_Finder(file, source)]))


def warm() -> None:
    """Import what the tests need and no mutant can change, and make hypothesis quick."""
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT)]
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    for name in WARM:
        importlib.import_module(name)
    from hypothesis import settings

    settings.register_profile("mutation", database=None, deadline=None, max_examples=30)
    settings.load_profile("mutation")
    gc.freeze()


def line_of(mutant: Mutant, source: str, found: str) -> dict[str, object]:
    """Return what is told of a mutant: its place, and its lines before and after."""
    old = (ROOT / mutant.file).read_text(encoding="utf-8").splitlines()
    new = source.splitlines()
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    _, a, b, c, d = next(code for code in matcher.get_opcodes() if code[0] != "equal")
    lines = {"line": a + 1, "old": old[a:b], "new": new[c:d]}
    return {**mutant._asdict(), "outcome": found, **lines}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--mutants", type=int, default=600)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--again", type=Path, help="an earlier output")
    options = parser.parse_args()
    warm()
    todo = again(options.again) if options.again else drawn(options.mutants, options.seed)
    limits: dict[str, float] = {}
    tally: Counter[tuple[str, str]] = Counter()
    for mutant, source in todo:
        if mutant.file not in limits:
            limits[mutant.file] = _limit(mutant.file)
        found = outcome(mutant.file, source, limits[mutant.file])
        tally[mutant.file, found] += 1
        print(json.dumps(line_of(mutant, source, found)), flush=True)
    _summarise(tally)


def _limit(file: str) -> float:
    """The processor's seconds that a file's tests may take: five times what they do, and five."""
    began = time.perf_counter()
    if outcome(file, (ROOT / file).read_text(encoding="utf-8"), 600) != "survived":
        sys.exit(f"{file}: its tests fail without any mutation")
    return 5 + 5 * (time.perf_counter() - began)


def _summarise(tally: Counter[tuple[str, str]]) -> None:
    for file in [*sorted({file for file, _ in tally}), ""]:
        counts = Counter[str]()
        for (name, found), count in tally.items():
            counts[found] += count if file in ("", name) else 0
        killed, all_ = counts["killed"] + counts["timeout"], counts.total()
        told = f"{file or 'all'}\t{killed}/{all_}\t{100 * killed / max(1, all_):.1f} %"
        print(told, file=sys.stderr)


if __name__ == "__main__":
    main()
