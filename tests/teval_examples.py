"""Invented records in the layout of published T-Eval files: one query, two calls, the finish."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from teval.schema import Json, JsonObject

TOOLS: list[Json] = [
    {
        "name": "BoatHire.find_boats",
        "description": "Finds boats that are free on a day; it's quick.",
        "required_parameters": [{"name": "day", "type": "STRING", "description": "ISO date"}],
        "optional_parameters": [{"name": "seats", "type": "NUMBER", "description": "at least"}],
        "return_data": [{"name": "boats", "description": "names"}],
    },
    {
        "name": "BoatHire.book",
        "description": "Books a boat.",
        "required_parameters": [
            {"name": "boat", "type": "STRING", "description": "its name"},
            {"name": "days", "type": "list[str]", "description": "ISO dates"},
        ],
        "optional_parameters": [],
        "return_data": [],
    },
    {
        "name": "TideTable.today",
        "description": "Tells the tides.",
        "required_parameters": [],
        "optional_parameters": [],
        "return_data": [],
    },
    {"name": "FinishAction", "description": "Ends the task.", "required_parameters": []},
]
NAMES: list[Json] = ["BoatHire.find_boats", "BoatHire.book", "TideTable.today", "FinishAction"]
QUERY = "Book me a boat for four on 2 June 2031."
MOVES: list[JsonObject] = [
    {
        "thought": "First I look which boats are free that day.",
        "name": "BoatHire.find_boats",
        "args": {"day": "2031-06-02", "seats": 4},
    },
    {
        "thought": "Heron is free, so I book it.",
        "name": "BoatHire.book",
        "args": {"boat": "Heron", "days": ["2031-06-02"]},
    },
    {"thought": "Heron is booked, so I am done.", "name": "FinishAction", "args": {}},
]
SEEN = ['{"boats": ["Heron"]}', "Booked."]


def prompt(step: int = 0, query: str = QUERY, form: str = "JSON") -> list[Json]:
    """System turn with the tools, the query, and the history up to a step."""
    system = f"You can use these tools:\n{TOOLS!r}\nAnswer in this form: {form}"
    turns: list[Json] = [{"role": "system", "content": system}, {"role": "user", "content": query}]
    for move, seen in zip(MOVES[:step], SEEN, strict=False):
        turns.append({"role": "assistant", "content": json.dumps(move)})
        turns.append({"role": "function", "content": seen})
    return turns


def plan() -> list[Json]:
    """The gold plan."""
    return [
        {"name": move["name"], "id": place, "args": move["args"]}
        for place, move in enumerate(MOVES)
    ]


def joint() -> dict[str, JsonObject]:
    """The records of a joint set, one a step."""
    return {
        f"query_0_1_{step}": {
            "origin_prompt": prompt(step),
            "ground_truth": move,
            "meta_data": {"response_format": "json"},
        }
        for step, move in enumerate(MOVES)
    }


def sets() -> dict[str, dict[str, JsonObject]]:
    """All eight sets by name, a record or three each, without answers."""
    text = {"response_format": "str"}
    labels: JsonObject = {
        "thought_start": "<why>",
        "thought_end": "</why>\n",
        "action_start": "<tool>",
        "action_end": "</tool>\n",
        "args_start": "<with>",
        "args_end": "</with>",
    }
    call: JsonObject = {"action": MOVES[0]["name"], "args": MOVES[0]["args"]}
    keys: JsonObject = {"thought": "why", "action": "tool", "args": "with"}
    asked: dict[str, JsonObject] = {
        "instruct_v1": {"ground_truth": call, "template": keys},
        "instruct_v2": {"ground_truth": call, "template": labels},
        "plan_json_v1": {"ground_truth": plan(), "meta": {"API_list": NAMES}},
        "plan_str_v1": {"ground_truth": json.dumps(plan()), "meta": {"API_list": NAMES}},
        "reason_str": {"ground_truth": {"thought": MOVES[0]["thought"]}, "meta_data": {**text}},
        "retrieve_str": {"ground_truth": {"name": MOVES[0]["name"]}, "meta_data": {**text}},
        "understand_str": {"ground_truth": {"args": "2031-06-02"}, "meta_data": {**text}},
        "review_str": {"ground_truth": {"answer": "A"}, "template": {}, "meta_data": {**text}},
    }
    found = {
        name: {"query_0_1_0": {"origin_prompt": prompt(form=name), **record}}
        for name, record in asked.items()
    }
    return found | {"reason_retrieve_understand_json": joint()}


def write(folder: Path, records: Mapping[str, Mapping[str, JsonObject]]) -> Path:
    """Write sets as files into a folder, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, found in records.items():
        (folder / f"{name}.json").write_text(json.dumps(found), encoding="utf-8")
    return folder
