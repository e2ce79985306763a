"""Filling slots and arguments: values drawn from a world, or bound to observations."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import jinja2
from jmespath.exceptions import JMESPathError

from teval.authoring.family import TODAY, Family, Slot, binding
from teval.authoring.templates import holds, render, search
from teval.schema import Json, JsonObject


class UnfitError(Exception):
    """This draw does not carry the story; another one may."""


def draw_slots(family: Family, view: JsonObject, rng: Random) -> dict[str, Json]:
    """Return a value by slot name, the clock's date among them as ``today``.

    Args:
        family: Whose slots are filled, in their order.
        view: The world's whole state.
        rng: Where chance comes from.

    Raises:
        UnfitError: No candidate is left for a slot.
    """
    values: dict[str, Json] = {TODAY: family.clock[:10]}
    for name, slot in family.slots.items():
        try:
            values[name] = _draw(slot, values, view, rng)
        except (UnfitError, jinja2.TemplateError, JMESPathError, ValueError) as error:
            raise UnfitError(f"slots.{name}: {error}") from error
    return values


def _draw(slot: Slot, values: Mapping[str, Json], view: JsonObject, rng: Random) -> Json:
    candidates: list[Json] = list(slot.among)
    if slot.text is not None:
        candidates = [render(slot.text, values)]
    elif slot.view is not None:
        expression = render(slot.view, values)
        found = search(expression, view)
        if not isinstance(found, list):
            raise UnfitError(f"{expression} finds no list")
        candidates = found
    if slot.where is not None:
        where = slot.where
        candidates = [c for c in candidates if holds(where, {**values, "it": c})]
    if not candidates:
        raise UnfitError("no candidate")
    return rng.choice(candidates)


def bind(value: Json, values: Mapping[str, Json]) -> Json:
    """Return an argument's value with templates rendered and bindings followed.

    Args:
        value: A template, a binding, a literal, or lists and mappings of them.
        values: Slots and the contents of earlier observations, by name.

    Raises:
        UnfitError: A binding leads nowhere.
        jinja2.TemplateError: A template reads something that is not there.

    >>> bind(["{{ a }}", {"from": "b", "path": "[0].c"}], {"a": "x", "b": [{"c": 5}]})
    ['x', 5]
    """
    if isinstance(value, str):
        return render(value, values)
    if isinstance(value, list):
        return [bind(part, values) for part in value]
    bound = binding(value)
    if bound is not None:
        found = search(bound.path, values[bound.source])
        if found is None:
            raise UnfitError(f"{bound.path} finds nothing in {bound.source}")
        return found
    if isinstance(value, dict):
        return bind_mapping(value, values)
    return value


def bind_mapping(mapping: Mapping[str, Json], values: Mapping[str, Json]) -> JsonObject:
    """Return the mapping with each of its values bound as by :func:`bind`."""
    return {key: bind(part, values) for key, part in mapping.items()}
