"""What holds for every case of every ability and format."""

from __future__ import annotations

from collections import defaultdict

import pytest
from factories import make_path

from teval.abilities import (
    ABILITIES,
    CAUSES,
    Card,
    degraded_answers,
    oracle_answers,
    slice_path,
)
from teval.abilities.plan import argument_mutants
from teval.errors import UnknownNameError
from teval.prompting import Prompts, prompt_hash
from teval.schema import Case

PROMPTS = Prompts.load("en")
CASES = tuple(slice_path(make_path(), PROMPTS, native=True))
OTHERS = {
    (c.ability, c.format): c for c in slice_path(make_path("walk_01", "walk"), PROMPTS, native=True)
}
JOINT = ("reason", "retrieve", "understand")


def equal(a: str, b: str) -> float:
    """Likeness by equality alone."""
    return float(a.strip() == b.strip())


def headline(case: Case, text: str) -> float:
    """The headline score of one answer; 0 where it can't be read."""
    card = ABILITIES[case.ability]
    reply = card.read(text, case)
    return card.score(reply, case, equal)[card.headline] if reply.parsed else 0.0


EVERY_CASE = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


@EVERY_CASE
def test_a_perfect_answer_scores_exactly_one(case: Case) -> None:
    card = ABILITIES[case.ability]
    reply = card.read(card.answer(case), case)
    assert reply.parsed
    assert reply.well_formed
    scores = card.score(reply, case, equal)
    assert all(value == 1.0 for name, value in scores.items() if name != "plan_paper")
    assert card.explain(reply, case, scores) is None


@EVERY_CASE
@pytest.mark.parametrize("text", ["", " \n", "<think>well"])
def test_silence_is_unparsed(case: Case, text: str) -> None:
    assert not ABILITIES[case.ability].read(text, case).parsed


@EVERY_CASE
def test_every_wrong_answer_scores_below_one_and_is_explained(case: Case) -> None:
    card = ABILITIES[case.ability]
    mutants = card.mutants(case)
    assert mutants
    for kind, text in mutants.items():
        reply = card.read(text, case)
        assert headline(case, text) < 1, kind
        if reply.parsed:
            explanation = card.explain(reply, case, card.score(reply, case, equal))
            assert explanation is not None, kind
            assert explanation.cause in CAUSES
            assert explanation.why


def test_wrong_arguments_of_a_plan_show_in_plan_args_alone() -> None:
    card = ABILITIES["plan"]
    case = next(c for c in CASES if c.ability == "plan" and c.format == "json")
    kinds = argument_mutants(case)
    assert set(kinds) == {"args_argument_changed", "args_argument_dropped", "args_argument_added"}
    for text in kinds.values():
        scores = card.score(card.read(text, case), case, equal)
        assert scores["f1"] == 1
        assert scores["plan_args"] < 1


@pytest.mark.parametrize("form", ["json", "tools"])
@pytest.mark.parametrize("ability", JOINT)
def test_spoiling_one_part_of_a_joint_reply_leaves_the_others_right(
    ability: str, form: str
) -> None:
    by_prompt = _joint_cases(form)
    for cases in by_prompt.values():
        if ability not in cases:
            continue
        for kind, text in ABILITIES[ability].mutants(cases[ability]).items():
            for other in cases.keys() - {ability}:
                assert headline(cases[other], text) == 1, (kind, other)


def _joint_cases(form: str) -> dict[str, dict[str, Case]]:
    found: dict[str, dict[str, Case]] = defaultdict(dict)
    for case in CASES:
        if case.ability in JOINT and case.format == form:
            found[case.prompt][case.ability] = case
    return found


def test_json_cases_of_a_step_share_one_prompt_and_one_answer() -> None:
    joint = _joint_cases("json")
    assert sorted(map(len, joint.values())) == [2, 3, 3, 3, 3, 3]
    for cases in joint.values():
        assert len({ABILITIES[a].answer(c) for a, c in cases.items()}) == 1
        assert len({c.messages for c in cases.values()}) == 1


def test_calls_of_a_step_share_one_prompt_and_one_answer() -> None:
    joint = _joint_cases("tools")
    assert sorted(map(len, joint.values())) == [1, 2, 2, 2, 2, 2]
    for cases in joint.values():
        assert len({ABILITIES[a].answer(c) for a, c in cases.items()}) == 1


@EVERY_CASE
def test_a_case_tells_its_facts_in_fields(case: Case) -> None:
    card = ABILITIES[case.ability]
    assert case.tools[-1] == "FinishAction"
    assert case.prompt == prompt_hash(case.messages, case.functions)
    assert card.gold.model_validate(case.gold)
    assert Case.model_validate_json(case.model_dump_json()) == case


def test_ids_are_distinct() -> None:
    assert len({case.id for case in CASES}) == len(CASES)


def test_prompts_share_tools_and_query_as_their_head() -> None:
    texts = [case.messages[0].content for case in CASES if not case.functions]
    tools = texts[0].split("\n\n")[0]
    assert tools.count("\n- ") == len(make_path().tools)
    assert all(text.startswith(tools + "\n\n") for text in texts)
    head = f"{tools}\n\nThe request is:\n{make_path().query}\n\n"
    told = [
        c.messages[0].content
        for c in CASES
        if c.ability not in {"instruct", "review"} and not c.functions
    ]
    assert all(text.startswith(head) for text in told)
    assert not any(make_path().query in text for text in texts if text not in told)


@EVERY_CASE
def test_guesses_are_readable_and_seldom_right(case: Case) -> None:
    other = OTHERS[case.ability, case.format]
    guesses = ABILITIES[case.ability].guesses(case, other)
    assert guesses == ABILITIES[case.ability].guesses(case, other)
    assert guesses
    assert all(0 <= headline(case, text) <= 1 for text in guesses.values())


@pytest.mark.parametrize("card", list(ABILITIES.values()), ids=list(ABILITIES))
def test_texts_names_every_pair_that_scoring_asks_for(card: Card) -> None:
    for case in (c for c in CASES if c.ability == card.name):
        for text in (card.answer(case), *card.mutants(case).values()):
            reply = card.read(text, case)
            if not reply.parsed:
                continue
            named = set(card.texts(reply, case))
            asked: set[tuple[str, str]] = set()

            def likeness(a: str, b: str, asked: set[tuple[str, str]] = asked) -> float:
                asked.add((a, b))
                return 0.5

            named |= set(card.more(reply, case, likeness))
            card.score(reply, case, likeness)
            assert asked <= named


def test_a_thought_before_the_answer_changes_nothing() -> None:
    """In every ability and format, whatever the thought plays with."""
    thought = '<think>Format {"name": "no"}? Answer: A. 1. no.tool {</think>\n'
    for case in CASES:
        card = ABILITIES[case.ability]
        plain, thoughtful = (
            card.read(f"{before}{card.answer(case)}", case) for before in ("", thought)
        )
        assert thoughtful.values == plain.values
        assert thoughtful.parsed
        assert thoughtful.flags[0] == "reasoning_cut"
        assert not card.read(thought.removesuffix("</think>\n"), case).parsed


def test_the_oracle_answers_every_prompt() -> None:
    answers = oracle_answers(CASES)
    assert {case.prompt for case in CASES} == answers.keys()
    assert all(headline(case, answers[case.prompt]) == 1 for case in CASES)


@pytest.mark.parametrize("ability", list(ABILITIES))
def test_a_degraded_oracle_fails_its_ability_alone(ability: str) -> None:
    answers = degraded_answers(CASES, ability, 1.0)
    for case in CASES:
        right = headline(case, answers[case.prompt]) == 1
        assert right == (case.ability != ability)


def test_the_rate_says_how_often_a_degraded_oracle_fails() -> None:
    oracle = oracle_answers(CASES)
    review = [c for c in CASES if c.ability == "review"]
    for rate, low, high in [(0.0, 0, 0), (0.5, 1, len(review) - 1)]:
        answers = degraded_answers(CASES, "review", rate, seed=3)
        wrong = sum(answers[c.prompt] != oracle[c.prompt] for c in review)
        assert low <= wrong <= high


def test_an_unknown_ability_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="reveiw"):
        degraded_answers(CASES, "reveiw", 0.5)
