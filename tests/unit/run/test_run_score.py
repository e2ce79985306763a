from __future__ import annotations

from collections.abc import Mapping

import pytest
from run_cases import Finish, done, make_case, review_case

from teval.abilities import ABILITIES
from teval.engines.hashing import HashingEmbedder
from teval.run.score import AT_ONCE, read_answer, read_answers, score_in_turn, score_readings
from teval.run.similarity import CachedSimilarity
from teval.schema import Case, Completion, Score, Status


def score_cases(
    cases: list[Case], answers: Mapping[str, tuple[Completion | None, ...]]
) -> list[Score]:
    readings = read_answers(cases, lambda prompt: answers.get(prompt, ()))
    return score_readings(list(readings), CachedSimilarity(HashingEmbedder()))


def scored(case: Case, completion: Completion | None) -> Score:
    (score,) = score_cases([case], {case.prompt: (completion,)})
    return score


@pytest.mark.parametrize(
    ("text", "finish", "status", "value"),
    [
        ("B", "stop", "ok", 1.0),
        ("A", "stop", "ok", 0.0),
        ("B", "length", "ok", 1.0),
        ("<think>hm</think>B", "stop", "ok", 1.0),
        ("I can't say.", "stop", "unparsed", 0.0),
        ("", "stop", "unparsed", 0.0),
        ("I can't", "length", "truncated", 0.0),
        ("<think>B or", "length", "truncated_in_reasoning", 0.0),
        ("<think>B or", "stop", "unparsed", 0.0),
        ("B", "overflow", "context_overflow", 0.0),
        ("B", "error", "engine_error", 0.0),
    ],
)
def test_each_answer_ends_in_one_status(
    text: str, finish: Finish, status: Status, value: float
) -> None:
    score = scored(review_case(), done(text, finish))
    assert (score.status, score.corrected["accuracy"]) == (status, value)
    assert score.parsed == (status == "ok")
    assert score.parsed or not score.well_formed


@pytest.mark.parametrize(
    ("text", "thought", "finish", "status", "flags"),
    [
        ("<think>A?</think>B", 17, "stop", "ok", ["reasoning_cut"]),
        ("<think>say </think> or A", 24, "length", "truncated_in_reasoning", ["unclosed"]),
        ("<think>say </think> or B", 24, "stop", "unparsed", ["unclosed"]),
        ("<think>A</think>", 16, "length", "truncated", ["reasoning_cut"]),
        ("<think>A</think></think>B", 16, "stop", "ok", ["reasoning_cut"]),
    ],
)
def test_where_the_engine_knows_the_thought_its_word_counts(
    text: str, thought: int, finish: Finish, status: Status, flags: list[str]
) -> None:
    """A tag that the model only spells neither ends its thought nor begins an answer."""
    completion = done(text, finish).model_copy(update={"thought": thought})
    score = scored(review_case(), completion)
    told = [flag.replace("reasoning_unclosed", "unclosed") for flag in score.flags]
    assert (score.status, told) == (status, flags)
    assert score.published == scored(review_case(), done(text, finish)).published


def test_what_the_engine_noticed_is_flagged() -> None:
    completion = done("B").model_copy(update={"flags": ("reasoning_as_answer",)})
    assert "reasoning_as_answer" in scored(review_case(), completion).flags


def test_an_answer_that_loops_to_its_limit_is_flagged() -> None:
    text = "B\n" + "and so on " * 30
    assert "loop" in scored(review_case(), done(text, "length")).flags
    assert "loop" not in scored(review_case(), done(text)).flags
    assert "loop" not in scored(review_case(), done("B\nand so on", "length")).flags


def test_an_answer_read_at_the_limit_is_flagged() -> None:
    assert "hit_limit" in scored(review_case(), done("B", "length")).flags
    assert "hit_limit" not in scored(review_case(), done("B", "stop")).flags
    assert "hit_limit" not in scored(review_case(), done("hm", "length")).flags


def test_a_case_never_asked_is_an_engine_error() -> None:
    case = review_case()
    for answers in ({}, {"c": (None,)}):
        (score,) = score_cases([case], answers)
        assert score.status == score.cause == "engine_error"
        assert "never asked" in score.why


def test_the_engines_words_stand_in_the_reason() -> None:
    assert (
        "CUDA out of memory" in scored(review_case(), done("", "error", "CUDA out of memory")).why
    )


def test_right_answers_have_no_cause_and_wrong_ones_have() -> None:
    assert scored(review_case(), done("B")).cause is None
    wrong = scored(review_case(), done("A"))
    assert wrong.cause == "wrong_label"
    assert wrong.why
    assert scored(review_case(), done("what?")).cause == "unparsed"


def test_facts_of_the_case_go_into_its_score() -> None:
    score = scored(review_case("c", family="trips"), done("B"))
    assert (score.case, score.ability, score.format) == ("c", "review", "string")
    assert (score.family, score.path, score.step, score.repeat) == ("trips", "trips_01", 1, 0)


def test_repeats_are_scored_one_by_one() -> None:
    answers = {"c": (done("B"), None, done("A"))}
    scores = score_cases([review_case()], answers)
    assert [(s.repeat, s.status) for s in scores] == [(0, "ok"), (1, "engine_error"), (2, "ok")]


def test_scores_stand_in_the_order_of_the_cases() -> None:
    cases = [review_case(name) for name in ("z", "a", "m")]
    scores = score_cases(cases, {})
    assert [s.case for s in scores] == ["z", "a", "m"]


def test_an_exception_while_scoring_names_the_case_and_is_no_zero() -> None:
    broken = make_case("broken", "review", "string", {"review": "F"})
    with pytest.raises(ValueError, match="review") as caught:
        scored(broken, done("B"))
    assert caught.value.__notes__ == ["while scoring case broken"]


def test_every_status_has_the_abilitys_headline() -> None:
    for name, card in ABILITIES.items():
        reading = read_answer(make_case("c", name, "json", {}), None)
        assert reading.status == "engine_error"
        assert scored(reading.case, None).corrected == {card.headline: 0.0}


def test_many_answers_are_scored_some_at_a_time_and_little_is_kept() -> None:
    cases = [review_case(f"c{number}", "AB"[number % 2]) for number in range(AT_ONCE + 3)]  # type: ignore[arg-type]
    similarity = CachedSimilarity(HashingEmbedder())
    readings = read_answers(cases, lambda prompt: (done("A"),))
    in_turn = list(score_in_turn(readings, similarity))
    assert [reading.case for reading, _ in in_turn] == cases
    headline = ABILITIES["review"].headline
    values = [score.corrected[headline] for _, score in in_turn]
    assert values[:2] == [1.0, 0.0]
    assert sum(values) == (AT_ONCE + 4) // 2
