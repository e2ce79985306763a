"""Published files with made-up answers, as many as one likes, for measuring how fast they score.

Texts are those of the golden cases with words and digits changed, so that their lengths are those
of the golden cases and yet nearly all differ.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from golden_cases import cases

from teval.metrics.published import FINISH
from teval.schema import Json, JsonObject, PublishedRecord
from teval.sources.teval_files import read_records

Records = dict[str, dict[str, Json]]

_WORD = re.compile(r"\b[a-z]{4,}\b|\d")
CHANGEABLE = 4
"""Words and digits that a thought has at least, so that few come out alike."""
STEPS = 5
"""Steps of a path, whose thoughts are each other's rivals."""
WRONG = 0.15
"""Share of answered calls that are wrong in some way, and of thoughts that are gold ones."""
REPEATED = 0.2
"""Share of a plan's calls that use a tool of the plan again."""


class Call(NamedTuple):
    """One call of a plan."""

    name: str
    args: JsonObject

    def step(self, place: int) -> JsonObject:
        """Return the call as a published plan tells it."""
        return {"name": self.name, "id": place, "args": self.args}


class Words:
    """Changes texts, reproducibly.

    Args:
        seed: Of all that is drawn.
        longest: Characters of a thought at most; None takes thoughts as long as they come.
    """

    def __init__(self, seed: int, longest: int | None = None) -> None:
        self.rng = Random(seed)
        self.longest = longest
        self.golden = [case for case in cases() if isinstance(case.prediction, str)]

    @cached_property
    def known(self) -> Mapping[int, Sequence[str]]:
        """Words of the golden thoughts by length."""
        found: dict[int, set[str]] = {}
        for thought in self.thoughts:
            for word in _WORD.findall(thought):
                found.setdefault(len(word), set()).add(word)
        return {length: sorted(words) for length, words in found.items()}

    @cached_property
    def thoughts(self) -> Sequence[str]:
        """Golden thoughts, gold and answered, in which enough can be changed."""
        told = [case for case in self.golden if case.file == "reason_str"]
        gold = [c.ground_truth for c in told if isinstance(c.ground_truth, dict)]
        texts = [*(right.get("thought") for right in gold), *(case.prediction for case in told)]
        return [
            str(text)
            for text in texts
            if len(_WORD.findall(str(text))) >= CHANGEABLE
            and (self.longest is None or len(str(text)) <= self.longest)
        ]

    @cached_property
    def calls(self) -> Mapping[str, Sequence[JsonObject]]:
        """Arguments of all golden calls, by tool."""
        found: dict[str, list[JsonObject]] = {}
        for case in self.golden:
            for step in case.ground_truth if isinstance(case.ground_truth, list) else ():
                if isinstance(step, dict) and isinstance(args := step.get("args"), dict) and args:
                    found.setdefault(str(step["name"]), []).append(args)
        return {name: found[name] for name in sorted(found)}

    def changed(self, text: str, share: float) -> str:
        """Return a text with a share of its words and digits replaced by others as long."""

        def other(found: re.Match[str]) -> str:
            word = found[0]
            if self.rng.random() > share:
                return word
            if word.isdigit():
                return str(self.rng.randint(1, 9))
            return self.rng.choice(self.known.get(len(word), [word]))

        return _WORD.sub(other, text)

    def thought(self) -> str:
        """Return a thought that nobody had."""
        return self.changed(self.rng.choice(self.thoughts), 0.6)

    def call(self, name: str) -> Call:
        """Return a call of a tool with arguments of its own."""
        args = self.rng.choice(self.calls[name])
        return Call(name, {key: self._value(value) for key, value in args.items()})

    def _value(self, value: Json) -> Json:
        if isinstance(value, str):
            return self.changed(value, 0.6)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value + self.rng.randint(1, 500)
        return value


def plans(words: Words, count: int, calls: int, form: str = "json") -> Records:
    """Return records of plans with about so many calls in gold and answer."""
    return {f"plan_{n}": _plan(words, calls, form) for n in range(count)}


def _plan(words: Words, calls: int, form: str) -> dict[str, Json]:
    tools = [*words.calls]
    fresh = words.rng.sample(tools, len(tools))
    gold: list[Call] = []
    while len(gold) < calls:
        again = gold and (not fresh or words.rng.random() < REPEATED)
        name = words.rng.choice(gold).name if again else fresh.pop()
        gold.append(words.call(name))
    answer = [call for right in gold for call in _answered(words, right, tools)]
    ending = Call(FINISH, {})
    said = [call.step(n) for n, call in enumerate([*answer, ending])]
    if form == "json":
        text = json.dumps(said)
    else:
        text = "\n".join(f"{n}. Use {c['name']} with {c['args']}." for n, c in enumerate(said, 1))
    return {
        "prediction": text,
        "ground_truth": [call.step(n) for n, call in enumerate([*gold, ending])],
        "meta": {"API_list": [*tools, FINISH], "prompt_type": form},
    }


def _answered(words: Words, right: Call, tools: Sequence[str]) -> list[Call]:
    if words.rng.random() >= WRONG:
        return [right]
    other = words.rng.choice(tools)
    return words.rng.choice(
        [
            [words.call(right.name)],
            [words.call(other)],
            [Call(other, right.args)],
            [Call(words.changed(right.name.lower().replace(".", " "), 0.3), right.args)],
            [],
            [right, words.call(other)],
        ]
    )


def suite(words: Words, answers: int) -> dict[str, Records]:
    """Return files with so many answers in all, in about the shares of the published set."""
    steps = int(answers * 0.85) // 4
    few = answers - 4 * steps
    files: dict[str, Records] = {f"{name}_str": {} for name in ("reason", "retrieve", "understand")}
    files["reason_retrieve_understand_json"] = {}
    for n in range(steps):
        id_ = f"query_{n // STEPS}_0_{n % STEPS}"
        for file, record in _step(words):
            files[file][id_] = record
    plan_count = few * 5 // 30
    for form, name in (("json", "json"), ("string", "str")):
        lengths = [len(c.ground_truth) for c in words.golden if isinstance(c.ground_truth, list)]
        made = {
            f"plan_{n}": _plan(words, max(1, words.rng.choice(lengths) - 1), form)
            for n in range(plan_count)
        }
        files[f"plan_{name}"] = made
    files |= _copies(words, {"instruct": few * 15 // 30, "review_str": few - few * 25 // 30})
    return files


def _step(words: Words) -> Iterator[tuple[str, dict[str, Json]]]:
    """Yield file and record of the four questions about one step."""
    thought = words.thought()
    call = words.call(words.rng.choice([*words.calls]))
    said = thought if words.rng.random() < WRONG else words.changed(thought, 0.5)
    again = words.changed(thought, 0.5)
    value = words.rng.choice([*call.args.values()])
    gold: JsonObject = {"thought": thought, "name": call.name, "args": call.args}
    yield (
        "reason_retrieve_understand_json",
        {"prediction": json.dumps(gold | {"thought": said}), "ground_truth": gold},
    )
    yield "reason_str", {"prediction": again, "ground_truth": {"thought": thought}}
    yield "retrieve_str", {"prediction": call.name, "ground_truth": {"name": call.name}}
    yield "understand_str", {"prediction": str(value), "ground_truth": {"args": value}}


def _copies(words: Words, counts: Mapping[str, int]) -> dict[str, Records]:
    """Return golden cases over and over: nothing of them is encoded."""
    kept = {"prediction", "ground_truth", "template", "meta_data"}
    made: dict[str, Records] = {}
    for file, count in counts.items():
        some = [
            case.model_dump(mode="json", include=kept) for case in words.golden if case.file == file
        ]
        made[file] = {f"{file}_{n}": words.rng.choice(some) for n in range(count)}
    return made


def records_of(files: Mapping[str, Records]) -> list[PublishedRecord]:
    """Return records as they are read from published files."""
    with TemporaryDirectory() as folder:
        for name, records in files.items():
            Path(folder, f"{name}.json").write_text(json.dumps(records), encoding="utf-8")
        return read_records(folder)


MAKERS: Mapping[str, Callable[[Words, int], dict[str, Records]]] = {
    "plans": lambda words, count: {"plan_json": plans(words, count, 12)},
    "suite": suite,
}
