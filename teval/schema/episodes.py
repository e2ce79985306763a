"""What an end-to-end try leaves behind: its turns, what came of it, where it left the course."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from teval.schema.paths import Call, Observation
from teval.schema.stored import Frozen

Mistake: TypeAlias = Literal["unreadable", "unknown_tool", "invalid_arguments", "refused"]
"""What a model did wrong in a turn: no call could be read; the tool is not listed; the arguments
do not fit the tool's description; the tool refused a value that fits."""
MISTAKES: tuple[Mistake, ...] = get_args(Mistake)

End: TypeAlias = Literal["finished", "out_of_steps", "context_overflow", "engine_error"]
"""Why an episode ended. ``out_of_steps``: the limit of turns was reached without an answer."""


class Turn(Frozen):
    """One answer of the model and what the world said to it."""

    kind: Literal["plan", "act"] = "act"
    """``plan``: the calls were only written down, nothing was called."""
    request: str
    """Key of the completion."""
    text: str
    """What the model wrote, word for word."""
    thought: str = ""
    call: Call | None = None
    """The call that was read; None in a plan and where none could be read."""
    plan: tuple[Call, ...] = ()
    """The calls that were read, in a plan only."""
    mistake: Mistake | None = None
    observation: Observation | None = None
    """The world's answer, or the remark that nothing could be called; None in a plan and after
    the call that ends the episode."""
    hit_limit: bool = False
    """Whether the engine stopped at its token limit."""
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Episode(Frozen):
    """One end-to-end try at a path's query."""

    path: str
    family: str
    agent: str
    trial: int = 0
    turns: tuple[Turn, ...]
    answer: str = ""
    """What the person was told at the end; empty where the episode ended without."""
    end: End
    error: str = ""
    """Why the engine failed; empty but for ``context_overflow`` and ``engine_error``."""


class Mark(Frozen):
    """How the first try at one gold step of the free run went, as an ability's step case asks."""

    step: int
    """The gold step's id."""
    ability: str
    right: bool


class Deviation(Frozen):
    """Where a failed episode first left every accepted course and did not come back."""

    turn: int | None
    """Number of the turn, from 0; None where the episode ended before the missing step."""
    step: int | None
    """Id of the gold step that was due; None where all steps were done."""
    ability: str | None
    """The ability that failed; None where it is none of the six."""
    why: str
    """The same as a sentence."""


class Outcome(Frozen):
    """What came of an episode."""

    path: str
    family: str
    agent: str
    trial: int = 0
    success: bool
    """Final state as after the gold path, every fact told, nothing unwanted changed."""
    state: float
    """Share of the records that the gold path creates, changes or deletes which are so at the
    end, in [0, 1]; 1 where it changes none."""
    facts: float
    """Share of the answer's facts that were told, in [0, 1]; 1 where there are none."""
    unwanted: int
    """Records that are otherwise than after the gold path though it leaves them as they were, or
    that it does not know."""
    end: End
    turns: int
    calls: int
    """Turns in which a call could be read, the last one not counted."""
    mistakes: dict[Mistake, int]
    hit_limit: int = 0
    """Turns that were cut off at the token limit."""
    prompt_tokens: int
    completion_tokens: int
    marks: tuple[Mark, ...] = ()
    deviation: Deviation | None = None
    """None where the episode succeeded."""

    @property
    def answered(self) -> bool:
        """Whether the model was heard to the end; if not, it was the engine that broke off."""
        return self.end not in ("context_overflow", "engine_error")

    @property
    def lost_at(self) -> str:
        """The ability at which a failed episode left the course, ``answer`` where none was."""
        return (self.deviation and self.deviation.ability) or "answer"


class OutcomeSummary(Frozen):
    """All numbers of the episodes of one model. Shares lie in [0, 1]."""

    name: str
    model: str
    agent: str
    planned: int
    """Episodes planned: the denominator of all shares."""
    families: int
    success: float
    low: float
    high: float
    """95 % interval of success, over families."""
    state: float
    facts: float
    clean: float
    """Share of the planned episodes that were played and left nothing unwanted."""
    unanswered: int
    """Planned episodes that the engine failed at."""
    turns: float
    """Mean over the played episodes, as are the following two."""
    calls: float
    tokens: float
    mistakes: dict[Mistake, int]
    hit_limit: float
    """Share of the turns that were cut off at the token limit."""
    ends: dict[End, int]
    deviations: dict[str, int]
    """Failed episodes by the ability at which they left the course; ``answer`` where none was."""
    floors: dict[str, float] = {}
    """Success of scripted agents on the same tasks, by kind."""
    signature: str


class WinRate(Frozen):
    """How often one model beats the others at the same tasks, ties counting half."""

    name: str
    rate: float
    """In [0, 1]; 0.5 for the reference itself, which is only met by its own equal."""
    low: float
    high: float
    """95 % interval, over families."""
    won: int
    tied: int
    lost: int
    unanswered: int
    """Of its own planned episodes."""


class Arena(Frozen):
    """Models compared at the same tasks."""

    reference: str | None
    """The model that all others are compared with; None where all are with all."""
    planned: int
    """Tasks, one a path and trial, that every model was to try: the denominator."""
    families: int
    left_out: int = 0
    """Tasks that only some of the models were to try."""
    rates: tuple[WinRate, ...]
    matrix: dict[str, dict[str, float]]
    """Win rate of the first name against the second; a model is even with itself."""
    reasons: dict[str, int]
    """What decided, over all comparisons of two different models that went into the rates."""
