"""Answers as the release reads them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from teval.formats import published
from teval.formats.published import Call, Joint, PlanStep, ReleaseCrash

LABELS = {
    "thought_start": "Thought: ",
    "thought_end": "\n",
    "action_start": "Action: ",
    "action_end": "\n",
    "args_start": "Input: ",
    "args_end": "",
}
TAGS = {
    "thought_start": "<t>",
    "thought_end": "</t>",
    "action_start": "<a>",
    "action_end": "</a>",
    "args_start": "<i>",
    "args_end": "</i>",
}


@pytest.mark.parametrize(
    ("text", "brackets", "expected"),
    [
        ("{'a': None}", "", {"a": None}),
        ('{"a": null}', "", {"a": None}),
        ("{'a': true}", "", {"a": True}),
        ('{"a": 0b11}', "", {"a": 3}),
        (r'{"a": "\ud83c\udf89"}', "", {"a": "\ud83c\udf89"}),  # a literal first: two surrogates
        (r'{"a": "\ud83c\udf89", "b": true}', "", {"a": "🎉", "b": True}),
        (r'{"a": "x\/y"}', "", {"a": r"x\/y"}),
        ("so ```json {'a': 1} ```", "", {"a": 1}),
        ("so {'a': 1}, yes", "{}", {"a": 1}),
        ("[1] [2]", "[]", None),
        ("```\n{'a': 1}\n```", "", None),
        ("```JSON\n{'a': 1}\n```", "", None),
        ("{'a': 'it's', 'b': true}", "", None),
        ("", "", None),
        ("none here", "{}", None),
        ("[" * 100_000, "", None),
        ("[" * 100_000, "[]", None),
    ],
)
def test_load(text: str, brackets: str, expected: object) -> None:
    if expected is None:
        with pytest.raises(ValueError, match="neither"):
            published.load(text, brackets)
    else:
        assert published.load(text, brackets) == expected


@pytest.mark.parametrize("value", [None, 3, [1], {"a": 1}])
def test_what_is_not_a_text_passes(value: object) -> None:
    assert published.load(value, "{}") is value


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('[{"name": "a", "id": 0, "args": {"x": "y"}}]', [("a", "{'x': 'y'}")]),
        ([{"name": None, "id": "7", "args": None}], [("None", "None")]),
        ('[{"name": "a", "id": 2, "args": {}}, {"name": "b", "id": 1, "args": {}}]', "ba"),
        ('[{"name": "a", "id": 1, "args": {}}, {"name": "b", "id": 1, "args": {}}]', "ab"),
        ('[{"name": "a", "id": true, "args": {}}, {"name": "b", "id": 0, "args": {}}]', "ba"),
        ('[{"name": "a", "id": "one", "args": {}}]', []),
        ('[{"name": "a", "id": null, "args": {}}]', []),
        ('[{"name": "a", "id": 1e999, "args": {}}]', []),
        ('[{"name": "a", "id": 0, "args": {}}, "b"]', []),
        ('[{"name": "a", "id": 0, "args": {}}, {"name": "b", "id": 1}]', []),
        ('[[{"name": "a", "id": 0, "args": {}}]]', []),
        ({"name": "a", "id": 0, "args": {}}, []),
        ('as [said]: [{"name": "a", "id": 0, "args": {}}]', []),
        (17, []),
        ("", []),
    ],
)
def test_plan_json(answer: object, expected: str | list[tuple[str, str]]) -> None:
    steps = [(name, "{}") for name in expected] if isinstance(expected, str) else expected
    assert published.plan_json(answer) == tuple(PlanStep(*step) for step in steps)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("1. Do a.b\n2. Do a.bc", [("a.b", "Do a.b"), ("a.b", "Do a.bc")]),
        ("c.d after a.b", [("c.d", "c.d after a.b")]),
        ("c.d. a.b", [("c.d", "c.d"), ("a.b", "a.b")]),
        ("c.d.a.b", [("c.d", "c.d.a.b")]),
        ("Nothing\n\n", []),
        ("A.B", []),
    ],
)
def test_plan_lines(answer: str, expected: list[tuple[str, str]]) -> None:
    names = ["a.b", "a.bc", "c.d"]
    assert published.plan_lines(answer, names) == tuple(PlanStep(*step) for step in expected)


def test_the_first_listed_of_two_names_at_one_place_counts() -> None:
    assert published.plan_lines("a.bc", ["a.bc", "a.b"]) == (PlanStep("a.bc", "a.bc"),)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"thought": "t", "name": "n", "args": {"x": 1}}', Joint("t", "n", {"x": 1})),
        ('[{"name": "n", "args": "x"}]', Joint("", "n", {})),
        ('{"r": {"name": "n"}}', Joint("", "", {})),
        ('{"name": null}', Joint("", None, {})),
        ("{}", Joint("", "", {})),
        ("{1, 2}", None),
        ('{"name": "n"} {"name": "n"}', None),
        (["n"], None),
        (None, None),
    ],
)
def test_joint(answer: object, expected: Joint | None) -> None:
    assert published.joint(answer) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"t": 1, "a": "n", "i": {"x": 1}, "more": 2}', Call("n", {"x": 1})),
        ('{"t": 1, "a": ["n"], "i": "{}"}', Call(["n"], {})),
        ({"t": 1, "a": "n", "i": {}}, Call("n", {})),
        ('{"t": 1, "a": "n"}', None),
        ('["t", "a", "i"]', None),
        ('see: {"t": 1, "a": "n", "i": {}}', None),
        (None, None),
    ],
)
def test_call_json(answer: object, expected: Call | None) -> None:
    assert published.call_json(answer, {"thought": "t", "action": "a", "args": "i"}) == expected


@pytest.mark.parametrize(
    ("answer", "template", "expected"),
    [
        ("Thought: t\nAction: n\nInput: {'x': 1}", LABELS, Call("n", {"x": 1})),
        ("Hm. Thought: t\nu\nAction: n\nInput: {}", LABELS, Call("n", {})),
        ("Thought: t\nAction: n\nInput: {'x': true}", LABELS, Call("n", {})),
        ("Thought: t\nAction: n\nInput: [1]", LABELS, Call("n", {})),
        ("Thought: t\nAction: n\nInput: {'x': 1}\nBye", LABELS, Call("n", {})),
        ("Thought: t\nAction: n\nInput: {}\n" * 2, LABELS, Call("n", {})),
        ("Thought: t\nAction: n", LABELS, None),
        ("Action: n\nThought: t\nInput: {}", LABELS, None),
        ("Action: n\nInput: {}\nThought: t", LABELS, None),
        ("<t>t</t><a>n</a><i>{'x': 1}</i> bye", TAGS, Call("n", {"x": 1})),
        ("<t>t</t><a>n</a><i>1</i> <t>u</t><a>m</a><i>{}</i>", TAGS, Call("m", {})),
        ("<t>t</t> <a>n</a><i>{}</i>", TAGS, None),
        ("T. t\nA! n\nI {'x': 1}", LABELS | {"thought_start": "T. "}, None),
        ("Thx t\nAction: n\nInput: {}", LABELS | {"thought_start": "Th. "}, Call("n", {})),
        ("Why? t\nAction: n\nInput: {}", LABELS | {"thought_start": "Why? "}, None),
    ],
)
def test_call_text(answer: str, template: Mapping[str, str], expected: Call | None) -> None:
    assert published.call_text(answer, template) == expected


def test_a_label_that_needs_what_stands_before_it() -> None:
    """A quantifier repeats the field before it."""
    template = TAGS | {"thought_end": "", "action_start": "?<a>"}
    assert published.call_text("<t><a>n</a><i>{}</i>", template) == Call("n", {})


def test_a_long_answer_without_arguments_is_read_in_no_time() -> None:
    template = LABELS | {"thought_start": "Thought. "}
    assert published.call_text("Thought: t\nAction: n\n" * 4000, template) is None


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("B", "B"),
        ("Review: B", "B"),
        ("At 10:30. Review: B", None),
        ("B: Error", "E"),
        ("Because", "B"),
        ("b", None),
        ("(B)", None),
        ("Answer：B", "A"),
        ("F", None),
        (":", None),
        ("", None),
    ],
)
def test_letter(answer: str, expected: str | None) -> None:
    assert published.letter(answer) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"is_finished": true}', True),
        ('{"is_finished": 0.0, "more": 1}', False),
        ('{"is_finished": 2}', None),
        ('{"is_finished": [true]}', None),
        ('{"is_finished": "true"}', None),
        ('{"review": true}', None),
        ("so {'is_finished': True}", None),
        (True, None),
    ],
)
def test_finished(answer: object, expected: bool | None) -> None:
    assert published.finished(answer) == expected


@pytest.mark.parametrize(
    ("value", "name", "expected"),
    [("a.b", "c", "a.b"), ({"name": "a.b"}, "a.b", None), (["c"], "a.b", None)],
)
def test_container(value: object, name: str, expected: str | None) -> None:
    assert published.container(value, name) == expected


@pytest.mark.parametrize("value", [None, 3, 0.5, True, {"a.b": 1}, ["a.b"]])
def test_a_name_is_looked_for_in_texts_only(value: object) -> None:
    with pytest.raises(ReleaseCrash, match="TypeError"):
        published.container(value, "a.b")


@pytest.mark.parametrize("value", [None, 3, {"a": "b"}, [], ["a"], ["a", 3], ["a", "b", "c"]])
def test_the_encoder_takes_a_text_or_a_pair(value: object) -> None:
    assert published.thought("a") == "a"
    assert published.thought(["a", "b"]) == "a\x1fb"
    with pytest.raises(ReleaseCrash, match="ValueError"):
        published.thought(value)


def test_crashes_of_the_release() -> None:
    with pytest.raises(ReleaseCrash, match="KeyError"):
        published.plan_lines("a.b", None)
    with pytest.raises(ReleaseCrash, match="AttributeError"):
        published.plan_lines(None, ["a.b"])
    with pytest.raises(ReleaseCrash, match="TypeError"):
        published.call_text(None, LABELS)
    with pytest.raises(ReleaseCrash, match="error"):
        published.call_text("", LABELS | {"thought_start": "**Thought"})
    with pytest.raises(ReleaseCrash, match="AttributeError"):
        published.letter(["A"])
