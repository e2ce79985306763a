"""The three invariants over the cases of all committed paths."""

from __future__ import annotations

import zlib
from collections import Counter
from functools import cache

import pytest

from teval import assets
from teval.abilities import ABILITIES, oracle_answers, slice_path
from teval.abilities.arguments import lenient
from teval.abilities.plan import argument_mutants, gold_of
from teval.prompting import Prompts
from teval.schema import Case
from teval.sources.native import read_paths

FILE = assets.find("data", "lite", "paths.jsonl")
JOINT = ("reason", "retrieve", "understand")

EACH_ABILITY = pytest.mark.parametrize("ability", list(ABILITIES))


@cache
def cases() -> tuple[Case, ...]:
    """The cases of all committed paths."""
    prompts = Prompts.load("en")
    return tuple(case for path in read_paths(str(FILE)) for case in slice_path(path, prompts))


def of(ability: str) -> list[Case]:
    """Its cases."""
    return [case for case in cases() if case.ability == ability]


def close(a: str, b: str) -> float:
    """An encoder that finds everything much alike, though nothing as much as equal texts."""
    noise: int = zlib.crc32(f"{a}\0{b}".encode()) % 40_000
    return 1.0 if a.strip() == b.strip() else 0.55 + noise / 100_000


def headline(case: Case, text: str) -> float:
    card = ABILITIES[case.ability]
    reply = card.read(text, case)
    return card.score(reply, case, close)[card.headline] if reply.parsed else 0.0


@EACH_ABILITY
def test_the_oracle_scores_exactly_one(ability: str) -> None:
    answers = oracle_answers(cases())
    wrong = [c.id for c in of(ability) if headline(c, answers[c.prompt]) != 1]
    assert of(ability)
    assert not wrong


@EACH_ABILITY
def test_silence_is_never_parsed(ability: str) -> None:
    read = ABILITIES[ability].read
    assert not [c.id for c in of(ability) if read("", c).parsed]


@EACH_ABILITY
def test_every_mutant_scores_below_one(ability: str) -> None:
    mutants = ABILITIES[ability].mutants
    right = [
        (case.id, kind)
        for case in of(ability)
        for kind, text in mutants(case).items()
        if headline(case, text) == 1
    ]
    assert not right
    assert all(mutants(case) for case in of(ability))


def test_wrong_arguments_of_a_plan_show_in_plan_args() -> None:
    card = ABILITIES["plan"]
    for case in (c for c in of("plan") if c.format == "json"):
        kinds = argument_mutants(case)
        assert "args_argument_added" in kinds, case.id
        if any(step.known(step.args) for step in gold_of(case).steps):
            assert {"args_argument_changed", "args_argument_dropped"} <= kinds.keys(), case.id
        for kind, text in kinds.items():
            found = card.score(card.read(text, case), case, lenient)
            assert found["plan_args"] < 1, (case.id, kind)


def test_spoiling_one_part_of_a_joint_reply_leaves_the_others_right() -> None:
    joint = [c for c in cases() if c.ability in JOINT and c.format == "json"]
    by_prompt: dict[str, list[Case]] = {}
    for case in joint:
        by_prompt.setdefault(case.prompt, []).append(case)
    leaks = [
        (other.id, case.ability, kind)
        for case in joint
        for kind, text in ABILITIES[case.ability].mutants(case).items()
        for other in by_prompt[case.prompt]
        if other.ability != case.ability and headline(other, text) != 1
    ]
    assert not leaks


def test_every_template_of_instruct_is_used_in_each_format() -> None:
    prompts = Prompts.load("en")
    for form in ("json", "string"):
        used = Counter(str(c.gold["fields"]) for c in of("instruct") if c.format == form)
        variants = prompts.variants("instruct", "json" if form == "json" else "string")
        assert len(used) == len(variants)
        assert min(used.values()) >= 5, "though by chance some more often than others"


def test_every_case_lists_12_to_20_tools() -> None:
    assert all(12 <= len(case.tools) <= 20 for case in cases())


def test_review_has_all_five_labels() -> None:
    assert {c.gold["review"] for c in of("review")} == set("ABCDE")
