"""What tests of native calls and of answers held to a schema share."""

from __future__ import annotations

from teval.schema import Function, JsonObject, Message, Request, Sampling

FUNCTION = Function(
    name="weather_ask",
    tool="weather.ask",
    description="Weather in a city.",
    parameters={"type": "object", "properties": {"city": {"type": "string"}}},
)
SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"name": {"enum": ["a.b", "c.d"]}, "args": {"type": "object"}},
    "required": ["name", "args"],
    "additionalProperties": False,
}


def offer(text: str = "Weather in Oslo?", constraint: JsonObject | None = None) -> Request:
    """A request that offers one function, or asks for an answer that is held to a schema."""
    return Request(
        prompt=text,
        messages=(Message(role="user", content=text),),
        functions=() if constraint else (FUNCTION,),
        constraint=constraint,
        sampling=Sampling(max_tokens=64),
    )
