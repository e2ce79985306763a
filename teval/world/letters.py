"""Mails: the record behind the mail toolkit, and how one comes into the state."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from teval.world.setting import Setting
from teval.world.state import Record, State
from teval.world.values import minute

Folder: TypeAlias = Literal["inbox", "sent", "archive", "travel", "projects", "trash"]


class Mail(Record):
    """One mail, received or sent."""

    table: ClassVar[str] = "mails"
    folder: Folder
    sender: str
    to: tuple[str, ...]
    subject: str
    body: str
    sent: str
    """When, ISO 8601 to the minute."""
    replies_to: str = ""
    """Id of the mail that this one answers."""
    forwards: str = ""
    """Id of the mail that this one passes on."""
    topic: str = ""
    """What a seeded mail is about; for those who write tasks, told by no tool."""
    facts: dict[str, str] = {}
    """The facts that a seeded mail's body tells; told by no tool but in the body."""


def deliver(setting: Setting, state: State, mail: Mail) -> Mail:
    """Return the mail as put into the state: with an id, and sent now if no time is set."""
    timed = mail.model_copy(update={"sent": mail.sent or minute(setting.now)})
    return state.add(timed, setting, "MSG")
