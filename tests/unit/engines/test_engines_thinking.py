"""Thoughts: found by probing, budgeted, told apart from the answer by their tags' tokens."""

from __future__ import annotations

import pytest
from chat_templates import CHATML, SWITCHED, TAGS, TEMPLATES, Letters

from teval.engines.chat import Chat
from teval.engines.thinking import Meter, Wish
from teval.errors import ConfigError
from teval.schema import Json, Message, Thinking

USER = [Message(role="user", content="q")]
OPENS = TEMPLATES["opens the thought"]
CLOSED_UNLESS_ASKED = CHATML + "{% if not thinking %}<think></think>{% endif %}"
EFFORT = (
    "{% set reasoning_effort = reasoning_effort | default('none') %}"
    "{% if reasoning_effort not in ['none', 'high'] %}{{ raise_exception('unknown') }}{% endif %}"
    "{{ reasoning_effort }}" + CHATML
)
LEVELS = "Reasoning: {{ reasoning_effort | default('medium') }}" + CHATML
PLAIN = {name: number for name, number in TAGS.items() if name.startswith("<")}


def chat(
    template: str = SWITCHED,
    mode: Thinking = "auto",
    tokens: int = 8,
    options: dict[str, Json] | None = None,
    tags: dict[str, int] = TAGS,
) -> Chat:
    return Chat(Letters(template, eos_token_id=2, tags=tags), options or {}, Wish(mode, tokens))


@pytest.mark.parametrize(
    ("template", "mode", "switch", "thinks"),
    [
        (CHATML, "auto", None, False),
        (CHATML, "on", None, True),
        (CHATML, "off", None, False),
        (SWITCHED, "auto", "enable_thinking", True),
        (SWITCHED, "on", "enable_thinking", True),
        (SWITCHED, "off", "enable_thinking", False),
        (OPENS, "auto", None, True),
        (OPENS, "off", None, True),
        (CLOSED_UNLESS_ASKED, "auto", "thinking", False),
        (CLOSED_UNLESS_ASKED, "on", "thinking", True),
        (EFFORT, "off", "reasoning_effort", False),
        (EFFORT + "{# <think> #}", "auto", "reasoning_effort", False),
        (LEVELS, "off", None, False),
    ],
)
def test_a_probe_finds_the_switch_and_whether_the_model_thinks(
    template: str, mode: Thinking, switch: str | None, thinks: bool
) -> None:
    found = chat(template, mode).thought
    assert (found.switch.name if found.switch else None, found.thinks) == (switch, thinks)


@pytest.mark.parametrize(
    ("template", "mode", "end"),
    [
        (SWITCHED, "auto", "<|assistant|>"),
        (SWITCHED, "on", "<|assistant|>"),
        (SWITCHED, "off", "<|assistant|><think>\n\n</think>\n\n"),
        (CLOSED_UNLESS_ASKED, "on", "<|assistant|>"),
        (CLOSED_UNLESS_ASKED, "off", "<|assistant|><think></think>"),
        (OPENS, "off", "<|assistant|><think>"),
    ],
)
def test_the_switch_reaches_the_prompt(template: str, mode: Thinking, end: str) -> None:
    assert chat(template, mode).render(USER).endswith(f"q\n{end}")


def test_a_switch_of_words_is_set_by_words() -> None:
    assert chat(EFFORT, "on").render(USER).startswith("high")
    assert chat(EFFORT, "off").render(USER).startswith("none")
    assert chat(EFFORT, "auto").render(USER).startswith("none")


@pytest.mark.parametrize(("template", "told"), [(OPENS, True), (SWITCHED, False), (CHATML, False)])
def test_off_without_a_switch_is_told(template: str, told: bool) -> None:
    thinking = chat(template, "off").describe()["thinking"]
    assert isinstance(thinking, dict)
    assert ("has no switch" in str(thinking["note"])) is told


def test_the_description_says_how_the_model_thinks() -> None:
    assert chat(OPENS, tokens=99).describe()["thinking"] == {
        "mode": "auto",
        "thinks": True,
        "switch": None,
        "opened": "<think>",
        "thinking_tokens": 99,
        "tags": "by token",
        "note": "",
    }
    thinking = chat(CHATML, tags={}).describe()["thinking"]
    assert isinstance(thinking, dict)
    assert (thinking["thinking_tokens"], thinking["tags"]) == (None, "by text")


def test_an_option_of_the_template_may_not_contradict() -> None:
    with pytest.raises(ConfigError, match=r"template_options\.enable_thinking contradict"):
        chat(SWITCHED, "off", options={"enable_thinking": True}).describe()
    assert not chat(SWITCHED, "off", options={"enable_thinking": False}).thought.thinks


@pytest.mark.parametrize(
    ("template", "written", "text", "thought"),
    [
        (SWITCHED, "<think>t</think>a", "<think>t</think>a", 16),
        (SWITCHED, "t</think>a", "t</think>a", 9),
        (SWITCHED, "<think>t", "<think>t", 8),
        (SWITCHED, "a", "a", 0),
        (SWITCHED, "", "", 0),
        (OPENS, "t</think>a", "<think>t</think>a", 16),
        (OPENS, "t", "<think>t", 8),
        (OPENS, "", "<think>", 7),
        (SWITCHED, '<think></think>"</think>"', '<think></think>"</think>"', 15),
        (CHATML, "[THINK]t[/THINK]a", "[THINK]t[/THINK]a", 16),
    ],
)
def test_the_tags_tokens_tell_thought_from_answer(
    template: str, written: str, text: str, thought: int
) -> None:
    made = chat(template)
    ids = made.tokenizer.encode(written, add_special_tokens=False)
    assert made.told([*ids, 2]) == (text, thought)


def test_a_tag_that_is_only_spelled_is_none() -> None:
    """The model talks about the tag letter by letter, in its thought and in its answer."""
    made = chat(OPENS)
    spelled = [ord(c) for c in "close with </think>"]
    assert made.told(spelled) == ("<think>close with </think>", 26)
    text, thought = made.told([*spelled, TAGS["</think>"], *spelled])
    assert text[thought:] == "close with </think>"


def test_without_tokens_for_the_tags_the_text_has_to_tell() -> None:
    made = chat(OPENS, tags={})
    ids = made.tokenizer.encode("t</think>a", add_special_tokens=False)
    assert made.told(ids) == ("<think>t</think>a", 0)


def test_tokens_of_other_tags_do_not_count() -> None:
    """A model taught to think between other tags than those its vocabulary came with."""
    made = chat(CHATML + "<reasoning>")
    ids = [ord(c) for c in "t</reasoning>a"]
    assert made.thought.tags == {}
    assert made.told(ids) == ("<reasoning>t</reasoning>a", 0)


OPEN, SHUT = TAGS["<think>"], TAGS["</think>"]


@pytest.mark.parametrize(
    ("opened", "ids", "kept"),
    [
        (False, [OPEN, 7, 7, SHUT, 9, 9, 9], 7),
        (False, [OPEN, 7, 7, SHUT, 9, 9, 9, 9], 7),
        (False, [OPEN, *[7] * 20], 8),
        (False, [9, 9, 9, 9, 9], 3),
        (False, [9, 9, OPEN, *[7] * 20], 8),
        (True, [7, SHUT, 9, 9, 9, 9], 5),
        (True, [7] * 20, 8),
        (True, [7, SHUT, 9, SHUT, 9, 9, 9], 5),
        (True, [7, SHUT, OPEN, 9, 9, 9], 5),
    ],
)
def test_thought_and_answer_have_budgets_of_their_own(
    opened: bool, ids: list[int], kept: int
) -> None:
    """Eight tokens for the thought and three for the answer."""
    meter = Meter(8, 3, {OPEN: "<think>", SHUT: "</think>"}, opened=opened)
    assert meter.most == 11
    assert meter.cut(ids) == ids[:kept]


def test_a_model_that_does_not_think_has_the_answers_budget_alone() -> None:
    meter = chat(SWITCHED, "off").thought.meter(3)
    assert (meter.most, meter.limit) == (3, 3)
    assert meter.cut([OPEN, 7, 7, SHUT, 9]) == [OPEN, 7, 7]


def test_without_tokens_for_the_tags_both_budgets_make_one() -> None:
    meter = chat(OPENS, tags={}).thought.meter(3)
    assert (meter.most, meter.limit) == (11, 11)


def test_budgets_that_are_just_reached_are_not_overrun() -> None:
    meter = Meter(2, 2, {SHUT: "</think>"}, opened=True)
    assert meter.cut([7, SHUT, 9, 9]) == [7, SHUT, 9, 9]
