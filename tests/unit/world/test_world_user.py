import pytest

from teval.schema import ASK, Call, WorldRef
from teval.world import World
from teval.world.toolkits.user import NOTHING_MORE

CLOCK = "2031-05-06T10:00:00"


def ask(world: World, question: str = "For how many?") -> object:
    return world.call(Call(name=ASK, args={"question": question})).content["answer"]


def test_the_user_tells_one_thing_a_question_and_then_nothing_more() -> None:
    world = World.build(WorldRef(seed=1, clock=CLOCK, replies=("For three.", "At seven.")))
    assert [ask(world), ask(world, "When?"), ask(world)] == [
        "For three.",
        "At seven.",
        NOTHING_MORE,
    ]


def test_a_user_without_replies_has_nothing_to_add() -> None:
    assert ask(World.build(WorldRef(seed=1, clock=CLOCK))) == NOTHING_MORE


def test_asking_leaves_the_state_as_it_was() -> None:
    ref = WorldRef(seed=1, clock=CLOCK, replies=("For three.",))
    world, other = World.build(ref), World.build(ref.model_copy(update={"replies": ()}))
    before = world.state_hash()
    ask(world)
    assert world.state_hash() == before == other.state_hash()


@pytest.mark.parametrize("question", ["", " \n"])
def test_an_empty_question_is_refused_and_uses_up_no_reply(question: str) -> None:
    world = World.build(WorldRef(seed=1, clock=CLOCK, replies=("For three.",)))
    assert world.call(Call(name=ASK, args={"question": question})).status == "input_error"
    assert ask(world) == "For three."


def test_the_name_goes_without_a_toolkit() -> None:
    tool = next(t for t in World.build(WorldRef(seed=1, clock=CLOCK)).tools if t.name == ASK)
    assert (tool.toolkit, tool.effect, [a.name for a in tool.arguments]) == (
        "user",
        "read",
        ["question"],
    )
