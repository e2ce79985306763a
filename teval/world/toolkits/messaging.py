"""The user's text messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from teval.schema import JsonObject
from teval.world.chats import ChatMessage, digits, make_messages, post
from teval.world.tool import Text, When, tool
from teval.world.toolkit import Toolkit
from teval.world.toolkits.contacts import Contact
from teval.world.toolkits.device import require_connection
from teval.world.values import InputError, clip, holds, page, read_day, read_words

_SNIPPET = 60


class Messaging(Toolkit):
    """Reading what has come, writing with a connection, and tidying up."""

    def seed(self) -> None:
        """Put the messages of the last days; most are with contacts."""
        for message in make_messages(self.setting, self.state):
            post(self.setting, self.state, message)

    def others(self, argument: str) -> Sequence[str]:
        """Return phone numbers that messages came from, or texts of messages."""
        received = [m for m in self._live() if m.direction == "received"]
        if argument == "phone":
            return sorted({m.phone for m in received})
        return sorted({m.text for m in received}) if argument == "words" else ()

    @tool("read")
    def list_conversations(self, unread_only: bool = False) -> JsonObject:
        """List with which phone numbers the user has exchanged messages.

        Shows only the beginning of the last message; read_conversation gives all of them whole.
        Works without a connection.

        Args:
            unread_only: Whether to list only conversations with unread messages.

        Returns:
            Phone number, number of unread messages, time, direction and beginning of the last
            message, newest first; no names.
        """
        talks = _by_phone(self._live()).values()
        lines = [_summary(talk) for talk in talks if not unread_only or _unread(talk)]
        return page("conversations", lines)

    @tool("read", decoy="phone")
    def read_conversation(self, phone: str, since: When | None = None) -> JsonObject:
        """Read the messages exchanged with one phone number in full.

        Works without a connection and does not mark them as read.

        Args:
            phone: Phone number of a contact or of a conversation, such as 555-0142.
            since: Earliest day as YYYY-MM-DD; all days if left out.

        Returns:
            Messages with id, direction, text, time and whether unread, newest first; none if
            nothing was exchanged.

        Raises:
            InputError: No phone number; number of no contact and no conversation.
        """
        wanted = _read_phone(phone)
        day = "" if since is None else str(read_day(since, "since", self.setting.today))
        talk = [m for m in self._live() if digits(m.phone) == wanted]
        if not talk and self._contact(wanted) is None:
            raise InputError(
                f"no contact and no conversation has the number {clip(phone)}; "
                "messaging.list_conversations and contacts.find_contact show numbers"
            )
        told = page("messages", [_entry(m) for m in talk if m.sent >= day])
        return {"phone": phone.strip(), **told}

    @tool("read", decoy="words")
    def search_messages(
        self, words: Text, phone: str | None = None, since: When | None = None
    ) -> JsonObject:
        """Search received and sent messages by words. Works without a connection.

        Args:
            words: Words that must all occur in the text.
            phone: Phone number of the other side; all numbers if left out.
            since: Earliest day as YYYY-MM-DD; all days if left out.

        Returns:
            Messages with id, phone number, direction, text, time and whether unread, newest first;
            none if nothing fits.

        Raises:
            InputError: No words; no phone number.
        """
        wanted = read_words(words, "words")
        number = None if phone is None else _read_phone(phone)
        day = "" if since is None else str(read_day(since, "since", self.setting.today))
        found = [
            {**_entry(m), "phone": m.phone}
            for m in self._live()
            if holds(wanted, m.text) and number in (None, digits(m.phone)) and m.sent >= day
        ]
        return {"words": words[:60], **page("messages", found)}

    @tool("write")
    def send_message(self, phone: str, text: Text) -> JsonObject:
        """Send a text message to one contact. Needs a connection.

        Args:
            phone: Phone number of a contact, such as 555-0142.
            text: What to write, at most 600 bytes.

        Returns:
            Id, phone number, name of the contact and text of the sent message.

        Raises:
            InputError: No connection; number of no contact; empty text.
        """
        require_connection(self.state)
        contact = self._contact(_read_phone(phone))
        if contact is None:
            raise InputError(
                f"no contact has the number {clip(phone)}; contacts.find_contact knows numbers"
            )
        if not text.strip():
            raise InputError("text must not be empty")
        message = ChatMessage(id="", phone=contact.phone, direction="sent", text=text, sent="")
        sent = post(self.setting, self.state, message)
        return {"sent": sent.id, "phone": sent.phone, "to": contact.name, "text": sent.text}

    @tool("write")
    def mark_read(self, phone: str) -> JsonObject:
        """Mark all unread messages from one phone number as read.

        Args:
            phone: Phone number of a conversation, such as 555-0142.

        Returns:
            The phone number and how many messages were marked.

        Raises:
            InputError: No phone number; nothing unread from it.
        """
        wanted = _read_phone(phone)
        fresh = [m for m in self._live() if digits(m.phone) == wanted and m.unread]
        if not fresh:
            raise InputError(
                f"nothing unread from {clip(phone)}; messaging.list_conversations with "
                "unread_only shows where there is"
            )
        for message in fresh:
            self.state.put(message.model_copy(update={"unread": False}))
        return {"phone": fresh[0].phone, "marked": len(fresh)}

    @tool("write")
    def delete_message(self, message_id: str) -> JsonObject:
        """Remove one message from the user's phone for good; the other side keeps it.

        Args:
            message_id: Id of the message, such as TXT-6R2M.

        Returns:
            Id, phone number and beginning of the deleted message.

        Raises:
            InputError: No such message.
        """
        message = self.state.get(ChatMessage, message_id.strip().upper())
        if message is None or message.deleted:
            raise InputError(
                f"no message {clip(message_id)}; messaging.read_conversation shows the ids"
            )
        self.state.put(message.model_copy(update={"deleted": True, "unread": False}))
        return {"deleted": message.id, "phone": message.phone, "begins": _begin(message.text)}

    def _live(self) -> list[ChatMessage]:
        """Return all messages that are still there, newest first."""
        live = [m for m in reversed(self.state.all(ChatMessage)) if not m.deleted]
        return sorted(live, key=lambda m: m.sent, reverse=True)

    def _contact(self, number: str) -> Contact | None:
        every = self.state.all(Contact)
        return next((c for c in every if digits(c.phone) == number), None)


def _read_phone(text: str) -> str:
    """Return the digits of a phone number.

    Raises:
        InputError: It holds fewer than five.
    """
    found = digits(text)
    if len(found) < 5:
        raise InputError(f"phone must be a phone number such as 555-0142, got {clip(text)}")
    return found


def _by_phone(messages: Iterable[ChatMessage]) -> dict[str, list[ChatMessage]]:
    talks: dict[str, list[ChatMessage]] = {}
    for message in messages:
        talks.setdefault(message.phone, []).append(message)
    return talks


def _unread(talk: Sequence[ChatMessage]) -> int:
    return sum(m.unread for m in talk)


def _summary(talk: Sequence[ChatMessage]) -> JsonObject:
    last = talk[0]
    return {
        "phone": last.phone,
        "unread": _unread(talk),
        "last": last.sent,
        "direction": last.direction,
        "begins": _begin(last.text),
    }


def _entry(message: ChatMessage) -> JsonObject:
    return {
        "message_id": message.id,
        "direction": message.direction,
        "text": message.text,
        "sent": message.sent,
        "unread": message.unread,
    }


def _begin(text: str) -> str:
    return text if len(text) <= _SNIPPET else f"{text[:_SNIPPET]}..."
