"""Tool names in running text."""

from __future__ import annotations

import pytest

from teval.formats.mentions import Mention, identifier, mentions, trimmed

TOOLS = ["map.search", "map.route", "music.play", "music.playlist", "get_weather", "FinishAction"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("map.search", ["map.search"]),
        ("Call music.playlist for the road trip.", ["music.playlist"]),
        ("map.search with a 3.5 km radius", ["map.search"]),
        ("map.search (see example.com), e.g.", ["map.search"]),
        ("map.search_nearby", []),
        ("map.search.daily", []),
        ("tools.map.search", []),
        ("map.search-all", []),
        ("map.search.", ["map.search"]),
        ("map.search...", ["map.search"]),
        ("`map.search`(x)", ["map.search"]),
        ("应该使用map.search工具", ["map.search"]),
        ("First.Then map.search", ["map.search"]),
        ("1.map.search\n2)get_weather", ["map.search", "get_weather"]),
        ("forget_weather", []),
        ("FinishActionNow", []),
        ("MAP.SEARCH", []),
        ("mapXsearch", []),
        ("map.route, map.search, map.route", ["map.route", "map.search", "map.route"]),
        ("-map.search", ["map.search"]),
        ("", []),
    ],
)
def test_mentions_of_listed_tools(text: str, names: list[str]) -> None:
    assert [mention.name for mention in mentions(text, TOOLS)] == names


def test_a_mention_knows_where_it_stands() -> None:
    assert mentions("use map.search now", TOOLS) == [Mention("map.search", 4, 14)]
    assert mentions("1.map.search", TOOLS) == [Mention("map.search", 2, 12)]


def test_of_names_that_begin_alike_the_longest_is_meant() -> None:
    assert [m.name for m in mentions("use map search", ["map", "map search"])] == ["map search"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("use weather.forecast, e.g. today", ["weather.forecast"]),
        ("Step 1.2: weather.forecast", ["weather.forecast"]),
        ("i.e. maps.geo.locate", ["maps.geo.locate"]),
        ("weather-kit.today", ["weather-kit.today"]),
        ("get_weather or get_news", ["get_weather", "get_news"]),
        ("I am done, FinishAction.", ["FinishAction"]),
        ("mail ines.kov@example.org by mail_room.send", ["mail_room.send"]),
        ("see https://maps.example.org/a.b/c_d, then maps.find", ["maps.find"]),
        ("plain words", []),
    ],
)
def test_without_a_list_identifiers_are_mentions(text: str, names: list[str]) -> None:
    assert [mention.name for mention in mentions(text)] == names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (" a.b. ", "a.b"),
        ("`a.b`", "a.b"),
        ("(a.b)", "a.b"),
        ("“a.b”.", "a.b"),
        ('"a.b."', "a.b"),
        ("<a.b>", "a.b"),
        ("a.b", "a.b"),
    ],
)
def test_names_are_trimmed(text: str, name: str) -> None:
    assert trimmed(text) == name
    assert identifier(text) == name


@pytest.mark.parametrize("text", ["two words", "a.b(c)", "3.5", "", "..."])
def test_other_texts_are_no_identifier(text: str) -> None:
    assert identifier(text) == ""
