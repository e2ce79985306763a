"""Templates and conditions of family files: strict, sandboxed, over JSON values."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated

import jinja2
import jmespath
from jinja2 import meta
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jmespath.exceptions import JMESPathError
from pydantic import AfterValidator

from teval.schema import Json

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
"""Not from strftime, whose names follow the reader's locale."""
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class _Environment(ImmutableSandboxedEnvironment):
    """Looks keys up before attributes, so that a value's key ``items`` is never a method."""

    def getattr(self, obj: object, attribute: str) -> object:
        if isinstance(obj, Mapping):
            return self.getitem(obj, attribute)
        return super().getattr(obj, attribute)


def _moment(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text)


def _plus_days(text: str, days: int) -> str:
    return (_moment(text) + dt.timedelta(days=days)).date().isoformat()


def _plus_minutes(text: str, minutes: int) -> str:
    return (_moment(text) + dt.timedelta(minutes=minutes)).isoformat(timespec="seconds")


def _in_words(text: str) -> str:
    moment = _moment(text)
    return f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"


def _weekday(text: str) -> str:
    return _DAYS[_moment(text).weekday()]


_FILTERS: dict[str, Callable[..., str]] = {
    "date": lambda text: _moment(text).date().isoformat(),
    "in_words": _in_words,
    "plus_days": _plus_days,
    "plus_minutes": _plus_minutes,
    "time": lambda text: _moment(text).strftime("%H:%M"),
    "weekday": _weekday,
}

_environment = _Environment(undefined=jinja2.StrictUndefined, autoescape=False)
_environment.filters.update(_FILTERS)


@cache
def _template(text: str) -> jinja2.Template:
    return _environment.from_string(text)


@cache
def _condition(text: str) -> Callable[[Mapping[str, Json]], object]:
    return _environment.compile_expression(text, undefined_to_none=False)


def render(template: str, values: Mapping[str, Json]) -> str:
    """Return the template's text.

    Beside Jinja's own filters there are ``date``, ``time``, ``weekday`` and ``in_words``
    (``4 May 2031``), which read an ISO date or moment, and ``plus_days(n)`` and
    ``plus_minutes(n)``, which move one.

    Args:
        template: A Jinja template.
        values: Values by name.

    Raises:
        jinja2.TemplateError: The template names a value that is not there.
        ValueError: A date filter met something that is no date.

    >>> render("{{ day | in_words }}, {{ day | plus_days(1) | weekday }}", {"day": "2031-05-04"})
    '4 May 2031, Monday'
    """
    return _template(template).render(values)


def holds(condition: str, values: Mapping[str, Json]) -> bool:
    """Return whether a Jinja expression is true of the values.

    Raises:
        jinja2.TemplateError: The condition uses a value that is not there.

    >>> holds("rain >= 50 and city != 'Oslo'", {"rain": 60, "city": "Bergen"})
    True
    """
    return bool(_condition(condition)(values))


@cache
def names(template: str) -> frozenset[str]:
    """Return the names of the values that a template reads.

    >>> sorted(names("{{ a.b }} and {{ c[d] }}"))
    ['a', 'c', 'd']
    """
    return frozenset(meta.find_undeclared_variables(_environment.parse(template)))


def search(expression: str, value: Json) -> Json:
    """Return what a JMESPath expression finds in a value, or None.

    Raises:
        JMESPathError: The expression can't be read, or a function in it met a wrong type.
    """
    found: Json = jmespath.search(expression, value)
    return found


def _check_template(text: str) -> str:
    try:
        _template(text)
    except jinja2.TemplateSyntaxError as error:
        raise ValueError(f"not a template: {error.message}") from error
    return text


def _check_condition(text: str) -> str:
    try:
        _condition(text)
    except jinja2.TemplateSyntaxError as error:
        raise ValueError(f"not a condition: {error.message}") from error
    return text


def _check_expression(text: str) -> str:
    try:
        jmespath.compile(text)
    except JMESPathError as error:
        first_line = str(error).splitlines()[0]
        raise ValueError(f"not JMESPath: {first_line}") from error
    return text


Template = Annotated[str, AfterValidator(_check_template)]
"""A Jinja template, checked for its syntax."""
Condition = Annotated[str, AfterValidator(_check_condition)]
"""A Jinja expression, checked for its syntax."""
Expression = Annotated[str, AfterValidator(_check_expression)]
"""A JMESPath expression, checked for its syntax."""
