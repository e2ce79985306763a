"""The user who asked: knows what a query leaves out, and tells it when asked."""

from __future__ import annotations

from teval.schema import JsonObject
from teval.world.tool import Text, tool
from teval.world.toolkit import Toolkit
from teval.world.values import InputError

NOTHING_MORE = "I have nothing to add to what I asked for."
"""What the user says once all is told."""


class User(Toolkit):
    """The user, who answers each question with the next thing that is left to tell.

    Whatever the question is worded like, so that no good question can miss its answer. What was
    told is no part of the state: asking changes nothing.
    """

    _told = 0

    @tool("read", bare=True)
    def ask_user(self, question: Text) -> JsonObject:
        """Asks the user for something that only the user can know and that the task needs.

        Args:
            question: One plain question, in a sentence.

        Returns:
            The user's answer, in the user's own words.

        Raises:
            InputError: Empty question.
        """
        if not question.strip():
            raise InputError("question is empty; ask for one thing")
        replies = (*self.setting.replies[self._told :], NOTHING_MORE)
        self._told += 1
        return {"answer": replies[0]}
