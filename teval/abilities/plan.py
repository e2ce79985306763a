"""Plan: the whole sequence of calls, before any of them is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from teval import slicing
from teval.abilities import published as release_code
from teval.abilities.arguments import (
    Rule,
    lenient,
    pairs_asked,
    rules_of,
    share,
    wrong_arguments,
)
from teval.abilities.calls import choices
from teval.abilities.card import FORMATS, Card, Explanation, make_case, random_tool
from teval.abilities.plan_gold import GoldCall, GoldStep, PlanGold
from teval.abilities.published import Scoring
from teval.abilities.release import others, query_of
from teval.formats import json_format, plain, reasoning
from teval.metrics.exact import json_type
from teval.metrics.plan import PlanCall, PlanScore, args_pairs, name_pairs, plan_score
from teval.prompting import Prompts
from teval.schema import (
    FINISH,
    Case,
    Field,
    Format,
    Json,
    JsonObject,
    PublishedRecord,
    Release,
    Reply,
    Shape,
    Similarity,
    SolutionPath,
    Tool,
    canonical,
)

NAME = "plan"
SHAPE = Shape((Field("id", "integer"), Field("name", "string"), Field("args", "object")), many=True)


class Said(NamedTuple):
    """One call of an answer."""

    name: str
    args: JsonObject
    text: str = ""
    """The sentence that names the tool, where the arguments are told in words."""

    @property
    def call(self) -> PlanCall:
        """The call as the metric compares it."""
        return PlanCall(self.name, self.text or canonical(self.args))


def gold_of(case: Case) -> PlanGold:
    """Return a case's gold, typed."""
    return case.right(PlanGold)


def slice_cases(path: SolutionPath, prompts: Prompts) -> Iterator[Case]:
    """Yield the path's two cases."""
    gold = PlanGold(
        steps=tuple(_gold_step(path, planned) for planned in slicing.planned(path)),
        graph=slicing.has_graph(path),
        query=path.query,
    )
    for form in FORMATS:
        messages = prompts.render(
            NAME, form, tools=path.tools, query=path.query, now=slicing.now(path)
        )
        yield make_case(NAME, form, path, None, messages, gold)


def _gold_step(path: SolutionPath, planned: slicing.PlannedStep) -> GoldStep:
    step = planned.step

    def known_rules(name: str) -> dict[str, Rule]:
        rules = rules_of(slicing.tool_of(path, name), step)
        return {k: rule for k, rule in rules.items() if k not in step.observed}

    calls = [
        GoldCall(name=c.name, args=c.args, rules=known_rules(c.name)) for c in step.alternatives
    ]
    right = {step.call.name, *(call.name for call in calls)}
    neighbours = [t.name for t in slicing.siblings(path, step.call.name)]
    return GoldStep(
        name=step.call.name,
        args=step.call.args,
        rules=known_rules(step.call.name),
        needs=planned.needs,
        alternatives=tuple(calls),
        siblings=tuple(name for name in neighbours if name not in right),
    )


def _write(case: Case, calls: Sequence[Said]) -> str:
    """The calls as an answer, finish added."""
    ending = [*calls, Said(FINISH, {})]
    if case.format == "json":
        return json_format.render([{"name": c.name, "args": c.args} for c in ending], SHAPE)
    return plain.render_plan([(call.name, _words(call.args)) for call in ending])


def _words(args: JsonObject) -> str:
    return ", ".join(f"{name} {canonical(value)}" for name, value in args.items())


def _gold_calls(gold: PlanGold) -> list[Said]:
    return [Said(step.name, step.args) for step in gold.steps]


def answer(case: Case) -> str:
    """Return the gold plan, finish at its end."""
    return _write(case, _gold_calls(gold_of(case)))


def mutants(case: Case) -> dict[str, str]:
    """Return plans with a step dropped, added, of a sibling tool, or before what it needs."""
    gold = gold_of(case)
    kinds: dict[str, str] = {}
    for kind, calls in _wrong_plans(gold, case.tools[0]):
        if kind not in kinds and _is_wrong(text := _write(case, calls), case):
            kinds[kind] = text
    return kinds


def _wrong_plans(gold: PlanGold, listed: str) -> Iterator[tuple[str, list[Said]]]:
    calls = _gold_calls(gold)
    yield "step_dropped", calls[:-1]
    yield "step_added", [*calls, Said(listed, {})]
    for at, step in enumerate(gold.steps):
        for name in step.siblings[:1]:
            yield "sibling_tool", _replaced(calls, at, Said(name, step.args))
        for need in step.needs if gold.graph else range(at):
            swapped = _replaced(calls, at, calls[need])
            yield "steps_swapped", _replaced(swapped, need, calls[at])


def _replaced(calls: Sequence[Said], at: int, call: Said) -> list[Said]:
    return [*calls[:at], call, *calls[at + 1 :]]


def _is_wrong(text: str, case: Case) -> bool:
    reply = read(text, case)
    return not reply.parsed or _link(gold_of(case), _answered(reply), case, lenient).f1 < 1


def argument_mutants(case: Case) -> dict[str, str]:
    """Return plans with one argument changed, dropped or added: only ``plan_args`` sees them."""
    gold = gold_of(case)
    calls = _gold_calls(gold)
    found: dict[str, str] = {}
    for at, step in enumerate(gold.steps):
        known = {name: value for name, value in step.args.items() if name in step.rules}
        for kind, args in wrong_arguments(known, step.rules):
            text = _write(case, _replaced(calls, at, Said(step.name, args)))
            if _link(gold, _answered(read(text, case)), case, lenient).args_f1 < 1:
                found.setdefault(f"args_{kind}", text)
    return found


def guesses(case: Case, other: Case) -> dict[str, str]:
    """Return a plan of one random tool, one of all tools, and the query."""
    tools = [name for name in case.tools if name != FINISH]
    return {
        "random_tool": _write(case, [Said(random_tool(case), {})]),
        "all_tools": _write(case, [Said(name, {}) for name in tools]),
        "parrot_query": gold_of(case).query,
    }


def read(text: str, case: Case) -> Reply:
    """Return the steps of the answer's plan, in order."""
    if case.format == "json":
        return reasoning.read(text, lambda said: json_format.parse(said, SHAPE))
    return reasoning.read(text, lambda said: plain.plan(said, case.tools))


def schema(case: Case, tools: Sequence[Tool]) -> JsonObject:
    """Return a list of calls of the listed tools; words may stand for any argument."""
    return json_format.schema(SHAPE, choices(tools, words=True))


def texts(reply: Reply, case: Case) -> Iterable[tuple[str, str]]:
    """Return the names of calls that may link, and free texts among the arguments."""
    gold, answered = gold_of(case), _answered(reply)
    calls = [said.call for said in answered]
    pairs = name_pairs(_right(gold, case), calls, case.tools, FINISH)
    pairs += name_pairs(gold.paper, calls, (), FINISH)
    for step in gold.steps:
        if step.has_free_text:
            for said in answered:
                pairs += pairs_asked(partial(_share, step, said))
    return pairs


def more(reply: Reply, case: Case, similarity: Similarity) -> Iterable[tuple[str, str]]:
    """Return the arguments that may decide which calls link, given the likeness of the names."""
    gold = gold_of(case)
    calls = [said.call for said in _answered(reply)]
    pairs = args_pairs(_right(gold, case), calls, case.tools, similarity, FINISH)
    return pairs + args_pairs(gold.paper, calls, (), similarity, FINISH)


def score(reply: Reply, case: Case, similarity: Similarity) -> dict[str, float]:
    """Return ``f1``, ``precision``, ``recall``, ``plan_paper``, and in JSON ``plan_args``.

    ``plan_args`` is F1 with each counted call counting as its share of right arguments, as far as
    a plan can know them. ``plan_paper`` is F1 by the paper's rule: names judged by their likeness
    alone, and one right order.
    """
    gold, answered = gold_of(case), _answered(reply)
    found = _link(gold, answered, case, similarity)
    calls = [said.call for said in answered]
    paper = plan_score(gold.paper, calls, (), similarity, finish=FINISH)
    scores = {
        "f1": found.f1,
        "precision": found.precision,
        "recall": found.recall,
        "plan_paper": paper.f1,
        "plan_paper_precision": paper.precision,
        "plan_paper_recall": paper.recall,
    }
    return scores | ({"plan_args": found.args_f1} if case.format == "json" else {})


def _answered(reply: Reply) -> list[Said]:
    steps = reply.values["steps"]
    return [
        Said(str(step["name"]), args if isinstance(args, dict) else {}, str(step.get("text", "")))
        for step in (steps if isinstance(steps, list) else [])
        if isinstance(step, dict)
        for args in [step.get("args")]
    ]


def _link(gold: PlanGold, answered: list[Said], case: Case, similarity: Similarity) -> PlanScore:
    return plan_score(
        _right(gold, case),
        [said.call for said in answered],
        case.tools,
        similarity,
        finish=FINISH,
        needs=[step.needs for step in gold.steps] if gold.graph else None,
        share=lambda i, j: _share(gold.steps[i], answered[j], similarity),
    )


def _share(step: GoldStep, answered: Said, similarity: Similarity) -> float:
    """Share of right arguments among those that a plan can know, by the call of that name."""
    same = [call for call in (step, *step.alternatives) if call.name == answered.name] or [step]
    return max(
        share(call.known(answered.args), call.known(call.args), call.rules, similarity)
        for call in same
    )


def _right(gold: PlanGold, case: Case) -> list[PlanCall]:
    """The gold calls as the corrected rule takes them."""
    return [
        PlanCall(
            step.name,
            _text(step, case),
            tuple((call.name, _text(call, case)) for call in step.alternatives),
        )
        for step in gold.steps
    ]


def _text(call: GoldCall, case: Case) -> str:
    """What the arguments' text of a perfect answer is when it is read back."""
    if case.format == "json":
        return call.text
    return _sentence(call.name, _words(call.args), case.tools)


@lru_cache(maxsize=1024)
def _sentence(name: str, words: str, tools: tuple[str, ...]) -> str:
    line = plain.render_plan([(name, words)])
    return _answered(plain.plan(line, tools))[0].text


def explain(reply: Reply, case: Case, scores: Mapping[str, float]) -> Explanation | None:
    """Return which steps are missing, which are too many, and which came too early."""
    if scores["f1"] == 1:
        return None
    gold, answered = gold_of(case), _answered(reply)
    found = _link(gold, answered, case, lambda a, b: float(a == b))
    missing = _left(found, 0, [step.name for step in gold.steps])
    extra = _left(found, 1, [call.name for call in answered])
    early = [answered[j].name for i, j in found.links if (i, j) not in found.counted]
    if missing and extra:
        why = f"expected {', '.join(missing)}, answered {', '.join(extra)}"
        return Explanation("wrong_tool", why)
    if missing or extra:
        cause, word = ("missing_step", "left out") if missing else ("extra_step", "too many")
        return Explanation(cause, f"{word}: {', '.join(missing or extra)}")
    return Explanation("order", f"before what it depends on: {', '.join(early)}")


def _left(found: PlanScore, side: int, names: Sequence[str]) -> list[str]:
    """Names of the calls of one side that no link holds, finish left out."""
    linked = {link[side] for link in found.links}
    return [name for at, name in enumerate(names) if at not in linked and name != FINISH]


def adopt(record: PublishedRecord, rivals: Sequence[str]) -> PlanGold:
    """Return the plan of a published record: no graph, so its order is the only right one."""
    text = record.release.ground_truth
    plan = json_format.parse(text if isinstance(text, str) else canonical(text), SHAPE)
    calls = [said for said in _answered(plan) if said.name != FINISH] if plan.parsed else []
    return PlanGold(
        steps=tuple(
            GoldStep(
                name=said.name,
                args=said.args,
                rules={name: Rule(type=json_type(value)) for name, value in said.args.items()},
                siblings=others(record, [said.name]),
            )
            for said in calls
        ),
        query=query_of(record),
    )


def release(case: Case) -> Release:
    """Return the gold calls in their order, finish at their end."""
    calls = [*_gold_calls(gold_of(case)), Said(FINISH, {})]
    right: list[Json] = [
        {"name": call.name, "id": place, "args": call.args} for place, call in enumerate(calls)
    ]
    return Release(ground_truth=right, names=case.tools)


def published(answer: Json, record: Release, form: Format) -> Scoring:
    """Return precision, recall and F1 of the plan."""
    if form == "json":
        return release_code.plan_json(answer, record.ground_truth)
    return release_code.plan_string(answer, record.ground_truth, record.names)


CARD = Card(
    name=NAME,
    label="Plan",
    headline="f1",
    gold=PlanGold,
    slice=slice_cases,
    answer=answer,
    mutants=mutants,
    guesses=guesses,
    read=read,
    schema=schema,
    texts=texts,
    more=more,
    score=score,
    explain=explain,
    adopt=adopt,
    release=release,
    published=published,
    released={
        "precision": "plan_paper_precision",
        "recall": "plan_paper_recall",
        "f1_score": "plan_paper",
        "parse_rate": "parsed",
    },
)
