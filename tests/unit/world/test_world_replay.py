"""Executing gold paths again."""

from __future__ import annotations

import pytest
from world_cases import CLOCK, build, emails

from teval.errors import DataError
from teval.schema import (
    FINISH,
    Answer,
    Call,
    Fault,
    Observation,
    SolutionPath,
    Step,
    WorldRef,
    finish_tool,
)
from teval.world import World, replay


def gold() -> SolutionPath:
    """A path of a failed and a repeated write."""
    ref = WorldRef(
        seed=7, clock=CLOCK, faults=(Fault(tool="mail.send_mail", nth=0, kind="timeout"),)
    )
    world = World.build(ref)
    call = Call(
        name="mail.send_mail", args={"to": emails(world)[:1], "subject": "Hi", "body": "At noon."}
    )
    steps = [
        Step(id=n, thought="Send it.", call=call, observation=world.call(call), review=review)
        for n, review in ((0, "B"), (1, "A"))
    ]
    last = Step(id=2, thought="Done.", call=Call(name=FINISH))
    return SolutionPath(
        id="p1",
        family="f",
        query="Say hi.",
        tools=(*world.tools, finish_tool("Ends the task.")),
        steps=(*steps, last),
        answer=Answer(text="Done."),
        world=ref,
        state_hash=world.state_hash(),
    )


def test_a_path_replays_to_its_final_state() -> None:
    path = gold()
    assert replay(path).state_hash() == path.state_hash != build().state_hash()


def test_a_path_without_a_world_is_refused() -> None:
    with pytest.raises(DataError, match="path p1: has no world"):
        replay(gold().model_copy(update={"world": None}))


def test_another_final_state_is_refused() -> None:
    with pytest.raises(DataError, match="path p1: its final state differs"):
        replay(gold().model_copy(update={"state_hash": build().state_hash()}))


@pytest.mark.parametrize(
    "observation", [None, Observation(status="ok", content={"sent": "MSG-2222"})]
)
def test_another_observation_is_refused(observation: Observation | None) -> None:
    path = gold()
    wrong = path.steps[1].model_copy(update={"observation": observation})
    steps = (path.steps[0], wrong, path.steps[2])
    with pytest.raises(DataError, match=r"path p1, step 1: mail\.send_mail now answers"):
        replay(path.model_copy(update={"steps": steps}))
