"""How the released T-Eval code (v2) scores one answer, up to the encoder.

One function an ability and format. Each takes the raw answer, any JSON value, and the release's
``ground_truth``, and never raises: where the release itself would, all metrics are 0, and
:attr:`Published.crash` says how.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from teval.formats import published as read
from teval.metrics import published as score
from teval.metrics.published import THRESHOLD, Cosine, Pair
from teval.schema import Json

PLAN = ("precision", "recall", "f1_score", "parse_rate")
JOINT = ("thought", "name", "args", "parse_rate")
REVIEW = ("review_quality", "parse_rate")


class Published(NamedTuple):
    """What the release makes of one answer."""

    metrics: Mapping[str, float]
    """By the release's names."""
    crash: str = ""
    """Type of the error that the release raises on the answer; all metrics are 0 then."""


def _no_pairs(_: Cosine) -> Sequence[Pair]:
    return ()


@dataclass(frozen=True)
class Scoring:
    """An answer that was read, and what its score still needs."""

    score: Callable[[Cosine], Published]
    """The score, given the encoder's cosine, neither clipped nor rounded."""
    pairs: Sequence[Pair] = ()
    """Texts whose cosine the score asks for."""
    more: Callable[[Cosine], Sequence[Pair]] = _no_pairs
    """Texts that it asks for besides, given the cosines of :attr:`pairs`."""


def instruct_json(prediction: Json, gold: Json, template: Mapping[str, str]) -> Scoring:
    """Return ``json_format_metric`` and ``json_args_em_metric``.

    Args:
        prediction: The answer.
        gold: ``{"action", "args"}``.
        template: The keys asked for, under ``thought``, ``action`` and ``args``.

    >>> template = {"thought": "why", "action": "tool", "args": "with"}
    >>> answer = '{"why": "", "tool": "maps.find", "with": {"at": 2}}'
    >>> instruct_json(answer, {"action": "maps.find", "args": {"at": 1}}, template).score(max)
    Published(metrics={'json_format_metric': 1.0, 'json_args_em_metric': 0.5}, crash='')
    """
    return _instruct("json", lambda: read.call_json(prediction, template), gold)


def instruct_string(prediction: Json, gold: Json, template: Mapping[str, str]) -> Scoring:
    """Return ``string_format_metric`` and ``string_args_em_metric``.

    Args:
        prediction: The answer.
        gold: ``{"action", "args"}``.
        template: The labels, under ``thought_start``, ``thought_end``, ``action_start``, and so on.
    """
    return _instruct("string", lambda: read.call_text(prediction, template), gold)


def _instruct(form: str, reading: Callable[[], read.Call | None], gold: Json) -> Scoring:
    names = (f"{form}_format_metric", f"{form}_args_em_metric")

    def scoring() -> Scoring:
        call, right = reading(), _mapping(gold)
        if call is None:
            return _fixed(names)
        args = score.instruct(*call, right.get("action"), _mapping(right.get("args")))
        return _fixed(names, 1.0, args)

    return _guarded(names, scoring)


def plan_json(prediction: Json, gold: Json, threshold: float = THRESHOLD) -> Scoring:
    """Return ``precision``, ``recall``, ``f1_score`` and ``parse_rate`` of a JSON plan.

    Args:
        prediction: The answer.
        gold: A list of ``{"name", "id", "args"}``, or its text.
        threshold: Weight that a link of two calls must exceed.
    """
    return _guarded(PLAN, lambda: _plan(read.plan_json(prediction), gold, threshold))


def plan_string(
    prediction: Json, gold: Json, names: Sequence[str] | None, threshold: float = THRESHOLD
) -> Scoring:
    """Return ``precision``, ``recall``, ``f1_score`` and ``parse_rate`` of a plan in sentences.

    Args:
        prediction: The answer.
        gold: A list of ``{"name", "id", "args"}``, or its text.
        names: ``API_list``, the names of the case's tools; None where the file has none.
        threshold: Weight that a link of two calls must exceed.
    """
    return _guarded(PLAN, lambda: _plan(read.plan_lines(prediction, names), gold, threshold))


def _plan(steps: Sequence[read.PlanStep], gold: Json, threshold: float) -> Scoring:
    right: Sequence[read.PlanStep] = read.plan_json(gold)
    if not steps or not right:
        return _fixed(PLAN)
    answer, expected = score.without_finish(steps), score.without_finish(right)
    if not answer or not expected:
        raise read.ReleaseCrash("RuntimeError")
    _encodable(text for step in (*answer, *expected) for text in step)
    return Scoring(
        lambda cosine: Published(
            {**score.plan(answer, expected, cosine, threshold), "parse_rate": 1.0}
        ),
        score.name_pairs(answer, expected),
        lambda cosine: score.args_pairs(answer, expected, cosine, threshold),
    )


def joint(prediction: Json, gold: Json) -> Scoring:
    """Return ``thought``, ``name``, ``args`` and ``parse_rate`` of a joint JSON answer.

    Args:
        prediction: The answer.
        gold: ``{"thought", "name", "args"}``, or its text.
    """

    def scoring() -> Scoring:
        answer, right = read.joint(prediction), read.joint(gold)
        if answer is None or right is None:
            return _fixed(JOINT)
        name = float(answer.name == right.name)
        rest = {"name": name, "args": score.joint_args(answer.args, right.args), "parse_rate": 1.0}
        return _thought(str(answer.thought), str(right.thought), rest)

    return _guarded(JOINT, scoring)


def reason_string(prediction: Json, gold: Json) -> Scoring:
    """Return ``thought`` and ``parse_rate``; gold is ``{"thought"}``, or its text."""
    names = ("thought", "parse_rate")

    def scoring() -> Scoring:
        right = read.joint(gold)
        if right is None:
            return _fixed(names, 0.0, 1.0)
        return _thought(read.thought(prediction), str(right.thought), {"parse_rate": 1.0})

    return _guarded(names, scoring)


def retrieve_string(prediction: Json, gold: Json) -> Scoring:
    """Return ``name`` and ``parse_rate``; gold is ``{"name"}``, or its text."""
    names = ("name", "parse_rate")

    def scoring() -> Scoring:
        right = read.joint(gold)
        if right is None:
            return _fixed(names, 0.0, 1.0)
        name = str(right.name)
        text = read.container(prediction, name)
        return _fixed(names, 0.0 if text is None else score.retrieve(text, name), 1.0)

    return _guarded(names, scoring)


def understand_string(prediction: Json, gold: Json) -> Scoring:
    """Return ``args`` and ``parse_rate``; gold is ``{"args"}``, one value, or its text."""
    names = ("args", "parse_rate")

    def scoring() -> Scoring:
        right = read.mapping(gold)
        if not isinstance(prediction, str):
            raise read.ReleaseCrash("AttributeError")
        if right is None:
            return _fixed(names, 0.0, 1.0)
        return _fixed(names, score.understand(prediction, right.get("args", "")), 1.0)

    return _guarded(names, scoring)


def review_string(prediction: Json, gold: Json) -> Scoring:
    """Return ``review_quality`` and ``parse_rate`` of a letter; gold is ``{"answer"}``."""

    def scoring() -> Scoring:
        letter = read.letter(prediction)
        if letter is None:
            return _fixed(REVIEW)
        return _fixed(REVIEW, float(letter == _mapping(gold).get("answer")), 1.0)

    return _guarded(REVIEW, scoring)


def review_json(prediction: Json, gold: Json) -> Scoring:
    """Return ``review_quality`` and ``parse_rate`` of ``{"is_finished"}``.

    The release compares a mapping with the gold, so no letter is ever right.

    Args:
        prediction: The answer.
        gold: ``{"answer"}``.
    """

    def scoring() -> Scoring:
        flag = read.finished(prediction)
        if flag is None:
            return _fixed(REVIEW)
        return _fixed(REVIEW, float({"review": flag} == _mapping(gold).get("answer")), 1.0)

    return _guarded(REVIEW, scoring)


def _guarded(names: Sequence[str], scoring: Callable[[], Scoring]) -> Scoring:
    """What a scoring gives, or zeros where the release raises."""
    try:
        return scoring()
    except read.ReleaseCrash as crash:
        return _fixed(names, crash=str(crash))
    except (KeyError, RecursionError, ValueError) as crash:
        # A template without a label, or a value too deep or too big to be written as text.
        return _fixed(names, crash=type(crash).__name__)


def _fixed(names: Sequence[str], *values: float, crash: str = "") -> Scoring:
    """A score that needs no encoder; zeros where no values are given."""
    metrics = dict(zip(names, values or [0.0] * len(names), strict=True))
    return Scoring(lambda _: Published(metrics, crash))


def _thought(answer: str, gold: str, rest: Mapping[str, float]) -> Scoring:
    _encodable((answer, gold))
    return Scoring(
        lambda cosine: Published({"thought": score.thought(cosine(answer, gold)), **rest}),
        [(answer, gold)],
    )


def _encodable(texts: Iterable[str]) -> None:
    """Encoders raise on a lone surrogate."""
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError:
            raise read.ReleaseCrash("TypeError") from None


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
