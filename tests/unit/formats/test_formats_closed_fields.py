"""Labelled text whose fields are closed by a text of their own, and fields of truth values."""

from __future__ import annotations

import pytest

from teval.formats import json_format, string_format
from teval.schema import Field, JsonObject, Shape

SHAPE = Shape(
    (
        Field("thought", "string", "<why>", end="</why>"),
        Field("name", "string", "<tool>", end="</tool>"),
        Field("args", "object", "<with>", end="</with>"),
    )
)
VALUES: JsonObject = {"thought": "I\nlook.", "name": "a.b", "args": {"x": "</tool>"}}


def test_what_is_rendered_is_read_back() -> None:
    text = string_format.render(VALUES, SHAPE)
    assert text.endswith("</with>")
    reply = string_format.parse(text, SHAPE)
    assert reply.values == VALUES
    assert reply.well_formed


@pytest.mark.parametrize(
    ("text", "well_formed"),
    [
        ('<why>so</why>\n<tool>a.b</tool>\n<with>{"x": 1}</with>', True),
        ('<why>so\n<tool>a.b\n<with>{"x": 1}', False),
        ('<why>so</why>\n<tool>a.b</tool>\n<with>{"x": 1}</with> Good luck!', False),
        ('<why>so</why>, then\n<tool>a.b</tool>\n<with>{"x": 1}</with>', False),
    ],
)
def test_a_field_ends_where_it_is_closed(text: str, well_formed: bool) -> None:
    reply = string_format.parse(text, SHAPE)
    assert reply.values == {"thought": "so", "name": "a.b", "args": {"x": 1}}
    assert reply.parsed
    assert reply.well_formed == well_formed


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{"done": true}', {"ok": True}),
        ('{"done": 1}', {}),
        ('{"done": "true"}', {}),
        ('{"done": null}', {}),
    ],
)
def test_true_is_no_number(text: str, values: JsonObject) -> None:
    assert json_format.parse(text, Shape((Field("ok", "boolean", "done"),))).values == values


@pytest.mark.parametrize(
    "field", [Field("x", "string"), Field("x", "integer"), Field("x", "object")]
)
def test_true_fits_no_other_type(field: Field) -> None:
    assert not json_format.fits(True, field)
