"""Plain functions that build what tests need."""

from __future__ import annotations

from teval.schema import (
    Answer,
    Argument,
    Call,
    Comparator,
    Observation,
    ReviewLabel,
    SolutionPath,
    Step,
    TextFacts,
    Tool,
    finish_tool,
)

CITY = Argument(name="city", type="string", description="name of the city")
DAYS = Argument(
    name="days", type="integer", description="1 to 7", required=False, has_default=True, default=3
)
UNIT = Argument(
    name="unit",
    type="string",
    description="",
    required=False,
    has_default=True,
    default="celsius",
    enum=("celsius", "fahrenheit"),
)
FORECAST = Tool(
    name="weather.get_forecast",
    description="Daily forecast for a city.",
    arguments=(CITY, DAYS, UNIT),
    toolkit="weather",
)
CURRENT = Tool(
    name="weather.get_current",
    description="Weather in a city right now.",
    arguments=(CITY,),
    toolkit="weather",
)
ALERTS = Tool(
    name="weather.list_alerts", description="All weather alerts in force.", toolkit="weather"
)
SEND = Tool(
    name="mail.send",
    description="Sends a mail.",
    arguments=(
        Argument(
            name="to",
            type="array",
            items="string",
            description="addresses",
            compare=Comparator(kind="set"),
        ),
        Argument(name="subject", type="string", description="subject line"),
        Argument(name="body", type="string", description="text", compare=Comparator(kind="text")),
    ),
    effect="write",
    toolkit="mail",
)
SEARCH = Tool(
    name="mail.search",
    description="Finds mails by sender.",
    arguments=(Argument(name="sender", type="string", description="name or address"),),
    toolkit="mail",
)
TOOLS = (SEARCH, SEND, CURRENT, FORECAST, ALERTS, finish_tool("Ends the task."))


def make_step(
    number: int,
    call: Call,
    *,
    thought: str = "",
    review: ReviewLabel = "A",
    content: str = "fine",
    needs: tuple[int, ...] = (),
    sound: bool = True,
    planned: bool = True,
    observed: tuple[str, ...] = (),
    alternatives: tuple[Call, ...] = (),
    text: dict[str, TextFacts] | None = None,
) -> Step:
    """One step with an observation; its status follows from the review."""
    failures = {"B": "internal_error", "C": "input_error"}
    return Step(
        id=number,
        thought=thought or f"Step {number} needs {call.name}.",
        thoughts=(f"Now {call.name}, as step {number}.",),
        call=call,
        observation=Observation.model_validate(
            {"status": failures.get(review, "ok"), "content": {"result": content}}
        ),
        review=review,
        sound=sound,
        planned=planned,
        needs=needs,
        observed=observed,
        alternatives=alternatives,
        text=text or {},
    )


def finish_step(number: int, needs: tuple[int, ...] = ()) -> Step:
    """The step that ends a path."""
    return Step(
        id=number,
        thought="All is done, so I can answer.",
        call=Call(name="FinishAction"),
        needs=needs,
    )


def oslo() -> Call:
    """The forecast for one city."""
    return Call(name="weather.get_forecast", args={"city": "Oslo", "days": 2})


def bergen() -> Call:
    """The forecast for another city."""
    return Call(name="weather.get_forecast", args={"city": "Bergen", "days": 2})


def letter() -> Call:
    """A mail about both."""
    return Call(
        name="mail.send",
        args={"to": ["ana@post.example"], "subject": "Trip", "body": "Rain in Oslo at 5 pm."},
    )


def make_path(name: str = "trip_01", family: str = "trip") -> SolutionPath:
    """A path of two independent forecasts (one fails once), a mistake, a mail and the finish."""
    facts = TextFacts(facts=("Oslo", "5 pm"), contradictions=("Bergen",))
    mistake = Call(name="mail.send", args={"to": [], "subject": "Trip"})
    steps = (
        make_step(0, oslo(), review="B", content="timed out", planned=False),
        make_step(1, oslo()),
        make_step(
            2, bergen(), alternatives=(Call(name="weather.get_current", args={"city": "Bergen"}),)
        ),
        make_step(3, mistake, review="C", content="no recipient", sound=False, planned=False),
        make_step(4, letter(), needs=(1, 2), observed=("body",), text={"body": facts}),
        make_step(5, Call(name="weather.list_alerts"), review="E", content="none"),
        finish_step(6, (4, 5)),
    )
    return SolutionPath(
        id=name,
        family=family,
        query="Compare the weather in Oslo and Bergen and mail it to Ana.",
        tools=TOOLS,
        steps=steps,
        answer=Answer(text="Sent.", facts=("Oslo",)),
    )
