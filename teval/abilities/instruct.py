"""Instruct: a call described in words is to be written in the template that is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from teval import slicing
from teval.abilities import published as release_code
from teval.abilities.arguments import explain_arguments, verdicts, wrong_arguments
from teval.abilities.calls import choices, offer, write_call
from teval.abilities.card import FORMATS, NATIVE, Card, Explanation, make_case, random_tool
from teval.abilities.published import Scoring
from teval.abilities.release import others, told
from teval.formats import json_format, reasoning, string_format, tool_calls
from teval.metrics.arguments import instruct_score
from teval.prompting import Prompts
from teval.schema import (
    Case,
    Field,
    Format,
    Frozen,
    Json,
    JsonObject,
    PublishedRecord,
    Release,
    Reply,
    Shape,
    Similarity,
    SolutionPath,
    Step,
    Tool,
    canonical,
    digest,
)

NAME = "instruct"


class InstructGold(Frozen):
    """The call, and the template it is to be written in."""

    name: str
    args: JsonObject = {}
    thought: str
    fields: tuple[tuple[str, str], ...]
    """Field (``thought``, ``name``, ``args``) and its key or label, in the order asked for."""
    ends: dict[str, str] = {}
    """What closes a field in labelled text, by field; a line's end where nothing stands here."""
    siblings: tuple[str, ...] = ()
    """Near neighbours of the tool."""

    @property
    def shape(self) -> Shape:
        """What the answer must hold."""
        return Shape(
            tuple(
                Field(
                    name,
                    "object" if name == "args" else "string",
                    label,
                    end=self.ends.get(name, ""),
                )
                for name, label in self.fields
            )
        )

    @property
    def values(self) -> dict[str, Json]:
        """The fields of a perfect answer, in order."""
        known: dict[str, Json] = {"thought": self.thought, "name": self.name, "args": self.args}
        return {name: known[name] for name, _ in self.fields}


def gold_of(case: Case) -> InstructGold:
    """Return a case's gold, typed."""
    return case.right(InstructGold)


def slice_cases(path: SolutionPath, prompts: Prompts) -> Iterator[Case]:
    """Yield two cases a sound call, the template drawn by path and step."""
    for step in slicing.call_steps(path):
        for form in FORMATS:
            yield _case(path, step, form, prompts)


def slice_native(path: SolutionPath, prompts: Prompts) -> Iterator[Case]:
    """Yield the case of each sound call that is to be made in the model's own syntax."""
    functions = offer(path.tools)
    names = {function.tool: function.name for function in functions}
    for step in slicing.call_steps(path):
        call = step.call.model_copy(update={"name": names[step.call.name]})
        messages = prompts.render(
            NAME, NATIVE, tools=path.tools, call=call, arguments=_described(path, step)
        )
        gold = _gold(path, step, (("name", "name"), ("args", "arguments")))
        yield make_case(NAME, NATIVE, path, step, messages, gold, functions)


def _case(path: SolutionPath, step: Step, form: Format, prompts: Prompts) -> Case:
    variants = prompts.variants(NAME, form)
    fields = tuple(variants[int(digest([path.id, step.id]), 16) % len(variants)].items())
    messages = prompts.render(
        NAME,
        form,
        tools=path.tools,
        call=step.call,
        arguments=_described(path, step),
        thought=step.thought if "thought" in dict(fields) else None,
        fields=fields,
    )
    return make_case(NAME, form, path, step, messages, _gold(path, step, fields))


def _described(path: SolutionPath, step: Step) -> list[dict[str, Json]]:
    """The call's arguments, each with what its tool says of it."""
    tool = slicing.tool_of(path, step.call.name)
    return [
        {"name": key, "value": value, "description": argument.description if argument else ""}
        for key, value in step.call.args.items()
        for argument in [tool.argument(key)]
    ]


def _gold(path: SolutionPath, step: Step, fields: tuple[tuple[str, str], ...]) -> InstructGold:
    return InstructGold(
        name=step.call.name,
        args=step.call.args,
        thought=step.thought,
        fields=fields,
        siblings=tuple(t.name for t in slicing.siblings(path, step.call.name)),
    )


def _write(case: Case, **changed: Json) -> str:
    gold = gold_of(case)
    values = gold.values | changed
    if case.format == NATIVE:
        return write_call(case, values)
    if case.format == "string" and case.release is not None:
        return _in_template(values, case.release.template)
    render = json_format.render if case.format == "json" else string_format.render
    return render(values, gold.shape)


def _in_template(values: Mapping[str, Json], template: Mapping[str, str]) -> str:
    """The values between the labels of a published file, to the letter."""
    said = {f: v if isinstance(v, str) else canonical(v) for f, v in values.items()}
    return "".join(
        template.get(f"{theirs}_start", "") + said[field] + template.get(f"{theirs}_end", "")
        for field, theirs in TEMPLATE.items()
        if field in said
    )


def answer(case: Case) -> str:
    """Return the call in the template asked for."""
    return _write(case)


def mutants(case: Case) -> dict[str, str]:
    """Return the call to another tool, with wrong arguments, and with a word of prose before.

    Before a call of the model's own, where prose may stand, it is two calls instead.
    """
    gold = gold_of(case)
    kinds = {"sibling_tool": _write(case, name=gold.siblings[0])}
    kinds |= {kind: _write(case, args=args) for kind, args in wrong_arguments(gold.args, {})}
    if case.format == NATIVE:
        return kinds | {"two_calls": f"{_write(case)}\n{_write(case)}"}
    return kinds | {"prose": f"Here is the call:\n{_write(case)}"}


def guesses(case: Case, other: Case) -> dict[str, str]:
    """Return the right template with a random tool and no arguments."""
    return {"random_tool": _write(case, name=random_tool(case), args={})}


def read(text: str, case: Case) -> Reply:
    """Return the fields of the template, or the call."""
    if case.format == NATIVE:
        return reasoning.read(text, lambda said: tool_calls.parse(said, case.functions))
    parse = json_format.parse if case.format == "json" else string_format.parse
    return reasoning.read(text, lambda said: parse(said, gold_of(case).shape))


def schema(case: Case, tools: Sequence[Tool]) -> JsonObject:
    """Return what the template may hold: a listed tool with arguments as it takes them."""
    return json_format.schema(gold_of(case).shape, choices(tools))


def texts(reply: Reply, case: Case) -> Iterable[tuple[str, str]]:
    """Return nothing: a call that was dictated is compared as it is."""
    return ()


def score(reply: Reply, case: Case, similarity: Similarity) -> dict[str, float]:
    """Return ``score``, half ``well_formed`` and half ``parameters``, and both of these.

    Arguments were told value by value, so they are compared exactly, defaults included.
    """
    gold = gold_of(case)
    found = verdicts(reply.values["args"], gold.args, {}, similarity)
    parameters = instruct_score(reply.values["name"] == gold.name, found)
    well_formed = float(reply.well_formed)
    return {
        "score": 0.5 * well_formed + 0.5 * parameters,
        "well_formed": well_formed,
        "parameters": parameters,
    }


def explain(reply: Reply, case: Case, scores: Mapping[str, float]) -> Explanation | None:
    """Return what differs from the dictated call: the tool, else an argument, else the form."""
    gold, name = gold_of(case), reply.values["name"]
    if name != gold.name:
        return Explanation("wrong_tool", f"expected {gold.name}, answered {name}")
    wrong = explain_arguments(reply.values["args"], gold.args, {})
    if wrong is not None or reply.well_formed:
        return wrong
    return Explanation("format", "the call is right, but the answer is not exactly the template")


TEMPLATE = {"thought": "thought", "name": "action", "args": "args"}
"""Our fields to those of a published file's template, in the order in which it asks for them."""


def adopt(record: PublishedRecord, rivals: Sequence[str]) -> InstructGold:
    """Return the call and the template of a published record."""
    right, template = told(record.release.ground_truth, "action"), record.release.template
    name, args, said = str(right.get("action", "")), right.get("args"), right.get("thought")
    start, end = ("", "") if record.format == "json" else ("_start", "_end")
    fields = [(f, template.get(theirs + start, "").strip()) for f, theirs in TEMPLATE.items()]
    ends = {f: template.get(theirs + end, "").strip() for f, theirs in TEMPLATE.items()}
    return InstructGold(
        name=name,
        args=args if isinstance(args, dict) else {},
        thought=str(said) if said else f"I call {name}.",
        fields=tuple((field, label) for field, label in fields if label),
        ends={field: text for field, text in ends.items() if text and end},
        siblings=others(record, [name]),
    )


def release(case: Case) -> Release:
    """Return the call, and the template by the names that published files use.

    In labelled text the released code knows one order alone, so that it can't read the others;
    a thought that is not asked for is blank there.
    """
    gold = gold_of(case)
    labels = dict(gold.fields)
    template = {}
    for field, theirs in TEMPLATE.items():
        label = labels.get(field, "")
        if case.format == "string":
            template[f"{theirs}_start"] = f"{label} " if label else ""
            template[f"{theirs}_end"] = "\n" if label and field != gold.fields[-1][0] else ""
        elif label:
            template[theirs] = label
    right: JsonObject = {"action": gold.name, "args": gold.args}
    return Release(ground_truth=right, template=template)


def published(answer: Json, record: Release, form: Format) -> Scoring:
    """Return whether the template was kept, and the share of right arguments."""
    score = release_code.instruct_json if form == "json" else release_code.instruct_string
    return score(answer, record.ground_truth, record.template)


CARD = Card(
    name=NAME,
    label="Instruct",
    headline="score",
    gold=InstructGold,
    slice=slice_cases,
    slice_native=slice_native,
    answer=answer,
    mutants=mutants,
    guesses=guesses,
    read=read,
    schema=schema,
    texts=texts,
    score=score,
    explain=explain,
    adopt=adopt,
    release=release,
    published=published,
    released={"{form}_format_metric": "parsed", "{form}_args_em_metric": "parameters"},
)
