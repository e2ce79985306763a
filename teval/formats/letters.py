"""The letter of a review, read from an answer in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from teval.schema import Reply

# Quantifiers over characters that may stand side by side are possessive (``*+``), so that no text
# makes a pattern slow.
_LETTER = r"[A-E](?![^\W_]|['’][^\W_]|[-‐‑])"
_OPEN = r"[\s*_\"'“‘`(\[{<~]*+"
_CLOSE = r"[ \t*_\"'”’`)\]}>~]*+"
_SECOND = rf"{_CLOSE}(?:[,/&、或和]|(?i:or|and)\b)[ \t]*+(?i:or\b)?{_OPEN}(?P<second>{_LETTER})"
_CLAUSE_END = r"(?=[^\w\s]|_|[ \t]*+(?:$|[^\w\s]|(?i:because|since|as|due)\b|因为))"
_OPTION = r"(?:(?i:option)\s[\W_]*+)?"
_WORD = r"(?:(?<![^\W_])(?i:final[ \t]++answer|answer|review|choice)(?![^\W_])|答案|选择)"
_MARK = rf"{_WORD}[*_`\"]*+[ \t]*+"
_IS = r"(?:(?:(?i:is\b)|是)[ \t]*+[:：]?+|[:：])"
_NAMED = rf"{_MARK}{_IS}{_OPEN}{_OPTION}(?P<first>{_LETTER})(?:{_SECOND}|{_CLAUSE_END})"

_ALONE = re.compile(rf"[\W_]*+{_OPTION}(?P<first>{_LETTER})(?:{_SECOND})?[\W_]*+")
_SMALL = re.compile(r"[\W_]*+(?P<first>[a-e])[\W_]*+")
_BEGINNING = re.compile(rf"{_OPEN}(?P<first>{_LETTER})[*_\"'`\]]*+(?:[:：)）]|\.(?!\w))")
_LINE = re.compile(rf"^[ \t*_#>`\-]*+{_NAMED}", re.MULTILINE)
_ANYWHERE = re.compile(_NAMED, re.MULTILINE)


def parse(text: str) -> Reply:
    """Return the letter that an answer names, under ``review``.

    A letter is an ASCII capital A to E that no word, apostrophe or hyphen goes on from; a small
    one counts only as the whole answer. The first rule that matches decides:

    1. ``alone``: the answer or its last line is a letter in punctuation, or "Option X";
    2. ``beginning``: the answer begins with a letter and ``:``, ``.`` or ``)``;
    3. ``line``: the last line that begins like "Answer: X", where X ends the clause;
    4. ``anywhere``: the same words anywhere, if all name one letter.

    Two letters by one rule are none (``ambiguous``).

    >>> parse("Based on the response, the answer is E.").values["review"]
    'E'
    """
    text = text.strip()
    for rule, read in _RULES:
        letters = read(text)
        if len(letters) > 1:
            return Reply(rule=rule, candidates=len(letters), flags=("ambiguous",))
        if letters:
            letter = letters.pop()
            return Reply(
                values={"review": letter},
                parsed=True,
                well_formed=text == letter,
                rule=rule,
                candidates=1,
            )
    return Reply()


def checked(reply: Reply) -> Reply:
    """Return a JSON reply with its ``review`` reduced to the letter; unparsed without one."""
    said = reply.values.get("review")
    read = parse(said) if isinstance(said, str) else Reply()
    if read.rule not in {"alone", "beginning"}:
        read = Reply(flags=read.flags)
    return replace(
        reply,
        values=read.values,
        parsed=read.parsed,
        well_formed=reply.well_formed and read.well_formed,
        flags=(*reply.flags, *read.flags),
    )


def _alone(text: str) -> set[str]:
    small = _SMALL.fullmatch(text)
    if small is not None:
        return {small["first"].upper()}
    last = text.rsplit("\n", 1)[-1]
    return _letters(_ALONE.fullmatch(text) or _ALONE.fullmatch(last))


def _beginning(text: str) -> set[str]:
    found = _BEGINNING.match(text)
    return {found["first"]} if found is not None else set()


def _line(text: str) -> set[str]:
    lines = list(_LINE.finditer(text))
    return _letters(lines[-1] if lines else None)


def _anywhere(text: str) -> set[str]:
    found: Iterator[re.Match[str]] = _ANYWHERE.finditer(text)
    return set[str]().union(*map(_letters, found))


def _letters(found: re.Match[str] | None) -> set[str]:
    return {letter for letter in found.groupdict().values() if letter} if found else set()


_RULES: tuple[tuple[str, Callable[[str], set[str]]], ...] = (
    ("alone", _alone),
    ("beginning", _beginning),
    ("line", _line),
    ("anywhere", _anywhere),
)
