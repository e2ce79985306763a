"""The released code's values beside the corrected ones, case by case and in the summary."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from run_cases import done, review_case

from teval.engines.hashing import HashingEmbedder
from teval.run.score import read_answer, read_prediction, score_readings, unanswered
from teval.run.similarity import CachedSimilarity
from teval.run.summary import Origin, summarise
from teval.schema import Json, Score, ScorerSummary


def likeness() -> CachedSimilarity:
    return CachedSimilarity(HashingEmbedder())


@pytest.mark.parametrize(
    ("text", "published", "corrected"),
    [
        ("B", 1.0, 1.0),
        ("Because of B", 1.0, 0.0),
        ("The answer is B", 0.0, 1.0),
        ("C", 0.0, 0.0),
    ],
)
def test_each_answer_is_scored_twice(text: str, published: float, corrected: float) -> None:
    (score,) = score_readings([read_answer(review_case(), done(text))], likeness())
    assert score.published is not None
    assert score.published["review_quality"] == published
    assert score.corrected["accuracy"] == corrected


def test_the_published_scorer_can_be_left_out() -> None:
    reading = read_answer(review_case(), done("B"))
    (score,) = score_readings([reading], likeness(), published=False)
    assert score.published is None


def test_what_nobody_answered_is_zero_in_everything() -> None:
    (score,) = score_readings([unanswered(review_case())], likeness())
    assert score.published == {"review_quality": 0.0, "parse_rate": 0.0}
    assert score.flags == ()


@pytest.mark.parametrize("prediction", [None, 3, True, ["B"], {"review": "B"}])
def test_an_answer_that_is_no_text_says_nothing_and_crashes_the_release(prediction: Json) -> None:
    (score,) = score_readings([read_prediction(review_case(), prediction)], likeness())
    assert score.status == "unparsed"
    assert score.flags == ("release_crash:AttributeError",)


def test_an_answer_that_was_read_already_is_read_again_where_json_was_asked_for() -> None:
    case = review_case(form="json")
    (score,) = score_readings([read_prediction(case, {"review": "B"})], likeness())
    assert (score.status, score.corrected["accuracy"]) == ("ok", 1.0)


def test_half_a_character_can_be_stored() -> None:
    (score,) = score_readings([read_prediction(review_case(), "A \ud83c")], likeness())
    assert Score.model_validate_json(score.model_dump_json()) == score


def make_score(
    ability: str, form: str, published: Mapping[str, float] | None, case: str = "c"
) -> Score:
    headlines = {
        "instruct": "score",
        "plan": "f1",
        "reason": "similarity",
        "retrieve": "accuracy",
        "understand": "arguments",
        "review": "accuracy",
    }
    return Score(
        case=f"{case}:{ability}:{form}",
        ability=ability,
        format=form,
        family="f",
        path="p",
        status="ok",
        parsed=True,
        well_formed=True,
        corrected={headlines[ability]: 1.0},
        published=None if published is None else dict(published),
    )


def published_of(*scores: Score, mark: str = "") -> ScorerSummary:
    found = summarise(scores, {}, Origin("n", "m", "s", mark), resamples=100).published
    assert found is not None
    return found


def whole_run() -> list[Score]:
    """One case an ability and format, all half right but for review."""
    names = {"plan": "f1_score", "reason": "thought", "retrieve": "name", "understand": "args"}
    scores = [
        make_score(ability, form, {name: 0.5, "parse_rate": 1.0})
        for ability, name in names.items()
        for form in ("json", "string")
    ]
    for form in ("json", "string"):
        both = {f"{form}_format_metric": 1.0, f"{form}_args_em_metric": 0.0}
        scores.append(make_score("instruct", form, both))
    return [*scores, make_score("review", "string", {"review_quality": 0.8, "parse_rate": 0.0})]


def test_the_overall_is_the_releases() -> None:
    asked = whole_run()
    summary = published_of(*asked)
    assert summary.overall == pytest.approx((5 * 0.5 + 0.8) / 6)
    assert summary.complete
    json_review = make_score("review", "json", {"review_quality": 0.0, "parse_rate": 0.0})
    with_json = published_of(*asked, json_review)
    assert with_json.overall == summary.overall
    assert not published_of(*asked[:-1], json_review).complete


def test_instruct_and_review_are_rounded_as_the_release_prints_them() -> None:
    values = (0.0, 0.0, 1.0)
    reviews = [
        make_score("review", "string", {"review_quality": v, "parse_rate": v}, f"r{n}")
        for n, v in enumerate(values)
    ]
    thoughts = [
        make_score("reason", "string", {"thought": v, "parse_rate": 1.0}, f"t{n}")
        for n, v in enumerate(values)
    ]
    abilities = published_of(*reviews, *thoughts).abilities
    review, reason = abilities["review"], abilities["reason"]
    assert review is not None
    assert reason is not None
    assert review.score == 0.3333
    assert reason.score == pytest.approx(1 / 3, abs=1e-12)
    assert review.formats["string"].parse_rate == pytest.approx(1 / 3)


def test_instruct_is_read_where_its_format_was_kept() -> None:
    both = {"json_format_metric": 1.0, "json_args_em_metric": 0.5}
    neither = {"json_format_metric": 0.0, "json_args_em_metric": 0.0}
    scores = (make_score("instruct", "json", both, "a"), make_score("instruct", "json", neither))
    instruct = published_of(*scores).abilities["instruct"]
    assert instruct is not None
    cell = instruct.formats["json"]
    assert (cell.score, cell.parse_rate, cell.given_parsed) == (0.375, 0.5, 0.75)


def test_the_mark_stands_on_the_published_numbers() -> None:
    assert published_of(*whole_run(), mark="hashing").mark == "hashing"
    assert (
        summarise(whole_run(), {}, Origin("n", "m", "s", "x"), resamples=100).corrected.mark == ""
    )


def test_without_published_values_there_is_no_published_summary() -> None:
    scores = [*whole_run(), make_score("plan", "json", None, "other")]
    assert summarise(scores, {}, Origin("n", "m", "s"), resamples=100).published is None
