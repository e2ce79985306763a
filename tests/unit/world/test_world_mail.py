"""The mail and contacts toolkits."""

from __future__ import annotations

import pytest
from world_cases import build, emails, good, records, refused, text

from teval.schema import JsonObject

ME = "robin.vale@example.org"


def found(content: JsonObject, name: str = "mails") -> list[JsonObject]:
    rows = content[name]
    assert isinstance(rows, list)
    return [row for row in rows if isinstance(row, dict)]


def test_people_are_found_by_parts_of_their_names() -> None:
    world = build()
    people = records(world, "contacts")
    full = text(people[3], "name")
    (one,) = found(good(world, "contacts.find_contact", name=full.upper()), "contacts")
    assert one["email"] == people[3]["id"]
    shared = text(people[14], "name").split()[0]
    assert len(found(good(world, "contacts.find_contact", name=shared), "contacts")) == 2
    assert found(good(world, "contacts.find_contact", name="Nobody"), "contacts") == []
    assert "at least one word" in refused(world, "contacts.find_contact", name=" ")


def test_a_new_contact_can_be_found_and_written_to() -> None:
    world = build()
    new: JsonObject = {"name": "Ilse Varnholt", "email": "Ilse@Example.net "}
    mail: JsonObject = {"to": ["ilse@example.net"], "subject": "Hi", "body": "Welcome."}
    assert "no contact has the address" in refused(world, "mail.send_mail", **mail)
    good(world, "contacts.add_contact", **new)
    assert found(good(world, "contacts.find_contact", name="varnholt"), "contacts")
    good(world, "mail.send_mail", **mail)
    assert "already stored" in refused(world, "contacts.add_contact", **new)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": " "}, "name must not be empty"),
        ({"email": "ilse"}, "email must be a mail address, got 'ilse'"),
        ({"email": "ilse@example"}, "email must be a mail address"),
        ({"email": f"{'x' * 60}@example.net"}, "email must have 1 to 60 bytes"),
    ],
)
def test_contacts_that_make_no_sense(change: JsonObject, message: str) -> None:
    args: JsonObject = {"name": "Ilse", "email": "ilse@example.net", **change}
    assert message in refused(build(), "contacts.add_contact", **args)


def test_mails_are_searched_by_words_sender_day_and_folder() -> None:
    world = build()
    mails = records(world, "mails")
    sender = text(next(m for m in mails if m["topic"]), "sender")
    by_sender = found(good(world, "mail.search_mail", sender=sender))
    assert {m["mail_id"] for m in by_sender} == {m["id"] for m in mails if m["sender"] == sender}
    by_word = found(good(world, "mail.search_mail", words="confirmed BOOKING"))
    assert len(by_word) == 3
    times = [text(m, "sent") for m in by_word]
    assert times == sorted(times, reverse=True)
    day = times[0][:10]
    late = found(good(world, "mail.search_mail", words="confirmed", since=day))
    assert [m["sent"] for m in late] == [t for t in times if t >= day]
    assert found(good(world, "mail.search_mail", words="confirmed", folder="sent")) == []
    assert all(len(text(m, "begins")) <= 63 for m in by_word)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({}, "give words, sender or since"),
        ({"folder": "inbox"}, "give words, sender or since"),
        ({"words": "..."}, "words must hold at least one word"),
        ({"sender": "Bastian"}, "sender must be a mail address"),
        ({"since": "May"}, "since must be a date"),
    ],
)
def test_searches_that_make_no_sense(args: JsonObject, message: str) -> None:
    assert message in refused(build(), "mail.search_mail", **args)


def test_reading_gives_the_whole_body_and_no_hidden_facts() -> None:
    world = build()
    mail = records(world, "mails")[6]
    told = good(world, "mail.read_mail", mail_id=text(mail, "id").lower())
    assert told["body"] == mail["body"]
    assert told.keys() == {"mail_id", "from", "to", "subject", "sent", "folder", "body"}
    assert "no mail 'MSG-0000'" in refused(world, "mail.read_mail", mail_id="MSG-0000")


def test_answers_go_to_the_sender_or_to_all() -> None:
    world = build()
    mail = next(m for m in records(world, "mails") if m["topic"] == "deadline")
    recipients = mail["to"]
    assert isinstance(recipients, list)
    sender, others = mail["sender"], [a for a in recipients if a != ME]
    args: JsonObject = {"mail_id": mail["id"], "body": "Noted."}
    told = good(world, "mail.reply_mail", **args)
    assert told["to"] == [sender]
    assert told["subject"] == f"Re: {mail['subject']}"
    whole = good(world, "mail.read_mail", mail_id=told["sent"])
    assert (whole["in_reply_to"], whole["folder"]) == (mail["id"], "sent")
    everybody = good(world, "mail.reply_mail", **args, to_all=True)["to"]
    assert everybody == sorted([str(sender), *map(str, others)])


def test_answers_that_make_no_sense() -> None:
    world = build()
    lonely = next(m for m in records(world, "mails") if m["to"] == [ME])
    args: JsonObject = {"mail_id": lonely["id"], "body": "Noted."}
    assert "nobody else got" in refused(world, "mail.reply_mail", **args, to_all=True)
    blank: JsonObject = {**args, "body": " "}
    assert "body must not be empty" in refused(world, "mail.reply_mail", **blank)
    sent = good(world, "mail.reply_mail", **args)["sent"]
    own: JsonObject = {**args, "mail_id": sent}
    assert "was sent by the user" in refused(world, "mail.reply_mail", **own)


def test_forwarding_keeps_the_link_and_one_prefix() -> None:
    world = build()
    mail, people = records(world, "mails")[4], emails(world)
    first = good(world, "mail.forward_mail", mail_id=mail["id"], to=people[:1], note="See below.")
    whole = good(world, "mail.read_mail", mail_id=first["sent"])
    assert (whole["forwarded"], whole["body"]) == (mail["id"], "See below.")
    again = good(world, "mail.forward_mail", mail_id=first["sent"], to=people[1:2])
    assert again["subject"] == first["subject"] == f"Fwd: {mail['subject']}"
    many: JsonObject = {"mail_id": mail["id"], "to": people[:7]}
    assert "at most 6 recipients" in refused(world, "mail.forward_mail", **many)


def test_mails_are_filed() -> None:
    world = build()
    mail = next(m for m in records(world, "mails") if m["folder"] == "inbox")
    told = good(world, "mail.move_mail", mail_id=mail["id"], folder="travel")
    assert (told["from"], told["to"]) == ("inbox", "travel")
    args: JsonObject = {"mail_id": mail["id"], "folder": "travel"}
    assert "already in travel" in refused(world, "mail.move_mail", **args)
    assert [
        m["mail_id"]
        for m in found(good(world, "mail.search_mail", since="2030-06-01", folder="travel"))
    ] == [mail["id"]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"subject": ""}, "subject must have 1 to 100 bytes"),
        ({"subject": "ü" * 51}, "subject must have 1 to 100 bytes"),
        ({"body": ""}, "body must not be empty"),
        ({"to": []}, "to must hold at least one address"),
        ({"to": ["robin"]}, "to must be a mail address"),
    ],
)
def test_mails_that_make_no_sense(change: JsonObject, message: str) -> None:
    world = build()
    args: JsonObject = {"to": emails(world)[:1], "subject": "Hi", "body": "At noon.", **change}
    assert message in refused(world, "mail.send_mail", **args)
