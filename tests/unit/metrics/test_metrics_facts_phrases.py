"""Facts in several words."""

from __future__ import annotations

import pytest

from teval.metrics.facts_phrases import AHEAD, phrase


def words(text: str) -> list[str]:
    return [*text.split(), *[""] * AHEAD]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("4 may", "--05-04"),
        ("1 january", "--01-01"),
        ("31 december", "--12-31"),
        ("4th may", "--05-04"),
        ("4 of may", "--05-04"),
        ("fourth of may", "--05-04"),
        ("twenty first of january", "--01-21"),
        ("may 4", "--05-04"),
        ("may 4th", "--05-04"),
        ("may the 4th", "--05-04"),
        ("september . 30", "--09-30"),
        ("december twenty fifth", "--12-25"),
        ("4 may 2031", "--05-04 2031"),
        ("4 of may , 2031", "--05-04 2031"),
        ("may 4 , 2031", "--05-04 2031"),
        ("31 october . 2031", "--10-31 2031"),
        ("half past three", "03:30"),
        ("half past 12", "12:30"),
        ("a quarter past eight", "08:15"),
        ("quarter after 8", "08:15"),
        ("quarter to one", "12:45"),
        ("quarter to twelve", "11:45"),
        ("20 minutes past 5", "05:20"),
        ("ten past five", "05:10"),
        ("five o'clock", "05:00"),
        ("one o'clock", "01:00"),
        ("12 o'clock", "12:00"),
        ("half past 15:00", "15:30"),
        ("quarter to 00:00", "23:45"),
        ("quarter past eight in the morning", "08:15"),
        ("quarter to seven in the evening", "18:45"),
        ("half past three in the afternoon", "15:30"),
        ("quarter to one in the afternoon", "12:45"),
        ("quarter to twelve in the morning", "11:45"),
        ("half past twelve in the afternoon", "12:30"),
        ("half past twelve at night", "00:30"),
        ("quarter to twelve at night", "23:45"),
        ("six o'clock at night", "18:00"),
        ("ten to six o'clock", None),
        ("five o'clock at night", "05:00"),
        ("03:30 in the afternoon", "15:30"),
        ("12:30 in the morning", "00:30"),
        ("01:05 at night", "01:05"),
        ("5", "5"),
        ("two hundred", "200"),
        ("-2.5", "-2.5"),
        ("minus 20", "-20"),
        ("minus twenty degrees celsius", "-20 celsius"),
        ("minus -20", "-20"),
        ("20 ° c", "20 celsius"),
        ("68 degrees fahrenheit", "68 fahrenheit"),
        ("1 degree", "1 degrees"),
        ("5 °", "5 degrees"),
        ("euro 40", "40 euro"),
        ("dollar 2 million", "2000000 dollar"),
        ("40 euro", "40 euro"),
        ("15 per cent", "15 percent"),
        ("2.5 kilograms", "2.5 kg"),
        ("50 kilometres", "50 km"),
        ("two hundred kilometres", "200 km"),
        ("90 min", "90 minutes"),
        ("one hour", "1 hours"),
        ("24 h", "24 hours"),
        ("30 lbs", "30 lb"),
        ("third", "3th"),
        ("twenty third", "23th"),
    ],
)
def test_a_fact_is_read_to_its_end(text: str, tokens: str | None) -> None:
    found = phrase(words(text), 0)
    if tokens is None:
        assert found is None or found.end < len(text.split())
    else:
        assert found == (tuple(tokens.split()), len(text.split()))


@pytest.mark.parametrize(
    ("text", "tokens", "length"),
    [
        ("5 may be late", "5", 1),
        ("4 may 17:00", "--05-04", 2),
        ("may 4 , 20 people", "--05-04", 2),
        ("may 4 2031.5", "--05-04", 2),
        ("100 may", "100", 1),
        ("32 may", "32", 1),
        ("0 may", "0", 1),
        ("may 32", None, 0),
        ("5 of them", "5", 1),
        ("half past 15:30", None, 0),
        ("five o'clock in one afternoon", "05:00", 2),
        ("half to three", None, 0),
        ("a half past three", None, 0),
        ("half of three", None, 0),
        ("half past 13", None, 0),
        ("half past 0", None, 0),
        ("quarter of a litre", None, 0),
        ("past three", None, 0),
        ("five to seven", "5", 1),
        ("a three", None, 0),
        ("100 past 5", "100", 1),
        ("2.5 past 5", "2.5", 1),
        ("five", "5", 1),
        ("5 in the morning", "5", 1),
        ("15:30 in the afternoon", None, 0),
        ("00:30 at night", None, 0),
        ("03:30 in the city", None, 0),
        ("03:30 at home", None, 0),
        ("03:30", None, 0),
        ("may three", None, 0),
        ("may", None, 0),
        ("minus", None, 0),
        ("euro", None, 0),
        ("20 c", "20", 1),
        ("20 per day", "20", 1),
        ("euro 40 minutes", "40 euro", 2),
        ("12b", None, 0),
        ("4th", None, 0),
        ("--05-04", None, 0),
        ("once you are here", None, 0),
        ("once a day", "1 times", 1),
        ("once every day", "1 times", 1),
        ("031 may", "031", 1),
        ("ten hours past five", "10 hours", 2),
        ("13:30 in the afternoon", None, 0),
        ("20 of cent", "20", 1),
        ("0004 may", "0004", 1),
        ("33 may", "33", 1),
        ("a ten past five", None, 0),
        ("quarter until three", None, 0),
        ("03:30 during the afternoon", None, 0),
        ("word", None, 0),
        ("", None, 0),
    ],
)
def test_no_more_than_the_fact_is_read(text: str, tokens: str | None, length: int) -> None:
    found = phrase(words(text), 0)
    assert found == (None if tokens is None else (tuple(tokens.split()), length))


@pytest.mark.parametrize(
    ("text", "at", "token"),
    [
        ("at 8 in the evening", 1, "20:00"),
        ("by eight in the morning", 1, "08:00"),
        ("until 12 at night", 1, "00:00"),
        ("from 6 at night", 1, "18:00"),
        ("from 5 at night", 1, "05:00"),
        ("at five to seven", 1, "06:55"),
        ("at ten minutes to one", 1, "12:50"),
        ("at 0 to seven", 1, "0"),
        ("on may 4", 1, "--05-04"),
        ("at a quarter past eight", 1, "08:15"),
        ("on the third", 2, "3th"),
        ("for minus 20", 1, "-20"),
        ("for about minus 20", 2, "-20"),
        ("at one to one", 1, "12:59"),
        ("leave at five to seven", 2, "06:55"),
        ("call by eight in the morning", 2, "08:00"),
        ("please call by eight in the morning", 3, "08:00"),
        ("on sat", 1, "saturday"),
        ("every sun", 1, "sunday"),
        ("mon and wed", 2, "wednesday"),
        ("meet mon and wed", 3, "wednesday"),
        ("friday , sat", 2, "saturday"),
        ("thursday to sun", 2, "sunday"),
        ("wed 4th", 0, "wednesday"),
        ("mon 17:00", 0, "monday"),
        ("sat --05-04", 0, "saturday"),
    ],
)
def test_what_stands_before_helps(text: str, at: int, token: str) -> None:
    found = phrase(words(text), at)
    assert found is not None
    assert found.tokens == (token,)
    assert found.end > at


@pytest.mark.parametrize(
    ("text", "at"), [("the cat sat", 2), ("sun and sea", 0), ("he sat down", 1), ("sea and sun", 2)]
)
def test_short_days_may_be_other_words(text: str, at: int) -> None:
    assert phrase(words(text), at) is None
