"""The user's mailbox."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from teval.schema import JsonObject
from teval.world.correspondence import make_mails
from teval.world.letters import Folder, Mail, deliver
from teval.world.tool import StrSet, Text, When, tool
from teval.world.toolkit import Toolkit
from teval.world.toolkits.contacts import MY_ADDRESS, known_addresses, read_address
from teval.world.values import InputError, clip, holds, page, read_day, read_words, short_text

_MOST_RECIPIENTS = 6
_MOST_SUBJECT = 100
_SNIPPET = 60


class Mailbox(Toolkit):
    """Searching, reading, writing and filing mails."""

    def seed(self) -> None:
        """Put the mails that have come so far; they tell of flights, events and people."""
        for mail in make_mails(self.setting, self.state):
            deliver(self.setting, self.state, mail)

    def others(self, argument: str) -> Sequence[str]:
        """Return ids of received mails, their senders, or words of their subjects."""
        mails = [mail for mail in self.state.all(Mail) if mail.folder != "sent"]
        if argument == "mail_id":
            return [mail.id for mail in mails]
        if argument == "sender":
            return sorted({mail.sender for mail in mails})
        return sorted({mail.subject for mail in mails}) if argument == "words" else ()

    @tool("read", decoy="words")
    def search_mail(
        self,
        words: Text | None = None,
        sender: str | None = None,
        since: When | None = None,
        folder: Literal[Folder, "all"] = "all",
    ) -> JsonObject:
        """Search mails by words, sender or day. Shows only the beginning of each; read_mail gives the whole.

        Args:
            words: Words that must all occur in subject or body.
            sender: Mail address of the sender.
            since: Earliest day as YYYY-MM-DD.
            folder: Folder to search.

        Returns:
            Mails with id, sender, subject, time, folder and beginning, newest first.

        Raises:
            InputError: Neither words nor sender nor day; sender is no mail address.
        """  # noqa: E501
        if words is None and sender is None and since is None:
            raise InputError("give words, sender or since to search by")
        wanted = () if words is None else read_words(words, "words")
        address = None if sender is None else read_address(sender, "sender")
        day = "" if since is None else str(read_day(since, "since", self.setting.today))
        found = [
            mail
            for mail in self.state.all(Mail)
            if holds(wanted, mail.subject, mail.body)
            and address in (None, mail.sender)
            and mail.sent >= day
            and folder in (mail.folder, "all")
        ]
        newest = sorted(found, key=lambda mail: mail.sent, reverse=True)
        return {"words": (words or "")[:60], **page("mails", [_line(mail) for mail in newest])}

    @tool("read", decoy="mail_id")
    def read_mail(self, mail_id: str) -> JsonObject:
        """Read one mail in full.

        Args:
            mail_id: Id of the mail, such as MSG-9T3C.

        Returns:
            Sender, recipients, subject, time, folder and whole body.

        Raises:
            InputError: No such mail.
        """
        mail = self._mail(mail_id)
        links = {"in_reply_to": mail.replies_to, "forwarded": mail.forwards}
        return {
            "mail_id": mail.id,
            "from": mail.sender,
            "to": list(mail.to),
            "subject": mail.subject,
            "sent": mail.sent,
            "folder": mail.folder,
            "body": mail.body,
            **{name: link for name, link in links.items() if link},
        }

    @tool("write")
    def send_mail(self, to: StrSet, subject: Text, body: Text) -> JsonObject:
        """Send a new mail to one or more contacts.

        Args:
            to: Mail addresses of contacts, up to 6.
            subject: Subject line, at most 100 bytes.
            body: Text of the mail, at most 600 bytes.

        Returns:
            Id, recipients and subject of the sent mail.

        Raises:
            InputError: Address of no contact; empty subject or body.
        """
        short_text(subject, "subject", _MOST_SUBJECT)
        _refuse_empty(body)
        return self._send(_sent(self._recipients(to), subject, body))

    @tool("write")
    def reply_mail(self, mail_id: str, body: Text, to_all: bool = False) -> JsonObject:
        """Answer a received mail; goes to its sender under the same subject.

        Args:
            mail_id: Id of the mail to answer.
            body: Text of the answer, at most 600 bytes.
            to_all: Whether the other recipients get it too.

        Returns:
            Id, recipients and subject of the sent answer.

        Raises:
            InputError: No such mail; sent by the user; nobody else got it; empty body.
        """
        mail = self._mail(mail_id)
        _refuse_empty(body)
        if mail.sender == MY_ADDRESS:
            raise InputError(f"{mail.id} was sent by the user; there is nobody to answer")
        rest = [a for a in mail.to if a not in (MY_ADDRESS, mail.sender)] if to_all else []
        if to_all and not rest:
            raise InputError(f"nobody else got {mail.id}; answer it without to_all")
        to = tuple(sorted({mail.sender, *rest}))
        return self._send(_sent(to, _headed("Re: ", mail.subject), body, replies=mail.id))

    @tool("write")
    def forward_mail(self, mail_id: str, to: StrSet, note: Text | None = None) -> JsonObject:
        """Pass a mail on to other contacts, with a note if given.

        Args:
            mail_id: Id of the mail to pass on.
            to: Mail addresses of contacts, up to 6.
            note: Text put above the mail, at most 600 bytes.

        Returns:
            Id, recipients and subject of the sent mail.

        Raises:
            InputError: No such mail; address of no contact.
        """
        mail = self._mail(mail_id)
        subject = _headed("Fwd: ", mail.subject)
        return self._send(_sent(self._recipients(to), subject, note or "", forwards=mail.id))

    @tool("write")
    def move_mail(
        self, mail_id: str, folder: Literal["inbox", "archive", "travel", "projects", "trash"]
    ) -> JsonObject:
        """File a mail into another folder.

        Args:
            mail_id: Id of the mail.
            folder: Where it goes.

        Returns:
            The mail's id, old and new folder.

        Raises:
            InputError: No such mail; already in that folder.
        """
        mail = self._mail(mail_id)
        if mail.folder == folder:
            raise InputError(f"{mail.id} is already in {folder}")
        self.state.put(mail.model_copy(update={"folder": folder}))
        return {"mail_id": mail.id, "from": mail.folder, "to": folder}

    def _mail(self, mail_id: str) -> Mail:
        mail = self.state.get(Mail, mail_id.strip().upper())
        if mail is None:
            raise InputError(f"no mail {clip(mail_id)}; mail.search_mail shows the ids")
        return mail

    def _recipients(self, to: Sequence[str]) -> tuple[str, ...]:
        addresses = known_addresses(self.state, to, "to")
        if len(addresses) > _MOST_RECIPIENTS:
            raise InputError(f"a mail may have at most {_MOST_RECIPIENTS} recipients")
        return addresses

    def _send(self, mail: Mail) -> JsonObject:
        sent = deliver(self.setting, self.state, mail)
        return {"sent": sent.id, "to": list(sent.to), "subject": sent.subject}


def _refuse_empty(body: str) -> None:
    if not body.strip():
        raise InputError("body must not be empty")


def _headed(head: str, subject: str) -> str:
    return subject if subject.startswith(head) else f"{head}{subject}"


def _sent(
    to: tuple[str, ...], subject: str, body: str, replies: str = "", forwards: str = ""
) -> Mail:
    return Mail(
        id="",
        folder="sent",
        sender=MY_ADDRESS,
        to=to,
        subject=subject,
        body=body,
        sent="",
        replies_to=replies,
        forwards=forwards,
    )


def _line(mail: Mail) -> JsonObject:
    body = mail.body if len(mail.body) <= _SNIPPET else f"{mail.body[:_SNIPPET]}..."
    return {
        "mail_id": mail.id,
        "from": mail.sender,
        "subject": mail.subject,
        "sent": mail.sent,
        "folder": mail.folder,
        "begins": body,
    }
