"""The arrows between rooms, and the size limits."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "teval"

FREE = {"errors", "schema"}
"""Rooms that nearly everyone may import."""

RUN = {"run.config", "run.store", "run.generate", "run.similarity", "run.score"}
ROOMS: dict[str, set[str]] = {
    "errors": set(),
    "schema": set(),
    "metrics": set(),
    "lookup": {"errors"},
    "yaml_text": {"schema"},
    "assets": {"errors"},
    "slicing": FREE,
    "run.record_file": FREE,
    "run.store": FREE | {"run.record_file"},
    "run.requests": FREE | {"run.record_file"},
    "run.answers": FREE | {"run.record_file", "run.requests"},
    "world": FREE,
    "prompting": FREE | {"assets", "yaml_text"},
    "run.config": FREE | {"assets", "yaml_text"},
    "formats": FREE | {"lookup"},
    "engines": FREE | {"lookup"},
    "sources": FREE | {"assets", "lookup", "formats"},
    "exports": FREE | {"assets", "lookup", "formats", "run.store"},
    "abilities": FREE | {"lookup", "slicing", "prompting", "formats", "metrics"},
    "authoring": FREE | {"assets", "yaml_text", "lookup", "world", "slicing", "metrics"},
    "run.generate": FREE | {"run.store", "run.requests", "run.answers"},
    "run.similarity": FREE | {"metrics"},
    "run.select": FREE,
    "run.usage": FREE,
    "run.errata": FREE | {"assets", "yaml_text", "abilities"},
    "run.score": FREE | {"run.store", "run.similarity", "abilities", "metrics"},
    "run.floors": FREE
    | {"run.record_file", "run.errata", "run.similarity", "run.score", "abilities", "metrics"},
    "run.cells": FREE | {"run.record_file", "abilities", "metrics"},
    "run.alarms": FREE | {"run.cells", "run.score"},
    "run.summary": FREE | {"run.cells", "run.store", "run.similarity", "abilities", "metrics"},
    "e2e": FREE | {"lookup", "slicing", "prompting", "formats", "world", "run.store", "metrics"},
    "report": FREE | {"assets", "lookup", "run.store", "abilities", "metrics"},
}
"""What each room may import beside itself."""

ALL = {*ROOMS, "api", "cli"}
ROOMS["api"] = ALL - {"cli"}
ROOMS["cli"] = FREE | {"report", "api"}
FRONT = {"__init__", "__main__"}
"""The package's own front page and command; the page imports nothing of teval."""

FUNCTION_LINES = 50
FILE_LINES = 400


def modules() -> list[Path]:
    """All modules of the package."""
    return sorted(PACKAGE.rglob("*.py"))


def room_of(dotted: str) -> str:
    """The room that ``teval.x.y`` belongs to; files of ``run`` are rooms of their own."""
    parts = dotted.split(".")[1:]
    if not parts:
        return "__init__"
    return ".".join(parts[:2]) if parts[0] == "run" and len(parts) > 1 else parts[0]


def dotted_name(path: Path) -> str:
    """The import name of a module's file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of everything of teval that a module imports, lazily or not."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, a.name) for a in node.names if a.name.startswith("teval"))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("teval"):
            assert node.module is not None
            if node.module in {"teval", "teval.run"}:
                yield from ((node.lineno, f"{node.module}.{a.name}") for a in node.names)
            else:
                yield node.lineno, node.module


def tables_of(path: Path) -> Iterator[tuple[int, str]]:
    """Line and module of every ``"teval.x:Object"`` in a module's tables."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            module, colon, name = node.value.partition(":")
            if colon and module.startswith("teval.") and name.isidentifier():
                yield node.lineno, module


@pytest.mark.parametrize("path", modules(), ids=dotted_name)
def test_a_room_imports_only_what_its_arrows_allow(path: Path) -> None:
    """No arrow is crossed, neither at load time nor inside a function nor through a table."""
    room = room_of(dotted_name(path))
    if room in FRONT | {"run"}:
        return
    allowed = ROOMS[room] | {room}
    if room in ROOMS["api"]:
        allowed |= {"__init__"} if room != "errors" else set()
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {room} may not import {name}"
        for line, name in [*imports_of(path), *tables_of(path)]
        if room_of(name) not in allowed and name != "teval.__version__"
    ]
    assert not wrong, "\n".join(wrong)


def test_every_room_stands_in_the_table() -> None:
    """A new folder or file at the top needs a row."""
    rooms = {room_of(dotted_name(p)) for p in modules()} - FRONT - {"run"}
    assert rooms <= set(ROOMS), f"no row for {sorted(rooms - set(ROOMS))}"


CARDS = ("instruct", "plan", "reason", "retrieve", "understand", "review")


@pytest.mark.parametrize("name", CARDS)
def test_abilities_do_not_import_one_another(name: str) -> None:
    """Cards meet only in the table."""
    others = {f"teval.abilities.{other}" for other in CARDS if other != name}
    assert others.isdisjoint(n for _, n in imports_of(PACKAGE / "abilities" / f"{name}.py"))


def test_rooms_have_no_circle() -> None:
    """The table of arrows itself is free of circles."""
    done: set[str] = set()
    while len(done) < len(ROOMS):
        ready = {r for r in set(ROOMS) - done if ROOMS[r] <= done | {r}}
        assert ready, f"circle among {sorted(set(ROOMS) - done)}"
        done |= ready


@pytest.mark.parametrize("path", modules(), ids=dotted_name)
def test_files_and_functions_stay_small(path: Path) -> None:
    """A file holds at most 400 lines, a function at most 50."""
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= FILE_LINES, f"{path.name} has {text.count(chr(10))} lines"
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            size = (node.end_lineno or node.lineno) - node.lineno + 1
            assert size <= FUNCTION_LINES, f"{path.name}: {node.name} has {size} lines"


BROAD = {"engines/chat.py", "engines/transformers.py", "engines/vllm.py", "engines/openai.py"}
"""Where one request may be guarded against anything."""


@pytest.mark.parametrize("path", modules(), ids=dotted_name)
def test_broad_excepts_stand_only_around_a_request(path: Path) -> None:
    """Nothing else swallows what it does not know."""
    if str(path.relative_to(PACKAGE)) in BROAD:
        return
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ExceptHandler):
            caught = ast.unparse(node.type) if node.type else "everything"
            broad = {"everything", "Exception", "BaseException"}
            assert caught not in broad, f"{path}:{node.lineno} catches {caught}"
