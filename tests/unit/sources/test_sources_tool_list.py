from __future__ import annotations

import json

import pytest
from teval_examples import TOOLS

from teval.schema import Argument, Tool
from teval.sources.tool_list import tools_in

NAMES = ["BoatHire.find_boats", "BoatHire.book", "TideTable.today", "FinishAction"]


@pytest.mark.parametrize(
    "text",
    [
        f"Don't guess [ever].\n{TOOLS!r}\nGood luck!",
        f"Tools: {json.dumps(TOOLS, indent=1)}",
        "\n".join(repr(tool) for tool in TOOLS),
        f"{TOOLS!r} and again {TOOLS!r}",
    ],
)
def test_tools_are_found_however_they_are_listed(text: str) -> None:
    assert [tool.name for tool in tools_in(text)] == NAMES


def test_arguments_are_told_with_their_types() -> None:
    found, book = tools_in(repr(TOOLS))[:2]
    assert found == Tool(
        name="BoatHire.find_boats",
        description="Finds boats that are free on a day; it's quick.",
        arguments=(
            Argument(name="day", type="string", description="ISO date"),
            Argument(name="seats", type="number", description="at least", required=False),
        ),
        returns='[{"name": "boats", "description": "names"}]',
    )
    assert [argument.type for argument in book.arguments] == ["string", "array"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "No tools here, [nor] {there}.",
        "[{'name': 'cut.off', 'description': 'the end is missi",
        "[{'name': 3, 'description': 'a number'}]",
        "{'name': 'no.tool'}",
        "[{'name': __import__('os'), 'description': ''}]",
    ],
)
def test_what_is_no_tool_list_gives_no_tools(text: str) -> None:
    assert tools_in(text) == ()


def test_an_unknown_type_is_text() -> None:
    (tool,) = tools_in(
        "{'name': 'a.b', 'description': '', 'required_parameters': "
        "[{'name': 'x', 'type': 'geo point'}, 'what?', {'type': 'str'}]}"
    )
    assert [(a.name, a.type) for a in tool.arguments] == [("x", "string")]
