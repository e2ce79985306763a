"""What is told about suspicious answers, on answers made by hand."""

from __future__ import annotations

import pytest
from run_cases import Finish, done, make_case, review_case

from teval.engines.hashing import HashingEmbedder
from teval.run.alarms import WIDTH, alarms, clip, note
from teval.run.score import Reading, read_answer, score_readings
from teval.run.similarity import CachedSimilarity
from teval.schema import Case, Completion, Format, JsonObject

LETTERS = "ABCDE"


def told(*readings: Reading, thinking: str = "auto") -> tuple[str, ...]:
    scores = score_readings(list(readings), CachedSimilarity(HashingEmbedder()), published=False)
    return alarms(map(note, readings, scores), thinking)


def review(text: str, number: int, finish: Finish = "stop", form: Format = "string") -> Reading:
    case = review_case(f"{form[0]}{number}", LETTERS[number % 5], form)  # type: ignore[arg-type]
    return read_answer(case, done(text, finish))


def right(number: int) -> Reading:
    return review(LETTERS[number % 5], number)


def retrieve_case(number: int, form: Format = "json") -> Case:
    move: JsonObject = {"thoughts": ["t"], "name": "mail.send"}
    gold: JsonObject = {"moves": [move], "rivals": [], "siblings": ["mail.search"]}
    return make_case(f"r{number}", "retrieve", form, gold)


def retrieve(text: str, number: int, finish: Finish = "stop") -> Reading:
    return read_answer(retrieve_case(number), done(text, finish))


def test_right_answers_alarm_nobody() -> None:
    assert told(*map(right, range(20))) == ()


def test_no_answers_at_all_alarm_nobody() -> None:
    assert told() == ()


# (a) one label

ONE = "review is answered with A in {} cases, likely a chat template that loses the question"


@pytest.mark.parametrize(
    ("same", "other", "line"),
    [
        (10, 0, "10 of 10"),
        (19, 1, "19 of 20"),
        (18, 2, ""),
        (9, 0, ""),
    ],
)
def test_one_label_for_all(same: int, other: int, line: str) -> None:
    labels = ["A"] * same + ["B"] * other
    found = told(*(review(label, number) for number, label in enumerate(labels)))
    assert [text.startswith(ONE.format(line)) for text in found] == ([True] if line else [])


def test_one_label_that_is_right_alarms_nobody() -> None:
    assert told(*(read_answer(review_case(str(n), "A"), done("A")) for n in range(20))) == ()


def test_answers_without_a_label_do_not_count_for_sameness() -> None:
    found = told(*(review("A" if n < 10 else "No idea.", n) for n in range(15)))
    assert any(line.startswith(ONE.format("10 of 10")) for line in found)


def test_one_label_in_one_format_is_told_of_that_format() -> None:
    in_json = [review('{"review": "A"}', n, form="json") for n in range(10)]
    (line,) = told(*in_json, *map(right, range(10)))
    assert line.startswith("review json is answered with A in 10 of 10 cases")
    assert 'e.g. “{"review": "A"}” (j0, j1, j2)' in line


# (b) blank


@pytest.mark.parametrize(("blank", "line"), [(1, "review string 5%"), (0, ""), (20, "string 100%")])
def test_blank_answers(blank: int, line: str) -> None:
    found = told(*(review(" \n", n) if n < blank else right(n) for n in range(20)))
    assert [text.startswith("blank answers, likely") for text in found] == ([True] * bool(line))
    assert line in "".join(found)


def test_one_blank_answer_of_many_is_nothing() -> None:
    assert told(review("", 0), *(right(n) for n in range(1, 21))) == ()


def test_reasoning_that_never_ends_leaves_a_blank_answer() -> None:
    (line,) = told(*(review(f"<think>Is it {n}?", n) for n in range(3)))
    assert line.startswith("blank answers")
    assert "“<think>Is it 0?” (s0)" in line


# (c) calls that could not be read


@pytest.mark.parametrize(
    "text",
    [
        "I use mail.send for that.",
        "<tool_call> reply now",
        "[TOOL_CALLS] go",
        "<function=reply>",
        "<|python_tag|>reply.call()",
        "```json\nnothing\n```",
        "{'tool': 'reply'}",
        '[{"tool": "reply"}]',
    ],
)
def test_unread_answers_that_look_like_calls(text: str) -> None:
    (line,) = told(*(retrieve(text, n) for n in range(4)))
    assert line.startswith(
        "answers look like calls but could not be read, likely the chat template"
    )
    assert "retrieve json 100%; e.g. " in line
    assert f"“{clip(text)}” (r0, r1, r2)" in line


def test_a_review_that_names_the_tool_is_no_call() -> None:
    (line,) = told(*(review(f"mail.send did well, {n}.", n) for n in range(4)))
    assert line.startswith("answers are neither what was asked for nor calls")


def test_half_of_the_unread_answers_make_the_kind() -> None:
    texts = ["I use mail.send.", "I mail.search it.", "Hello there.", "Good day."]
    found = told(*(retrieve(text, n) for n, text in enumerate(texts)))
    assert [line.partition(";")[0].rpartition(": ")[2] for line in found] == [
        "retrieve json 50%",
        "retrieve json 50%",
    ]
    found = told(*(retrieve(text, n) for n, text in enumerate([*texts, "Bye."])))
    assert len(found) == 1
    assert "neither" in found[0]


def test_cells_of_which_half_was_read_are_not_told_of() -> None:
    right_one = '{"thought": "t", "name": "mail.send", "args": {}}'
    assert told(retrieve(right_one, 0), retrieve("Hello.", 1)) == ()
    assert len(told(retrieve(right_one, 0), retrieve("Hi.", 1), retrieve("Oh.", 2))) == 1


# (d) the token limit


@pytest.mark.parametrize(
    ("cut", "read_at_limit", "others", "share"),
    [
        (2, 0, 98, "2%"),
        (1, 0, 99, ""),
        (0, 5, 0, "100%"),
        (0, 5, 1, ""),
        (2, 2, 4, "50%"),
    ],
)
def test_answers_that_ended_at_the_limit(
    cut: int, read_at_limit: int, others: int, share: str
) -> None:
    readings = [review(f"Let me see {n}", n, "length") for n in range(cut)]
    readings += [review(LETTERS[n % 5], n, "length") for n in range(read_at_limit)]
    readings += [right(n) for n in range(others)]
    found = told(*readings)
    start = f"answers ended at the token limit, raise max_tokens: review string {share}; e.g."
    assert [line.startswith(start) for line in found] == ([True] if share else [])


def test_what_ended_at_the_limit_is_told_once() -> None:
    readings = [retrieve(f'{{"thought": "Step {n}', n, "length") for n in range(4)]
    readings += [review("<think>Or", n, "length") for n in range(4)]
    cut, thought = told(*readings)
    assert "raise max_tokens: retrieve json 100%;" in cut
    start = "thoughts ended at the token limit, raise engine.thinking_tokens or set engine.thinking"
    assert thought.startswith(f"{start}=off: review string 100%;")


@pytest.mark.parametrize(("cut", "others", "share"), [(1, 99, ""), (2, 98, "2%")])
def test_thoughts_that_never_end_are_told_from_one_in_a_hundred_on(
    cut: int, others: int, share: str
) -> None:
    readings = [review(f"<think>Is it {n}", n, "length") for n in range(cut)]
    found = told(*readings, *map(right, range(others)))
    assert [f"review string {share};" in line for line in found] == ([True] if share else [])


CIRCLES = "I search again. " * 20


@pytest.mark.parametrize("text", [CIRCLES, f"<think>{CIRCLES}", f"B\n{CIRCLES}"])
def test_answers_that_go_round_in_circles_are_told_of_as_that(text: str) -> None:
    found = told(*(review(f"{n} {text}", n, "length") for n in range(3)))
    (line,) = [line for line in found if line.startswith("answers repeat themselves")]
    assert "review string 100%" in line
    assert not any("raise" in line for line in found)


def test_a_thought_where_none_was_wanted_is_told() -> None:
    readings = [review(f"<think>Is it {n}?</think>{LETTERS[n % 5]}", n) for n in range(3)]
    assert told(*readings) == told(*readings, thinking="on") == ()
    (line,) = told(*readings, thinking="off")
    assert line.startswith("thinking is off, yet there are thoughts: review string 100%;")


def test_no_thought_where_some_were_wanted_is_told() -> None:
    readings = [right(n) for n in range(3)]
    assert told(*readings, thinking="off") == ()
    (line,) = told(*readings, thinking="on")
    assert line.startswith("thinking is on, yet no answer holds a thought")


@pytest.mark.parametrize(("length", "told_of"), [(599, False), (600, True)])
def test_long_prose_before_the_json_may_be_a_thought_without_tags(
    length: int, told_of: bool
) -> None:
    answer = '{"thought": "t", "name": "mail.send", "args": {}}'
    found = told(*(retrieve(f"{n}".ljust(length, "x") + answer, n) for n in range(3)))
    assert any(line.startswith("long prose before the JSON") for line in found) == told_of
    tagged = told(*(retrieve(f"<think>{'x' * length}</think>{answer}", n) for n in range(3)))
    assert not any("prose" in line for line in tagged)


# (e) one text for all


@pytest.mark.parametrize(
    ("same", "others", "share"), [(10, 0, "100%"), (5, 5, "50%"), (5, 6, ""), (9, 0, "")]
)
def test_one_text_for_most_prompts(same: int, others: int, share: str) -> None:
    texts = ['{"name": "x"}'] * same + [f'{{"name": "tool{n}"}}' for n in range(others)]
    found = told(*(retrieve(text, n) for n, text in enumerate(texts)))
    lines = [line for line in found if line.startswith("one text answers most prompts, likely")]
    assert len(lines) == bool(share)
    assert all(f"retrieve json {share}; e.g. “{clip(texts[0])}” (r0, r1, r2)" in x for x in lines)


def test_a_text_that_is_right_somewhere_is_an_answer() -> None:
    right_one = '{"thought": "t", "name": "mail.send", "args": {}}'
    assert told(*(retrieve(right_one, n) for n in range(20))) == ()


def test_one_text_in_many_cells_is_one_finding() -> None:
    in_json = [review("What?", n, form="json") for n in range(10)]
    found = told(*in_json, *(retrieve("What?", n) for n in range(10)))
    lines = [line for line in found if line.startswith("one text answers most prompts")]
    assert len(lines) == 1
    assert "review json 100%, retrieve json 100%; e.g. “What?” (j0, r0, j1)" in lines[0]


# how it is told


def test_answers_that_never_came_are_told_of_as_such() -> None:
    failed = [read_answer(review_case("e"), c) for c in (None, done("", "error"))]
    tail = [right(n) for n in range(2)]
    assert told(*failed, *tail) == ("cases got no answer from the engine: review string 50%",)
    assert told(*failed) == ("cases got no answer from the engine: review string 100%",)


def test_cells_are_named_ability_by_ability() -> None:
    readings = [review("Hm.", n) for n in range(3)]
    readings += [review("Hm!", n, form="json") for n in range(3)]
    (line,) = told(*readings)
    assert ": review 100%; e.g. “Hm.” (s0, s1), “Hm!” (j0)" in line
    (line,) = told(*readings, right(3))
    assert ": review (string 75%, json 100%); " in line


def test_joint_prompts_give_one_example() -> None:
    case = retrieve_case(0)
    reason = case.model_copy(update={"id": "same", "ability": "reason"})
    completion = Completion(request="r", prompt="r0", text="No.", finish="stop")
    (line,) = told(*(read_answer(one, completion) for one in (case, reason)))
    assert line.endswith("e.g. “No.” (r0)")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\n\n b\r\nc", "a ⏎ b ⏎ c"),
        ("\x1b[31mred", "�[31mred"),
        ("x" * WIDTH, "x" * WIDTH),
        ("x" * (WIDTH + 1), "x" * (WIDTH - 1) + "…"),
    ],
)
def test_texts_are_clipped_to_one_harmless_line(text: str, shown: str) -> None:
    assert clip(text) == shown
