"""What is suspicious about a run's answers, and which setting is likely behind it.

A wrong setting (chat template, token limit, stop strings, precision) makes a model look unable.
Each alarm is one finding: what is wrong, the likely setting, in which cells, and some of the
answers. Of an answer that could not be read one alarm tells at most: it is blank, ended at the
token limit or in its thought, goes round in circles, looks like a call, or is something else.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple

from teval.run.cells import Key
from teval.run.score import UNANSWERED, Reading
from teval.schema import Score, canonical

LEAST_PARSED = 0.5
"""Parse rate of a cell below which there is something to tell."""
MOST_TRUNCATED = 0.01
"""Share of a cell's answers that were cut off unread, above which its limit is too low."""
MOST_BLANK = 0.05
"""Share of blank answers of a cell from which on there is something to tell."""
SAME_LABEL = 0.95
"""Share of one label among those read, from which on the model does not judge."""
SAME_TEXT = 0.5
"""Share of prompts with one and the same answer, from which on it does not hear the question."""
PROSE = 600
"""Characters before the first JSON, from which on an answer is likely a thought without tags."""
FEWEST = 10
"""Answers below which sameness says nothing."""
EXAMPLES = 3
"""Answers told with one alarm."""
WIDTH = 40
"""Most characters of an answer that are told."""

LABELLED = "review"
"""The ability that is answered with one of few labels, and the field that holds it."""

_NATIVE = re.compile(
    r"<tool_calls?>|<function(?:_call)?[=>]|\[TOOL_CALLS\]|<\|python_tag\|>|<[|｜]tool",
    re.IGNORECASE,
)
"""Marks of a call in some model's own tongue."""
_JSON = re.compile(r"```(?:json|tool)|[{\[]\s*\{?\s*[\"'][^\"'\n]*[\"']\s*:", re.IGNORECASE)


class _Answer(NamedTuple):
    """One answer, read and scored."""

    reading: Reading
    score: Score

    @property
    def text(self) -> str:
        answer = self.reading.answer
        return (answer if isinstance(answer, str) else canonical(answer)).strip()

    @property
    def unread(self) -> str:
        """What an answer that could not be read is instead; nothing where it could be."""
        if self.score.parsed:
            return ""
        cut = {"truncated": "cut", "truncated_in_reasoning": "thought"}.get(self.score.status)
        if not self.text or ("reasoning_unclosed" in self.score.flags and not cut):
            return "blank"
        if cut:
            return "loop" if self.loops else cut
        return "call" if self._looks_like_call() else "other"

    @property
    def loops(self) -> bool:
        return "loop" in self.score.flags

    @property
    def thinks(self) -> bool:
        return not {"reasoning_cut", "reasoning_unclosed"}.isdisjoint(self.score.flags)

    @property
    def rambles(self) -> bool:
        """Whether JSON was asked for and much else comes before any."""
        first = re.search(r"[{\[]", self.text)
        before = first.start() if first else len(self.text)
        return self.score.format == "json" and not self.thinks and before >= PROSE

    @property
    def at_limit(self) -> bool:
        return (self.reading.hit_limit or self.unread == "cut") and not self.loops

    def _looks_like_call(self) -> bool:
        text, case = self.text, self.reading.case
        tools = (*case.tools, *(function.name for function in case.functions))
        # A judgement may well name the tool whose response it judges.
        named = case.ability != LABELLED and any(tool in text for tool in tools)
        return named or any(mark.search(text) for mark in (_NATIVE, _JSON))


class Answer(NamedTuple):
    """What alarms need to know of an answer, in little memory."""

    case: str
    prompt: str
    cell: Key
    answered: bool
    """Whether the engine gave an answer at all."""
    unread: str
    """What an answer that could not be read is instead; nothing where it could be."""
    at_limit: bool
    loops: bool
    thinks: bool
    rambles: bool
    lost: bool
    """Whether points were lost."""
    begins: str
    """How the text begins, for examples."""
    same: int
    """Equal for equal texts; 0 where there is none."""
    label: str
    """The judgement, where one was asked for and read."""
    right: str
    """The judgement that was right."""


def note(reading: Reading, score: Score) -> Answer:
    """Return what alarms need to know of an answer."""
    answer, case = _Answer(reading, score), reading.case
    judged = case.ability == LABELLED and score.parsed
    return Answer(
        case=score.case,
        prompt=case.prompt,
        cell=(sys.intern(score.ability), sys.intern(score.format)),
        answered=score.status not in UNANSWERED,
        unread=answer.unread,
        at_limit=answer.at_limit,
        loops=answer.loops,
        thinks=answer.thinks,
        rambles=answer.rambles,
        lost=score.cause is not None,
        begins=sys.intern(clip(answer.text)),
        same=hash(answer.text),
        label=str(reading.reply.values[LABELLED]) if judged else "",
        right=str(case.gold.get(LABELLED)) if judged else "",
    )


_Cells = Mapping[Key, Sequence[Answer]]


def alarms(answers: Iterable[Answer], thinking: str = "auto") -> tuple[str, ...]:
    """Return one line a finding; nothing where all is well.

    Args:
        answers: All answers of a run, as :func:`note` returns them.
        thinking: Whether the model was to think: ``auto``, ``on`` or ``off``.
    """
    every: dict[Key, list[Answer]] = defaultdict(list)
    for answer in answers:
        every[answer.cell].append(answer)
    cells = {
        key: found
        for key, those in every.items()
        if (found := [answer for answer in those if answer.answered])
    }
    lines = [*_unread(cells), *_thoughts(cells, thinking), *_one_label(cells), *_one_text(cells)]
    missing = {key: 1 - len(cells.get(key, ())) / len(every[key]) for key in every}
    silent = {key: share for key, share in missing.items() if share}
    if silent:
        lines.append(f"cases got no answer from the engine: {_listed(silent)}")
    return tuple(lines)


def _unread(cells: _Cells) -> Iterator[str]:
    """Tell of answers that could not be read, by what they are instead."""
    kinds = {key: Counter(answer.unread for answer in cell) for key, cell in cells.items()}
    few = {key for key, kind in kinds.items() if kind[""] / kind.total() < LEAST_PARSED}

    def those(kind: str, keys: Iterable[Key]) -> _Cells:
        return {key: [a for a in cells[key] if a.unread == kind] for key in keys}

    def mostly(kind: str) -> list[Key]:
        """The cells of which few answers were read, and most others are of this kind."""
        return [
            k
            for k in cells
            if k in few
            and 2 * kinds[k][kind] >= sum(number for found, number in kinds[k].items() if found)
        ]

    blank = [k for k in cells if kinds[k]["blank"] / kinds[k].total() >= MOST_BLANK]
    yield from _told(
        "blank answers, likely reasoning that was cut off, the chat template, or stop strings",
        those("blank", blank),
        cells,
    )
    yield from _told("answers ended at the token limit, raise max_tokens", _limited(cells), cells)
    yield from _told(
        "answers look like calls but could not be read, likely the chat template or native calls "
        "in place of the format asked for",
        those("call", mostly("call")),
        cells,
    )
    yield from _told(
        "answers are neither what was asked for nor calls of any kind",
        those("other", mostly("other")),
        cells,
    )


def _thoughts(cells: _Cells, thinking: str) -> Iterator[str]:
    """Tell of thoughts that never ended, that nobody wanted, or that bear no tags."""
    yield from _told(
        "thoughts ended at the token limit, raise engine.thinking_tokens or set "
        "engine.thinking=off",
        _many(cells, lambda a: a.unread == "thought", MOST_TRUNCATED),
        cells,
    )
    yield from _told(
        "answers repeat themselves up to the token limit, as greedy decoding lets some models do, "
        "see sampling.temperature and sampling.repetition_penalty",
        _many(cells, lambda a: a.loops, MOST_TRUNCATED),
        cells,
    )
    yield from _told(
        "long prose before the JSON, likely thoughts without tags, which can't come off",
        _many(cells, lambda a: a.rambles, MOST_BLANK),
        cells,
    )
    thoughts = _many(cells, lambda a: a.thinks, 0)
    if thinking == "off":
        yield from _told("thinking is off, yet there are thoughts", thoughts, cells)
    if thinking == "on" and cells and not thoughts:
        yield "thinking is on, yet no answer holds a thought, likely the chat template"


def _many(cells: _Cells, kind: Callable[[Answer], bool], share: float) -> _Cells:
    """The answers of a kind, of cells in which they are more than a share."""
    found = {key: [a for a in answers if kind(a)] for key, answers in cells.items()}
    return {key: those for key, those in found.items() if len(those) > share * len(cells[key])}


def _limited(cells: _Cells) -> _Cells:
    """The answers that ended at their limit, of cells where this cost some or befell all."""
    ended = {key: [a for a in answers if a.at_limit] for key, answers in cells.items()}
    return {
        key: found
        for key, found in ended.items()
        if len(found) == len(cells[key])
        or sum(a.unread == "cut" for a in found) > MOST_TRUNCATED * len(cells[key])
    }


def _one_label(cells: _Cells) -> Iterator[str]:
    """Tell of judgements that are always the same, in both formats together or in one."""
    asked = [key for key in cells if key[0] == LABELLED]
    together = _label_of(LABELLED, [answer for key in asked for answer in cells[key]])
    if together:
        yield together
    else:
        yield from filter(None, (_label_of(" ".join(key), cells[key]) for key in asked))


def _label_of(where: str, answers: Iterable[Answer]) -> str:
    read = [answer for answer in answers if answer.label]
    if len(read) < FEWEST:
        return ""
    label, number = Counter(answer.label for answer in read).most_common(1)[0]
    right = sum(answer.right == label for answer in read)
    if number < SAME_LABEL * len(read) or right >= SAME_LABEL * len(read):
        return ""
    return (
        f"{where} is answered with {label} in {number} of {len(read)} cases, likely a chat "
        f"template that loses the question, or too small a model; {_examples([read])}"
    )


def _one_text(cells: _Cells) -> Iterator[str]:
    """Tell of one text that answers most prompts of a cell and is right nowhere."""
    found: dict[int, dict[Key, list[Answer]]] = defaultdict(dict)
    for key, answers in cells.items():
        same: dict[int, list[Answer]] = defaultdict(list)
        for answer in answers:
            if answer.same and not answer.label:
                same[answer.same].append(answer)
        prompts = _prompts(answers)
        for text, those in same.items():
            often = _prompts(those) >= SAME_TEXT * prompts and prompts >= FEWEST
            if often and all(answer.lost for answer in those):
                found[text][key] = those
    for where in found.values():
        yield from _told(
            "one text answers most prompts, likely a chat template that loses the question, or "
            "broken weights",
            where,
            cells,
        )


def _prompts(answers: Iterable[Answer]) -> int:
    return len({answer.prompt for answer in answers})


def _told(what: str, those: _Cells, cells: _Cells) -> Iterator[str]:
    """Yield what is wrong with those of the answers, if there are any."""
    if those:
        shares = {key: len(found) / len(cells[key]) for key, found in those.items()}
        yield f"{what}: {_listed(shares)}; {_examples(those.values())}"


def _listed(shares: Mapping[Key, float]) -> str:
    """Name cells and shares: ``plan json 40%, reason (json 5%, string 10%), review 100%``."""
    abilities: dict[str, dict[str, str]] = defaultdict(dict)
    for (ability, form), share in shares.items():
        abilities[ability][form] = f"{share:.0%}"
    return ", ".join(f"{ability} {_by_format(found)}" for ability, found in abilities.items())


def _by_format(shares: Mapping[str, str]) -> str:
    """Tell shares format by format, but one alone where both formats share it."""
    each = [f"{form} {share}" for form, share in shares.items()]
    if len(each) == 1:
        return each[0]
    same = set(shares.values())
    return same.pop() if len(same) == 1 else f"({', '.join(each)})"


def _examples(groups: Iterable[Sequence[Answer]]) -> str:
    """Name what was answered to some prompts and in which cases, one of each group first."""
    prompts: dict[str, Answer] = {}
    for answer in filter(None, chain.from_iterable(zip_longest(*groups))):
        prompts.setdefault(answer.prompt, answer)
        if len(prompts) == EXAMPLES:
            break
    texts: dict[str, list[str]] = defaultdict(list)
    for answer in prompts.values():
        texts[answer.begins].append(answer.case)
    return "e.g. " + ", ".join(f"“{text}” ({', '.join(texts[text])})" for text in texts)


def clip(text: str) -> str:
    r"""Return the beginning of a text on one line, control characters shown and not obeyed.

    >>> clip("two\nlines\x1b")
    'two ⏎ lines�'
    """
    line = " ⏎ ".join(part.strip() for part in text.splitlines() if part.strip())
    line = "".join(sign if sign.isprintable() else "�" for sign in line)
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…"
