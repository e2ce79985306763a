"""The user's account with an online service: profile, sessions, and a sign-in to confirm."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar, Literal, TypeAlias, get_args

from teval.schema import JsonObject
from teval.world.chats import ChatMessage, post
from teval.world.letters import Mail, deliver
from teval.world.places import CITIES
from teval.world.setting import Setting
from teval.world.state import Record
from teval.world.tool import tool
from teval.world.toolkit import Toolkit
from teval.world.toolkits.contacts import ME, MY_ADDRESS, read_address
from teval.world.values import InputError, clip, minute, page, short_text

CODE_PHONE = "+44 20 7946 0105"
"""Number that one-time codes come from by text message."""
CODE_ADDRESS = "codes@example.org"
"""Address that one-time codes come from by mail."""
MY_PHONE = "+44 20 7946 0199"
Sender: TypeAlias = Literal["message", "mail"]
Topic: TypeAlias = Literal["security", "reminders", "offers", "newsletter"]
Channel: TypeAlias = Literal["mail", "message", "none"]
_MINE = "me"
_MOST_NAME = 60
_DEVICES = ("laptop", "tablet", "television", "desktop", "phone", "shared computer")
_APPS = ("browser", "app")
_CITY_OF = (0, 1, 1, 2, 2, 3, 4)
"""Which drawn city each session is in."""


class Profile(Record):
    """What the account says of the user; there is one."""

    table: ClassVar[str] = "profile"
    display_name: str
    recovery_email: str
    member_since: str


class SignIn(Record):
    """Whether the user has confirmed to be the one who is signed in; there is one."""

    table: ClassVar[str] = "sign_in"
    confirmed: bool = False


class Code(Record):
    """The last one-time code sent by one channel, which is its id."""

    table: ClassVar[str] = "codes"
    code: str
    nth: int
    """How many codes the channel has sent."""
    used: bool = False


class Notification(Record):
    """How the account tells of one topic, which is its id."""

    table: ClassVar[str] = "notifications"
    channel: Channel


class Session(Record):
    """One place where the account is signed in."""

    table: ClassVar[str] = "sessions"
    device: str
    app: str
    city: str
    last_active: str
    """ISO 8601 to the minute."""
    current: bool = False
    ended: bool = False


class Account(Toolkit):
    """Looking is free; ending sessions and changing the recovery address need a one-time code."""

    def seed(self) -> None:
        """Put the profile, seven sessions, and a message with a code long out of date."""
        rng = self.setting.rng("account")
        since = self.setting.today - timedelta(rng.randrange(400, 3000))
        self.state.put(
            Profile(
                id=_MINE,
                display_name=ME,
                recovery_email=f"r.vale{rng.randrange(10, 99)}@example.net",
                member_since=str(since),
            )
        )
        self.state.put(SignIn(id=_MINE))
        for topic in get_args(Topic):
            channel: Channel = rng.choice(get_args(Channel))
            self.state.put(Notification(id=topic, channel=channel))
        for session in _sessions(self.setting):
            self.state.put(session)
        post(self.setting, self.state, self._old_code())

    @tool("read")
    def get_profile(self) -> JsonObject:
        """Get the user's profile, whether the sign-in is confirmed, and the notification settings.

        Returns:
            Display name, recovery address, phone number, day of joining, whether the sign-in is
            confirmed, and by topic how notifications come.
        """
        profile = self._profile()
        by_topic: JsonObject = {n.id: n.channel for n in self.state.all(Notification)}
        return {
            "display_name": profile.display_name,
            "recovery_email": profile.recovery_email,
            "phone": MY_PHONE,
            "member_since": profile.member_since,
            "sign_in_confirmed": self._confirmed(),
            "notifications": by_topic,
        }

    @tool("read")
    def list_sessions(self, app: Literal["browser", "app", "all"] = "all") -> JsonObject:
        """List where the account is signed in, the current session included.

        Args:
            app: Which kind of sessions to list.

        Returns:
            Sessions with id, device, app, city, time of last activity and whether it is the
            current one, last active first.
        """
        live = [s for s in self.state.all(Session) if not s.ended and app in (s.app, "all")]
        live.sort(key=lambda s: (s.last_active, s.id), reverse=True)
        return page("sessions", [_entry(s) for s in live])

    @tool("write")
    def request_code(self, channel: Sender = "message") -> JsonObject:
        """Have a one-time code sent that confirm_code takes. Replaces the channel's earlier code.

        Args:
            channel: Whether the code comes as a text message to the user's phone, found with the
                messaging tools, or as a mail, found with the mail tools.

        Returns:
            The channel, and the number or address that the code comes from; not the code.

        Raises:
            InputError: The sign-in is already confirmed.
        """
        self._refuse_confirmed()
        last = self.state.get(Code, channel)
        nth = last.nth + 1 if last else 1
        code = _drawn(self.setting, f"{channel}:{nth}")
        self.state.put(Code(id=channel, code=code, nth=nth))
        words = f"Your one-time code is {code}. Never pass it on to anyone."
        if channel == "mail":
            deliver(self.setting, self.state, _mail(words))
        else:
            post(self.setting, self.state, _text(words))
        source = CODE_ADDRESS if channel == "mail" else CODE_PHONE
        return {"sent_by": channel, "from": source}

    @tool("write")
    def confirm_code(self, code: str) -> JsonObject:
        """Confirm the sign-in with a one-time code that request_code had sent.

        Args:
            code: The six digits, such as 204817.

        Returns:
            That the sign-in is confirmed.

        Raises:
            InputError: Not six digits; wrong or replaced code; the sign-in is already confirmed.
        """
        self._refuse_confirmed()
        digits = code.replace(" ", "")
        if len(digits) != 6 or not (digits.isascii() and digits.isdecimal()):
            raise InputError(f"code must have six digits, got {clip(code)}")
        found = next((c for c in self.state.all(Code) if c.code == digits and not c.used), None)
        if found is None:
            raise InputError(
                f"code {digits} is wrong or out of date; account.request_code sends a new one"
            )
        self.state.put(found.model_copy(update={"used": True}))
        self.state.put(SignIn(id=_MINE, confirmed=True))
        return {"sign_in_confirmed": True}

    @tool("write")
    def end_session(self, session_id: str) -> JsonObject:
        """Sign the account out somewhere else. Needs a confirmed sign-in.

        Args:
            session_id: Id of the session, such as SES-4H7P.

        Returns:
            Id, device and city of the ended session.

        Raises:
            InputError: Sign-in not confirmed; no such session; it is the current one.
        """
        self._require_confirmed()
        session = self.state.get(Session, session_id.strip().upper())
        if session is None or session.ended:
            raise InputError(f"no session {clip(session_id)}; account.list_sessions shows the ids")
        if session.current:
            raise InputError(f"{session.id} is the current session, which can't be ended here")
        self.state.put(session.model_copy(update={"ended": True}))
        return {"ended": session.id, "device": session.device, "city": session.city}

    @tool("write")
    def change_display_name(self, name: str) -> JsonObject:
        """Change the name under which others see the account.

        Args:
            name: New display name, at most 60 bytes.

        Returns:
            The old and the new name.

        Raises:
            InputError: Empty or too long; already the display name.
        """
        short_text(name, "name", _MOST_NAME)
        profile, new = self._profile(), name.strip()
        if new == profile.display_name:
            raise InputError(f"the display name is already {clip(new)}")
        self.state.put(profile.model_copy(update={"display_name": new}))
        return {"from": profile.display_name, "to": new}

    @tool("write")
    def change_recovery_email(self, email: str) -> JsonObject:
        """Change the mail address that helps to get back into the account. Needs a confirmed sign-in.

        Args:
            email: New mail address, at most 60 bytes.

        Returns:
            The old and the new address.

        Raises:
            InputError: Sign-in not confirmed; not a mail address; already the recovery address.
        """  # noqa: E501
        self._require_confirmed()
        profile, new = self._profile(), read_address(email, "email")
        if new == profile.recovery_email:
            raise InputError(f"the recovery address is already {new}")
        self.state.put(profile.model_copy(update={"recovery_email": new}))
        return {"from": profile.recovery_email, "to": new}

    @tool("write")
    def set_notification(self, topic: Topic, channel: Channel) -> JsonObject:
        """Choose how the account tells the user of one topic.

        Args:
            topic: What is told.
            channel: How it is told; none switches it off.

        Returns:
            The topic with its old and new channel.

        Raises:
            InputError: Already told that way.
        """
        old = self.state.get(Notification, topic)
        if old is not None and old.channel == channel:
            raise InputError(f"notifications of {topic} already come by {channel}")
        self.state.put(Notification(id=topic, channel=channel))
        return {"topic": topic, "from": old.channel if old else "none", "to": channel}

    def _profile(self) -> Profile:
        return self.state.all(Profile)[0]

    def _confirmed(self) -> bool:
        return any(s.confirmed for s in self.state.all(SignIn))

    def _refuse_confirmed(self) -> None:
        if self._confirmed():
            raise InputError("the sign-in is already confirmed; no code is needed")

    def _require_confirmed(self) -> None:
        if not self._confirmed():
            raise InputError(
                "the sign-in is not confirmed: account.request_code sends a one-time code, "
                "account.confirm_code takes it"
            )

    def _old_code(self) -> ChatMessage:
        code = _drawn(self.setting, "old")
        sent = minute(self.setting.now - timedelta(days=2, minutes=17))
        words = f"Your one-time code is {code}. Never pass it on to anyone."
        return _text(words).model_copy(update={"sent": sent, "topic": "old_code"})


def _drawn(setting: Setting, topic: str) -> str:
    return str(setting.rng(f"code:{topic}").randrange(100_000, 1_000_000))


def _text(words: str) -> ChatMessage:
    return ChatMessage(id="", phone=CODE_PHONE, direction="received", text=words, sent="")


def _mail(words: str) -> Mail:
    return Mail(
        id="",
        folder="inbox",
        sender=CODE_ADDRESS,
        to=(MY_ADDRESS,),
        subject="Your one-time code",
        body=words,
        sent="",
    )


def _sessions(setting: Setting) -> list[Session]:
    """Return the current session and six others; two are on devices of one kind."""
    rng = setting.rng("sessions")
    devices = list(_DEVICES)
    rng.shuffle(devices)
    kinds = ["phone", *devices[:5], devices[0]]
    cities = [city.name for city in CITIES]
    rng.shuffle(cities)
    times = [setting.now, *(_past(setting, rng.randrange(2, 90 * 24)) for _ in kinds[1:])]
    return [
        Session(
            id=setting.new_id("SES", n),
            device=kind,
            app="app" if n == 0 else rng.choice(_APPS),
            city=cities[_CITY_OF[n]],
            last_active=minute(time),
            current=n == 0,
        )
        for n, (kind, time) in enumerate(zip(kinds, times, strict=True))
    ]


def _past(setting: Setting, hours: int) -> datetime:
    return setting.now - timedelta(hours=hours, minutes=hours % 60)


def _entry(session: Session) -> JsonObject:
    return {
        "session_id": session.id,
        "device": session.device,
        "app": session.app,
        "city": session.city,
        "last_active": session.last_active,
        "current": session.current,
    }
