from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from small_family import write_family

from teval.authoring import compile_family, lint
from teval.authoring.derivation import derivable
from teval.authoring.phrasing import words
from teval.schema import (
    Answer,
    Call,
    Json,
    JsonObject,
    Observation,
    SolutionPath,
    TextFacts,
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> SolutionPath:
    (compiled,) = compile_family(write_family(tmp_path_factory.mktemp("families")), count=1)
    return compiled


def change(path: SolutionPath, number: int, **fields: object) -> SolutionPath:
    steps = list(path.steps)
    steps[number] = steps[number].model_copy(update=fields)
    return path.model_copy(update={"steps": tuple(steps)})


def call_with(path: SolutionPath, number: int, **args: Json) -> SolutionPath:
    call = path.steps[number].call
    changed = {k: v for k, v in {**call.args, **args}.items() if v is not None}
    return change(path, number, call=Call(name=call.name, args=changed))


def rules(path: SolutionPath) -> set[str]:
    return {problem.rule for problem in lint([path])}


def test_a_good_path_has_no_problem(path: SolutionPath) -> None:
    assert lint([path]) == []


def shape_faults(path: SolutionPath) -> Mapping[str, SolutionPath]:
    last = path.steps[-1]
    tools = path.tools
    return {
        "few tools": path.model_copy(update={"tools": tools[1:]}),
        "order": path.model_copy(update={"tools": (tools[1], tools[0], *tools[2:])}),
        "finish listed first": path.model_copy(update={"tools": (tools[-1], *tools[:-1])}),
        "no finish": path.model_copy(update={"steps": path.steps[:-1]}),
        "finish twice": path.model_copy(update={"steps": (*path.steps, last)}),
        "one call": path.model_copy(update={"steps": (path.steps[0], last)}),
        "ids": change(path, 1, id=7),
    }


def test_shape(path: SolutionPath) -> None:
    for name, wrong in shape_faults(path).items():
        assert "shape" in rules(wrong), name


@pytest.mark.parametrize("needs", [(3,), (4,), (-1,), ()])
def test_needs(path: SolutionPath, needs: tuple[int, ...]) -> None:
    assert rules(change(path, 3, needs=needs)) == {"needs", "ancestry"}


def test_an_observed_value_comes_from_a_step_that_is_needed(path: SolutionPath) -> None:
    assert path.steps[3].needs == (1, 2)
    (problem,) = lint([change(path, 3, needs=(1,))])
    assert (problem.rule, problem.step, problem.level) == ("ancestry", 3, "warning")
    assert problem.message.startswith("to: '")
    chained = change(path, 2, needs=(1,))
    assert rules(change(chained, 3, needs=(2,))) == set()
    assert rules(change(path, 3, needs=(2,))) == {"ancestry"}


ARGUMENTS: dict[str, tuple[int, JsonObject, str]] = {
    "missing": (3, {"subject": None}, "mail.send_mail misses the argument subject"),
    "unknown": (1, {"place": "x"}, "weather.get_forecast has no argument place"),
    "type": (1, {"date": 5}, "date=5 does not fit weather.get_forecast: string"),
    "boolean": (1, {"city": True}, "city=true does not fit weather.get_forecast: string"),
    "enum": (1, {"unit": "kelvin"}, 'unit="kelvin" does not fit weather.get_forecast: string of ['),
    "items": (3, {"to": [5]}, "to=[5] does not fit mail.send_mail: array"),
    "no list": (3, {"to": "a@b.example"}, "to=\"a@b.example\" does not fit mail.send_mail: array"),
}  # fmt: skip


@pytest.mark.parametrize(("number", "args", "message"), ARGUMENTS.values(), ids=ARGUMENTS.keys())
def test_arguments(path: SolutionPath, number: int, args: JsonObject, message: str) -> None:
    found = [p for p in lint([call_with(path, number, **args)]) if p.rule == "arguments"]
    assert message in found[0].message
    assert (found[0].path, found[0].step, found[0].level) == (path.id, number, "error")
    assert str(found[0]) == (
        f"error: {path.id}, step {number}: {found[0].message}; {found[0].remedy} [arguments]"
    )


def test_an_alternative_must_fit_too_but_a_mistake_need_not(path: SolutionPath) -> None:
    bad = Call(name="weather.get_forecast", args={})
    assert "arguments" in rules(change(path, 1, alternatives=(bad,)))
    assert "arguments" in rules(change(path, 1, call=Call(name="weather.get_tides")))
    assert "arguments" not in rules(change(path, 1, call=bad, sound=False, planned=False))


@pytest.mark.parametrize(
    ("accepts", "message"),
    [
        ({"city": ("Oslo", 5)}, "city=5 does not fit weather.get_forecast: string"),
        ({"place": ("Oslo",)}, "weather.get_forecast has no argument place"),
    ],
)
def test_other_right_values_must_fit_too(
    path: SolutionPath, accepts: dict[str, tuple[Json, ...]], message: str
) -> None:
    (problem,) = lint([change(path, 1, accepts=accepts)])
    assert (problem.rule, problem.message) == ("arguments", message)


def test_a_value_that_nobody_can_know_is_a_warning(path: SolutionPath) -> None:
    problems = lint([call_with(path, 1, city="Atlantis")])
    assert [(p.rule, p.level) for p in problems] == [("underivable", "warning")]
    assert "'Atlantis'" in problems[0].message


def test_an_observed_value_is_known_only_where_it_is_said_to_be(path: SolutionPath) -> None:
    assert rules(change(path, 3, observed=("body",))) == {"underivable"}


def test_a_default_is_known(path: SolutionPath) -> None:
    assert rules(call_with(path, 1, unit="celsius")) == set()
    assert rules(call_with(path, 1, unit="fahrenheit")) == {"underivable"}


TEXTS: dict[str, dict[str, TextFacts]] = {
    "no facts": {"subject": TextFacts(facts=("High",))},
    "empty facts": {"subject": TextFacts(facts=("High",)), "body": TextFacts(facts=())},
    "untold": {"subject": TextFacts(facts=("High",)), "body": TextFacts(facts=("degree",))},
    "contradiction": {
        "subject": TextFacts(facts=("High",)),
        "body": TextFacts(facts=("degrees",), contradictions=("will",)),
    },
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_text_facts(path: SolutionPath, text: dict[str, TextFacts]) -> None:
    assert rules(change(path, 3, text=text)) == {"text_facts"}


@pytest.mark.parametrize("facts", [(), ("Atlantis",), ("degrees",)])
def test_answer_facts(path: SolutionPath, facts: tuple[str, ...]) -> None:
    answer = Answer(text="It is cold.", facts=facts)
    assert rules(path.model_copy(update={"answer": answer})) == {"answer_facts"}


def test_a_fact_must_be_known_from_somewhere(path: SolutionPath) -> None:
    answer = Answer(text="It is 4711 degrees.", facts=("4711",))
    (problem,) = lint([path.model_copy(update={"answer": answer})])
    assert "stands in no observation nor the query" in problem.message


@pytest.mark.parametrize(
    "thought", ["I call weather.get_forecast.", "Now get_climate helps.", "FinishAction it is."]
)
def test_a_thought_names_no_tool(path: SolutionPath, thought: str) -> None:
    assert rules(change(path, 1, thought=thought)) == {"thoughts"}
    assert rules(change(path, 1, thoughts=(thought,))) == {"thoughts"}


def test_thoughts_of_a_path_differ(path: SolutionPath) -> None:
    assert rules(change(path, 1, thought=path.steps[0].thought)) == {"thoughts"}
    assert rules(change(path, 1, thoughts=(path.steps[1].thought,))) == {"thoughts"}


def test_a_label_goes_with_its_status(path: SolutionPath) -> None:
    for label in "ACDE":
        assert "reviews" in rules(change(path, 0, review=label)), label
    for label in "BC":
        assert "reviews" in rules(change(path, 2, review=label, planned=False)), label
    unable: dict[str, object] = {"review": "E", "sound": False, "planned": False}
    assert rules(change(path, 2, **unable)) == set()
    refused = Observation(status="input_error", content={"error": "no"})
    assert rules(change(path, 2, observation=refused, **unable)) <= {"underivable"}


def test_reviews_are_there_and_fit_the_flags(path: SolutionPath) -> None:
    observation = path.steps[2].observation
    cases: list[tuple[int, dict[str, object]]] = [
        (1, {"review": None}),
        (2, {"observation": None}),
        (4, {"observation": observation}),
        (4, {"review": "A"}),
        (0, {"planned": True}),
        (2, {"sound": False}),
    ]
    for number, fields in cases:
        assert "reviews" in rules(change(path, number, **fields)), fields


def test_an_irrelevant_answer_does_not_come_again(path: SolutionPath) -> None:
    fields = {"review": "D", "observation": path.steps[1].observation, "planned": False}
    assert rules(change(path, 0, **fields)) == {"reviews"}


def test_an_observation_is_short(path: SolutionPath) -> None:
    long = Observation(status="ok", content={"text": "é" * 760})
    assert "size" in rules(change(path, 0, observation=long, review="A"))


def test_ids_and_queries_are_distinct(path: SolutionPath) -> None:
    assert {p.rule for p in lint([path, path])} == {"same_id", "same_query"}
    twin = path.model_copy(update={"id": "twin"})
    (problem,) = lint([path, twin])
    assert (problem.path, problem.rule) == ("twin", "same_query")
    assert problem.message == f"same query as path {path.id}"
    shouted = twin.model_copy(update={"query": path.query.upper().replace("?", " ?!")})
    assert rules(shouted) == set()
    assert {p.rule for p in lint([path, shouted])} == {"same_query"}


def test_the_query_holds_no_answer_and_no_tool(path: SolutionPath) -> None:
    query = f"{path.query} Is it so that {path.answer.text.lower()}"
    assert rules(path.model_copy(update={"query": query})) == {"leaks"}
    query = f"{path.query} Use weather.get_forecast."
    (problem,) = lint([path.model_copy(update={"query": query})])
    assert problem.message == "the query names the tool weather.get_forecast"


def test_what_is_to_be_found_out_is_not_given_away(path: SolutionPath) -> None:
    answer = path.answer.model_copy(update={"facts": ("Ravensea",), "text": "Sent about Ravensea."})
    told = path.model_copy(update={"answer": answer})
    assert rules(told) == set(), "the path writes, so the query may say all"
    reading = tuple(tool.model_copy(update={"effect": "read"}) for tool in path.tools)
    (problem,) = lint([told.model_copy(update={"tools": reading})])
    assert (problem.rule, problem.level, problem.step) == ("given_away", "warning", None)
    assert rules(path.model_copy(update={"tools": reading})) == set()


def test_phrasings_share_no_long_run(path: SolutionPath) -> None:
    shared = ("First of all the warmth of Ravensea.", "It is first of all the warmth that I want.")
    (problem,) = lint([change(path, 1, thoughts=shared)])
    assert (problem.rule, problem.level, problem.step) == ("phrasing", "warning", 1)
    assert "'first of all the warmth'" in problem.message


def test_phrasings_are_compared_by_an_encoder_where_one_is_given(path: SolutionPath) -> None:
    shuffled = change(path, 1, thought="I need rain now.", thoughts=("Now I need rain!",))
    assert rules(shuffled) == set()
    (problem,) = lint([shuffled], embedder=WordCounts())
    assert (problem.rule, problem.level, problem.step) == ("alike", "warning", 1)
    assert problem.message == "two phrasings of the thought have cosine 1.00"
    assert lint([path], embedder=WordCounts()) == []


class WordCounts:
    """Texts as counts of the words that any of them has."""

    def describe(self) -> JsonObject:
        return {}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        known = sorted({word for text in texts for word in words(text)})
        rows = np.array([[words(t).count(w) for w in known] for t in texts], dtype=np.float32)
        normed: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return normed


def many(path: SolutionPath, count: int = 8) -> list[SolutionPath]:
    """Paths with queries of their own, and four reviews each of which the last three are D."""
    return [
        path.model_copy(update={"id": f"p{n}", "query": path.query.replace("7", f"{n + 7}")})
        for n in range(count)
    ]


def test_labels_are_balanced(path: SolutionPath) -> None:
    steps = tuple(step.model_copy(update={"reviewed": True}) for step in path.steps)
    path = path.model_copy(update={"steps": steps})
    found = [p for p in lint(many(path), [f"f:{n}" for n in range(8)]) if p.rule == "balance"]
    (problem,) = found
    assert problem.message == "of 32 reviews A 75%, C 0%, D 0%, E 0%, not 15% to 28% each"
    assert (problem.path, problem.place, problem.level) == ("", "", "warning")
    assert "balance" not in {p.rule for p in lint(many(path, 4))}, "too few to tell"
    steps = tuple(step.model_copy(update={"reviewed": step.review == "B"}) for step in path.steps)
    told = lint(many(path.model_copy(update={"steps": steps}), 20))
    (message,) = [p.message for p in told if p.rule == "balance"]
    assert message.startswith("of 20 reviews A 0%, B 100%"), "only what is reviewed counts"


def test_a_query_or_thought_is_as_long_as_others(path: SolutionPath) -> None:
    paths = many(path, 24)
    assert "outliers" not in {p.rule for p in lint(paths)}
    paths[5] = paths[5].model_copy(update={"query": f"{paths[5].query} {'And then so on. ' * 9}"})
    paths[7] = change(paths[7], 2, thought=" ".join(f"word{n}" for n in range(90)))
    heavy = "Extraordinarily incomprehensible characterisations notwithstanding circumlocutions "
    paths[9] = paths[9].model_copy(update={"query": heavy * 5})
    places = [f"file:{n}" for n in range(24)]
    found = [p for p in lint(paths, places) if p.rule == "outliers"]
    told = [(p.place, p.step, p.message.split(";")[0]) for p in found]
    assert told == [
        ("file:5", None, "the query has 58 words"),
        ("file:5", None, "the query's reading level is -4.0"),
        ("file:7", 2, "the thought has 90 words"),
        ("file:9", None, "the query has 25 words"),
        ("file:9", None, "the query's reading level is 64.5"),
    ]
    assert {p.level for p in found} == {"warning"}


def test_what_no_rule_expects_is_told_all_the_same(path: SolutionPath) -> None:
    assert path.world is not None
    odd: dict[str, SolutionPath] = {
        "no moment": path.model_copy(
            update={"world": path.world.model_copy(update={"clock": "soon"})}
        ),
        "is blank": path.model_copy(update={"query": " ? "}),
        "a thought is blank": change(path, 1, thoughts=(), thought=""),
        "lists 0 tools": path.model_copy(update={"tools": ()}),
        "no calls": path.model_copy(update={"steps": ()}),
        "step ids": change(path, 0, id=77),
        "no date": call_with(path, 1, date="2031-02-30"),
        "a long number": call_with(path, 1, date=10**400),
    }
    for name, wrong in odd.items():
        assert lint([wrong]), name


def test_a_path_without_a_world_is_linted_too(path: SolutionPath) -> None:
    assert rules(path.model_copy(update={"world": None})) == set()


@pytest.mark.parametrize(
    ("value", "text", "known"),
    [
        (True, "", True),
        (30, "for 30 minutes", True),
        (3, "for 30 minutes", False),
        (6, "in June", True),
        (2.5, "2.5 degrees", True),
        ("Oslo", "in oslo today", True),
        ("Oslo", "Osloberg", False),
        ("Terminal 2", "at Terminal N; 2", True),
        ("Terminal 3", "at Terminal N; 2", False),
        ("2031-05-06", "on 6 May 2031", True),
        ("2031-05-06", "on 6 May", True),
        ("2031-05-06", "on Tuesday", True),
        ("2031-05-13", "on Tuesday", False),
        ("2031-05-05", "tomorrow", True),
        ("2031-05-04", "tonight", True),
        ("2031-05-06", "tomorrow", False),
        ("2031-05-06", "starts 2031-05-06T09:00", True),
        ("2031-05-06T09:00", "on 6 May at 9:00", True),
        ("2031-05-06T09:00", "on 6 May at 19:00", False),
        ("2031-05-06T09:00:00", "2031-05-06T09:00", True),
    ],
)
def test_derivable(value: str | int | float, text: str, known: bool) -> None:
    assert derivable(value, text, "2031-05-04") is known
