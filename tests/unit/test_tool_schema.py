"""Tools as function-calling interfaces are told of them."""

from __future__ import annotations

from factories import TOOLS

KINDS = {"string", "integer", "number", "boolean", "array", "object"}


def test_a_tools_schema_says_what_is_required_inside() -> None:
    for tool in TOOLS:
        schema = tool.json_schema()
        assert set(schema) == {"type", "properties", "required", "additionalProperties"}
        assert schema["type"] == "object"
        properties, required = schema["properties"], schema["required"]
        assert isinstance(properties, dict)
        assert isinstance(required, list)
        assert list(properties) == [a.name for a in tool.arguments]
        assert required == [a.name for a in tool.arguments if a.required]
        for told in properties.values():
            assert isinstance(told, dict)
            assert told["type"] in KINDS
            assert "required" not in told


def test_defaults_choices_and_items_are_told() -> None:
    schemas = {tool.name: tool.json_schema()["properties"] for tool in TOOLS}
    forecast, mail = schemas["weather.get_forecast"], schemas["mail.send"]
    assert isinstance(forecast, dict)
    assert isinstance(mail, dict)
    assert forecast["unit"] == {
        "type": "string",
        "description": "",
        "enum": ["celsius", "fahrenheit"],
        "default": "celsius",
    }
    assert mail["to"] == {
        "type": "array",
        "description": "addresses",
        "items": {"type": "string"},
    }
