"""All abilities, one card each; rooms above iterate over them and know no ability by name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from random import Random

from pydantic import ValidationError

from teval.abilities import instruct, plan, reason, retrieve, review, understand
from teval.abilities.card import CAUSES, Card, Explanation
from teval.abilities.release import told
from teval.errors import DataError, UnknownNameError
from teval.prompting import Prompts, prompt_hash
from teval.schema import OWN_KEY, Case, Frozen, PublishedRecord, SolutionPath, Tool

ABILITIES: dict[str, Card] = {
    "instruct": instruct.CARD,
    "plan": plan.CARD,
    "reason": reason.CARD,
    "retrieve": retrieve.CARD,
    "understand": understand.CARD,
    "review": review.CARD,
}
"""Name to card, in the order of tables and charts."""

__all__ = [
    "ABILITIES",
    "CAUSES",
    "Card",
    "Explanation",
    "adopt_records",
    "card_of",
    "degraded_answers",
    "oracle_answers",
    "slice_path",
]


def card_of(name: str) -> Card:
    """Return an ability's card.

    Raises:
        UnknownNameError: There is no such ability.
    """
    if name not in ABILITIES:
        raise UnknownNameError("ability", name, ABILITIES)
    return ABILITIES[name]


def slice_path(
    path: SolutionPath, prompts: Prompts, *, native: bool = False, constrained: bool = False
) -> Iterator[Case]:
    """Yield all cases of one path: every ability, step and format, messages rendered.

    Args:
        path: What is sliced.
        prompts: In the path's language.
        native: Whether the format ``tools`` is among the formats.
        constrained: Whether JSON answers are to be held to a schema.

    Raises:
        DataError: Two tools can't be told apart by the names that they would be offered under.
    """
    for card in ABILITIES.values():
        cases = chain(card.slice(path, prompts), card.slice_native(path, prompts) if native else ())
        yield from (_held(case, path.tools) if constrained else case for case in cases)


def _held(case: Case, tools: Sequence[Tool]) -> Case:
    """The case with the schema that a JSON answer to it is held to."""
    if case.format != "json":
        return case
    schema = card_of(case.ability).schema(case, tools)
    return case.model_copy(update={"constraint": schema})


def adopt_records(
    records: Sequence[PublishedRecord], *, constrained: bool = False
) -> Iterator[Case]:
    """Yield the cases that records of published T-Eval files make, in their order.

    A record of a joint reply makes one case an ability, all answered by one request. Records
    that tell of our own cases get back all that these said.

    Args:
        records: All records.
        constrained: Whether JSON answers are to be held to a schema.

    Raises:
        DataError: A record tells of a case of ours what no such case can say.
    """
    thoughts: dict[tuple[str, str], list[str]] = defaultdict(list)
    for record in records:
        thought = told(record.release.ground_truth, "thought").get("thought")
        if thought and "reason" in record.abilities:
            thoughts[record.language, record.path].append(str(thought))
    for record in records:
        for ability in record.abilities:
            elsewhere = thoughts[record.language, record.path]
            gold = _own_gold(record, ability) or card_of(ability).adopt(record, elsewhere)
            release = record.release
            case = Case(
                id=":".join([release.set, release.id, ability, record.format]),
                ability=ability,
                format=record.format,
                language=record.language,
                family=record.family,
                path=record.path,
                step=record.step,
                messages=record.messages,
                tools=release.names or tuple(tool.name for tool in record.tools),
                gold=gold.model_dump(mode="json", exclude_defaults=True),
                prompt=prompt_hash(record.messages),
                release=release,
            )
            yield _held(case, record.tools) if constrained else case


def _own_gold(record: PublishedRecord, ability: str) -> Frozen | None:
    """The gold that a record tells beside the release's keys, None where it tells none."""
    own = record.release.more.get(OWN_KEY)
    if not isinstance(own, dict) or "gold" not in own:
        return None
    try:
        return card_of(ability).gold.model_validate(own["gold"])
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        where = f"{record.release.set}: record {record.release.id}: {OWN_KEY}.gold"
        raise DataError(f"{where}.{'.'.join(map(str, fault['loc']))}: {fault['msg']}") from error


def oracle_answers(cases: Iterable[Case]) -> dict[str, str]:
    """Return a perfect answer to each prompt, by prompt hash."""
    return {case.prompt: card_of(case.ability).answer(case) for case in cases}


def degraded_answers(
    cases: Iterable[Case], ability: str, rate: float, seed: int = 0
) -> dict[str, str]:
    """Return answers that are perfect but for one ability, by prompt hash.

    Args:
        cases: The cases to be answered.
        ability: The ability that fails. In a joint prompt the other abilities' parts stay right.
        rate: Share in [0, 1] of the prompts with a case of that ability that are answered wrong.
        seed: Which of them; the draw hangs on seed and prompt alone.

    Raises:
        UnknownNameError: There is no such ability.
    """
    cases, card = tuple(cases), card_of(ability)
    answers = oracle_answers(cases)
    for case in cases:
        rng = Random(f"{seed}:{case.prompt}")
        if case.ability == ability and rng.random() < rate:
            answers[case.prompt] = card.spoil(case, rng)
    return answers
