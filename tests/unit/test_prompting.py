"""Prompt files: loaded, checked, rendered."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from factories import TOOLS, make_path

from teval.errors import ConfigError
from teval.prompting import HEAD, Prompts, outline, prompt_hash, signature
from teval.schema import Argument, JsonObject, Message, Tool

HEAD_TEXT = """\
tools: "{% for tool in tools %}{{ tool | signature }}{% endfor %}"
query: "Asked: {{ query }}"
history: "{{ history | length }} steps"
"""


def write(folder: Path, **files: str) -> Path:
    """A prompts folder with one language, ``xx``."""
    place = folder / "xx"
    place.mkdir(exist_ok=True)
    for name, text in ({HEAD: HEAD_TEXT} | files).items():
        (place / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def text_of(messages: tuple[Message, ...]) -> str:
    (message,) = messages
    assert message.role == "user"
    return message.content


def test_tools_come_first_and_the_instruction_last(tmp_path: Path) -> None:
    prompts = Prompts.load("xx", write(tmp_path, ask='json: "Do {{ what }}."'))
    tools = (Tool(name="a.b", description=""),)
    told = prompts.render("ask", "json", tools=tools, query="q", history=(), what="it")
    assert text_of(told) == "a.b()\n\nAsked: q\n\n0 steps\n\nDo it."
    assert text_of(prompts.render("ask", "json", tools=tools, what="it")) == "a.b()\n\nDo it."


@pytest.mark.parametrize("value", ["{{ 7 * 7 }}", "{% raw %}", 'é "quoted" <b>&', "{#x#}"])
def test_values_are_shown_as_they_are(tmp_path: Path, value: str) -> None:
    prompts = Prompts.load("xx", write(tmp_path, ask='string: "{{ what }}"'))
    told = prompts.render("ask", "string", tools=(), query=value, what=value)
    assert text_of(told) == f"\n\nAsked: {value}\n\n{value}"


@pytest.mark.parametrize(
    ("files", "error"),
    [
        (
            {"ask": "jsn: hello"},
            r"ask\.yaml, key jsn: .*the keys are json, string, tools, variants",
        ),
        ({"ask": "json: [1]"}, r"ask\.yaml, key json: "),
        ({"ask": "json: {{ x"}, r"ask\.yaml: not a YAML file"),
        ({"ask": 'json: "{{ x"'}, r"ask\.yaml, key json, line 1: "),
        ({"ask": "just a text"}, r"ask\.yaml, key the whole file: "),
        ({HEAD: "tools: a"}, r"_tools\.yaml, key query: .*the keys are tools, query, history"),
    ],
)
def test_a_broken_file_is_named_with_key_and_way_out(
    tmp_path: Path, files: dict[str, str], error: str
) -> None:
    with pytest.raises(ConfigError, match=error):
        Prompts.load("xx", write(tmp_path, **files))


def test_a_missing_language_names_the_file_looked_for(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"tlh/_tools\.yaml.*add the prompts of 'tlh'"):
        Prompts.load("tlh", tmp_path)


def test_a_missing_slot_is_named(tmp_path: Path) -> None:
    prompts = Prompts.load("xx", write(tmp_path, ask='json: "{{ what }}"'))
    with pytest.raises(ConfigError, match=r"ask\.yaml, key json: 'what'.*given are other"):
        prompts.render("ask", "json", tools=(), other=1)


def test_a_template_can_do_no_harm(tmp_path: Path) -> None:
    prompts = Prompts.load("xx", write(tmp_path, ask='json: "{{ x.__class__.__mro__ }}"'))
    with pytest.raises(ConfigError, match="unsafe"):
        prompts.render("ask", "json", tools=(), x="")


def test_a_prompt_or_variant_that_is_not_there_is_named(tmp_path: Path) -> None:
    prompts = Prompts.load("xx", write(tmp_path, ask="json: hello"))
    with pytest.raises(ConfigError, match=r"ask\.yaml, key string: there is no such prompt"):
        prompts.render("ask", "string", tools=())
    with pytest.raises(ConfigError, match=r"ask\.yaml: add variants for json"):
        prompts.variants("ask", "json")
    with pytest.raises(ConfigError, match=r"beg\.yaml: add variants for json"):
        prompts.variants("beg", "json")


def test_the_digest_moves_with_any_prompt_and_not_with_comments(tmp_path: Path) -> None:
    first = Prompts.load("xx", write(tmp_path, ask="json: hello")).digest
    commented = Prompts.load("xx", write(tmp_path, ask="# why\njson: hello")).digest
    changed = Prompts.load("xx", write(tmp_path, ask="json: hello!")).digest
    assert first == commented != changed


def test_the_hash_of_a_prompt_moves_with_role_and_text() -> None:
    told = [Message(role="user", content="a"), Message(role="system", content="a")]
    other = Message(role="user", content="b")
    assert len({prompt_hash([m]) for m in (*told, other)} | {prompt_hash(told)}) == 4


def test_arguments_are_listed_with_type_default_and_choices() -> None:
    arguments = (
        Argument(name="to", type="array", items="string", description=""),
        Argument(name="note", type="string", description="", required=False),
        Argument(name="max", type="number", description="", required=False, has_default=True),
        Argument(name="cabin", type="string", description="", enum=("economy", "business")),
        Argument(name="all", type="boolean", description="", has_default=True, default=False),
    )
    listed = signature(Tool(name="x.y", description="", arguments=arguments))
    assert listed == (
        'x.y(to: string list, note?: string, max?: number, cabin: "economy"|"business", '
        "all: boolean = false)"
    )


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ({"a": 1, "b": None, "c": True}, "a: 1\nb: null\nc: true"),
        ({"id": "17", "yes": "true", "no": "[1]"}, 'id: "17"\nyes: "true"\nno: "[1]"'),
        ({"text": 'It\'s 5; "late", Ana'}, 'text: It\'s 5; "late", Ana'),
        ({"text": "two\nlines"}, 'text: "two\\nlines"'),
        ({"text": "", "raw": '{"a": '}, 'text: ""\nraw: {"a": '),
        ({"none": [], "some": ["a", "b, c"]}, 'none: ()\nsome: (a, "b, c")'),
        ({"seat": {"row": 3, "at": "aisle; left"}}, 'seat: (row: 3; at: "aisle; left")'),
        ({"rows": [{"x": [1, 2]}, {}]}, "rows:\n- x: (1, 2)\n- "),
        ({"mixed": [{"x": 1}, 2]}, "mixed: ((x: 1), 2)"),
    ],
)
def test_a_response_is_shown_without_json(content: JsonObject, shown: str) -> None:
    assert outline(content) == shown


def test_the_day_of_the_request_is_told_where_it_is_known() -> None:
    prompts = Prompts.load("en")
    path = make_path()
    told = text_of(
        prompts.render("plan", "json", tools=TOOLS, query=path.query, now=datetime(2031, 5, 4, 9))
    )
    assert f"made on Sunday, 2031-05-04, at 09:00, is:\n{path.query}\n" in told
    assert "made on" not in text_of(prompts.render("plan", "json", tools=TOOLS, query=path.query))


@pytest.mark.parametrize("form", ["json", "string"])
def test_instruct_has_at_least_six_templates_a_format(form: str) -> None:
    prompts = Prompts.load("en")
    variants = prompts.variants("instruct", "json" if form == "json" else "string")
    assert len(variants) >= 6
    assert len({tuple(v.values()) for v in variants}) == len(variants)
    assert {len(v) for v in variants} == {2, 3}
    assert all({"name", "args"} <= v.keys() <= {"thought", "name", "args"} for v in variants)


def test_the_history_may_be_turns_with_calls_and_results(tmp_path: Path) -> None:
    prompts = Prompts.load("xx", write(tmp_path, ask="json: Do it."), history="turns")
    steps = make_path().steps[:2]
    told = prompts.render("ask", "json", tools=(), query="q", history=steps)
    assert [(m.role, m.content, m.name) for m in told] == [
        ("user", "\n\nAsked: q", None),
        ("assistant", steps[0].thought, None),
        ("tool", "result: timed out", steps[0].call.name),
        ("assistant", steps[1].thought, None),
        ("tool", "result: fine", steps[1].call.name),
        ("user", "Do it.", None),
    ]
    assert [m.calls for m in told if m.role == "assistant"] == [(s.call,) for s in steps]
    for nothing in ((), None):
        assert len(prompts.render("ask", "json", tools=(), query="q", history=nothing)) == 1


def test_a_history_of_turns_shows_what_the_log_shows() -> None:
    path = make_path()
    slots = {"tools": TOOLS, "query": path.query, "history": path.steps[:3], "thought": "t"}
    log, turns = (
        Prompts.load("en", history=history).render("joint", "json", **slots)  # type: ignore[arg-type]
        for history in ("log", "turns")
    )
    for step in path.steps[:3]:
        assert step.thought in text_of(log)
        assert any(step.thought == m.content and step.call in m.calls for m in turns)
    assert text_of(log).startswith(turns[0].content)
    assert text_of(log).endswith(turns[-1].content)
