"""Whether a person could know a value: from the query, an observation, or the calendar."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

from teval.authoring.templates import MONTHS, render
from teval.schema import Json


def leaves(value: Json) -> Iterator[str | int | float | bool]:
    """Yield all single values in a JSON value, keys and nulls left out.

    >>> list(leaves({"a": [1, None], "b": {"c": "x"}}))
    [1, 'x']
    """
    if isinstance(value, dict):
        for part in value.values():
            yield from leaves(part)
    elif isinstance(value, list):
        for part in value:
            yield from leaves(part)
    elif value is not None:
        yield value


def says(text: str, fact: str) -> bool:
    """Return whether a text holds a fact as whole words, whatever the letters' case.

    >>> says("It costs 120 EUR.", "120"), says("It costs 1200 EUR.", "120")
    (True, False)
    """
    return re.search(rf"(?<![\w.]){re.escape(fact)}(?!\w|\.\d)", text, re.IGNORECASE) is not None


def derivable(value: str | int | float | bool, text: str, today: str) -> bool:
    """Return whether a single value can be known.

    A yes or no always can. A number must stand in the text, a month's as its name at least. Of a
    string, each word must stand there. A date may be written in words or, up to a week ahead, as
    ``today``, ``tomorrow`` or a weekday; of a moment, date and time must both be known.

    Args:
        value: The value in question.
        text: All that is known: the query and the observations before.
        today: The clock's date, ISO 8601.

    >>> derivable("2031-05-06T14:30:00", "Lunch on 6 May 2031 at 14:30", "2031-05-04")
    True
    >>> derivable("2031-05-05", "Will it rain tomorrow?", "2031-05-04")
    True
    """
    if isinstance(value, bool):
        return True
    if not isinstance(value, str):
        month = MONTHS[value - 1] if isinstance(value, int) and 1 <= value <= 12 else ""
        short = f"{value:g}" if isinstance(value, float) else ""
        return any(says(text, form) for form in (short, str(value), month) if form)
    moment = re.fullmatch(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::\d\d)?)?", value)
    if moment is None or not is_date(moment[1]):
        words = re.findall(r"\d\d:\d\d|\w+", value)
        return says(text, value) or all(
            says(text, word) or _time_known(word, text) for word in words
        )
    date, time = moment.groups()
    return _date_known(date, text, today) and (time is None or _time_known(time, text))


def is_date(text: str) -> bool:
    """Return whether a text is a day of the calendar, ISO 8601.

    >>> is_date("2031-02-28"), is_date("2031-02-30")
    (True, False)
    """
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _date_known(date: str, text: str, today: str) -> bool:
    words = render("{{ d | in_words }}", {"d": date})
    names = [words, words.rsplit(" ", 1)[0]]
    ahead = (dt.date.fromisoformat(date) - dt.date.fromisoformat(today)).days
    if 0 <= ahead <= 7:
        names.append(render("{{ d | weekday }}", {"d": date}))
    names += {0: ["today", "tonight"], 1: ["tomorrow"]}.get(ahead, [])
    return date in text or any(says(text, name) for name in names)


def _time_known(time: str, text: str) -> bool:
    return any(says(text, t) for t in (time, time.removeprefix("0"))) or f"T{time}" in text
