"""Families to gold paths: slots are drawn, the story is carried out in a world and replayed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random

import jinja2
from jmespath.exceptions import JMESPathError

from teval.authoring.disguise import disguise
from teval.authoring.draw import UnfitError, bind, bind_mapping, draw_slots
from teval.authoring.family import STATUSES, Facts, Family, FamilyStep, read_names
from teval.authoring.load import load_families, load_family
from teval.authoring.reviews import chances
from teval.authoring.templates import holds, render
from teval.errors import DataError
from teval.schema import (
    ASK,
    FINISH,
    Answer,
    Call,
    Fault,
    Json,
    Observation,
    SolutionPath,
    Step,
    TextFacts,
    Tool,
    WorldRef,
    canonical,
    finish_tool,
)
from teval.world import World, replay
from teval.world.check import check
from teval.world.values import InputError

DRAWS = 100
"""How many draws are tried before a family is refused, unless told otherwise."""

FINISH_DESCRIPTION = (
    "Ends the task once everything asked for is done and known; takes no arguments."
)


def build(
    seed: int = 0,
    count: int = 40,
    place: Path | None = None,
    toolkits: Collection[str] = (),
    names: Collection[str] = (),
) -> list[SolutionPath]:
    """Return verified paths, spread evenly over families; the same for the same arguments.

    Args:
        seed: Moves every draw.
        count: How many paths in all, at least 1.
        place: Folder of family files; the data folder's where None.
        toolkits: Take only families all of whose calls are of these; all families where empty.
        names: Take only families of these names; all families where empty.

    Raises:
        DataError: A family file is wrong, a family's story does not hold in the world, no
            family keeps to the toolkits, or there is none of a name.
    """
    families = load_families(place)
    chance = chances(families, _effects())
    if names:
        families = _named(families, names)
    if toolkits:
        families = _within(families, toolkits)
    turns = [divmod(index, len(families)) for index in range(count)]
    chosen = sorted((which, number) for number, which in turns)
    return [compile_path(families[which], number, seed, chance=chance) for which, number in chosen]


def _named(families: Sequence[Family], names: Collection[str]) -> tuple[Family, ...]:
    unknown = sorted(set(names) - {family.id for family in families})
    if unknown:
        raise DataError(f"there is no family {unknown[0]!r}; name files of the families' folder")
    return tuple(family for family in families if family.id in names)


def _within(families: Sequence[Family], toolkits: Collection[str]) -> tuple[Family, ...]:
    known = sorted(frozenset().union(*(family.toolkits for family in families)))
    for name in sorted(toolkits):
        if name not in known:
            raise DataError(f"no family calls a toolkit {name!r}; there are {', '.join(known)}")
    found = tuple(family for family in families if family.toolkits <= set(toolkits))
    if not found:
        raise DataError(f"no family keeps to {', '.join(sorted(toolkits))}; name more toolkits")
    return found


def compile_family(file: Path, seed: int = 0, count: int = 4) -> list[SolutionPath]:
    """Return the first paths of one family file.

    Args:
        file: A family in YAML.
        seed: Moves every draw.
        count: How many paths.

    Raises:
        DataError: The file is wrong, or its story does not hold in the world.
    """
    family = load_family(file)
    return [compile_path(family, number, seed) for number in range(count)]


def compile_path(
    family: Family,
    number: int,
    seed: int = 0,
    draws: int = DRAWS,
    chance: Mapping[str, float] | None = None,
) -> SolutionPath:
    """Return one verified path of a family.

    Worlds and slots are drawn until one carries the story: every call ends as its review says,
    and every ``expect`` holds. The path found is replayed in a fresh world.

    Args:
        family: What the path is made from.
        number: Which path of the family, from 0; picks variant and phrasing.
        seed: Moves every draw.
        draws: How many draws are tried before the family is refused.
        chance: How likely a success is reviewed, by tool; by the families of the data folder
            where None.

    Raises:
        DataError: No draw carries the story, or the replay differs.
    """
    chance = _usual() if chance is None else chance
    reason = ""
    for draw in range(draws):
        rng = Random(f"{seed}/{family.id}/{number}/{draw}")
        try:
            path = _attempt(family, number, chance, rng)
        except DataError as error:
            raise DataError(f"family {family.id}, path {number}: {error}") from error
        except (UnfitError, jinja2.TemplateError, JMESPathError, ValueError) as error:
            reason = str(error)
            continue
        replay(path)
        return path
    raise DataError(
        f"family {family.id}, path {number}: none of {draws} draws carries the story; "
        f"the last failed at {reason}"
    )


@cache
def _usual() -> Mapping[str, float]:
    return chances(load_families(), _effects())


def _effects() -> dict[str, str]:
    """Whether a tool reads or writes, by name."""
    world = World.build(WorldRef(seed=0, clock="2031-01-01T00:00:00"))
    return {tool.name: tool.effect for tool in world.tools}


def _attempt(family: Family, number: int, chance: Mapping[str, float], rng: Random) -> SolutionPath:
    story = family.story(family.variants[number % len(family.variants)])
    ref = WorldRef(seed=rng.randrange(1_000_000), clock=family.clock, faults=_faults(story))
    values = draw_slots(family, World.build(ref).view(), rng)
    ref = ref.model_copy(update={"replies": tuple(render(said, values) for said in family.user)})
    world = World.build(ref)
    tools = _tools(family, world)
    query = render(family.queries[number % len(family.queries)], values)
    steps: list[Step] = []
    for source in story:
        origins = _origins(family, story[: len(steps)])
        steps.append(_carry_out(source, len(steps), origins, values, world))
        _check_told(family, source.id, values)
    thought, *also = (render(t, values) for t in (family.finish.thought, *family.finish.also))
    last = Step(
        id=len(steps),
        thought=thought,
        thoughts=tuple(also),
        call=Call(name=FINISH),
        needs=tuple(range(len(steps))),
    )
    path = SolutionPath(
        id=f"{family.id}-{number}",
        family=family.id,
        query=query,
        tools=tools,
        steps=(*steps, last),
        answer=Answer(
            text=render(family.answer.text, values),
            facts=tuple(render(fact, values) for fact in family.answer.facts),
        ),
        tags=family.tags,
        world=ref,
        state_hash=world.state_hash(),
    )
    return disguise(path, family, story, chance, rng)


def _origins(family: Family, earlier: Sequence[FamilyStep]) -> dict[str, int]:
    """Return, by name of step or slot, the earlier step that told it."""
    steps = {step.id: index for index, step in enumerate(earlier)}
    told = {n: steps[s.told_by] for n, s in family.slots.items() if s.told_by in steps}
    return {**steps, **told}


def _carry_out(
    source: FamilyStep,
    position: int,
    origins: Mapping[str, int],
    values: dict[str, Json],
    world: World,
) -> Step:
    """Return the step with its observation, whose content joins the values."""
    read = {name: read_names(value) & origins.keys() for name, value in source.args.items()}
    needs = frozenset(source.needs).union(*read.values())
    step = Step(
        id=position,
        thought=render(source.thought, values),
        thoughts=tuple(render(template, values) for template in source.also),
        call=Call(name=source.call, args=bind_mapping(source.args, values)),
        review=source.review,
        sound=source.is_sound,
        planned=source.is_planned,
        needs=tuple(sorted({origins[name] for name in needs})),
        observed=tuple(name for name, told in read.items() if told),
        alternatives=tuple(
            Call(name=other.call, args=bind_mapping(other.args, values))
            for other in source.alternatives
        ),
        accepts={a: tuple(bind(v, values) for v in vs) for a, vs in source.accepts.items()},
        text={argument: _facts(facts, values) for argument, facts in source.text.items()},
    )
    if _fits(step.call, world) != source.fits:
        raise DataError(f"step {source.id}: fits must be {str(not source.fits).lower()}")
    observation = world.call(step.call)
    _check(source, observation)
    values[source.id] = observation.content
    if source.expect is not None and not holds(source.expect, values):
        raise UnfitError(f"step {source.id}: not so: {source.expect}")
    return step.model_copy(update={"observation": observation})


def _fits(call: Call, world: World) -> bool:
    tool = next(tool for tool in world.tools if tool.name == call.name)
    try:
        check(tool, call.args)
    except InputError:
        return False
    return True


def _check(source: FamilyStep, observation: Observation) -> None:
    if observation.status not in STATUSES[source.review]:
        content = observation.content.get("error", observation.content)
        raise UnfitError(
            f"step {source.id}: review {source.review} does not go with {observation.status}: "
            f"{content}"
        )


def _check_told(family: Family, step: str, values: Mapping[str, Json]) -> None:
    told = canonical(values[step])
    for name, slot in family.slots.items():
        if slot.told_by == step and str(values[name]) not in told:
            raise UnfitError(f"slots.{name}: step {step} does not tell {values[name]!r}")


def _facts(facts: Facts, values: Mapping[str, Json]) -> TextFacts:
    return TextFacts(
        facts=tuple(render(t, values) for t in facts.facts),
        contradictions=tuple(render(t, values) for t in facts.contradictions),
        accepted=tuple(render(t, values) for t in facts.accepted),
    )


def _faults(story: Sequence[FamilyStep]) -> tuple[Fault, ...]:
    """Return the planned failures; each names its call by how many the world counted before."""
    calls = [step.call if step.fits else "" for step in story]
    return tuple(
        Fault(tool=step.call, nth=calls[:index].count(step.call), kind=step.fault)
        for index, step in enumerate(story)
        if step.fault is not None
    )


def _tools(family: Family, world: World) -> tuple[Tool, ...]:
    known = {tool.name: tool for tool in world.tools}
    unknown = sorted(set(family.tools) - known.keys())
    if unknown:
        raise DataError(f"tools: the world has no {', '.join(unknown)}")
    listed = {*family.tools, ASK}
    unlisted = sorted({step.call for step in family.steps} - listed)
    if unlisted:
        raise DataError(f"steps call tools not listed: {', '.join(unlisted)}")
    return (*(known[name] for name in sorted(listed)), finish_tool(FINISH_DESCRIPTION))
