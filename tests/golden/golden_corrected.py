"""The corrected readers and metrics on golden cases, under the release's names of the metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from golden_cases import Golden

from teval.formats import json_format, letters, plain, reasoning, string_format
from teval.formats.json_values import literal
from teval.metrics.arguments import argument_score, instruct_score, verdicts
from teval.metrics.exact import json_type
from teval.metrics.plan import PlanCall, plan_score
from teval.schema import FINISH, Field, Json, JsonObject, Reply, Shape, canonical

Likeness: TypeAlias = Callable[[str, str], float]
Scores: TypeAlias = dict[str, float]

PLAN = Shape((Field("id", "integer"), Field("name", "string"), Field("args", "object")), many=True)
JOINT = Shape((Field("thought", "string"), Field("name", "string"), Field("args", "object")))
FINISHED = Shape((Field("review", "boolean", "is_finished"),))
TEMPLATE = {"thought": "thought", "name": "action", "args": "args"}
"""Our fields to the release's, in the order in which its templates ask for them."""


def corrected(case: Golden, likeness: Likeness) -> Scores:
    """Return what the corrected scorer gives for a case; plans by the paper's rule."""
    return SCORERS[case.file](case, likeness)


def _text(prediction: Json) -> str:
    """An answer that is to be text; any other value says nothing."""
    return prediction if isinstance(prediction, str) else ""


def _json(prediction: Json) -> str:
    """An answer that is to be JSON; a value that was decoded already is written down again."""
    return prediction if isinstance(prediction, str) else canonical(prediction)


def _told(case: Golden, field: str) -> JsonObject:
    """What the file says is right; a text that holds no mapping is the one field's value."""
    gold = case.ground_truth
    read = literal(gold) if isinstance(gold, str) else None
    value = gold if read is None else read.value
    return value if isinstance(value, dict) else {field: gold}


def _instruct(case: Golden, likeness: Likeness) -> Scores:
    form = case.meta_data["response_format"]
    parse = json_format.parse if form == "json" else string_format.parse
    answer = _json(case.prediction) if form == "json" else _text(case.prediction)
    reply = reasoning.read(answer, lambda said: parse(said, _shape(case.template, form)))
    gold = _told(case, "action")
    right = gold.get("args")
    parameters = 0.0
    if reply.parsed:
        found = verdicts(
            reply.values["args"], right if isinstance(right, dict) else {}, {}, likeness
        )
        parameters = instruct_score(reply.values["name"] == gold.get("action"), found)
    return {f"{form}_format_metric": float(reply.parsed), f"{form}_args_em_metric": parameters}


def _shape(template: Mapping[str, str], form: str) -> Shape:
    start, end = ("", "") if form == "json" else ("_start", "_end")
    return Shape(
        tuple(
            Field(
                name,
                "object" if name == "args" else "string",
                template[theirs + start].strip(),
                end=template[theirs + end].strip() if end else "",
            )
            for name, theirs in TEMPLATE.items()
        )
    )


def _plan_json(case: Golden, likeness: Likeness) -> Scores:
    answer = _json(case.prediction)
    reply = reasoning.read(answer, lambda said: json_format.parse(said, PLAN))
    return _plan(case, reply, likeness)


def _plan_string(case: Golden, likeness: Likeness) -> Scores:
    tools = case.meta.API_list if case.meta else []
    answer = _text(case.prediction)
    return _plan(case, reasoning.read(answer, lambda said: plain.plan(said, tools)), likeness)


def _plan(case: Golden, reply: Reply, likeness: Likeness) -> Scores:
    if not reply.parsed:
        return dict.fromkeys(("precision", "recall", "f1_score", "parse_rate"), 0.0)
    gold = json_format.parse(_json(case.ground_truth), PLAN)
    found = plan_score(_calls(gold), _calls(reply), (), likeness, finish=FINISH)
    shares = {"precision": found.precision, "recall": found.recall, "f1_score": found.f1}
    return shares | {"parse_rate": 1.0}


def _calls(reply: Reply) -> list[PlanCall]:
    steps = reply.values.get("steps")
    return [
        PlanCall(str(step["name"]), str(step.get("text") or canonical(step.get("args"))))
        for step in (steps if isinstance(steps, list) else [])
        if isinstance(step, dict)
    ]


def _thought(reply: Reply, gold: JsonObject, likeness: Likeness) -> float:
    said = reply.values.get("thought")
    return likeness(str(said), str(gold.get("thought", ""))) if said else 0.0


def _reason(case: Golden, likeness: Likeness) -> Scores:
    reply = reasoning.read(_text(case.prediction), plain.thought)
    thought = _thought(reply, _told(case, "thought"), likeness)
    return {"thought": thought, "parse_rate": float(reply.parsed)}


def _retrieve(case: Golden, likeness: Likeness) -> Scores:
    reply = reasoning.read(_text(case.prediction), plain.name)
    right = reply.values.get("name") == _told(case, "name").get("name")
    return {"name": float(reply.parsed and right), "parse_rate": float(reply.parsed)}


def _understand(case: Golden, likeness: Likeness) -> Scores:
    gold = _told(case, "args").get("args", "")
    kind = json_type(gold)
    reply = reasoning.read(_text(case.prediction), lambda said: plain.value(said, kind))
    right = argument_score(dict(reply.values), {"value": gold}, {}, likeness)
    return {"args": right, "parse_rate": float(reply.parsed)}


def _joint(case: Golden, likeness: Likeness) -> Scores:
    gold = _told(case, "thought")
    answer = _json(case.prediction)
    reply = reasoning.read(answer, lambda said: json_format.parse(said, JOINT))
    right = gold.get("args")
    return {
        "thought": _thought(reply, gold, likeness),
        "name": float(reply.values.get("name") == gold.get("name")),
        "args": argument_score(
            reply.values.get("args"), right if isinstance(right, dict) else {}, {}, likeness
        ),
        "parse_rate": float(reply.parsed),
    }


def _review_string(case: Golden, likeness: Likeness) -> Scores:
    return _review(case, reasoning.read(_text(case.prediction), letters.parse))


def _review_json(case: Golden, likeness: Likeness) -> Scores:
    answer = _json(case.prediction)
    return _review(case, reasoning.read(answer, lambda said: json_format.parse(said, FINISHED)))


def _review(case: Golden, reply: Reply) -> Scores:
    gold = _told(case, "answer").get("answer")
    right = gold.get("review") if isinstance(gold, dict) else gold
    same = reply.parsed and reply.values["review"] == right
    return {"review_quality": float(same), "parse_rate": float(reply.parsed)}


SCORERS: Mapping[str, Callable[[Golden, Likeness], Scores]] = {
    "instruct": _instruct,
    "plan_json": _plan_json,
    "plan_str": _plan_string,
    "reason_str": _reason,
    "retrieve_str": _retrieve,
    "understand_str": _understand,
    "rru_json": _joint,
    "review_str": _review_string,
    "review_json": _review_json,
}
"""How the cases of each file are read and scored."""
