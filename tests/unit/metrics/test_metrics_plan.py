"""Plans against gold plans."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pytest

from teval.metrics.plan import PlanCall, PlanScore, args_pairs, name_pairs, plan_score

FINISH = "Finish"
TOOLS = [*"ABCDEXYZ", FINISH]


def unlike(a: str, b: str) -> float:
    return 0.0


def calls(names: str | Sequence[str]) -> list[PlanCall]:
    return [PlanCall(name) for name in names]


def score(
    gold: str | Sequence[str],
    answered: str | Sequence[str],
    needs: Sequence[Collection[int]] | None = None,
) -> PlanScore:
    return plan_score(calls(gold), calls(answered), TOOLS, unlike, finish=FINISH, needs=needs)


@pytest.mark.parametrize(
    ("gold", "answered", "precision", "recall", "f1"),
    [
        ("AB", "XY", 0, 0, 0),
        ("A", "X", 0, 0, 0),
        ("ABC", "ABC", 1, 1, 1),
        ("ABC", "ACB", 2 / 3, 2 / 3, 2 / 3),
        ("ABC", "CBA", 1 / 3, 1 / 3, 1 / 3),
        ("ABC", "AABC", 0.75, 1, 6 / 7),
        ("ABC", "AB", 1, 2 / 3, 0.8),
        ("AAA", "AAA", 1, 1, 1),
        ("ABABA", "ABABA", 1, 1, 1),
        ("AAB", "ABA", 2 / 3, 2 / 3, 2 / 3),
        ("ABCDEABCDEAB", "XYZXYZXYZXYZ", 0, 0, 0),
        (["A", FINISH], ["A"], 1, 1, 1),
        (["A", FINISH], [FINISH, "A", FINISH], 1, 1, 1),
        (["A", FINISH], [FINISH], 0, 0, 0),
        ([FINISH], [FINISH], 1, 1, 1),
        ([FINISH], ["A"], 0, 0, 0),
        ([], [], 1, 1, 1),
        ("A", "", 0, 0, 0),
    ],
)
def test_by_name_and_order(
    gold: str | list[str], answered: str | list[str], precision: float, recall: float, f1: float
) -> None:
    found = score(gold, answered)
    assert (found.precision, found.recall, found.f1) == pytest.approx((precision, recall, f1))


@pytest.mark.parametrize(
    ("gold", "answered", "needs", "count"),
    [
        ("ABC", "CBA", [(), (), ()], 3),
        ("ABC", "CBA", [(), (), (1,)], 2),
        ("ABC", "CBA", [(), (0,), (0,)], 2),
        ("ABC", "CBA", [(), (0,), (1,)], 1),
        ("ABC", "BCA", [(), (0,), (1,)], 2),
        ("ABC", "CA", [(), (0,), (1,)], 1),
        ("ABC", "CA", [(), (), (1,)], 2),
        ("AAB", "ABA", [(), (), (0, 1)], 2),
        ("AAB", "ABA", [(), (), (0,)], 3),
        (["A", FINISH, "B"], "BA", [(), (0,), (0,)], 1),
    ],
)
def test_by_name_and_dependencies(
    gold: str | list[str], answered: str, needs: list[tuple[int, ...]], count: int
) -> None:
    found = score(gold, answered, needs)
    assert len(found.counted) == count
    assert set(found.counted) <= set(found.links)


def test_links_are_positions_in_the_sequences_as_given() -> None:
    found = score([FINISH, "A", "B"], ["X", FINISH, "B", "A"])
    assert found.links == ((1, 3), (2, 2))
    assert len(found.counted) == 1


def likeness(a: str, b: str) -> float:
    if a.strip() == b.strip():
        return 1.0
    return {
        ("find trains", "rail.search"): 0.8,
        ("rail.search", "find trains"): 0.8,
        ("rail.book", "rail.search"): 0.9,
        ("rail.search", "rail.book"): 0.9,
    }.get((a, b), 0.3)


RAIL = ["rail.search", "rail.book"]


def test_a_wrong_tool_is_no_paraphrase() -> None:
    gold = [PlanCall("rail.search", "{}")]
    assert plan_score(gold, [PlanCall("rail.book", "{}")], RAIL, likeness).f1 == 0
    assert plan_score(gold, [PlanCall("rail.book", "{}")], [], likeness).f1 == 1
    assert plan_score(gold, [PlanCall("find trains", "{}")], RAIL, likeness).f1 == 1
    assert plan_score(gold, [PlanCall("find trains", "no")], RAIL, likeness).f1 == 0


def test_an_accepted_alternative_is_right() -> None:
    gold = [PlanCall("rail.search", "{}", alternatives=(("rail.book", '{"any":1}'),))]
    assert plan_score(gold, [PlanCall("rail.book", "{}")], RAIL, likeness).f1 == 1
    assert plan_score(gold, [PlanCall("rail.other", "{}")], RAIL, likeness).f1 == 0


def test_the_threshold_is_reached_at_equality() -> None:
    def by_name(a: str, b: str) -> float:
        return {"n": 0.6, "m": 0.59999}.get(b[0], 1.0)

    assert plan_score([PlanCall("g")], [PlanCall("n")], [], by_name).f1 == 1
    assert plan_score([PlanCall("g")], [PlanCall("m")], [], by_name).f1 == 0


def test_arguments_decide_which_of_equal_names_are_linked() -> None:
    gold = [PlanCall("A", "x"), PlanCall("A", "y")]
    answered = [PlanCall("A", "y"), PlanCall("A", "x")]
    found = plan_score(gold, answered, TOOLS, unlike)
    assert found.links == ((0, 1), (1, 0))
    assert found.f1 == 0.5


def test_equal_weights_are_linked_in_order() -> None:
    gold = [PlanCall("A", "x"), PlanCall("A", "y")]
    found = plan_score(gold, [PlanCall("A", "z"), PlanCall("A", "w")], TOOLS, unlike)
    assert found.links == ((0, 0), (1, 1))
    assert found.f1 == 1


def test_counted_calls_count_as_their_share_of_right_arguments() -> None:
    shares = {(0, 0): 0.5, (1, 1): 1.0}
    found = plan_score(calls("AB"), calls("AB"), TOOLS, unlike, share=lambda i, j: shares[i, j])
    assert (found.f1, found.args_f1) == (1.0, 0.75)


def test_of_equal_counts_the_greater_share_is_taken() -> None:
    found = plan_score(
        calls("AB"), calls("BA"), TOOLS, unlike, share=lambda i, j: float((i, j) == (1, 0))
    )
    assert found.counted == ((1, 0),)
    assert (found.f1, found.args_f1) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("gold", "answered", "tools", "names", "args"),
    [
        ([("A", "x")], [("A", "z")], "AB", [], []),
        ([("A", "x")], [("B", "z")], "AB", [], []),
        ([("A", "x"), ("A", "y")], [("A", "x")], "AB", [], []),
        ([("A", "x")], [("A", "y"), ("A", "x")], "AB", [], []),
        ([("A", "x"), ("A", "y")], [("A", "z")], "AB", [], [("x", "z"), ("y", "z")]),
        (
            [("A", "x"), ("A", "y")],
            [("A", "y"), ("A", "z")],
            "AB",
            [],
            [("x", "y"), ("x", "z"), ("y", "z")],
        ),
        ([("A", "x")], [("c", "z")], "AB", [("A", "c")], [("x", "z")]),
        ([("A", "x")], [("A", "z")], "", [], []),
        ([("A", "x")], [("B", "z")], "", [("A", "B")], [("x", "z")]),
        ([("A", "x")], [("B", "x")], "", [("A", "B")], []),
        ([("A", "x"), ("B", "y")], [("A", "x"), ("B", "y")], "", [("B", "A"), ("A", "B")], []),
        (
            [("A", "x"), ("B", "y")],
            [("A", "x"), ("B", "z")],
            "",
            [("B", "A"), ("A", "B")],
            [("y", "x"), ("x", "z"), ("y", "z")],
        ),
        ([("A", "x")], [("C", "z"), ("far", "y")], "", [("A", "C"), ("A", "far")], []),
        ([("A", "x"), ("A", "y")], [("far", "z")], "", [("A", "far")], []),
        ([("A", "x"), ("far", "y")], [("A", "z")], "", [("far", "A")], []),
        ([(FINISH, "")], [(FINISH, "x")], "", [], []),
        ([(FINISH, ""), ("A", "x")], [("B", "y"), (FINISH, "x")], "", [("A", "B")], [("x", "y")]),
    ],
)
def test_what_cant_change_the_score_is_not_asked(
    gold: list[tuple[str, str]],
    answered: list[tuple[str, str]],
    tools: str,
    names: list[tuple[str, str]],
    args: list[tuple[str, str]],
) -> None:
    right = [PlanCall(*call) for call in gold]
    said = [PlanCall(*call) for call in answered]

    def alike(a: str, b: str) -> float:
        assert (a, b) in names
        return 0.59998 if "far" in (a, b) else {"C": 0.93333, "c": 0.93332}.get(b, 0.9)

    assert name_pairs(right, said, tools, FINISH) == names
    assert args_pairs(right, said, tools, alike, FINISH) == args

    def asked(a: str, b: str) -> float:
        assert (a, b) in args or (a, b) in names
        return alike(a, b) if (a, b) in names else 0.9

    plan_score(right, said, tools, asked, finish=FINISH)


def test_a_name_is_the_finish_whatever_object_it_is() -> None:
    """Equal texts that were read from two files are not one object."""
    finish, again = ("".join(["Fin", "ish"]) for _ in range(2))
    gold, answered = [PlanCall("A", "x")], [PlanCall("a", "x")]
    right, said = [*gold, PlanCall(finish, "y")], [*answered, PlanCall(finish, "z")]
    assert name_pairs(right, said, "", again) == [("A", "a")]
    assert args_pairs(right, said, "", unlike, again) == []
    found = plan_score(right, [*gold, *said[1:]], "", unlike, finish=again)
    assert (found.precision, found.recall) == (1.0, 1.0)


def test_an_alternative_that_is_as_like_as_can_be_settles_the_weight() -> None:
    gold = [PlanCall("A", "x", (("A", "y"),))]
    answered = [PlanCall("a", "y"), PlanCall("a", "y")]
    assert args_pairs(gold, answered, "", lambda a, b: 0.9) == []


def test_what_links_for_sure_is_not_asked_wherever_it_stands() -> None:
    gold = [PlanCall("A", "x"), PlanCall("B", "y")]
    answered = [PlanCall("B", "z"), PlanCall("A", "p"), PlanCall("A", "q")]
    assert args_pairs(gold, answered, "AB", unlike) == [("x", "p"), ("x", "q")]
    assert args_pairs(answered, gold, "AB", unlike) == [("p", "x"), ("q", "x")]


def test_without_shares_every_counted_call_is_right_altogether() -> None:
    found = plan_score(calls("AB"), calls("BA"), TOOLS, unlike)
    assert (found.f1, found.args_f1) == (0.5, 0.5)


def test_equal_calls_are_linked_before_any_others() -> None:
    """A text that the encoder takes for the gold one must not take its place."""
    gold, answered = (
        [PlanCall("A", "x"), PlanCall("B")],
        [PlanCall("A", "X"), PlanCall("B"), PlanCall("A", "x")],
    )
    found = plan_score(gold, answered, TOOLS, lambda a, b: 1.0)
    assert found.links == ((0, 2), (1, 1))
    assert len(found.counted) == 1


def test_the_weightiest_links_are_made_even_if_fewer_count() -> None:
    """Both pairs the wrong way round would weigh as much, but that only one of them is equal."""
    gold, answered = (
        [PlanCall("A", "x"), PlanCall("A", "y")],
        [PlanCall("A", "z"), PlanCall("A", "x")],
    )
    found = plan_score(gold=gold, answered=answered, tools=TOOLS, likeness=lambda a, b: 1.0)
    assert found.links == ((0, 1), (1, 0))
    assert found.f1 == 0.5


def test_long_loops_are_scored() -> None:
    gold = [PlanCall(name, str(i)) for i, name in enumerate("ABCABC")]
    found = plan_score(gold, calls("CBA" * 30), TOOLS, unlike)
    assert found.recall == 1
    assert found.precision == 6 / 90


def test_a_text_that_the_encoder_takes_for_another_still_beats_a_less_alike_one() -> None:
    gold = [PlanCall("A", "g"), PlanCall("B")]
    answered = [PlanCall("A", "far"), PlanCall("B"), PlanCall("A", "near")]
    alike = {("g", "far"): 0.9999, ("g", "near"): 1.0}
    found = plan_score(gold, answered, TOOLS, lambda a, b: alike[a, b])
    assert found.links == ((0, 2), (1, 1))
    assert len(found.counted) == 1
